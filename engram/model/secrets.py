"""Secrets in text: finds what is shaped like one, and masks it. Nothing here prints or returns the secret itself."""

from __future__ import annotations

import base64
import binascii
import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from engram.errors import ConfigInvalid
from engram.model.secret_assigned import assigned
from engram.model.secret_rules import SHAPES
from engram.model.secret_values import entropy, stands_for_another

_RUN = re.compile(r"(?<![A-Za-z0-9+/=_-])[A-Za-z0-9+/]{32,4000}={0,2}(?![A-Za-z0-9+/=_-])")
_LONG_LINE = re.compile(r"[A-Za-z0-9+/]{40}")


@dataclass(frozen=True, slots=True)
class SecretHit:
    """Is one place that holds something shaped like a secret. ``start`` and ``end`` are indexes into the text."""

    rule: str
    start: int
    end: int
    fingerprint: str
    """16 hex digits of SHA-256 over the secret, hidden characters taken out: what a waiver is remembered by."""


def scan(text: str, extra: Sequence[str] = ()) -> tuple[SecretHit, ...]:
    """Returns the secrets of a text in the order they stand in it; none overlaps another.

    ``extra`` are the user's own patterns; where one has a group, its first is the secret. Hidden characters within a
    secret don't hide it. Takes linear time whatever the text.
    Raises ConfigInvalid where a pattern of ``extra`` is none.
    """
    plain, places = _without_hidden(text)
    spans: list[tuple[int, int, str]] = []
    taken = bytearray(len(plain))
    for rule, start, end in _found(plain, extra):
        if start < end and not any(taken[start:end]):
            taken[start:end] = b"\1" * (end - start)
            spans.append((start, end, rule))
    return tuple(
        SecretHit(rule, places(start), places(end - 1) + 1, fingerprint(plain[start:end]))
        for start, end, rule in sorted(spans)
    )


def masked(text: str, extra: Sequence[str] = ()) -> str:
    """Returns the text with each secret replaced by ``[secret: RULE]``. Raises what :func:`scan` raises."""
    parts: list[str] = []
    done = 0
    for hit in scan(text, extra):
        parts += (text[done : hit.start], f"[secret: {hit.rule}]")
        done = hit.end
    return "".join((*parts, text[done:]))


def fingerprint(secret: str) -> str:
    """Returns what a secret is remembered by: it can't be read back from it."""
    import hashlib  # noqa: PLC0415 - a hook that finds no secret needs none

    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _found(text: str, extra: Sequence[str]) -> Iterator[tuple[str, int, int]]:
    """Yields every hit, the surest first; hits may overlap."""
    yield from _own(text, extra)
    yield from _shaped(text)
    yield from assigned(text)
    yield from _encoded(text)


def _own(text: str, extra: Sequence[str]) -> Iterator[tuple[str, int, int]]:
    for pattern in extra:
        for match in _compiled(pattern).finditer(text):
            group = 1 if match.re.groups and match[1] else 0
            yield ("your-own-pattern", match.start(group), match.end(group))


@lru_cache(maxsize=64)
def _compiled(pattern: str) -> re.Pattern[str]:
    try:
        return re.compile(pattern)
    except re.error as error:
        raise ConfigInvalid(f"redaction_patterns_extra: {pattern!r} is no pattern: {error}") from error


def _shaped(text: str) -> Iterator[tuple[str, int, int]]:
    lowered = text.lower()
    for rule, words, shape, least in SHAPES:
        if not any(word in lowered for word in words.split()):
            continue
        pattern = _shape(shape)
        for match in pattern.finditer(text):
            group = 1 if pattern.groups else 0
            secret = match[group]
            if rule == "private-key":
                if not _LONG_LINE.search(secret):
                    continue
            elif entropy(secret) < least or stands_for_another(secret):
                continue
            yield (rule, match.start(group), match.end(group))


@cache
def _shape(pattern: str) -> re.Pattern[str]:
    """Returns a pattern of the table, compiled when a text has a word of it: a hook can't afford all."""
    return re.compile(_bounded(pattern))


def _bounded(pattern: str) -> str:
    left = "" if pattern.startswith(("(?<!", "-", "[?&]", '"', "(?i:", "https", "<")) else "(?<![A-Za-z0-9])"
    return f"{left}(?:{pattern})(?![A-Za-z0-9])" if left else pattern


def _encoded(text: str) -> Iterator[tuple[str, int, int]]:
    """Yields runs of base64 that hold a secret of a known shape."""
    for match in _RUN.finditer(text):
        try:
            inner = base64.b64decode(match[0] + "=" * (-len(match[0]) % 4), validate=True).decode("ascii")
        except (binascii.Error, ValueError):
            continue
        if inner.isprintable() or "-----BEGIN" in inner:
            for rule, _, _ in _shaped(inner):
                yield (f"{rule}-in-base64", match.start(), match.end())
                break


def _without_hidden(text: str) -> tuple[str, Callable[[int], int]]:
    """Returns the text without characters that can't be seen, and where each that stays stood."""
    if text.isascii() or not any(unicodedata.category(char) == "Cf" for char in set(text)):
        return text, lambda place: place
    kept = [place for place, char in enumerate(text) if unicodedata.category(char) != "Cf"]
    return "".join(text[place] for place in kept), lambda place: kept[place]

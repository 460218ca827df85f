"""A changeset's text as a JSON value: untrusted, so that nothing in it can exhaust or mislead what reads it."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from engram.model.secrets import masked
from engram.model.visible import visible_line

MOST_BYTES = 8 * 1024 * 1024
"""Of a whole changeset."""
MOST_DEPTH = 32
MOST_DIGITS = 18
MOST_ITEMS = 200
"""Of any list or object in it."""

Step = str | int
Problem = tuple[tuple[Step, ...], str]
"""Where, as keys and indexes from the top; and words."""

_TOKENS = re.compile(r'"(?:[^"\\]|\\.)*+"?|[\[{]|[\]}]', re.DOTALL)
_PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_UNPAIRED = re.compile(r"[\ud800-\udfff]")


@dataclass(frozen=True)
class Unusable:
    """Stands in the value for what JSON can't say, or engram can't hold."""

    words: str


class Doubled(dict[str, Any]):
    """Is an object that gave some of its keys more than once."""

    keys_given_twice: tuple[str, ...] = ()


class Unreadable(ValueError):
    """The text is no JSON value that is worth a look; its words tell why."""


def parsed(text: str | bytes) -> Any:
    """Returns the JSON value of a text; ``Unusable`` and ``Doubled`` stand in it where something is wrong with it.

    A BOM is tolerated. Raises Unreadable where the text is too large, no UTF-8, nested too deep, or no JSON.
    """
    plain = _decoded(text)
    _check_depth(plain)
    try:
        return json.loads(
            plain, object_pairs_hook=_object, parse_int=_integer, parse_float=_number, parse_constant=_constant
        )
    except json.JSONDecodeError as error:
        raise Unreadable(f"not JSON: line {error.lineno}, column {error.colno}: {error.msg}") from None


def unusable(value: Any) -> Iterator[Problem]:
    """Yields what is wrong with a parsed value whatever it means: keys twice, numbers, unpaired surrogates, NUL."""
    waiting: list[tuple[tuple[Step, ...], Any]] = [((), value)]
    while waiting:
        path, item = waiting.pop()
        if isinstance(item, Unusable):
            yield path, item.words
        elif isinstance(item, str):
            yield from ((path, words) for words in _text_problems(item))
        elif isinstance(item, list):
            waiting.extend(((*path, index), inner) for index, inner in enumerate(item))
        elif isinstance(item, dict):
            if isinstance(item, Doubled):
                yield from (((*path, key), "given more than once") for key in item.keys_given_twice)
            waiting.extend(((*path, key), inner) for key, inner in item.items())


def crowded(value: Any) -> Iterator[Problem]:
    """Yields the lists and objects that are too long to be looked at item by item."""
    waiting: list[tuple[tuple[Step, ...], Any]] = [((), value)]
    while waiting:
        path, item = waiting.pop()
        if isinstance(item, (list, dict)) and len(item) > MOST_ITEMS:
            yield path, f"has {len(item):,} items; nothing in a changeset has more than {MOST_ITEMS}"
        elif isinstance(item, list):
            waiting.extend(((*path, index), inner) for index, inner in enumerate(item))
        elif isinstance(item, dict):
            waiting.extend(((*path, key), inner) for key, inner in item.items())


def json_path(path: Sequence[Step]) -> str:
    """Returns a place as ``$.changes[3].note.name``; a key of other than plain letters as ``["…"]``."""
    shown = "$"
    for step in path:
        if isinstance(step, int):
            shown += f"[{step}]"
        elif _PLAIN_KEY.fullmatch(step) and len(step) <= 40:
            shown += f".{masked(step)}"
        else:
            shown += f'["{quotable(step, 40)}"]'
    return shown


def quotable(text: str, most: int = 80) -> str:
    """Returns untrusted text as it may stand in a message: one line, everything visible, no secret, not long."""
    safe = masked(text[: most * 4])
    return visible_line(safe if len(safe) <= most else safe[: most - 1] + "…")


def _decoded(text: str | bytes) -> str:
    data = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
    if len(data) > MOST_BYTES:
        raise Unreadable(f"too large: {len(data):,} bytes, and a changeset has at most {MOST_BYTES:,}")
    if isinstance(text, str):
        return text.removeprefix("\ufeff")
    try:
        return data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        words = f"not UTF-8: byte 0x{data[error.start]:02x} at offset {error.start} (line {line})"
        raise Unreadable(words) from None


def _check_depth(text: str) -> None:
    depth = 0
    for token in _TOKENS.finditer(text):
        if token[0] in "[{":
            depth += 1
        elif token[0] in "]}":
            depth -= 1
        if depth > MOST_DEPTH:
            raise Unreadable(f"nested deeper than {MOST_DEPTH} levels")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) == len(pairs):
        return found
    times = Counter(key for key, _ in pairs)
    doubled = Doubled(found)
    doubled.keys_given_twice = tuple(key for key, many in times.items() if many > 1)
    return doubled


def _integer(digits: str) -> int | Unusable:
    return int(digits) if len(digits) <= MOST_DIGITS else Unusable(f"a number of {len(digits)} digits")


def _number(digits: str) -> float | Unusable:
    number = float(digits)
    return number if math.isfinite(number) else Unusable("a number too large to be one")


def _constant(name: str) -> Unusable:
    return Unusable(f"{name} is no number in JSON")


def _text_problems(text: str) -> Iterator[str]:
    if "\0" in text:
        yield "holds a NUL character"
    if _UNPAIRED.search(text):
        yield "holds half a surrogate pair, which is no character"

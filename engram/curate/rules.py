"""What a schema can't say of a changeset: rules over several fields, over days, and over what a text may hide."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

from engram.curate.parse import Problem, Step, json_path, quotable
from engram.model.visible import hidden
from engram.store.paths import problem_with_name

MOST_BODY_BYTES = 64 * 1024
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")

_CONTROLS = frozenset((*range(0x20), *range(0x7F, 0xA0), 0x2028, 0x2029))
"""What the schema's lines refuse already."""


def broken_rules(value: Any) -> Iterator[Problem]:
    """Yields the rules that a parsed changeset breaks. Total: what is of the wrong kind is left to the schema."""
    if not isinstance(value, dict):
        return
    yield from _plain_lines((), value)
    changes = value.get("changes")
    if not isinstance(changes, list):
        return
    for index, change in enumerate(changes):
        if isinstance(change, dict):
            yield from _of_change(("changes", index), change)
    yield from _twice(changes)


def _of_change(path: tuple[Step, ...], change: Mapping[str, Any]) -> Iterator[Problem]:
    note = change.get("note")
    if isinstance(note, dict):
        yield from _of_fields((*path, "note"), note)
        if isinstance(note.get("name"), str) and (why := problem_with_name(note["name"])):
            yield (*path, "note", "name"), why
    if isinstance(change.get("set"), dict):
        yield from _of_fields((*path, "set"), change["set"])
    yield from _of_body(path, change)
    for key in ("target", "by"):
        yield from _blank(path, change, key)
    if same_name(change.get("by"), change.get("target")):
        yield (*path, "by"), "names the target itself"
    yield from _blank(path, change, "reason")
    evidence = change.get("evidence")
    for place, item in enumerate(evidence if isinstance(evidence, list) else ()):
        if isinstance(item, dict):
            yield from _plain_lines((*path, "evidence", place), item)


def _of_fields(path: tuple[Step, ...], fields: Mapping[str, Any]) -> Iterator[Problem]:
    """Yields what is wrong with fields of the frontmatter, in a new note or in ``set``."""
    for key in ("expires", "review_after"):
        text = fields.get(key)
        if isinstance(text, str) and _DAY.fullmatch(text) and not _is_day(text):
            yield (*path, key), "is no day of the calendar"
    yield from _blank(path, fields, "description")
    yield from _of_body(path, fields)
    yield from _plain_lines(path, fields)


def _of_body(path: tuple[Step, ...], holder: Mapping[str, Any]) -> Iterator[Problem]:
    body = holder.get("body")
    if not isinstance(body, str):
        return
    yield from _blank(path, holder, "body")
    size = len(body.encode("utf-8", "surrogatepass"))
    if size > MOST_BODY_BYTES >= len(body):  # more characters than that are the schema's to refuse
        yield (*path, "body"), f"has {size:,} bytes, and at most {MOST_BODY_BYTES:,} are taken"


def _blank(path: tuple[Step, ...], holder: Mapping[str, Any], key: str) -> Iterator[Problem]:
    """Yields a text that is nothing but white space; an empty one is the schema's to refuse."""
    text = holder.get(key)
    if isinstance(text, str) and text and not text.strip():
        yield (*path, key), "must say something"


def _plain_lines(path: tuple[Step, ...], holder: Mapping[str, Any]) -> Iterator[Problem]:
    """Yields texts that end up in a commit's trailers or name a place, and hold characters that can't be seen."""
    for key in ("agent", "source_agent", "session", "ref", "sessions"):
        given = holder.get(key)
        for place, text in enumerate(given) if isinstance(given, list) else ((None, given),):
            if not isinstance(text, str):
                continue
            where = (*path, key) if place is None else (*path, key, place)
            found = hidden("".join(char for char in text if ord(char) not in _CONTROLS))
            if found:
                yield where, f"holds characters that can't be seen: {', '.join(found)}"
            if text != text.strip():
                yield where, "begins or ends with white space"


def _twice(changes: list[Any]) -> Iterator[Problem]:
    """Yields names that two ADDs give, and notes that two changes edit."""
    added: dict[str, int] = {}
    edited: dict[str, int] = {}
    for index, change in enumerate(changes):
        if not isinstance(change, dict):
            continue
        note = change.get("note")
        name = note.get("name") if isinstance(note, dict) else None
        if isinstance(name, str):
            first = added.setdefault(name.casefold(), index)
            if first != index:
                yield ("changes", index, "note", "name"), f"is the name that {_at(first)} adds"
        target = change.get("target")
        if isinstance(target, str) and change.get("op") in ("UPDATE", "INVALIDATE"):
            first = edited.setdefault(_plain(target), index)
            if first != index:
                yield ("changes", index, "target"), f"{quotable(target)} is changed by {_at(first)} already"


def same_name(one: object, other: object) -> bool:
    """Tells whether two targets are written alike but for case and ``.md``."""
    return isinstance(one, str) and isinstance(other, str) and _plain(one) == _plain(other)


def _plain(target: str) -> str:
    return target.casefold().removesuffix(".md")


def _at(index: int) -> str:
    return json_path(("changes", index))


def _is_day(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True

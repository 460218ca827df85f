"""Surgery: one field of a frontmatter set, and no character outside that field's lines changed."""

from __future__ import annotations

import re

from engram.errors import FrontmatterBroken
from engram.model.change import SetValue
from engram.store import layout, scalars, yaml_text
from engram.store.body import line_end
from engram.store.layout import BOM, Entry, Layout

_FIELD = re.compile(r"[A-Za-z_][A-Za-z0-9_.\-]*\Z")


def with_field(text: str, key: str, value: SetValue) -> str:
    """Returns the text with one field set.

    It is set where it counts: at the top where it stands there, else below ``metadata:`` where it stands there, else
    on a new last line before the closing fence; a text without frontmatter gets one put before it.
    """
    found = layout.layout_of(text)
    if found is None:
        return _with_frontmatter(text, key, value)
    entry = found.entry(key)
    nested = found.entry("metadata")
    if entry is None and nested is not None and key != "metadata":
        below = layout.children(found.lines, nested)
        if below is not None:
            entry = next((child for child in reversed(below[0]) if child.key == key), None)
        else:
            where = yaml_text.spans("".join(found.lines[nested.start : nested.end])).get(key)
            if where is not None:
                return _with_bracketed(found, nested, where, value)
    if entry is None:
        return found.with_lines(len(found.lines), len(found.lines), (field_line(key, value, found.newline),))
    return found.with_lines(entry.start, entry.end, _set_lines(found.lines[entry.start : entry.end], entry, value))


def without_field(text: str, key: str) -> str:
    """Returns the text without the lines of one field, wherever it stands; as it is where there is none.

    Raises FrontmatterBroken for a field within ``metadata: {…}``, which has no lines of its own.
    """
    while (found := layout.layout_of(text)) is not None:
        nested = found.entry("metadata")
        below = layout.children(found.lines, nested) if nested is not None else None
        entries = (*found.entries, *(below[0] if below is not None else ()))
        entry = next((entry for entry in reversed(entries) if entry.key == key), None)
        if entry is None:
            if nested is not None and below is None:
                _refuse_bracketed("".join(found.lines[nested.start : nested.end]), key)
            return text
        text = found.with_lines(entry.start, entry.end, ())
    return text


def _refuse_bracketed(standing: str, key: str) -> None:
    if key in yaml_text.spans(standing):
        raise FrontmatterBroken("a value within `metadata: {…}` can't be taken out", place="metadata")


def field_line(key: str, value: SetValue, newline: str = "\n") -> str:
    """Returns a new field's line. Raises ValueError for a key that is no plain word."""
    return f"{_checked(key)}: {scalars.written(value)}{newline}"


def _with_frontmatter(text: str, key: str, value: SetValue) -> str:
    mark = BOM if text.startswith(BOM) else ""
    newline = line_end(text)
    return f"{mark}---{newline}{field_line(key, value, newline)}---{newline}{text[len(mark) :]}"


def _checked(key: str) -> str:
    if _FIELD.match(key) is None or scalars.text(key) != key:
        raise ValueError(f"{key!r} can't be the name of a field")
    return key


def _set_lines(lines: tuple[str, ...], entry: Entry, value: SetValue) -> tuple[str, ...]:
    """Returns the entry's new lines: the key, its blanks and a one-line value's comment stay as they are."""
    first = layout.content(lines[0])
    newline = lines[0][len(first) :]
    behind = first[entry.colon :]
    items = _items_of(lines, entry) if layout.has_no_value(behind) else ()
    if isinstance(value, tuple) and value and items:
        return (lines[0], *_item_lines(items, value))
    bare = behind.lstrip(" \t")
    if not bare or layout.has_no_value(behind):
        gap, tail = " ", behind.rstrip(" \t") if bare[:1] == "#" else ""
    else:
        gap = behind[: len(behind) - len(bare)]
        tail = scalars.comment(behind) if _is_one_line(lines, behind) else ""
    quote = bare[0] if isinstance(value, str) and bare[:1] in ('"', "'") else ""
    return (f"{first[: entry.colon]}{gap}{scalars.written(value, quote=quote)}{tail}{newline}",)


def _is_one_line(lines: tuple[str, ...], behind: str) -> bool:
    return len(lines) == 1 and not layout.is_block_scalar(behind.strip(" \t"))


def _items_of(lines: tuple[str, ...], entry: Entry) -> tuple[str, ...]:
    """Returns the lines of a block list's items; none where the value is no list of one-line items."""
    below = tuple(line for line in lines[1:] if not layout.is_idle(line))
    indents = {line[: len(line) - len(line.lstrip(" \t"))] for line in below}
    if len(indents) != 1 or not next(iter(indents)).startswith(entry.prefix):
        return ()
    return below if all(layout.is_item(line.lstrip(" \t")) for line in below) else ()


def _item_lines(standing: tuple[str, ...], value: tuple[str, ...]) -> list[str]:
    """Returns a block list's new item lines; an item that stood there keeps its line, quotes and comment."""
    first = standing[0]
    indent = first[: len(first) - len(first.lstrip(" \t"))]
    newline = "\r\n" if first.endswith("\r\n") else "\n"
    known: dict[str, str] = {}
    for line in standing:
        said = scalars.read(layout.content(line).lstrip(" \t")[1:])
        if isinstance(said, str):
            known.setdefault(said, line)
    return [known.get(item) or f"{indent}- {scalars.text(item)}{newline}" for item in value]


def _with_bracketed(found: Layout, nested: Entry, where: tuple[int, int], value: SetValue) -> str:
    """Returns the text with a value within ``metadata: {…}`` replaced in its place."""
    standing = "".join(found.lines[nested.start : nested.end])
    new = (
        "null"
        if value is None
        else scalars.text(value, flow=True)
        if isinstance(value, str)
        else scalars.written(value)
    )
    gap = "" if standing[where[0] - 1 : where[0]] in (" ", "\t") else " "
    changed = standing[: where[0]] + gap + new + standing[where[1] :]
    if changed.count("\n") > standing.count("\n"):
        raise FrontmatterBroken("a value within `metadata: {…}` can't be set without guessing", place="metadata")
    return found.with_lines(nested.start, nested.end, (changed,))

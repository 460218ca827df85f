"""A transcript as its reader gets it: where it is, how it begins, and what stands in it, object by object."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

Row = Mapping[str, Any]

LARGEST_DOCUMENT = 64 << 20
"""Bytes; a file that is one JSON document must be parsed in one piece."""
_SMALL = 200


@dataclass(frozen=True)
class Source:
    """Is one transcript, found but not read."""

    path: str
    head: Sequence[bytes]
    """The first lines, without their ends: as many as tell what the file is."""
    lines: Callable[[], Iterable[bytes]]
    """Gives all lines anew, without their ends; of an over-long one only the beginning."""
    session: str = ""
    """The session that is wanted, where a file holds several; "" for the only one."""

    @cached_property
    def first(self) -> tuple[Row, ...]:
        """What can be read of the head: its lines' objects, or the document that the file is."""
        if self._document is not None:
            return (self._document,)
        return tuple(filter(None, map(row_of, self.head)))

    def rows(self, *marks: bytes) -> Iterator[Row | None]:
        """Yields the object of each line, None for a line that holds none; or the one document that the file is.

        ``marks``: a long line that has none of them is passed over unparsed.
        """
        if self._document is not None:
            yield self._document
            return
        for line in self.lines():
            if line.strip() and (len(line) <= _SMALL or not marks or any(mark in line for mark in marks)):
                yield row_of(line)

    @cached_property
    def _document(self) -> Row | None:
        """Returns the file as one JSON object where its first line is none by itself."""
        begin = next((line for line in self.head if line.strip()), b"").removeprefix(b"\xef\xbb\xbf").lstrip()
        if not begin.startswith(b"{") or row_of(begin) is not None:
            return None
        data = bytearray()
        for line in self.lines():
            data += line + b"\n"
            if len(data) > LARGEST_DOCUMENT:
                return None
        return row_of(bytes(data))


def row_of(line: bytes) -> Row | None:
    """Returns the JSON object that a line is; None where it is none."""
    try:
        row = json.loads(line.decode("utf-8", "replace").removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return None
    return row if isinstance(row, dict) else None


def text_in(value: object) -> str:
    """Returns a value that is a text; "" for any other."""
    return value if isinstance(value, str) else ""


def text_of(value: object) -> str:
    """Returns a value that has to be a text. Raises TypeError."""
    if not isinstance(value, str):
        raise TypeError("no text")
    return value


def output_of(content: object) -> str:
    """Returns what a tool's result says: a text, or the texts among its blocks. Raises TypeError."""
    if isinstance(content, str):
        return content
    return "\n".join(text_in(block.get("text")) for block in dicts(content or []) if block.get("type") == "text")


def dicts(value: object) -> Iterator[Row]:
    """Yields the objects of a list. Raises TypeError where it is none."""
    if not isinstance(value, list):
        raise TypeError("no list")
    yield from (each for each in value if isinstance(each, dict))


def inner(row: Row, *names: str) -> Row:
    """Returns the object that stands under these names, one in the other; {} where one of them holds none."""
    for name in names:
        value = row.get(name)
        if not isinstance(value, dict):
            return {}
        row = value
    return row

"""What git prints, taken apart; and lists, cut into what a command line holds. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from engram.errors import GitFailed

LINE_LIMIT = 8000
"""Characters of paths on one command line; Windows takes 32,767 bytes in all."""


REGULAR = ("100644", "100755")
"""Modes of files; links and submodules have others."""


class Tracked(NamedTuple):
    """Is an entry of a tree or an index: its mode (``100644``) and its object's id."""

    mode: str
    id: str


def zsplit(out: bytes) -> list[bytes]:
    """Returns the records of NUL-terminated output."""
    return out.split(b"\0")[:-1]


def entry(record: bytes) -> tuple[list[str], bytes]:
    """Returns the words and the name of a record of ``ls-tree`` or ``ls-files -s``."""
    words, _, name = record.partition(b"\t")
    return words.decode().split(" "), name


def batch(out: bytes) -> Iterator[tuple[str, bytes]]:
    """Yields id and bytes from what ``cat-file --batch`` printed; an object that is missing is left out."""
    at = 0
    while at < len(out):
        end = out.index(b"\n", at)
        words = out[at:end].split(b" ")
        at = end + 1
        if words[-1] == b"missing":
            continue
        size = int(words[2])
        yield words[0].decode(), out[at : at + size]
        at += size + 1


def person(line: bytes) -> tuple[str, str]:
    """Returns name and address from ``Name <address> seconds zone``."""
    match = re.match(r"(.*) <(.*)> \d+ [+-]\d{4}\s*$", line.decode("utf-8", "replace"))
    if match is None:
        raise GitFailed(f"git gave an identity that can't be read: {line!r}")
    return match[1], match[2]


def grouped(paths: Iterable[str]) -> Iterator[list[str]]:
    """Yields the paths in groups that fit a command line, in order; nothing where there are none."""
    group: list[str] = []
    size = 0
    for path in paths:
        if group and size + 4 * len(path) > LINE_LIMIT:
            yield group
            group, size = [], 0
        group.append(path)
        size += 4 * len(path) + 1
    if group:
        yield group

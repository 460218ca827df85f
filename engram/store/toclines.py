"""The lines of a MEMORY.md: which of them list a note, and where a section begins and ends."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import unquote

_TEXT = r"(?:[^\[\]\\]|\\.|\[(?:[^\[\]\\]|\\.)*\])*"
_URL = r"(?:<([^<>\n]*)>|((?:[^\s()<>]|\([^\s()]*\))+))"
_LINK = re.compile(rf"\[{_TEXT}\]\({_URL}\)")
_MARK = r"\ufeff?[ \t]*[-*+][ \t]+(?:\[[ xX]\][ \t]+)?"
_ENTRY = re.compile(rf"({_MARK})\[({_TEXT})\]\({_URL}\)(\s*(?:—|–|--|-|:)\s+)?(.*)", re.DOTALL)
_BULLET = re.compile(r"[ \t]*[-*+][ \t]")
_HEADING = re.compile(r" {0,3}#{1,6}[ \t]+(.*)", re.DOTALL)
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:")
_FILLER = frozenset(("memories", "memory", "notes", "note"))


@dataclass(frozen=True, slots=True)
class Entry:
    """Is one line that lists a note; its parts joined are the line without its end."""

    index: int
    path: str
    match: re.Match[str]
    """Groups: 1 bullet, 2 title, 3 and 4 the link's target, 5 what stands before the hook (None: no hook), 6 hook."""


def text_of(line: bytes) -> str:
    """Returns a line without its end; bytes that are no UTF-8 come as surrogates."""
    return line.removesuffix(b"\n").removesuffix(b"\r").decode("utf-8", "surrogateescape")


def end_of(line: bytes) -> bytes:
    """Returns a line's end; nothing where the file ends without one."""
    return b"\r\n" if line.endswith(b"\r\n") else b"\n" if line.endswith(b"\n") else b""


def outside_fences(lines: Sequence[bytes]) -> Iterator[tuple[int, str]]:
    """Yields index and text of each line that is not in a code fence."""
    fence = ""
    for index, line in enumerate(lines):
        text = text_of(line)
        match = _FENCE.match(text)
        if match is not None and (not fence or match[1].startswith(fence)):
            fence = "" if fence else match[1]
        elif not fence:
            yield index, text


def entries(lines: Sequence[bytes]) -> list[Entry]:
    """Returns the lines that list a note: bullets that begin with a link to a file of the store."""
    found = []
    for index, text in outside_fences(lines):
        match = _ENTRY.match(text)
        path = _target(match[3] or match[4]) if match is not None else ""
        if match is not None and path:
            found.append(Entry(index, path, match))
    return found


def mentions(text: str) -> Iterator[str]:
    """Yields the store's files that a line links, wherever in it."""
    for match in _LINK.finditer(text):
        path = _target(match[1] or match[2])
        if path:
            yield path


def is_bullet(line: bytes) -> bool:
    """Tells whether a line is an item of a list."""
    return _BULLET.match(text_of(line)) is not None


def section(lines: Sequence[bytes], kind: str) -> tuple[int, int] | None:
    """Returns the first section headed by a type: the heading's index, and that of the next heading or the end."""
    start = -1
    for index, text in outside_fences(lines):
        match = _HEADING.match(text)
        if match is None:
            continue
        if start >= 0:
            return start, index
        if kind and _names(match[1].rstrip("# \t"), kind):
            start = index
    return (start, len(lines)) if start >= 0 else None


def item_end(lines: Sequence[bytes], index: int) -> int:
    """Returns the index behind a bullet and the indented lines that belong to it."""
    end = index + 1
    while end < len(lines) and lines[end][:1] in (b" ", b"\t") and lines[end].strip():
        end += 1
    return end


def _target(url: str) -> str:
    """Returns the store's file that a link names; "" for one that names none."""
    bare = unquote(url.split("#", maxsplit=1)[0], errors="surrogateescape")
    if not bare.endswith(".md") or bare.startswith(("/", "\\")) or _SCHEME.match(bare):
        return ""
    path = posixpath.normpath(bare)
    return "" if path.startswith("../") else path


def _names(heading: str, kind: str) -> bool:
    """Tells whether a heading names a type: ``Feedback``, ``Decisions``, ``Project Memories``."""
    words = re.sub(r"[\W_]+", " ", heading.casefold()).split()
    while len(words) > 1 and words[-1] in _FILLER:
        words.pop()
    wanted = kind.casefold().replace("_", " ")
    plural = f"{wanted[:-1]}ies" if wanted.endswith("y") else f"{wanted}s"
    return bool(wanted) and " ".join(words) in (wanted, plural)

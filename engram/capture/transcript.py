"""Opens a transcript and hands it to the reader of its agent; says in words what it is where there is no reader."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import BinaryIO, Protocol

from engram.capture import claude, codex, copilot, cursor, gemini, opencode
from engram.capture.foreign import looks_like
from engram.capture.places import parts_of
from engram.capture.source import Source
from engram.errors import TranscriptUnreadable
from engram.model.session import Session

LONGEST_LINE = 32 << 20
"""Bytes; what is longer is counted as a line that can't be read. Pictures in a message take several million."""
_HEAD_LINES = 200
_HEAD_BYTES = 4 << 20


class Reader(Protocol):
    """Is one agent's way of writing transcripts. A further one is a module with these names and a row below."""

    AGENT: str

    def reads(self, source: Source) -> bool:
        """Tells whether a file is this agent's, mostly by its first lines."""
        ...

    def read(self, source: Source) -> Session:
        """Returns the session. Raises TranscriptUnreadable where a file that holds several doesn't hold the wanted one;
        never for what a line holds."""
        ...


READERS: Mapping[str, Reader] = {
    reader.AGENT: reader for reader in (claude, codex, gemini, copilot, opencode, cursor)
}  # fmt: skip
"""The first one that knows a file reads it."""


def read(path: str, session: str = "") -> Session:
    """Returns the session that a transcript holds. Raises TranscriptUnreadable with the reason.

    ``session``: the id by which engram knows it; it says which one is wanted of a file that holds several.
    """
    if not path:
        raise TranscriptUnreadable("the agent gave no transcript for this session")
    if os.path.isdir(path):
        raise TranscriptUnreadable(f"{path} is a folder, not a transcript", place=path)
    if os.path.exists(path) and not os.path.isfile(path):  # a pipe would be waited for, a device never ends
        raise TranscriptUnreadable(f"{path} is no file", place=path)
    try:
        found = _read(path, session)
    except FileNotFoundError:
        raise TranscriptUnreadable(f"{path} is not there any more", place=path) from None
    except (OSError, ValueError) as error:
        raise TranscriptUnreadable(f"{path} can't be read: {error}", place=path) from error
    if not found.turns:
        raise TranscriptUnreadable(f"{path} holds no turn of a conversation of its own", place=path)
    return replace(found, id=session) if session else found


def _read(path: str, session: str) -> Session:
    with open(path, "rb") as file:
        head = _head(file)
    source = Source(path, head, lambda: _joined(parts_of(path)), session)
    reader = next((reader for reader in READERS.values() if reader.reads(source)), None)
    if reader is None:
        raise TranscriptUnreadable(f"{path} is {looks_like(head, path)}", place=path)
    return reader.read(source)


def _head(file: BinaryIO) -> tuple[bytes, ...]:
    """Returns the first lines, as many as tell what the file is."""
    found: list[bytes] = []
    size = 0
    for line in _lines(file):
        found.append(line)
        size += len(line)
        if len(found) >= _HEAD_LINES or size >= _HEAD_BYTES:
            break
    return tuple(found)


def _joined(paths: Sequence[str]) -> Iterator[bytes]:
    """Yields the lines of a session's files, one after the other; what a later file repeats of an earlier one, once."""
    seen: set[bytes] = set()
    for path in paths:
        with open(path, "rb") as file:
            yield from _lines(file) if len(paths) == 1 else _unseen(_lines(file), seen)


def _unseen(lines: Iterable[bytes], seen: set[bytes]) -> Iterator[bytes]:
    from hashlib import sha256  # noqa: PLC0415 - a session is in several files but rarely

    for line in lines:
        key = sha256(line).digest()
        if key not in seen:
            seen.add(key)
            yield line


def _lines(file: BinaryIO) -> Iterator[bytes]:
    """Yields the lines of a file, each without its end; of an over-long one only the beginning."""
    while line := file.readline(LONGEST_LINE):
        yield line.rstrip(b"\r\n")
        while not line.endswith(b"\n") and len(line) == LONGEST_LINE:
            line = file.readline(LONGEST_LINE)

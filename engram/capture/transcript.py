"""Opens a transcript and hands it to the reader of its agent; says in words what it is where there is no reader yet."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import BinaryIO, Protocol

from engram.capture import claude
from engram.capture.foreign import looks_like
from engram.errors import TranscriptUnreadable
from engram.model.session import Session

LONGEST_LINE = 32 << 20
"""Bytes; what is longer is counted as a line that can't be read. Pictures in a message take several million."""
_HEAD_LINES = 200
_HEAD_BYTES = 4 << 20


class Reader(Protocol):
    """Is one agent's way of writing transcripts."""

    AGENT: str

    def reads(self, head: Sequence[bytes]) -> bool:
        """Tells whether the first lines of a file are this agent's."""
        ...

    def read(self, lines: Iterable[bytes], path: str) -> Session:
        """Returns the session; never raises for what the lines hold."""
        ...


READERS: Mapping[str, Reader] = {claude.AGENT: claude}


def read(path: str) -> Session:
    """Returns the session that a transcript holds. Raises TranscriptUnreadable with the reason."""
    if not path:
        raise TranscriptUnreadable("the agent gave no transcript for this session")
    if os.path.isdir(path):
        raise TranscriptUnreadable(f"{path} is a folder, not a transcript", place=path)
    try:
        with open(path, "rb") as file:
            return _read(file, path)
    except FileNotFoundError:
        raise TranscriptUnreadable(f"{path} is not there any more", place=path) from None
    except (OSError, ValueError) as error:
        raise TranscriptUnreadable(f"{path} can't be read: {error}", place=path) from error


def _read(file: BinaryIO, path: str) -> Session:
    head = _head(file)
    reader = next((reader for reader in READERS.values() if reader.reads(head)), None)
    if reader is None:
        raise TranscriptUnreadable(f"{path} is {looks_like(head, path)}", place=path)
    file.seek(0)
    session = reader.read(_lines(file), path)
    if not session.turns:
        raise TranscriptUnreadable(f"{path} holds no turn of a conversation of its own", place=path)
    return session


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


def _lines(file: BinaryIO) -> Iterator[bytes]:
    """Yields the lines of a file, each without its end; of an over-long one only the beginning."""
    while line := file.readline(LONGEST_LINE):
        yield line.rstrip(b"\r\n")
        while not line.endswith(b"\n") and len(line) == LONGEST_LINE:
            line = file.readline(LONGEST_LINE)

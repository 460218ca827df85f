"""Reads files for the index, one by one: bytes, note, and the ids that git gives them."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence

from engram.index import sync
from engram.index.rows import Indexed, moment_of
from engram.model.note import base_of
from engram.store import read
from engram.store.frontmatter import parse
from engram.store.ref import object_format


class Reading:
    """Is one reading of a folder.

    ``found``: path to size and time of change, as the walk saw them at ``looked`` (ns).
    """

    def __init__(self, root: str, found: Mapping[str, tuple[int, int]], looked: int) -> None:
        self.root = root
        self.found = found
        self.looked = looked
        self.algorithm = object_format(root)
        self.unread: list[str] = []
        """Files that are there and can't be read."""
        self.missing = 0
        """Files that went away meanwhile."""
        self.again: list[str] = []
        """Files that have to be looked at again, whatever their time says."""

    def files(self, paths: Sequence[str]) -> Iterator[Indexed]:
        """Yields files as they are read."""
        for path in paths:
            try:
                data = read.bytes_of(os.path.join(self.root, *path.split("/")))
            except (FileNotFoundError, NotADirectoryError):
                self.missing += 1
                self.again.append(path)
            except OSError:
                self.unread.append(path)
                self.again.append(path)
            else:
                yield self._indexed(path, data)

    def _indexed(self, path: str, data: bytes) -> Indexed:
        size, mtime_ns = self.found[path]
        known = mtime_ns
        if not sync.settled(mtime_ns, self.looked):
            self.again.append(path)
            known = sync.UNSURE
        if len(data) > read.SIZE_LIMIT:
            return Indexed(path, size, known, "too-large")
        note, findings = parse(data, path)
        conflicted = any(one.code == "conflict-markers" for one in findings)
        blobs = (self._blob(data), self._blob(_other_ends(data)))
        return Indexed(path, size, known, base_of(data), note, conflicted, moment_of(mtime_ns), blobs)

    def _blob(self, data: bytes) -> str:
        total = hashlib.new(self.algorithm, b"blob %d\0" % len(data), usedforsecurity=False)
        total.update(data)
        return total.hexdigest()


def _other_ends(data: bytes) -> bytes:
    r"""Returns a text with ``\n`` for its ``\r\n``, or the other way round where it has none of those."""
    return data.replace(b"\r\n", b"\n") if b"\r\n" in data else data.replace(b"\n", b"\r\n")

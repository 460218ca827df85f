"""A snapshot: every note of a store at one moment, with HEAD and what HEAD does not hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from engram.model.finding import Finding
from engram.model.note import Note

TOC = "MEMORY.md"
"""The table of contents at the top of a store."""

Scope = Literal["user", "project", "dir"]
"""``dir``: a folder that was named, neither the user's store nor the project's."""


@dataclass(frozen=True)
class Snapshot:
    """Is a store at one moment. Nothing in it moves; a new moment is a new snapshot."""

    root: str
    """The store's folder, absolute, symlinks resolved."""
    scope: Scope = "dir"
    ref: str = ""
    """The branch HEAD names (``refs/heads/main``); "" where the folder is not versioned."""
    head: str = ""
    """The commit HEAD names; "" before the first one and where the folder is not versioned."""
    notes: tuple[Note, ...] = ()
    findings: tuple[Finding, ...] = ()
    work: Mapping[str, bytes] = field(default_factory=dict)
    """Every ``*.md`` file as it stands in the folder, MEMORY.md included: relative path to bytes."""
    committed: Mapping[str, bytes] = field(default_factory=dict)
    """The same as HEAD holds them; a file that was removed from the folder is here alone."""

    @property
    def versioned(self) -> bool:
        """Tells whether the folder is a git repository of its own."""
        return bool(self.ref or self.head)

    @cached_property
    def unreviewed(self) -> frozenset[str]:
        """Paths whose bytes are not those in HEAD: new, edited or removed behind engram's back."""
        return frozenset(
            path
            for path in {*self.work, *self.committed}
            if not same_text(self.work.get(path), self.committed.get(path))
        )

    @cached_property
    def by_path(self) -> Mapping[str, Note]:
        return {note.path: note for note in self.notes}

    @cached_property
    def by_name(self) -> Mapping[str, tuple[Note, ...]]:
        """Notes by each word that reaches them, lower-cased: the name, and the file's stem where it differs."""
        found: dict[str, list[Note]] = {}
        for note in self.notes:
            for word in {note.name.casefold(), note.stem.casefold()}:
                found.setdefault(word, []).append(note)
        return {word: tuple(notes) for word, notes in found.items()}

    def find(self, target: str) -> tuple[Note, ...]:
        """Returns the notes that a name or a path reaches: none, one, or several that share the name.

        A path (with or without ``.md``) counts first, then a name, whatever its case. An exact ``name`` field beats
        a file's stem.
        """
        for path in (target, f"{target}.md"):
            if path in self.by_path:
                return (self.by_path[path],)
        reached = self.by_name.get(target.casefold(), ())
        named = tuple(note for note in reached if note.name.casefold() == target.casefold())
        return named or reached


def same_text(one: bytes | None, other: bytes | None) -> bool:
    """Tells whether two versions of a file say the same: equal bytes, or equal but for CRLF against LF.

    A checkout under ``core.autocrlf`` holds CRLF where the commit holds LF; nobody wrote that.
    """
    if one == other:
        return True
    if one is None or other is None:
        return False
    return one.replace(b"\r\n", b"\n") == other.replace(b"\r\n", b"\n")

"""A changeset: what an agent proposes. Untrusted until a person has read what it does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Op = Literal["ADD", "UPDATE", "INVALIDATE", "NOOP"]
Relation = Literal["compatible", "contradictory", "subsumes", "subsumed"]
SetValue = str | int | None | tuple[str, ...]
"""What a changeset may give a field: text, a whole number (importance), an explicit null, or a list of texts."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Is a quote that a change rests on, with the session and the place in it."""

    session: str
    ref: str = ""
    quote: str = ""


@dataclass(frozen=True, slots=True)
class Replace:
    """Is one edit of a body: ``find`` stands in it exactly once."""

    find: str
    replace: str


@dataclass(frozen=True, slots=True)
class NewNote:
    """Is the note that an ADD proposes. ``fields`` holds all but name and body, by the words of the frontmatter."""

    name: str
    body: str
    fields: Mapping[str, SetValue] = field(default_factory=dict)

    @property
    def type(self) -> str:
        value = self.fields.get("type")
        return value if isinstance(value, str) else ""

    @property
    def description(self) -> str:
        value = self.fields.get("description")
        return value if isinstance(value, str) else ""


@dataclass(frozen=True, slots=True)
class Change:
    """Is one proposed change. Which of the later fields are there follows from ``op``."""

    op: Op
    relation: Relation
    confidence: float
    reason: str
    evidence: tuple[Evidence, ...] = ()
    note: NewNote | None = None
    """ADD."""
    target: str = ""
    """UPDATE, INVALIDATE, NOOP: a name, or a path where two notes share the name."""
    base: str = ""
    """UPDATE, INVALIDATE: the version of the target that the change was written for."""
    set: Mapping[str, SetValue] = field(default_factory=dict)
    """UPDATE: fields and their new values; None removes nothing, it writes an explicit null."""
    body: str | None = None
    """UPDATE: the whole new body."""
    edits: tuple[Replace, ...] = ()
    """UPDATE: edits of the body, in order."""
    by: str = ""
    """INVALIDATE: the note that holds now."""

    @property
    def name(self) -> str:
        """The name of the note concerned, as the changeset gives it."""
        return self.note.name if self.note is not None else self.target


@dataclass(frozen=True, slots=True)
class ChangeSet:
    """Is a validated changeset. ``scope`` is "" where it leaves the choice of the store open."""

    changes: tuple[Change, ...]
    agent: str = ""
    sessions: tuple[str, ...] = ()
    scope: Literal["", "user", "project"] = ""
    version: int = 1

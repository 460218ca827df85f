"""A plan: exactly what would be committed. What is shown is what is committed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from engram.model.act import Verb
from engram.model.change import Op, Relation

Said = Literal["user", "tool", "agent", "unverified", "none"]
"""Where a change's evidence was found: in the user's own words, in tool output, in the agent's text, nowhere,
or none was given."""

Level = Literal["refuse", "warn", "note"]


@dataclass(frozen=True, slots=True)
class Edit:
    """Is one file before and after, as HEAD holds it and as it stands in the folder; None where there is no file.

    Both pairs are equal but for MEMORY.md, which Claude Code keeps dirty, and for line ends under autocrlf.
    """

    path: str
    head_before: bytes | None
    head_after: bytes | None
    work_before: bytes | None
    work_after: bytes | None


@dataclass(frozen=True, slots=True)
class Line:
    """Is the summary of one change: what the person reads above the diff."""

    op: Op | Verb | Literal["ADOPT", "UNDO"]
    path: str
    """The file concerned; "" for a NOOP whose target is not there."""
    name: str
    reason: str = ""
    relation: Relation | Literal[""] = ""
    confidence: float = 1.0
    rewrites_prose: bool = False
    """A body that stood there changes, or a note is invalidated: never for the automatic gate."""


@dataclass(frozen=True)
class Plan:
    """Is what one approval allows: a store at one commit, the edits, the commit's message and trailers."""

    root: str
    ref: str
    head: str
    edits: tuple[Edit, ...]
    subject: str
    """The first line of the commit message and, after an empty line, what else it says."""
    trailers: tuple[tuple[str, str], ...]
    """In order, without ``Approved-By`` and ``Approved-Via``."""
    lines: tuple[Line, ...] = ()
    """One per change of the changeset, in its order."""
    notices: tuple[str, ...] = ()
    """What a person should know of how the plan came about, a sentence each."""
    beside: tuple[Line, ...] = ()
    """What engram itself adds to a changeset's edits: the uses of lessons."""
    hand_edits: tuple[str, ...] = ()
    """Notes that the plan touches and that HEAD doesn't hold as they stand: to be adopted first."""
    sessions: tuple[str, ...] = ()
    agent: str = ""
    author: tuple[str, str] | None = None
    """Name and email where the commit's author is not the person at the gate (an adoption)."""

    @cached_property
    def digest(self) -> str:
        """The whole SHA-256, in hex, over all that the approval binds; every part goes in behind its length."""
        return digest_of(self._parts())

    def _parts(self) -> Iterable[bytes | None]:
        yield from (b"engram-plan-1", self.root.encode("utf-8", "surrogatepass"), self.ref.encode(), self.head.encode())
        yield str(len(self.edits)).encode()
        for edit in self.edits:
            yield from (edit.path.encode("utf-8", "surrogatepass"), edit.head_before, edit.head_after)
            yield from (edit.work_before, edit.work_after)
        yield self.subject.encode("utf-8", "surrogatepass")
        for key, value in self.trailers:
            yield f"{key}: {value}".encode("utf-8", "surrogatepass")
        yield "\n".join(self.author or ()).encode("utf-8", "surrogatepass")

    @property
    def empty(self) -> bool:
        """Tells whether there is nothing to commit: the changes are NOOPs alone."""
        return not self.edits


@dataclass(frozen=True, slots=True)
class Concern:
    """Is something about a plan that the person should see, or that refuses it."""

    code: str
    message: str
    level: Level = "warn"
    """``refuse``: nothing but a person's own word lets it through; ``note``: worth knowing, no reason to stop
    the automatic gate."""
    change: int = -1
    """The index of the change in the changeset; -1 for the plan as a whole."""
    fingerprint: str = ""
    """Of a secret: what is remembered where a person says that it is none."""


@dataclass(frozen=True, slots=True)
class Approve:
    """Is the decision that the plan may be committed."""

    by: str
    via: Literal["terminal", "prompt", "dialog", "page", "policy"]


@dataclass(frozen=True, slots=True)
class Ask:
    """Is the decision that a person has to be asked; ``why`` tells what stands against doing without."""

    why: str


@dataclass(frozen=True, slots=True)
class Refuse:
    """Is the decision that the plan can't be committed as it stands."""

    why: str


Decision = Approve | Ask | Refuse


def digest_of(parts: Iterable[bytes | None]) -> str:
    """Returns the SHA-256, in hex, over parts that can't run into each other: each goes in behind its length."""
    total = hashlib.sha256()
    for part in parts:
        total.update(b"-" if part is None else str(len(part)).encode() + b":" + part)
    return total.hexdigest()

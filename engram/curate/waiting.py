"""Plans that wait for a person. What waits is the proposal; its plan is made anew whenever somebody looks.

One JSON file per proposal, replaced whole. Losing the folder loses proposals and no memory.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from engram.curate import records
from engram.errors import PlanNotFound
from engram.model.counted import counted


@dataclass(frozen=True, slots=True)
class Waiting:
    """Is one proposal that waits."""

    id: str
    store: str
    """The store's folder, absolute."""
    kind: Literal["changeset", "undo", "acts"]
    content: str
    """The changeset as it was proposed, the commit to take back, or the acts, as JSON."""
    digest: str
    """Of the plan as it was last made."""
    proposed: str
    """ISO 8601 in UTC."""
    agent: str = ""
    sessions: Sequence[str] = ()
    texts: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """What a person made of a note in their editor: path to ``{"base", "text"}``, ``base`` being the version of the
    file that it was written for."""
    scope: str = "dir"
    transcripts: Mapping[str, str] = field(default_factory=dict)
    """Session to its transcript, for evidence that is looked up when the queue has let the session go."""
    proposer: str = ""
    """The session whose agent proposed it, where its client told; it may be none of ``sessions``."""

    def age_days(self, now: datetime) -> int:
        """Returns for how many whole days it has waited."""
        try:
            return max(0, (now - datetime.fromisoformat(self.proposed)).days)
        except (ValueError, TypeError):
            return 0

    def changes(self) -> list[str]:
        """Returns each change in a few words, such as ``ADD use-pnpm``; [] where they can't be read."""
        try:
            listed = json.loads(self.content)["changes"] if self.kind == "changeset" else []
            return [_named(change) for change in listed]
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return []

    def told(self, now: datetime) -> str:
        """Returns where it comes from and how long it has waited, in words."""
        days = self.age_days(now)
        age = "less than a day old" if days == 0 else f"{counted(days, 'day')} old"
        unsigned = "by a command" if self.kind == "acts" else "by nobody named"
        whose = "to take a commit back" if self.kind == "undo" else f"by {self.agent}" if self.agent else unsigned
        return f"{whose}, {age}"


def _named(change: Mapping[str, Any]) -> str:
    note = change.get("note") or {}
    return f"{change['op']} {note.get('name') or change.get('target') or ''}".strip()[:120]


def identity(store: str, kind: str, agent: str, sessions: Sequence[str], content: str) -> str:
    """Returns the id of a proposal: one per agent and set of sessions in a store, so that a later one replaces it."""
    about = sorted(sessions) or [content]
    parts = [store, kind, agent, *about]
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:12]


def keep(folder: str, proposal: Waiting) -> None:
    """Keeps a proposal, in place of an older one whose sessions it covers."""
    records.put(folder, proposal.id, proposal)
    for older in every(folder):
        alike = (older.store, older.agent, older.kind) == (proposal.store, proposal.agent, proposal.kind)
        if alike and older.id != proposal.id and older.sessions and set(older.sessions) <= set(proposal.sessions):
            records.drop(folder, older.id)


def drop(folder: str, proposal: Waiting) -> None:
    """Lets a proposal go; nothing happens where it is gone already, or a later one has taken its place."""
    if not replaced(folder, proposal):
        records.drop(folder, proposal.id)


def replaced(folder: str, proposal: Waiting) -> bool:
    """Tells whether another proposal of the same sessions has taken this one's place."""
    return any(one.id == proposal.id and one.content != proposal.content for one in every(folder))


def moment(proposal: Waiting, now: datetime) -> datetime:
    """Returns when it was proposed; ``now`` where the record doesn't say, or says what can't be."""
    try:
        return min(datetime.fromisoformat(proposal.proposed), now)
    except (ValueError, TypeError):
        return now


def every(folder: str) -> tuple[Waiting, ...]:
    """Returns what waits, the oldest first. A damaged file is passed over."""
    return tuple(sorted(records.every(folder, Waiting, "id"), key=lambda one: (one.proposed, one.id)))


def find(folder: str, word: str) -> Waiting:
    """Returns the proposal with this id or digest, or the first digits of either. Raises PlanNotFound."""
    matching = [one for one in every(folder) if word and (one.id.startswith(word) or one.digest.startswith(word))]
    if len(matching) != 1:
        raise PlanNotFound(f"{len(matching) or 'no'} waiting plan{'s' if len(matching) > 1 else ''} for {word!r}")
    return matching[0]

"""What a commit rests on: the quotes that its changes gave, and where the transcripts lie. Machine-local.

Quotes stay out of git: a store is shared more widely than what somebody said in a session. Losing the folder loses no
memory; `engram why` then tells what the commit's message does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from engram.app.context import Context
from engram.curate import records
from engram.errors import EngramError
from engram.model import secrets

if TYPE_CHECKING:
    from engram.app.proposals import Proposal


@dataclass(frozen=True, slots=True)
class Grounds:
    """Is what one commit rests on. Keys are paths of notes."""

    commit: str
    reasons: Mapping[str, str] = field(default_factory=dict)
    said: Mapping[str, str] = field(default_factory=dict)
    """Whose words the change rests on: ``user``, ``tool``, ``agent``, ``unverified``, ``none``."""
    quotes: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """``SESSION REF: quote``, secrets masked."""
    transcripts: Mapping[str, str] = field(default_factory=dict)
    """Session to the file that holds it."""


def keep(context: Context, commit: str, proposal: Proposal) -> None:
    """Keeps what the changes of a commit rest on. Does nothing for a commit of acts."""
    changeset = proposal.changeset
    if not commit or changeset is None:
        return
    mask = context.settings(proposal.store.root).redaction_patterns_extra
    told = list(zip(changeset.changes, proposal.plan.lines, proposal.said, strict=True))
    kept = Grounds(
        commit,
        {line.path: line.reason for _, line, _ in told if line.path},
        {line.path: said for _, line, said in told if line.path},
        {
            line.path: [f"{one.session} {one.ref}: {secrets.masked(one.quote, mask)}" for one in change.evidence]
            for change, line, _ in told
            if line.path and change.evidence
        },
        proposal.waiting.transcripts,
    )
    with suppress(EngramError, OSError):  # the commit is made, and its message tells the rest
        records.put(context.prepared("grounds"), commit, kept)


def of(context: Context, commit: str) -> Grounds | None:
    """Returns what a commit rests on; None where that is not on record here."""
    return records.one(context.folder("grounds"), commit, Grounds, "commit")

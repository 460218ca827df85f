"""What runs before this one made of the sessions that still wait: which taught nothing, and which gave no answer.

Machine-local, one record per session, good for the moment at which it was queued: a session that stops again is read
again. Losing them costs another reading.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from engram import queue
from engram.app.context import Context
from engram.curate import records

FOLDER = "curated"
MOST_TRIES = 3
"""Runs that may fail on a session before it is left alone, so that a nightly run doesn't pay for it for ever."""


@dataclass(frozen=True, slots=True)
class Memo:
    """Is what became of one session. ``id`` is that of the queue."""

    id: str
    queued_at: str
    outcome: str
    """``nothing`` or ``failed``."""
    at: str
    agent: str = ""
    runs: str = "1"
    """How many runs failed on it."""

    @property
    def failures(self) -> int:
        return int(self.runs) if self.outcome == "failed" and self.runs.isdecimal() else 0

    @property
    def closed(self) -> str:
        """Why the session is not read again; "" where it is."""
        if self.outcome == "nothing":
            return "it was read and taught nothing"
        return f"{self.failures} runs failed on it" if self.failures >= MOST_TRIES else ""


def of(context: Context, entries: Iterable[queue.Entry]) -> Mapping[str, Memo]:
    """Returns what is known of sessions that wait, by the queue's id; of no older stop of theirs."""
    waiting = {entry.id: entry.queued_at for entry in entries}
    found = records.every(context.folder(FOLDER), Memo, "id")
    return {memo.id: memo for memo in found if waiting.get(memo.id) == memo.queued_at}


def keep(context: Context, entry: queue.Entry, outcome: str, agent: str, before: Memo | None) -> None:
    """Remembers what became of a session."""
    runs = str(1 + (before.failures if before else 0)) if outcome == "failed" else "1"
    memo = Memo(entry.id, entry.queued_at, outcome, records.moment(context.now()), agent, runs)
    records.put(context.prepared(FOLDER), entry.id, memo)


def sweep(context: Context, entries: Iterable[queue.Entry]) -> None:
    """Lets go what is known of sessions that have left the queue."""
    waiting = {entry.id for entry in entries}
    for memo in records.every(context.folder(FOLDER), Memo, "id"):
        if memo.id not in waiting:
            records.drop(context.folder(FOLDER), memo.id)

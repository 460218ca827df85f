"""Rejections: what a person said no to for good, so that it isn't proposed to them again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from engram.curate import records
from engram.curate.fingerprint import fingerprint
from engram.model.change import Change


@dataclass(frozen=True, slots=True)
class Rejection:
    """Is one change that was rejected. ``change`` is its fingerprint: equal for a change that says the same."""

    change: str
    op: str
    name: str
    description: str
    reason: str
    at: str
    store: str = ""
    agent: str = ""


def remember(folder: str, change: Change, reason: str, *, store: str, agent: str, now: datetime) -> Rejection:
    """Records that a person rejected a change, and why. Returns the record."""
    record = Rejection(
        change=fingerprint(change),
        op=change.op,
        name=change.name,
        description=change.note.description if change.note else change.reason,
        reason=reason,
        at=records.moment(now),
        store=store,
        agent=agent,
    )
    records.put(folder, record.change, record)
    return record


def every(folder: str) -> tuple[Rejection, ...]:
    """Returns what was rejected, the latest first. A damaged file is passed over."""
    found = records.every(folder, Rejection, "change")
    return tuple(sorted(found, key=lambda one: (one.at, one.change), reverse=True))


def reasons(folder: str) -> Mapping[str, str]:
    """Returns the fingerprint of each rejected change with the reason that was given."""
    return {one.change: one.reason for one in every(folder)}

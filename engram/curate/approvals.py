"""The record of approvals: who said yes to exactly which plan, through which channel, and what became of it.

An approval belongs to a plan's whole digest, holds for fifteen minutes and for one commit. Records stay: the audit
reads them. One JSON file per digest, replaced whole; a plan's store is locked while its approval is spent.

A yes at a terminal, of the policy or in a client's dialog is given and spent in one run. One in a client's prompt waits
until the agent runs the command that commits; it alone may be found unspent.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from engram.curate import records
from engram.errors import GateRefused
from engram.model.note import base_of
from engram.model.plan import Approve, Plan, digest_of

LIFETIME = timedelta(minutes=15)
WAITING = frozenset({"prompt"})
"""Channels whose approval is given in one run of engram and used in another."""
_DIGEST = re.compile(r"[0-9a-f]{12,64}")


@dataclass(frozen=True, slots=True)
class Approval:
    """Is one record. Times are ISO 8601 in UTC; ``commit`` and ``used`` are "" until it is spent."""

    digest: str
    by: str
    via: str
    at: str
    expires: str
    store: str
    parent: str = ""
    commit: str = ""
    used: str = ""
    files: Mapping[str, str] = field(default_factory=dict)
    """Path to the version committed (16 hex digits, see ``base_of``); "" for a file that was removed."""
    evidence: Mapping[str, str] = field(default_factory=dict)
    """What can be looked up again of a yes that came through a client (``capture.proof``); of one at a terminal, what
    marks the process above it as an agent's, and {} where nothing does."""


def grant(
    folder: str, plan: Plan, decision: Approve, now: datetime, *, evidence: Mapping[str, str] | None = None
) -> Approval:
    """Records that a person, or their policy, approved this plan. Returns the record."""
    return give(folder, prepared(plan, decision), now, evidence=evidence)


def prepared(plan: Plan, decision: Approve) -> Approval:
    """Returns the record of an approval that isn't given yet: it names no time and holds for none."""
    files = _versions({edit.path: edit.head_after for edit in plan.edits})
    return Approval(plan.digest, decision.by, decision.via, "", "", plan.root, plan.head, files=files)


def give(folder: str, record: Approval, now: datetime, *, evidence: Mapping[str, str] | None = None) -> Approval:
    """Records an approval that was prepared when its plan was shown. Returns the record."""
    until = records.moment(now + LIFETIME)
    given = replace(record, at=records.moment(now), expires=until, evidence=dict(evidence or {}))
    records.put(folder, given.digest, given)
    return given


def record_made(
    folder: str, store: str, parent: str, commit: str, *, texts: Mapping[str, bytes | None], by: str, now: datetime
) -> None:
    """Records the first commit of a store, which a person asked for at their terminal."""
    at = records.moment(now)
    digest = digest_of([b"engram-created-1", store.encode("utf-8", "surrogatepass"), commit.encode()])
    made = Approval(digest, by, "terminal", at, at, store, parent, commit, at, _versions(texts))
    records.put(folder, digest, made)


def spend(folder: str, plan: Plan, commit: str, now: datetime) -> None:
    """Uses an approval up for the commit that is about to be made. Raises GateRefused where there is none to use.

    What was spent is kept apart as well: another process may have the same plan approved at this very
    moment, and withdraws its own approval once it finds that the store has moved.
    """
    record = standing(folder, plan.digest, now)
    used = replace(record, commit=commit, used=records.moment(now))
    records.put(_spent(folder), record.digest, used)
    records.put(folder, record.digest, used)


def withdraw(folder: str, digest: str) -> None:
    """Takes an approval back that was not used: what failed at the person's yes needs another one."""
    record = _find(folder, digest)
    if record is not None and not record.used:
        records.drop(folder, record.digest)


def standing(folder: str, digest: str, now: datetime) -> Approval:
    """Returns the approval that can still be used for a plan, named by its digest or the first 12 digits or more.

    Raises GateRefused where no such approval is on record, it was used, it expired, or its record is damaged.
    """
    record = _find(folder, digest)
    if record is None:
        raise GateRefused(
            "nobody approved this plan", "a person runs `engram review` in a terminal of their own", digest[:12]
        )
    if record.used:
        raise GateRefused("this approval was used already; each holds for one commit", "ask again", digest[:12])
    try:
        left = datetime.fromisoformat(record.expires) - now
    except (ValueError, TypeError):
        left = timedelta(-1)
    if not timedelta() < left <= LIFETIME:
        raise GateRefused("this approval has expired; each holds for 15 minutes", "ask again", digest[:12])
    return record


def by_commit(folder: str) -> Mapping[str, Approval]:
    """Returns every spent approval by the commit it was spent on."""
    found = [*records.every(_spent(folder), Approval, "digest"), *records.every(folder, Approval, "digest")]
    return {record.commit: record for record in found if record.commit}


def unspent(folder: str) -> tuple[Approval, ...]:
    """Returns every approval that no commit was made on."""
    return tuple(record for record in records.every(folder, Approval, "digest") if not record.commit)


def commit_of(folder: str, digest: str) -> str:
    """Returns the commit that the approval of a plan was spent on; "" where it wasn't."""
    record = _find(folder, digest)
    if record is not None and record.commit:
        return record.commit
    spent = records.one(_spent(folder), digest, Approval, "digest") if _DIGEST.fullmatch(digest) else None
    return spent.commit if spent is not None else ""


def holds(record: Approval, texts: Mapping[str, bytes | None]) -> bool:
    """Tells whether a commit's files are those on record, no more and no fewer, byte for byte."""
    return dict(record.files) == _versions(texts)


def _spent(folder: str) -> str:
    return os.path.join(folder, "spent")


def _versions(texts: Mapping[str, bytes | None]) -> dict[str, str]:
    return {path: "" if data is None else base_of(data) for path, data in texts.items()}


def _find(folder: str, digest: str) -> Approval | None:
    if not _DIGEST.fullmatch(digest):
        return None
    if len(digest) == 64:
        return records.one(folder, digest, Approval, "digest")
    every = records.every(folder, Approval, "digest")
    matching = [record for record in every if record.digest.startswith(digest)]
    return matching[0] if len(matching) == 1 else None

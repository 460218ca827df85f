"""What went round the door: every commit of a store against the approval that is on record for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from engram.app import proofs
from engram.app.context import Context
from engram.app.stores import Store
from engram.curate import approvals
from engram.model.snapshot import TOC
from engram.store import git, history

Verdict = Literal["approved", "policy", "created", "unknown", "unproven", "mismatch", "outside"]

WORDS: Mapping[Verdict, str] = {
    "approved": "a person approved exactly this",
    "policy": "the automatic gate approved it; have a look",
    "created": "the store's first commit",
    "unknown": "says that it was approved; no record of it here",
    "unproven": "on record as approved, and what would show it is missing",
    "mismatch": "differs from what is on record as approved",
    "outside": "made without engram",
}


@dataclass(frozen=True, slots=True)
class Audited:
    """Is one commit with its verdict."""

    entry: history.Entry
    verdict: Verdict
    approval: approvals.Approval | None = None
    doubt: str = ""
    """What is missing of what the approval rests on."""


@dataclass(frozen=True, slots=True)
class Stray:
    """Is an approval on record that no channel of engram's leaves there."""

    approval: approvals.Approval
    why: str


def strays(context: Context, store: Store) -> tuple[Stray, ...]:
    """Returns the approvals of a store that lie unspent and that nobody can have given: left by a crash, or forged."""
    found = [one for one in approvals.unspent(context.folder("approvals")) if one.store == store.root]
    doubts = [(one, proofs.doubt_unspent(context, one)) for one in found]
    return tuple(Stray(one, why) for one, why in doubts if why)


def audit(context: Context, store: Store) -> tuple[Audited, ...]:
    """Returns every commit of the store that touches a note or the table of contents, the newest first."""
    repository = store.writable() if store.repository is None else store.repository
    records = approvals.by_commit(context.folder("approvals"))
    return tuple(_audited(context, entry, records, repository) for entry in history.log(repository))


def _audited(
    context: Context, entry: history.Entry, records: Mapping[str, approvals.Approval], repository: git.Repository
) -> Audited:
    record = records.get(entry.commit)
    if record is not None:
        if not _holds_what_was_approved(entry, record, repository):
            return Audited(entry, "mismatch", record)
        if why := proofs.doubt(context, record, entry):
            return Audited(entry, "unproven", record, why)
        return Audited(entry, "policy" if record.via == "policy" else "approved", record)
    trailers = dict(entry.trailers)
    if "Approved-By" in trailers:
        return Audited(entry, "unknown")
    notes = [path for path in entry.paths if path.endswith(".md") and path != TOC]
    return Audited(entry, "created" if not entry.parents and not notes else "outside")


def _holds_what_was_approved(entry: history.Entry, record: approvals.Approval, repository: git.Repository) -> bool:
    """Compares the commit's own files, byte for byte, with the versions on record. A record can be forged as a
    whole; a commit that was made under another's record can't."""
    if set(entry.paths) != set(record.files) or (entry.parents[:1] or ("",))[0] != record.parent:
        return False
    return approvals.holds(record, history.texts(repository, entry.commit, entry.paths))

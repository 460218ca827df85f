"""What went round the door: every commit of a store against the approval that is on record for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from engram.app.context import Context
from engram.app.stores import Store
from engram.curate import approvals
from engram.model.snapshot import TOC
from engram.store import git, history

Verdict = Literal["approved", "policy", "created", "unknown", "mismatch", "outside"]

WORDS: Mapping[Verdict, str] = {
    "approved": "a person approved exactly this",
    "policy": "the automatic gate approved it; have a look",
    "created": "the store's first commit",
    "unknown": "says that it was approved; no record of it here",
    "mismatch": "differs from what is on record as approved",
    "outside": "made without engram",
}


@dataclass(frozen=True, slots=True)
class Audited:
    """Is one commit with its verdict."""

    entry: history.Entry
    verdict: Verdict
    approval: approvals.Approval | None = None


def audit(context: Context, store: Store) -> tuple[Audited, ...]:
    """Returns every commit of the store that touches a note or the table of contents, the newest first."""
    repository = store.writable() if store.repository is None else store.repository
    records = approvals.by_commit(context.folder("approvals"))
    return tuple(_audited(entry, records, repository) for entry in history.log(repository))


def _audited(entry: history.Entry, records: Mapping[str, approvals.Approval], repository: git.Repository) -> Audited:
    record = records.get(entry.commit)
    if record is not None:
        same = _holds_what_was_approved(entry, record, repository)
        passed: Verdict = "policy" if record.via == "policy" else "approved"
        return Audited(entry, passed if same else "mismatch", record)
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

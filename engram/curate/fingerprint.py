"""Names for what was proposed: of a change by what it would do, of a changeset by all that it says."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict

from engram.model.change import Change, ChangeSet, SetValue

_UNORDERED = frozenset(("tags", "links", "relations", "affected_files", "sessions"))


def fingerprint(change: Change) -> str:
    """Returns 16 hex digits that are equal for two changes which would do the same.

    Operation, note, fields, body, edits and replacement count; why, how sure, on what evidence and against which
    version does not: a change that was rejected is known again when it comes back with other words around it.
    """
    note = change.note
    return _hash(
        {
            "op": change.op,
            "name": change.name.casefold().removesuffix(".md"),
            "fields": _plain_fields(note.fields if note is not None else change.set),
            "body": _plain_text(note.body if note is not None else change.body),
            "edits": [[_plain_text(edit.find), _plain_text(edit.replace)] for edit in change.edits],
            "by": change.by.casefold().removesuffix(".md"),
        }
    )


def changeset_id(changeset: ChangeSet) -> str:
    """Returns 16 hex digits over all that a changeset says, however its JSON was written."""
    return _hash(asdict(changeset))


def _plain_fields(fields: Mapping[str, SetValue]) -> dict[str, SetValue]:
    return {
        key: tuple(sorted(value)) if isinstance(value, tuple) and key in _UNORDERED else value
        for key, value in fields.items()
    }


def _plain_text(text: str | None) -> str | None:
    """Returns a text without what doesn't change what it says: line ends, white space at its ends and line ends."""
    if text is None:
        return None
    return "\n".join(line.rstrip() for line in text.replace("\r\n", "\n").split("\n")).strip("\n")


def _hash(value: object) -> str:
    canonical = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(canonical.encode()).hexdigest()[:16]

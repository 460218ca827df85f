"""A plan in git's terms: which blobs there are before and after, in the commit and in the user's index. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from engram.curate.intent import Step
from engram.errors import NoteStaged
from engram.model.plan import Edit
from engram.store.gitparse import Tracked
from engram.store.staged import staged_after

BlobId = Callable[[bytes], str]
"""What a repository calls a blob of these bytes."""

Entries = Mapping[str, Tracked]
Index = Mapping[str, Tracked | None]


def steps_of(edits: Iterable[Edit], blob_id: BlobId) -> tuple[Step, ...]:
    """Returns a plan's edits as the steps that an intent keeps."""
    return tuple(
        Step(
            edit.path,
            id_of(edit.head_before, blob_id),
            id_of(edit.work_before, blob_id),
            edit.head_after,
            edit.work_after,
        )
        for edit in edits
    )


def id_of(text: bytes | None, blob_id: BlobId) -> str:
    """Returns a text's blob id; "" for no file."""
    return "" if text is None else blob_id(text)


def texts_of(steps: Iterable[Step], blob_id: BlobId) -> Mapping[str, bytes]:
    """Returns the texts that git has to hold, by their ids: what is committed, and what the index may get instead."""
    texts = (text for step in steps for text in (step.head_after, step.work_after) if text is not None)
    return {blob_id(text): text for text in texts}


def tree_after(steps: Iterable[Step], tracked: Entries, blob_id: BlobId) -> Mapping[str, Tracked | None]:
    """Returns what the commit holds of each path, None for nothing. A mode stays; a new file is a plain one."""
    return {
        step.path: None if step.head_after is None else Tracked(_mode(tracked, step.path), blob_id(step.head_after))
        for step in steps
    }


def index_after(
    steps: Iterable[Step], tracked: Entries, index: Index, blob_id: BlobId, *, lenient: bool = False
) -> Mapping[str, Tracked | None]:
    """Returns the entries that the user's index gets, None to remove one; without those that stay as they are.

    Raises NoteStaged where an entry would be lost; ``lenient`` leaves it out.
    """
    found: dict[str, Tracked | None] = {}
    empty = blob_id(b"")
    for step in steps:
        after = id_of(step.head_after, blob_id), id_of(step.work_after, blob_id)
        try:
            blob = staged_after(index, step.path, (step.head_before, step.work_before), after, empty)
        except NoteStaged:
            if not lenient:
                raise
            continue
        if blob is not None:
            found[step.path] = Tracked(_mode({**tracked, **_known(index)}, step.path), blob) if blob else None
    return found


def _known(index: Index) -> Entries:
    return {path: entry for path, entry in index.items() if entry is not None}


def _mode(entries: Entries, path: str) -> str:
    return entries[path].mode if path in entries else "100644"

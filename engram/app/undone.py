"""What a person undid of what nobody reviewed: kept in git on refs of its own, listed, and brought back."""

from __future__ import annotations

import re
from dataclasses import dataclass

from engram.app import stores
from engram.app.context import Context
from engram.curate import commit
from engram.errors import NothingToUndo
from engram.model.snapshot import Snapshot
from engram.store import history

REFS = "refs/engram/undone/"


@dataclass(frozen=True, slots=True)
class Undone:
    """Is one text that a person undid."""

    name: str
    """Of its ref, behind ``refs/engram/undone/``."""
    commit: str
    at: str
    path: str


def undo(context: Context, store: stores.Store, snapshot: Snapshot, path: str) -> str:
    """Gives a file the bytes that HEAD holds; returns the name that its text is kept under, "" where there was none.

    Raises NoteChanged where the file was changed since the snapshot was taken.
    """
    repository = store.writable()
    stem = re.sub(r"[^a-z0-9]+", "-", path.rsplit("/", 1)[-1].removesuffix(".md").lower()).strip("-")[:48] or "note"
    base = f"{context.now():%Y%m%dT%H%M%SZ}-{stem}"
    names = [base, *(f"{base}-{number}" for number in range(2, 100))]
    name = next(name for name in names if not repository.commit_of(REFS + name))
    kept = commit.set_back(repository, path, snapshot.work.get(path), ref=REFS + name, now=context.now())
    return name if kept else ""


def every(store: stores.Store) -> tuple[Undone, ...]:
    """Returns what was undone, the newest first. What else stands among these refs (no commit, or one of several files,
    or of one that is no note) is none of engram's and passed over."""
    repository = store.versioned()
    form = "--format=%(objecttype) %(objectname) %(refname)"
    out = repository.run("for-each-ref", form, REFS).decode("utf-8", "replace")
    found = []
    for line in out.splitlines():
        kind, id_, ref = line.split(" ", 2)
        entry = history.entry(repository, id_) if kind == "commit" else None
        if entry is not None and len(entry.paths) == 1 and entry.paths[0].endswith(".md"):
            found.append(Undone(ref.removeprefix(REFS), id_, entry.at, entry.paths[0]))
    return tuple(sorted(found, key=lambda one: one.name, reverse=True))


def text_of(store: stores.Store, name: str) -> tuple[Undone, bytes]:
    """Returns what a name keeps. Raises NothingToUndo where it keeps nothing."""
    one = next((one for one in every(store) if one.name == name), None)
    data = history.texts(store.versioned(), one.commit, [one.path])[one.path] if one is not None else None
    if one is None or data is None:
        raise NothingToUndo(f"nothing was undone under the name {name!r}", "`engram undone` lists the names", name)
    return one, data


def bring_back(store: stores.Store, name: str) -> str:
    """Puts a text back into the folder, unreviewed as it was, and returns its path.

    Raises NoteChanged where the file says something else than HEAD by now, NothingToUndo as :func:`text_of`.
    """
    one, data = text_of(store, name)
    repository = store.writable()
    commit.bring_back(repository, one.path, data)
    return one.path

"""The log of applied lessons: one small file per use, so that none is lost, however many write at once.

A use is counted by the next curation (`curate.reinforce`), and the commit that counts it names it; so a use is counted
once, whatever is killed when.
"""

from __future__ import annotations

import hashlib
import os
import secrets
from dataclasses import dataclass

from engram.app import stores
from engram.app.context import Context
from engram.curate import records
from engram.curate.reinforce import TRAILER, reinforced
from engram.errors import NoteNotFound
from engram.lifecycle import lessons
from engram.lifecycle.lessons import Use
from engram.model.note import Note
from engram.model.plan import Plan
from engram.model.snapshot import Snapshot
from engram.store import git, history

MOST = 500
"""Uses that one commit counts: its message names each."""


@dataclass(frozen=True, slots=True)
class Kept(Use):
    """Is a use as its file holds it."""

    at: str = ""
    """ISO 8601 in UTC."""


def record(context: Context, store: stores.Store, note: Note, *, agent: str = "", session: str = "") -> Use:
    """Keeps one use of a lesson. Raises NoteNotFound where the note is no lesson that holds."""
    if note.type != "lesson":
        raise NoteNotFound(f"{note.name} is no lesson (its type is {note.type or 'not given'})", place=note.path)
    if not note.stands:
        raise NoteNotFound(f"the lesson {note.name} holds no longer", place=note.path)
    now = context.now()
    use = Kept(secrets.token_hex(8), note.path, f"{now:%Y-%m-%d}", agent, session, note.name, records.moment(now))
    records.put(_folder(context.prepared("uses"), store.root), use.id, use)
    return use


def pending(context: Context, root: str, repository: git.Repository | None, *, until: str = "") -> tuple[Use, ...]:
    """Returns the uses that no commit has counted, in the order of their ids; those that one has are let go.

    ``until``: ISO 8601 in UTC; later uses wait for the next plan, so that a plan that is made again stays the same.
    """
    folder = _folder(context.folder("uses"), root)
    kept = records.every(folder, Kept, "id")
    counted = _counted(repository) if kept and repository is not None else frozenset()
    for use in kept:
        if use.id in counted:
            records.take(folder, use.id)
    return tuple(use for use in kept if use.id not in counted and not (until and use.at > until))


def folded(context: Context, store: stores.Store, plan: Plan, snapshot: Snapshot, *, until: str) -> Plan:
    """Returns a curation's plan with the uses of lessons that wait, at most ``MOST`` of them; the rest wait on."""
    by_path: dict[str, list[Use]] = {}
    waits = pending(context, store.root, store.repository, until=until)
    able = [(note.path, use) for use in waits if (note := lessons.lesson_of(use, snapshot)) is not None]
    for path, use in able[:MOST]:  # a use that can't be counted keeps no other from its turn
        by_path.setdefault(path, []).append(use)
    defaults = context.settings(store.root).ttl_defaults
    counted = {
        path: (lessons.reinforced(snapshot.by_path[path], uses, defaults), [use.id for use in uses])
        for path, uses in by_path.items()
    }
    return reinforced(plan, snapshot, counted) if counted else plan


def _counted(repository: git.Repository) -> frozenset[str]:
    entries = history.log(repository)
    return frozenset(word for entry in entries for value in entry.values(TRAILER) for word in value.split())


def _folder(base: str, root: str) -> str:
    mark = hashlib.sha256(root.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return os.path.join(base, mark)

"""A person's own commands on notes that stand, as proposals: found, made into acts, planned. Nothing here commits."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from engram.app import planning, proposals, stores
from engram.app.context import Context
from engram.app.planning import Log
from engram.app.proposals import Proposal
from engram.config import Settings
from engram.errors import NoteAmbiguous, NoteNotFound
from engram.lifecycle import expiry, hold
from engram.model.act import Act
from engram.model.note import Note
from engram.model.snapshot import Snapshot
from engram.model.when import day_before
from engram.store.paths import same_place


@dataclass(frozen=True)
class Surroundings:
    """Is what an act on one note is made from, beside the note."""

    snapshot: Snapshot
    settings: Settings
    today: date

    @property
    def taken(self) -> frozenset[str]:
        """Places (`store.paths.same_place`) where a file stands or is committed."""
        return frozenset(map(same_place, (*self.snapshot.work, *self.snapshot.committed)))


Making = Callable[[Note, Surroundings], Act | str]


def surroundings(context: Context, store: stores.Store) -> Surroundings:
    """Returns what acts on a store's notes are made from, as it is now."""
    return Surroundings(store.snapshot(), context.settings(store.root), context.now().date())


def acted(
    context: Context,
    store: stores.Store,
    names: Sequence[str],
    making: Making,
    *,
    archived: bool = False,
    log: Log = lambda _words: None,
) -> Proposal | str:
    """Returns the proposal of one act on each of some notes; words where there is nothing to do on any.

    ``log`` is told of which there is nothing to do, where there is on others. ``archived``: a
    name that a standing note and one of the archive share means the latter; else it means the former.

    Raises NoteNotFound and NoteAmbiguous, and what :func:`engram.app.proposals.propose_acts` does.
    """
    around = surroundings(context, store)
    made = [making(meant(around.snapshot, name, archived=archived), around) for name in names]
    acts = [act for act in made if isinstance(act, Act)]
    words = [words for words in made if isinstance(words, str)]
    if not acts:
        return "; ".join(words)
    for each in words:
        log(each)
    return proposals.propose_acts(context, store, acts)


def sweep(context: Context, store: stores.Store, log: Log) -> Proposal | None:
    """Returns the proposal to put away what has lapsed; None where nothing has. What can't be put away is told."""
    around = surroundings(context, store)
    taken = set(around.taken)
    acts: list[Act] = []
    for note in expiry.lapsed(around.snapshot.notes, around.today):
        act = hold.archived(note, around.today, taken, f"lapsed on {note.expires}")
        if isinstance(act, Act):
            acts.append(act)
            taken.add(same_place(act.to))
    return _proposed(context, store, around.snapshot, acts, log)


def purge(context: Context, store: stores.Store, older_than: timedelta, log: Log) -> Proposal | None:
    """Returns the proposal to take from the archive what has lain there longer than a span; None where nothing has.
    What can't be taken is told."""
    around = surroundings(context, store)
    found = expiry.archived_before(around.snapshot.notes, day_before(around.today, older_than))
    return _proposed(context, store, around.snapshot, [hold.purged(note) for note in found], log)


def _proposed(
    context: Context, store: stores.Store, snapshot: Snapshot, acts: Sequence[Act], log: Log
) -> Proposal | None:
    if acts:
        store.writable()  # what stands against every act is no matter of one of them
        acts = planning.plannable(context, snapshot, acts, log)
    return proposals.propose_acts(context, store, acts) if acts else None


def meant(snapshot: Snapshot, name: str, *, archived: bool) -> Note:
    try:
        found = one(snapshot, name)
    except NoteAmbiguous:
        found = None
    if found is not None and (found.archived == archived or "/" in name or name.endswith(".md")):
        return found
    named = [note for note in snapshot.by_name.get(name.casefold(), ()) if note.archived == archived]
    if len(named) > 1:
        raise NoteAmbiguous(f"{len(named)} notes are called {name!r}: {', '.join(note.path for note in named)}")
    return named[0] if named else one(snapshot, name)


def one(snapshot: Snapshot, name: str) -> Note:
    """Returns the note that a name or path reaches. Raises NoteNotFound, NoteAmbiguous."""
    found = snapshot.find(name)
    if not found:
        unread = [one for one in snapshot.findings if one.path in (name, f"{name}.md") and one.level == "unreadable"]
        if unread:
            raise NoteNotFound(f"{name}: {unread[0].message}", place=name)
        near = difflib.get_close_matches(name.casefold(), [note.name for note in snapshot.notes], n=3)
        meant = f"did you mean {', '.join(near)}? " if near else ""
        raise NoteNotFound(f"no note is called {name!r}", f"{meant}{NoteNotFound.hint}", name)
    if len(found) > 1:
        raise NoteAmbiguous(f"{len(found)} notes are called {name!r}: {', '.join(note.path for note in found)}")
    return found[0]

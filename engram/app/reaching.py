"""Which note an agent means by an id: one that stands, in its store or in the store's index, or one that still waits.

Whichever is asked, an id reaches what `Snapshot.find` says: a path, then a name, whatever its case.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence

from engram.app import saving, stores
from engram.app.context import Context
from engram.app.recalling import Source
from engram.app.saving import Waits
from engram.errors import NoteAmbiguous, NoteNotFound
from engram.index import notes
from engram.index.notes import Row
from engram.model.note import Note
from engram.model.snapshot import Snapshot
from engram.model.visible import visible_line


def standing(context: Context, id_: str, scope: str, project: str) -> tuple[stores.Store, Note]:
    """Returns the standing note that an id reaches. Raises NoteNotFound, NoteAmbiguous, StoreNotFound."""
    store, found = standing_or_waiting(context, id_, scope, project)
    if isinstance(found, Note):
        return store, found
    raise _waits(found)


def standing_or_waiting(context: Context, id_: str, scope: str, project: str) -> tuple[stores.Store, Note | Waits]:
    """Returns the note that an id reaches, in the stores of a scope: one that stands, else one that a tool proposed.

    Raises NoteNotFound, NoteAmbiguous, StoreNotFound.
    """
    mine = saving.stores_of(context, scope, project)
    snapshots = [(store, store.snapshot()) for store in mine]
    found = [(store, note) for store, snapshot in snapshots for note in snapshot.find(id_)]
    if len(found) == 1:
        return found[0]
    if found:
        raise _several((note.path, store.scope) for store, note in found)
    for store in mine:
        if (waits := _proposed(context, store.root, id_)) is not None:
            return store, waits
    near = [note.name for _, snapshot in snapshots for note in snapshot.notes if not note.invalidated_by]
    meant = difflib.get_close_matches(id_.casefold()[:200], near, n=3)
    raise _nothing(f"did you mean {', '.join(meant)}?" if meant else "")


def row(context: Context, sources: Sequence[Source], id_: str) -> tuple[Source, Row]:
    """Returns the note that an id reaches, as some stores' indexes have it. Raises NoteNotFound, NoteAmbiguous."""
    found: list[tuple[Source, Row]] = []
    for source in sources:
        rows = {each.path: each for each in notes.all_of(source.index)}
        known = Snapshot(source.place.root, notes=tuple(Note(each.path, each.name) for each in rows.values()))
        found += [(source, rows[note.path]) for note in known.find(id_)]
    if len(found) == 1:
        return found[0]
    if found:
        raise _several((each.path, source.place.scope) for source, each in found)
    for source in sources:
        if (waits := _proposed(context, source.place.root, id_)) is not None:
            raise _waits(waits)
    raise _nothing()


def _proposed(context: Context, root: str, id_: str) -> Waits | None:
    """Returns the note that a tool proposed for a store under a name and that still waits; None where there is none."""
    waits = saving.waits(context, root)
    return next((one for one in waits if str(one.note.get("name", "")).casefold() == id_.casefold()), None)


def _waits(found: Waits) -> NoteNotFound:
    return NoteNotFound(
        f"that note only waits, as plan {found.kept.id}; it is no memory yet",
        f"the user decides on it: engram review {found.kept.id}",
    )


def _several(found: Iterable[tuple[str, str]]) -> NoteAmbiguous:
    places = [f"{visible_line(path)} ({scope})" for path, scope in found]
    return NoteAmbiguous(f"{len(places)} notes are called that: {', '.join(places[:5])}", "give the path, or the scope")


def _nothing(hint: str = "") -> NoteNotFound:
    return NoteNotFound("no note is called that", hint or "mem_search finds the ids")

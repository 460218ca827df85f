"""What the commands on notes that stand have in common: find the note, make the act, go through the gate."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

import click

from engram.app import keeping, stores
from engram.app.keeping import Making
from engram.cli.gate import through
from engram.cli.tree import Run, folder_option, json_option, scope_option
from engram.errors import NoteNotFound
from engram.model.note import Note
from engram.model.snapshot import Snapshot


class Reached(NamedTuple):
    """Is a note that was named, with the store that holds it."""

    store: stores.Store
    snapshot: Snapshot
    note: Note


def reach(
    run: Run, name: str, folder: str, scope: str | None, find: Callable[[Snapshot, str], Note] = keeping.one
) -> Reached:
    """Finds a note in the store that is meant; in the user's as well, where neither a folder nor a scope was named.

    Raises NoteNotFound, NoteAmbiguous.
    """
    store = run.open_store(folder, scope or "")
    snapshot = store.snapshot()
    try:
        return Reached(store, snapshot, find(snapshot, name))
    except NoteNotFound:
        if folder or scope or store.scope == "user" or not stores.choose(run.context, scope="user").exists:
            raise
        mine = run.open_store("", "user")
        there = mine.snapshot()
        if not there.find(name):
            raise
        return Reached(mine, there, find(there, name))


def on_notes(words: str, line: str, making: Making, *, archived: bool = False) -> click.Command:
    """Returns the command that does one thing to each of the notes it is given. ``line``: its help."""

    @click.command(words, help=line)
    @click.argument("names", metavar="NAME...", nargs=-1, required=True)
    @folder_option
    @scope_option
    @json_option
    @click.pass_obj
    def command(run: Run, names: tuple[str, ...], folder: str, scope: str | None, as_json: bool) -> None:  # noqa: ARG001
        through_the_gate(run, names, folder, scope, making, archived=archived)

    return command


def through_the_gate(
    run: Run, names: Sequence[str], folder: str, scope: str | None, making: Making, *, archived: bool = False
) -> None:
    """Takes one act on each of some notes of a store, the first one's, through the gate; says why where there is
    nothing to do on any.

    ``archived``: see :func:`engram.app.keeping.acted`.
    """
    store = reach(run, names[0], folder, scope, partial(keeping.meant, archived=archived)).store
    found = keeping.acted(run.context, store, names, making, archived=archived, log=run.ui.say)
    if isinstance(found, str):
        run.ui.json({"result": "nothing", "message": found}) if run.ui.json_asked else run.ui.say(found)
        return
    through(run, found)

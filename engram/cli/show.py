"""`engram show`: one note."""

from __future__ import annotations

import difflib

import click

from engram.cli.list_notes import row
from engram.cli.tree import Run, folder_option, json_option, scope_option
from engram.errors import NoteAmbiguous, NoteNotFound
from engram.model.note import Note
from engram.model.snapshot import Snapshot


@click.command("show")
@click.argument("name")
@folder_option
@scope_option
@json_option
@click.pass_obj
def command(run: Run, name: str, folder: str, scope: str | None, as_json: bool) -> None:
    """Show one note, by its name (whatever its case) or its path.

    With --json, `base` is what an UPDATE or INVALIDATE of it has to name.
    """
    store = run.open_store(folder, scope or "")
    snapshot = store.snapshot()
    note = one(snapshot, name)
    if as_json:
        whole = {"store": store.root, "fields": note.fields, "links": list(note.links), "body": note.body}
        run.ui.json({**row(note, snapshot), **whole})
        return
    run.ui.out(snapshot.work[note.path].decode("utf-8", "replace").removeprefix("\ufeff").rstrip("\n"))


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

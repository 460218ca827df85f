"""`engram list`: the notes of a store."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

import click

from engram.cli.tree import Run, folder_option, json_option, scope_option
from engram.lifecycle import expiry
from engram.model.counted import counted
from engram.model.note import Note
from engram.model.snapshot import Snapshot

_NONE = {
    "expiring": f"lapses within {expiry.SOON.days} days",
    "overdue": "is due for another look",
    "archived": "lies in the archive",
}


@click.command("list")
@click.option("--type", "kind", default="", metavar="TYPE", help="Only notes of this type.")
@click.option("--expiring", "which", flag_value="expiring", help="Only what lapses within 14 days, the soonest first.")
@click.option("--overdue", "which", flag_value="overdue", help="Only what is due for another look.")
@click.option("--archived", "which", flag_value="archived", help="Only what was put away.")
@folder_option
@scope_option
@json_option
@click.pass_obj
def command(run: Run, kind: str, which: str | None, folder: str, scope: str | None, as_json: bool) -> None:
    """List the notes of a store, those that hold no longer marked as such."""
    store = run.open_store(folder, scope or "")
    snapshot = store.snapshot()
    today = run.context.now().date()
    found = _which(snapshot.notes, which, today)
    notes = [note for note in found if not kind or note.type == kind]
    if as_json:
        shown = [row(note, snapshot, today) for note in notes]
        findings = [{"code": one.code, "path": one.path, "message": one.message} for one in snapshot.findings]
        run.ui.json({"store": store.root, "scope": store.scope, "notes": shown, "findings": findings})
        return
    for note in notes:
        marks = "".join(f" [{mark}]" for mark in states(note, snapshot, today))
        run.ui.line(f"{note.name}  ({note.type or 'no type'}){marks}  {note.description}".rstrip())
    if not notes:
        of_type = f" of the type {kind!r}" if kind else ""
        run.ui.say(f"no note{of_type} {_NONE[which]}" if which else f"no note{of_type or ' yet'}")
    unread = [one for one in snapshot.findings if one.level == "unreadable"]
    if unread:
        run.ui.say(f"{counted(len(unread), 'file')} could not be read as notes; `engram status` names them")


def _which(notes: Sequence[Note], which: str | None, today: date) -> Sequence[Note]:
    if which == "expiring":
        return expiry.lapsing(notes, today)
    if which == "overdue":
        return expiry.overdue(notes, today)
    return [note for note in notes if note.archived] if which == "archived" else notes


def row(note: Note, snapshot: Snapshot, today: date) -> dict[str, Any]:
    """Returns a note as a row of the list."""
    return {
        "name": note.name,
        "path": note.path,
        "type": note.type,
        "description": note.description,
        "importance": note.importance,
        "tags": list(note.tags),
        "expires": note.text("expires") or None,
        "review_after": note.text("review_after") or None,
        "states": list(states(note, snapshot, today)),
        "base": note.base,
    }


def states(note: Note, snapshot: Snapshot, today: date) -> tuple[str, ...]:
    """Returns what a reader should know of a note before they rely on it."""
    marks = {
        "invalidated": bool(note.invalidated_by),
        "archived": note.archived,
        "in conflict": note.in_conflict,
        "lapsed": expiry.is_lapsed(note, today),
        "needs_review": bool(expiry.overdue([note], today)),
        "protected": note.protected,
        "unreviewed": bool(snapshot.ref) and note.path in snapshot.unreviewed,
    }
    return tuple(mark for mark, holds in marks.items() if holds)

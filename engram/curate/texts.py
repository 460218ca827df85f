"""A note's text as one change leaves it, checked against what the change may do to it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from engram.config import Settings
from engram.curate.parse import quotable
from engram.curate.stamps import on_add, on_change
from engram.curate.trouble import Trouble
from engram.errors import ChangesetInvalid, FrontmatterBroken
from engram.model.change import Change, ChangeSet, NewNote, SetValue
from engram.model.note import Note, body_hash
from engram.model.snapshot import Snapshot
from engram.store.body import plain
from engram.store.frontmatter import edit, parse, render, replace_in_body


def added(note: NewNote, changeset: ChangeSet, snapshot: Snapshot, *, now: datetime, settings: Settings) -> bytes:
    """Returns the file of a new note, with the stamps of an ADD; ``hash`` in the user's store alone."""
    body = plain(note.body)
    fields = on_add(note, now=now, settings=settings, agent=changeset.agent, sessions=changeset.sessions)
    if snapshot.scope == "user":
        fields["hash"] = body_hash(f"\n{body}\n")
    return render(note.name, fields, body)


def updated(data: bytes, note: Note, change: Change, now: datetime, place: str) -> bytes:
    """Returns a standing note's file with an UPDATE's fields and text, and the stamps.

    Raises Trouble where the change leaves everything as it is, an edit finds no one place, or the frontmatter
    can't be edited without touching other fields.
    """
    fields = {key: value for key, value in change.set.items() if not _says(note, key, value)}
    body = None if change.body is None or _same_body(note, change.body) else plain(change.body)
    after = _edited(data, fields, place, body) if fields or body is not None else data
    for index, one in enumerate(change.edits):
        try:
            after = replace_in_body(after, [one])
        except ValueError as why:
            raise Trouble(ChangesetInvalid, f"{place}.edits[{index}].find", quotable(str(why), 160)) from None
        except FrontmatterBroken as why:
            raise Trouble(FrontmatterBroken, place, quotable(why.message, 200)) from None
    if after == data:
        raise Trouble(ChangesetInvalid, place, "says what stands: nothing would change")
    return stamped(after, note, now, place)


def invalidated(data: bytes, note: Note, by: str, now: datetime, place: str) -> bytes:
    """Returns a standing note's file marked as no longer holding; its text stays. Raises Trouble as :func:`updated`."""
    return stamped(_edited(data, {"invalidated_by": by}, place), note, now, place)


def rewrites_prose(change: Change, note: Note) -> bool:
    """Tells whether an UPDATE changes words that stood there: the body, or a description."""
    if change.edits or (change.body is not None and not _same_body(note, change.body)):
        return True
    return bool(note.description) and change.set.get("description", note.description) != note.description


def stamped(data: bytes, note: Note, now: datetime, place: str) -> bytes:
    """Returns an edited note's file with the day of the edit and, where the note has one, its body's hash."""
    after = _edited(data, on_change(note, now), place)
    if not note.hash:
        return after
    standing, _ = parse(after, note.path)
    return _edited(after, {"hash": body_hash(standing.body if standing is not None else "")}, place)


def _edited(data: bytes, fields: Mapping[str, SetValue], place: str, body: str | None = None) -> bytes:
    """Returns the file edited. Raises Trouble where that can't be done without changing more than what is asked."""
    try:
        return edit(data, fields, body)
    except FrontmatterBroken as why:
        raise Trouble(FrontmatterBroken, place, quotable(why.message, 200)) from None


def _says(note: Note, key: str, value: SetValue) -> bool:
    """Tells whether a field holds a value already."""
    if key not in note.fields:
        return False
    standing = note.fields[key]
    return standing == (str(value) if isinstance(value, int) else value)


def _same_body(note: Note, body: str) -> bool:
    return plain(note.body) == plain(body)

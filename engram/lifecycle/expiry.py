"""What has lapsed, what soon will, and what is due for another look. Notes and a day in, notes out."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta

from engram.model.note import ARCHIVE, Note
from engram.model.when import as_date

SOON = timedelta(days=14)
"""How long before it lapses a note is named at a session's start."""


def lapsed(notes: Iterable[Note], today: date) -> tuple[Note, ...]:
    """Returns the notes to be archived: their day is over, nobody protects them, and they aren't in the archive yet.

    A text that lost against another writer's is none of them: it waits for a person, however long.
    """
    over = (note for note in notes if is_lapsed(note, today) and not note.protected)
    return tuple(note for note in over if not (in_archive(note) or note.in_conflict))


def is_lapsed(note: Note, today: date) -> bool:
    """Tells whether the last day on which a note holds is over."""
    return isinstance(note.expires, date) and note.expires < today


def lapsing(notes: Iterable[Note], today: date, within: timedelta = SOON) -> tuple[Note, ...]:
    """Returns the notes that lapse within a span, and the protected ones that have lapsed; the soonest first."""
    until = today + within
    near = [
        (note.expires, note.path, note)
        for note in notes
        if isinstance(note.expires, date)
        and note.expires <= until
        and (note.expires >= today or note.protected)
        and note.stands
        and not note.in_conflict
    ]
    return tuple(note for _, _, note in sorted(near, key=lambda each: each[:2]))


def overdue(notes: Iterable[Note], today: date) -> tuple[Note, ...]:
    """Returns the notes that hold and are due for another look, the longest overdue first."""
    due = [
        (day, note.path, note)
        for note in notes
        if (day := as_date(note.text("review_after"))) is not None
        and day <= today
        and note.stands
        and not note.in_conflict
    ]
    return tuple(note for _, _, note in sorted(due, key=lambda each: each[:2]))


def archived_before(notes: Iterable[Note], day: date) -> tuple[Note, ...]:
    """Returns the notes of the archive that say they were put there before a day; protected ones are left out."""
    return tuple(
        note
        for note in notes
        if in_archive(note)
        and not note.protected
        and (since := as_date(note.text("archived"))) is not None
        and since < day
    )


def in_archive(note: Note) -> bool:
    """Tells whether a note lies in the archive, whatever it says of itself."""
    return note.path.startswith(ARCHIVE)

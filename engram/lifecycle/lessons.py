"""Lessons that were applied: what their uses make of them, one edit of the metadata each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from engram.model.change import SetValue
from engram.model.note import Note
from engram.model.snapshot import Snapshot
from engram.model.when import Never, as_date, day_after


@dataclass(frozen=True, slots=True)
class Use:
    """Is one time that a lesson changed what an agent did."""

    id: str
    """16 hex digits; a commit that counts the use names it."""
    path: str
    """Of the lesson, relative to its store."""
    day: str
    """YYYY-MM-DD."""
    agent: str = ""
    session: str = ""
    name: str = ""
    """Of the lesson, by which it is found where its file was renamed since."""


def lesson_of(use: Use, snapshot: Snapshot) -> Note | None:
    """Returns the lesson that a use counts for; None where none can take it now: it is gone, put away, protected, or
    says something that nobody reviewed."""
    note = snapshot.by_path.get(use.path)
    if note is None and use.name:
        found = [one for one in snapshot.find(use.name) if one.type == "lesson" and not one.archived]
        note = found[0] if len(found) == 1 else None
    if note is None or note.protected or note.path in snapshot.unreviewed:
        return None
    return note


def reinforced(note: Note, uses: Iterable[Use], defaults: Mapping[str, str]) -> Mapping[str, SetValue]:
    """Returns the fields of a lesson after some uses: how often, when last, and the life span that this renewed.

    A pinned lesson stays pinned, and none lapses earlier than it did.
    """
    counted = list(uses)
    last = max((use.day for use in counted), default="")
    if as_date(note.text("last_applied")) is not None:
        last = max(last, note.text("last_applied")[:10])
    fields: dict[str, SetValue] = {"times_applied": times(note) + len(counted), "last_applied": last}
    renewed = _renewed(note, last, defaults)
    if renewed:
        fields["expires"] = renewed
    return fields


def times(note: Note) -> int:
    """Returns how often a lesson was applied; 0 where it says nothing readable."""
    try:
        return max(0, int(note.text("times_applied").strip()))
    except ValueError:
        return 0


def _renewed(note: Note, last: str, defaults: Mapping[str, str]) -> str:
    standing, start = note.expires, as_date(last)
    if start is None or not isinstance(standing, date):
        return ""
    until = day_after(start, defaults.get(note.type, "never"))
    if isinstance(until, Never):
        return ""
    return until.isoformat() if until > standing else ""

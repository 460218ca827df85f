"""What engram writes into a note by itself: days, life spans, where it came from, the body's hash. Nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from engram.config import Settings
from engram.model.change import NewNote, SetValue
from engram.model.note import Note
from engram.model.when import expires_by_type, review_by_type

ORDER = (
    "description", "type", "created", "updated", "expires", "review_after", "importance", "tags", "links", "relations",
    "affected_files", "topic_key", "scope", "source_agent", "sessions",
)  # fmt: skip
"""The order of the fields in a new note, behind its name."""


def on_add(
    note: NewNote, *, now: datetime, settings: Settings, agent: str, sessions: tuple[str, ...]
) -> dict[str, SetValue]:
    """Returns the fields of a new note, its own and the stamps; its own ``expires`` and ``review_after`` count."""
    today = now.date()
    fields: dict[str, SetValue] = dict(note.fields)
    fields["created"] = fields["updated"] = today.isoformat()
    fields.setdefault("expires", str(expires_by_type(note.type, today, settings.ttl_defaults)))
    review = review_by_type(note.type, today, settings.review_defaults)
    if review is not None:
        fields.setdefault("review_after", review.isoformat())
    if agent:
        fields["source_agent"] = agent
    if sessions:
        fields["sessions"] = sessions
    return {key: fields[key] for key in ORDER if key in fields}


def on_change(note: Note, now: datetime) -> dict[str, SetValue]:
    """Returns the stamp of an edited note: ``updated``, or ``metadata.modified`` where it has that alone.

    A day stays a day, and a time stays a time, of the day's beginning: a plan that is made again within the day is the
    same plan, and an approval of it still counts. A time of the same day stays as it is.
    """
    nested = note.fields.get("metadata")
    modified = isinstance(nested, Mapping) and "modified" in nested and "updated" not in note.fields
    key = "modified" if modified else "updated"
    return {key: _like(note.text(key), now.date().isoformat())}


def _like(standing: str, today: str) -> str:
    """Returns the day in the form in which the note tells its days."""
    if "T" not in standing:
        return today
    if standing.startswith(today):
        return standing
    return f"{today}T00:00:00.000Z" if "." in standing else f"{today}T00:00:00Z"

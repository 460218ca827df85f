"""A note as the rows of the index. Pure."""

from __future__ import annotations

import json
import re
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, NamedTuple

from engram.index.file import ARCHIVED, CONFLICTED, INVALIDATED, PROTECTED
from engram.model.note import Note
from engram.model.tokens import tokens_of
from engram.model.when import Never, as_date

if TYPE_CHECKING:
    from collections.abc import Iterable

_GAP = re.compile(r"[\s_]+")
_ISO = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?")


class Indexed(NamedTuple):
    """Is a file as it was read, for the index to take in. ``note`` is None where it yields none."""

    path: str
    size: int
    mtime_ns: int
    """When the file was changed; `sync.UNSURE` where that tells nothing about the bytes that were read."""
    base: str
    note: Note | None = None
    conflicted: bool = False
    changed: str = ""
    """ISO time of the file's last change, for a note that names none; "" where nobody knows."""
    blobs: tuple[str, str] = ("", "")
    """What git calls the bytes, and the same text with the other line ends: compared with HEAD's."""


def key_of(name: str) -> str:
    """Returns a name, a path or a link's target in the one spelling by which links and notes meet.

    Folders and ``.md`` don't count, nor does case; words may be joined by spaces, ``_`` or ``-``.
    """
    last = name.strip().rstrip("/").rsplit("/", 1)[-1]
    return _GAP.sub("-", last.removesuffix(".md")).casefold()


def note_row(file: Indexed, note: Note) -> tuple[str | int, ...]:
    """Returns a row of ``notes`` without its id, as that of a note nobody reviewed."""
    return (
        file.path,
        note.name,
        note.type,
        note.description,
        iso(note.text("created")),
        iso(note.text("updated")) or iso(note.text("modified")) or iso(note.text("created")) or file.changed,
        _expires(note),
        note.importance,
        _count(note.text("times_applied")),
        flags_of(note, conflicted=file.conflicted),
        0,
        file.base,
        tokens_of(note.body),
    )


def text_row(note: Note) -> tuple[str, str]:
    """Returns a row of ``texts`` without its id. A character that UTF-8 can't hold is replaced."""
    return _storable(json.dumps(note.fields, ensure_ascii=False, default=dict)), _storable(note.body)


def names_of(note: Note) -> set[str]:
    """Returns what links may call a note."""
    return {key for key in (key_of(note.name), key_of(note.stem)) if key}


def edges_of(note: Note) -> Iterable[tuple[str, str]]:
    """Returns a note's links and relations as pairs of kind and target."""
    linked = [("link", key_of(target)) for target in note.links]
    related = [(kind.lower(), key_of(target)) for kind, target in note.relations]
    return dict.fromkeys((kind, target) for kind, target in (*linked, *related) if target)


def flags_of(note: Note, *, conflicted: bool) -> int:
    """Returns what stands against serving a note, or for it, as one number."""
    return (
        (INVALIDATED if note.invalidated_by else 0)
        | (ARCHIVED if note.archived else 0)
        | (PROTECTED if note.protected else 0)
        | (CONFLICTED if conflicted or note.in_conflict else 0)
    )


def iso(written: str) -> str:
    """Returns a date or time as ISO text in UTC, to the second; "" where it is none."""
    match = _ISO.match(written.strip())
    if match is None:
        return ""
    try:
        if len(match[0]) == 10:
            return date.fromisoformat(match[0]).isoformat()
        moment = datetime.fromisoformat(match[0])
        moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        found = as_date(match[0][:10])
        return found.isoformat() if isinstance(found, date) else ""
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def moment_of(mtime_ns: int) -> str:
    """Returns a file's time of change as ISO text in UTC; "" for one that no calendar knows."""
    try:
        return datetime.fromtimestamp(mtime_ns // 1_000_000_000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (ValueError, OverflowError, OSError):
        return ""


def _expires(note: Note) -> str:
    found = note.expires
    return "never" if isinstance(found, Never) else found.isoformat() if found is not None else ""


def _count(written: str) -> int:
    text = written.strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else 0


def _storable(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")

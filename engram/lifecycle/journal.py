"""The journal: what an entry and a month's roll-up are called, which months wait for one, what one is made from."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date

from engram.model.note import Note
from engram.model.when import as_date

_ENTRY = re.compile(r"(\d{4}-\d{2})-\d{2}-[a-z0-9][a-z0-9-]*")
_ROLLUP = re.compile(r"(\d{4}-\d{2})-rollup")
_MONTH = re.compile(r"\d{4}-(?:0[1-9]|1[0-2])")
_SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


def entry_name(day: date, slug: str) -> str:
    """Returns the name of a day's entry. Raises ValueError for a slug that is no kebab-case word."""
    if not _SLUG.fullmatch(slug):
        raise ValueError(f"{slug!r} is no slug: lowercase letters, digits and single hyphens, such as auth-flow")
    return f"{day.isoformat()}-{slug}"


def rollup_name(month: str) -> str:
    """Returns the name of a month's roll-up. Raises ValueError for what is no ``YYYY-MM``."""
    if not _MONTH.fullmatch(month):
        raise ValueError(f"{month!r} is no month: write YYYY-MM, such as 2026-10")
    return f"{month}-rollup"


def entries_of(notes: Iterable[Note], month: str) -> tuple[Note, ...]:
    """Returns a month's entries, in the order of their days; those that lapsed and were put away too, which still say
    what happened."""
    found = [note for note in notes if note.type == "journal" and month_of(note) == month and not note.invalidated_by]
    return tuple(sorted(found, key=lambda note: (_day(note), note.name)))


def month_of(note: Note) -> str:
    """Returns the month of an entry, by its name or the day it was created; "" where neither tells."""
    named = _ENTRY.fullmatch(note.name)
    return named[1] if named else _day(note)[:7]


def waiting(names: Iterable[str], month: str) -> tuple[str, ...]:
    """Returns the months before one that have entries and no roll-up, the oldest first.

    ``names``: of all entries and roll-ups. ``month``: the one that isn't over, ``YYYY-MM``.
    """
    known = list(names)
    months = {match[1] for name in known if (match := _ENTRY.fullmatch(name))}
    done = {match[1] for name in known if (match := _ROLLUP.fullmatch(name))}
    return tuple(sorted(each for each in months - done if each < month))


def _day(note: Note) -> str:
    found = as_date(note.text("created"))
    return found.isoformat() if found is not None else note.name[:10]

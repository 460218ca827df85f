"""Life spans: what has lapsed, what is due for another look, and days or weights that nobody can read."""

from __future__ import annotations

import re
from collections.abc import Iterator

from engram.doctor.facts import Facts
from engram.doctor.finding import Finding
from engram.lifecycle.expiry import in_archive, is_lapsed, lapsed, overdue
from engram.lifecycle.hold import archived
from engram.model.act import Act
from engram.model.note import Note
from engram.model.when import as_date
from engram.store.paths import same_place

_DAY = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})")
_WEIGHT = re.compile(r"\s*(-?\d+)(?:\.\d+)?\s*(?:/\s*10)?\s*")
DATES = ("expires", "review_after", "created", "updated", "archived", "last_applied")


def over(facts: Facts) -> Iterator[Finding]:
    taken = set(map(same_place, (*facts.snapshot.work, *facts.snapshot.committed)))
    for note in lapsed(facts.snapshot.notes, facts.today):
        if note.invalidated_by:
            continue
        act = archived(note, facts.today, taken, reason=f"lapsed on {note.text('expires')}")
        if isinstance(act, Act):
            taken.add(same_place(act.to))
            words = f"lapsed on {note.text('expires')}: recall leaves it out"
            yield Finding("lapsed", "info", words, note.path, acts=(act,), next="`engram sweep`")


def over_protected(facts: Facts) -> Iterator[Finding]:
    for note in facts.active:
        if note.protected and is_lapsed(note, facts.today):
            words = f"protected, and lapsed on {note.text('expires')}: it is served until you say what holds"
            yield Finding(
                "lapsed-protected", "info", words, note.path, next="`engram unprotect`, then pin it or let it go"
            )


def unlooked(facts: Facts) -> Iterator[Finding]:
    for note in overdue(facts.snapshot.notes, facts.today):
        words = f"due for another look since {note.text('review_after')[:10]}"
        yield Finding("overdue", "info", words, note.path, next="`engram reviewed` starts the interval again")


def unreadable_date(facts: Facts) -> Iterator[Finding]:
    """Yields days that nobody can read: a note whose `expires` says nothing never lapses."""
    for note in facts.snapshot.notes:
        for key in DATES:
            written = note.text(key).strip()
            if not written or as_date(written) is not None or (key == "expires" and written.lower() == "never"):
                continue
            if key == "archived" and written.lower() in {"true", "yes", "false", "no"}:
                continue
            day = _day(written)
            acts = _setting(note, key, day, f"`{key}` as a day") if day else ()
            words = f"`{key}: {written[:40]}` is no day"
            yield Finding("date-unreadable", "warn", words, note.path, acts=acts, next="write it as YYYY-MM-DD")


def unreadable_weight(facts: Facts) -> Iterator[Finding]:
    for note in facts.snapshot.notes:
        written = note.text("importance").strip()
        match = _WEIGHT.fullmatch(written)
        if not written or (match is not None and "/" not in written and 1 <= int(match[1]) <= 10):
            continue
        weight = min(10, max(1, int(match[1]))) if match is not None else 0
        acts = _setting(note, "importance", weight, "`importance` from 1 to 10") if weight else ()
        words = f"`importance: {written[:40]}` is no number from 1 to 10; it counts as {note.importance}"
        yield Finding("importance-unreadable", "warn", words, note.path, acts=acts, next="write a number from 1 to 10")


def undated(facts: Facts) -> Iterator[Finding]:
    """Yields notes of the archive that don't say since when: no purge would ever take them."""
    for note in facts.snapshot.notes:
        if in_archive(note) and as_date(note.text("archived")) is None:
            acts = _setting(note, "archived", facts.today.isoformat(), "says since when it is archived")
            words = "lies in the archive and doesn't say since when"
            yield Finding("archived-undated", "warn", words, note.path, acts=acts, next="set `archived` to the day")


def _setting(note: Note, key: str, value: str | int, reason: str) -> tuple[Act, ...]:
    if note.protected:
        return ()
    return (Act("REPAIR", note.path, note.base, set={key: value}, stamps=False, reason=reason),)


def _day(written: str) -> str:
    """Returns a day that was written with other marks or without leading zeros; "" where it is none."""
    match = _DAY.match(written)
    day = as_date(f"{match[1]}-{int(match[2]):02}-{int(match[3]):02}") if match is not None else None
    return day.isoformat() if day is not None else ""

"""What notes say and how long they are; and whether their hash is that of their text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from engram.curate.shape import missing_parts, relative_dates, too_long_body, too_long_description
from engram.doctor.facts import Facts
from engram.doctor.finding import Finding
from engram.model.act import Act
from engram.model.note import body_hash

_HASH = re.compile(r"[0-9a-f]{16}")
_SHORT = 160
"""Words; a note that is a little over is no finding."""


def hash_drift(facts: Facts) -> Iterator[Finding]:
    """Yields notes that were edited by hand: their text is not the one the hash was made of."""
    for note in facts.snapshot.notes:
        if not _HASH.fullmatch(note.hash) or note.hash == body_hash(note.body):
            continue
        act = Act("REPAIR", note.path, note.base, set={"hash": body_hash(note.body)}, reason="stamps the hash anew")
        words = "its text is not the one that its hash was made of: edited by hand"
        do = "it is protected: its owner alone changes it" if note.protected else ""
        acts = () if note.protected else (act,)
        yield Finding("hash-drift", "info" if note.protected else "warn", words, note.path, acts=acts, next=do)


def long_note(facts: Facts) -> Iterator[Finding]:
    for note in facts.active:
        if note.type == "journal":
            continue
        words = too_long_body(note.type, note.body) if len(note.body) > _SHORT else ""
        if words:
            yield Finding("note-long", "info", words, note.path, next="keep one fact in a note, the rest elsewhere")


def long_description(facts: Facts) -> Iterator[Finding]:
    for note in facts.active:
        if words := too_long_description(note.description):
            yield Finding("description-long", "info", words, note.path, next="shorten it")


def part_missing(facts: Facts) -> Iterator[Finding]:
    for note in facts.active:
        parts = missing_parts(note.type, note.body)
        if parts:
            words = f"a {note.type} note says {' and '.join(parts)}; not here"
            yield Finding("part-missing", "info", words, note.path, next="say it, or give the note another type")


def relative_date(facts: Facts) -> Iterator[Finding]:
    for note in facts.active:
        found = relative_dates(f"{note.description}\n{note.body}")
        if found:
            words = f"says “{found[0]}”, which means another day by now"
            yield Finding("relative-date", "info", words, note.path, next="write the date itself")

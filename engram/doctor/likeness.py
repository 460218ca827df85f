"""Notes that say the same: word for word, or almost."""

from __future__ import annotations

from collections.abc import Iterator

from engram.curate.neighbours import Neighbours
from engram.doctor.facts import Facts
from engram.doctor.finding import Finding
from engram.model.note import Note, body_hash


def same(facts: Facts) -> Iterator[Finding]:
    """Yields groups of notes with one and the same text."""
    for notes in _groups(facts):
        words = f"{len(notes)} notes have one and the same text"
        others = tuple(note.path for note in notes[1:])
        yield Finding("duplicate", "warn", words, notes[0].path, others, next="keep one: `engram archive` the others")


def near(facts: Facts) -> Iterator[Finding]:
    """Yields pairs of notes that say almost the same; of those with one and the same text the first stands for all."""
    repeated = {note.path for notes in _groups(facts) for note in notes[1:]}
    notes = [note for note in facts.active if note.path not in repeated]
    for one, other, score in Neighbours(notes).pairs():
        words = f"says almost the same as {other.path} ({score:.0%} alike)"
        yield Finding("near-duplicate", "info", words, one.path, (other.path,), next="fold them into one")


def _groups(facts: Facts) -> list[list[Note]]:
    groups: dict[str, list[Note]] = {}
    for note in facts.active:
        if note.body.strip():
            groups.setdefault(body_hash(note.body.strip()), []).append(note)
    return [notes for notes in groups.values() if len(notes) > 1]

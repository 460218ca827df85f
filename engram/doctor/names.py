"""Names: one note each, whatever the case."""

from __future__ import annotations

from collections.abc import Iterator

from engram.doctor.facts import Facts
from engram.doctor.finding import Finding
from engram.model.note import Note
from engram.store.paths import problem_with_name


def taken_twice(facts: Facts) -> Iterator[Finding]:
    """Yields names that several notes have. Of an archived or invalidated one it is worth knowing, no more."""
    groups: dict[str, list[Note]] = {}
    for note in facts.snapshot.notes:
        if not note.in_conflict:
            groups.setdefault(note.name.casefold(), []).append(note)
    active = {note.path for note in facts.active}
    for notes in groups.values():
        if len(notes) > 1:
            holding = sum(note.path in active for note in notes)
            words = f"{len(notes)} notes are called {notes[0].name}, so that the name reaches none of them"
            yield Finding(
                "name-taken-twice",
                "warn" if holding > 1 else "info",
                words,
                notes[0].path,
                tuple(note.path for note in notes[1:]),
                next="give each a `name` of its own",
            )


def odd(facts: Facts) -> Iterator[Finding]:
    """Yields names that a new note could not have. Standing ones may be anything."""
    found = [note for note in facts.active if problem_with_name(note.name)]
    if found:
        words = f"a new note could not be called {found[0].name}: {problem_with_name(found[0].name)}"
        yield Finding("name-odd", "info", words, found[0].path, tuple(note.path for note in found[1:]))


def undescribed(facts: Facts) -> Iterator[Finding]:
    found = [note.path for note in facts.active if note.has_frontmatter and not note.description.strip()]
    if found:
        words = "no description: a reader of the list can't tell what it says"
        yield Finding("description-missing", "info", words, found[0], tuple(found[1:]), next="say it in a line")

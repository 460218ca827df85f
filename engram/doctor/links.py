"""Links between notes: those that lead nowhere, to what holds no more, or to several notes at once."""

from __future__ import annotations

from collections.abc import Iterator

from engram.doctor.facts import Facts
from engram.doctor.finding import Finding, Level
from engram.model.act import Act
from engram.model.counted import counted
from engram.model.note import RELATION_KINDS, Note
from engram.model.when import as_date
from engram.store.links import resolve


def dangling(facts: Facts) -> Iterator[Finding]:
    """Yields names that notes link and no note has: legal, and a note worth writing. The most wanted first."""
    wanted: dict[str, tuple[str, list[str]]] = {}
    for note in facts.active:
        for target, found in facts.links[note.path]:
            if not found:
                wanted.setdefault(target.strip().casefold(), (target, []))[1].append(note.path)
    for target, paths in sorted(wanted.values(), key=lambda pair: (-len(pair[1]), pair[0])):
        words = f"worth writing: {target}, which {counted(len(paths), 'note')} link{'s' if len(paths) == 1 else ''}"
        yield Finding("link-dangling", "info", words, paths[0], tuple(paths[1:]))


def dead(facts: Facts) -> Iterator[Finding]:
    """Yields links to notes that hold no more: archived, or invalidated without one that holds instead."""
    for note in facts.active:
        for target, found in facts.links[note.path]:
            if not found or any(_holds(facts, one) for one in found):
                continue
            how = "is archived" if found[0].archived else "was invalidated, and nothing holds in its place"
            level: Level = "info" if found[0].archived else "warn"
            words = f"links {target}, which {how}"
            do = "take the link out, or link what holds now"
            yield Finding("link-dead", level, words, note.path, (found[0].path,), next=do)


def ambiguous(facts: Facts) -> Iterator[Finding]:
    for note in facts.active:
        for target, found in facts.links[note.path]:
            if len(found) > 1:
                words = f"links {target}, which {len(found)} notes are called"
                others = tuple(one.path for one in found)
                yield Finding("link-ambiguous", "info", words, note.path, others, next="link the path")


def relation_odd(facts: Facts) -> Iterator[Finding]:
    for note in facts.active:
        for kind, name in note.relations:
            if kind not in RELATION_KINDS:
                words = f"`{kind} {name}` is no relation that anything reads"
                do = f"use one of {', '.join(RELATION_KINDS)}"
                yield Finding("relation-odd", "info", words, note.path, next=do)


def successor_missing(facts: Facts) -> Iterator[Finding]:
    """Yields invalidated notes that name a successor which is gone. The day then says what is known."""
    for note in facts.snapshot.notes:
        by = note.invalidated_by.strip().strip("[]")
        if not by or as_date(by) is not None or facts.snapshot.find(by) or resolve(by, note.path, facts.snapshot):
            continue
        day = as_date(note.text("updated")) or as_date(note.text("modified")) or facts.today
        act = Act(
            "REPAIR",
            note.path,
            note.base,
            set={"invalidated_by": day.isoformat()},
            stamps=False,
            reason=f"its successor {by} is gone: says the day instead",
        )
        words = f"was replaced by {by}, which is not there"
        acts = () if note.protected else (act,)
        yield Finding("successor-missing", "warn", words, note.path, acts=acts, next="name the note that holds now")


def _holds(facts: Facts, note: Note) -> bool:
    """Tells whether a note holds, or names one that does."""
    seen: set[str] = set()
    while note.path not in seen:
        seen.add(note.path)
        if not (note.archived or note.invalidated_by):
            return True
        found = facts.snapshot.find(note.invalidated_by.strip()) if note.invalidated_by else ()
        if not found:
            return False
        note = found[0]
    return False

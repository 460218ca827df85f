"""MEMORY.md against the notes: what it lists and isn't there, what is there and isn't listed, what is cut off."""

from __future__ import annotations

from collections.abc import Iterator

from engram.doctor.facts import Facts
from engram.doctor.finding import Finding, Level
from engram.lifecycle.expiry import is_lapsed
from engram.model.act import Act
from engram.model.lines import lines_of
from engram.model.note import Note
from engram.model.snapshot import TOC
from engram.store import toclines
from engram.store.paths import problem_with_path, same_place
from engram.store.toc import BYTES_LIMIT, LINES_LIMIT, crowded, listed

_LINE_BYTES = 12
"""What a line takes besides title, path and description."""


def missing(facts: Facts) -> Iterator[Finding]:
    if not facts.exists or TOC in facts.snapshot.work or TOC in facts.unread:
        return
    notes = _listable(facts)
    acts = tuple(_listing(note) for note in notes) if _fits(b"# Memory\n", notes) else ()
    if not notes:
        acts = (Act("REPAIR", TOC, text="# Memory\n", reason="starts the table of contents"),)
    do = f"write one: {_TOO_MANY}"
    if TOC in facts.snapshot.committed:
        acts, do = (), f"the last commit has it: `git restore {TOC}` in the store, or `engram review`"
    words = f"there is no {TOC}: neither a person nor an agent without tools sees what the store holds"
    yield Finding("toc-missing", "warn", words, TOC, acts=_allowed(facts, acts), next=do)


def unlisted(facts: Facts) -> Iterator[Finding]:
    data = facts.snapshot.work.get(TOC)
    if data is None:
        return
    known = listed(data)
    notes = [note for note in _listable(facts) if note.path not in known]
    fits = _fits(data, notes)
    for note in notes:
        acts = _allowed(facts, (_listing(note),)) if fits else ()
        words = f"is not in {TOC}"
        do = _TOO_MANY if not fits else "`engram review` comes first: nobody has seen it as it stands"
        if note.protected:
            do = "it is protected: its owner alone lists it"
        yield Finding("toc-unlisted", "warn" if acts else "info", words, note.path, acts=acts, next=do)


def dangling(facts: Facts) -> Iterator[Finding]:
    """Yields lines that list a file which is not there; a line that only mentions one is the owner's own prose."""
    data = facts.snapshot.work.get(TOC)
    if data is None:
        return
    entries = {entry.path: entry.index + 1 for entry in reversed(toclines.entries(lines_of(data)))}
    standing = {same_place(path) for path in facts.snapshot.work}
    for path, line in listed(data).items():
        if path in facts.snapshot.work or path in facts.unread:
            continue
        gone = same_place(path) not in standing and path not in facts.snapshot.committed
        listing = path in entries and gone and not problem_with_path(path)
        acts = (Act("REPAIR", path, lists="remove", reason="lists a note that is not there"),) if listing else ()
        how = "lists" if path in entries else "mentions"
        words = f"{how} {path}, which is not there"
        level: Level = "warn" if path in entries else "info"
        do = "take the link out, or write the note"
        yield Finding("toc-dangling", level, words, TOC, line=line, acts=acts, next=do)


def over(facts: Facts) -> Iterator[Finding]:
    """Yields lines that list a note which holds no more."""
    data = facts.snapshot.work.get(TOC)
    if data is None:
        return
    entries = {entry.path: entry.index + 1 for entry in reversed(toclines.entries(lines_of(data)))}
    for path, line in sorted(entries.items(), key=lambda pair: pair[1]):
        note = facts.snapshot.by_path.get(path)
        if note is not None and (note.archived or note.invalidated_by):
            how = "archived" if note.archived else "invalidated"
            act = Act("REPAIR", path, note.base, lists="remove", stamps=False, reason=f"lists a note that was {how}")
            words = f"lists {path}, which was {how}"
            acts = _allowed(facts, (act,))
            yield Finding("toc-over", "warn", words, TOC, line=line, acts=acts, next="take the line out")


def full(facts: Facts) -> Iterator[Finding]:
    data = facts.snapshot.work.get(TOC)
    words = crowded(data) if data is not None else ""
    if words:
        level: Level = "warn" if "cut off" in words else "info"
        yield Finding("toc-crowded", level, words, TOC, next="shorten or fold its lines")


_TOO_MANY = f"its lines would not fit into the {LINES_LIMIT} lines and {BYTES_LIMIT:,} bytes that agents load"


def _listable(facts: Facts) -> list[Note]:
    """Returns the notes that a table of contents lists: those that hold, also tomorrow."""
    holding = (note for note in facts.active if note.protected or not is_lapsed(note, facts.today))
    return [note for note in holding if not problem_with_path(note.path)]


def _listing(note: Note) -> Act:
    return Act("REPAIR", note.path, note.base, lists="add", stamps=False, reason=f"lists it in {TOC}")


def _allowed(facts: Facts, acts: tuple[Act, ...]) -> tuple[Act, ...]:
    """Returns the acts that may be done: nothing but its owner's own word touches a protected note, and no line
    comes for a note that the last commit doesn't hold, or goes for what is not reviewed yet."""
    committed = facts.snapshot.committed
    notes = facts.snapshot.by_path
    return tuple(
        act
        for act in acts
        if not (act.path in notes and notes[act.path].protected)
        and (act.path == TOC or (act.path in committed if act.lists == "add" else facts.reviewed(act.path)))
    )


def _fits(data: bytes, notes: list[Note]) -> bool:
    """Tells whether lines for these notes fit into what agents load of a table of contents."""
    more = sum(len(f"{note.name}{note.path}{note.description}".encode()) + _LINE_BYTES for note in notes)
    return len(lines_of(data)) + len(notes) <= LINES_LIMIT and len(data) + more <= BYTES_LIMIT

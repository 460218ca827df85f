"""Where notes come from, and whether anybody ever needed them."""

from __future__ import annotations

from collections.abc import Iterator

from engram.doctor.facts import Facts
from engram.doctor.finding import Finding
from engram.model.counted import counted
from engram.model.note import Note
from engram.model.when import as_date

SESSIONS = 50
"""Sessions in which a note that was never recalled is worth a word."""
_SOURCES = ("sessions", "source_agent", "originSessionId", "source", "evidence")


def unsourced(facts: Facts) -> Iterator[Finding]:
    found = [note.path for note in facts.active if not any(note.fields.get(key) for key in _SOURCES)]
    if found:
        words = f"{counted(len(found), 'note')} without session, agent or evidence: nobody can say who taught it"
        yield Finding("unsourced", "info", words, found[0], tuple(found[1:]), next="`engram log` may know")


def never_recalled(facts: Facts) -> Iterator[Finding]:
    """Yields notes that no session was served, where the log knows of enough sessions since they were written."""
    sessions = list(dict.fromkeys(each.session for each in facts.recalls if each.session))
    if len(sessions) < SESSIONS:
        return
    window = set(sessions[:SESSIONS])
    since = min(each.at for each in facts.recalls if each.session in window).date()
    served = frozenset[str]().union(*(each.paths for each in facts.recalls))

    def old_enough(note: Note) -> bool:
        day = as_date(note.text("created")) or as_date(note.text("updated")) or as_date(note.text("modified"))
        return day is None or day < since

    found = [note.path for note in facts.active if note.path not in served and old_enough(note)]
    if found:
        words = (
            f"{counted(len(found), 'note')} came up in none of the last {SESSIONS} sessions that searched this store"
        )
        do = "`engram archive` what is of no use; a better description is found more often"
        yield Finding("never-recalled", "info", words, found[0], tuple(found[1:]), next=do)

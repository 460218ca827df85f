"""Journal entries and roll-ups as proposals, and what a roll-up is made from."""

from __future__ import annotations

from typing import Any

from engram.app import stores, writing
from engram.app.context import Context
from engram.app.proposals import Proposal
from engram.errors import NoteNotFound
from engram.lifecycle import journal
from engram.model.note import Note
from engram.model.parts import too_long_rollup


def entry(
    context: Context,
    store: stores.Store,
    slug: str,
    body: str,
    *,
    description: str = "",
    agent: str = "",
    session: str = "",
) -> Proposal:
    """Returns the proposal of today's entry. Raises ValueError for a slug that is none, or taken."""
    note: dict[str, Any] = {
        "name": journal.entry_name(context.now().date(), slug),
        "type": "journal",
        "description": description or writing.first_line(body),
        "body": body,
    }
    if standing := store.snapshot().find(note["name"]):
        words = (
            f"today has an entry {slug!r} already ({standing[0].path}): give this one another slug, or change that one"
        )
        raise ValueError(f"{words} with `engram edit {standing[0].name}`")
    taught = (session,) if session else ()
    proposal, _ = writing.written(context, store, note, insist=True, agent=agent, sessions=taught)
    return proposal


def gathered(store: stores.Store, month: str) -> tuple[Note, ...]:
    """Returns a month's entries. Raises ValueError for what is no month, NoteNotFound where there is none."""
    journal.rollup_name(month)
    found = journal.entries_of(store.snapshot().notes, month)
    if not found:
        raise NoteNotFound(f"the journal has no entry of {month}", "`engram list --type journal` shows what it has")
    return found


def rollup(context: Context, store: stores.Store, month: str, body: str, *, agent: str = "") -> Proposal:
    """Returns the proposal of a month's roll-up, which supersedes its entries; of a month that has one, its text anew.

    Raises as :func:`gathered`, and ValueError where the text is too long.
    """
    entries = gathered(store, month)
    if why := too_long_rollup(body):
        raise ValueError(why)
    note: dict[str, Any] = {
        "name": journal.rollup_name(month),
        "type": "rollup",
        "description": f"What happened in {month}",
        "body": body,
        "relations": [f"supersedes {entry.name}" for entry in entries],
    }
    again = bool(store.snapshot().find(note["name"]))
    proposal, _ = writing.written(context, store, note, insist=not again, agent=agent)
    return proposal

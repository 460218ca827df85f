"""What an agent may ask of memory's health and upkeep: what is wrong with a store, which notes are due for a look."""

from __future__ import annotations

from engram.app import examining, keeping, proposals, reaching, saving
from engram.app.context import Context
from engram.app.sitting import Reply, Sitting
from engram.errors.agents import ArgumentInvalid
from engram.lifecycle import expiry, hold
from engram.model.note import Note
from engram.model.secrets import masked
from engram.model.visible import visible_line

MOST_FINDINGS = 40
LONGEST_LINE = 300


def doctor(context: Context, sitting: Sitting, *, project: str) -> Reply:  # noqa: ARG001 - as every tool
    """Returns what is wrong with the store of a place and around it. Nothing of it is mended here."""
    found = examining.shown(examining.examine(saving.at(context, project)))
    rows = sorted(found["findings"], key=lambda row: ("error", "warn", "info").index(row["level"]))
    lines = [
        _line(context, f"{row['level']} {row['code']}: {row['path'] + ': ' if row['path'] else ''}{row['message']}")
        for row in rows[:MOST_FINDINGS]
    ]
    head = f"The store at {found['store']} is {'healthy' if found['healthy'] else 'not healthy'}."
    more = [f"(and {len(rows) - MOST_FINDINGS} more)"] if len(rows) > MOST_FINDINGS else []
    tail = [] if found["healthy"] else ["The user mends it with `engram doctor --fix`, which shows a diff first."]
    data = {"healthy": found["healthy"], "findings": [{"code": row["code"], "level": row["level"]} for row in rows]}
    return Reply("\n".join((head, *lines, *more, *tail)), data)


def review(
    context: Context,
    sitting: Sitting,
    *,
    action: str,
    project: str,
    limit: int,
    observation_id: str,
) -> Reply:
    """Lists the notes that are due for another look, or proposes that one was looked at and still holds."""
    if action == "list":
        return _due(context, project, limit)
    if not observation_id:
        raise ArgumentInvalid("mark_reviewed needs observation_id: the note's name")
    with saving.alone(context):
        store, note = reaching.standing(context, observation_id, "all", project)
        around = keeping.surroundings(context, store)
        act = hold.reviewed(note, around.today, around.settings.review_defaults)
        if isinstance(act, str):
            return saving.nothing("nothing", f"Nothing to propose: {act}.", id=note.name)
        kept = proposals.keep(context, proposals.propose_acts(context, store, [act], agent=sitting.agent))
    words = (
        f"Proposed, and not in memory yet: {note.name} still holds, and is due again on {act.set['review_after']}.\n"
        f"The user decides: engram review {kept.waiting.id}"
    )
    return Reply(words, {"result": "proposed", "plan": kept.waiting.id, "id": note.name, "words": words})


def _due(context: Context, project: str, limit: int) -> Reply:
    today = context.now().date()
    rows = [
        (store.scope, note)
        for store in saving.stores_of(context, "all", project)
        for note in expiry.overdue(store.snapshot().notes, today)
    ]
    rows.sort(key=lambda row: (row[1].text("review_after"), row[1].path))
    shown = [
        _line(context, f"{note.name} ({note.type}, {scope}): due since {_day(note)}")
        for scope, note in rows[: max(limit, 1)]
    ]
    data = {"due": len(rows), "notes": [{"id": note.name, "review_after": _day(note)} for _, note in rows[:limit]]}
    if not rows:
        return Reply("No note is due for another look.", data)
    head = f"{len(rows)} due for another look, the longest overdue first; ask the user whether they still hold."
    return Reply("\n".join((head, *shown)), data)


def _day(note: Note) -> str:
    return note.text("review_after")[:10]


def _line(context: Context, text: str) -> str:
    shown = visible_line(masked(text, context.settings().redaction_patterns_extra))
    return shown if len(shown) <= LONGEST_LINE else f"{shown[:LONGEST_LINE]}…"

"""What a session opens with, gathered from the stores; and what waits for the person, in one line."""

from __future__ import annotations

import os
from datetime import datetime, timedelta

from engram import queue
from engram.app import nearing
from engram.app.recalling import item_of, standing_of
from engram.index import notes
from engram.model.counted import counted
from engram.model.wire import parsed
from engram.recall import opening
from engram.recall.packet import BUDGET, MOST_CHARS
from engram.recall.standing import EXCLUDE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from engram.app.context import Context
    from engram.app.recalling import Source
    from engram.index.notes import Row
    from engram.recall.packet import Item, Mask, Packet, Seen

_LOOKED_AT = 60
"""Notes of each kind that are weighed."""
_LONG_AGO = 1e6
_LARGEST_RECORD = 16 << 20


def opening_of(
    context: Context, sources: Sequence[Source], seen: Seen, mask: Mask, *, budget: int = 0, chars: int = MOST_CHARS
) -> Packet:
    """Returns what a session opens with. ``budget``: tokens; 0 for what the settings say."""
    now = context.now()
    today = f"{now:%Y-%m-%d}"
    facts = [
        opening.Fact((number, row.id), row.kind, source.place.scope, row.importance, *_dated(row, now))
        for number, source in enumerate(sources)
        for row in _rows(source, today)
        if standing_of(source, row, today).served(source.settings.unreviewed)
    ]
    sections = {
        key: [item for id_ in ids if (item := _item(sources, id_, today)) is not None]
        for key, ids in opening.chosen(facts, f"{now:%Y-%m}").items()
    }
    allowed = min((source.settings.recall_token_budget for source in sources), default=BUDGET)
    return opening.opening(
        sections,
        budget=budget or allowed,
        seen=seen,
        mask=mask,
        notice="\n".join(filter(None, (waiting_line(context, sources), nearing.lines(context, sources, mask)))),
        chars=chars,
    )


def waiting_line(context: Context, sources: Sequence[Source]) -> str:
    """Returns what waits, in one line: plans with their age, sessions, notes that nobody reviewed; "" for nothing."""
    plans = _plans(context.folder("review"), {source.place.root for source in sources})
    sessions = len(queue.entries(context.folder("queue")))
    unreviewed = sum(notes.unreviewed(source.index) for source in sources)
    parts = []
    if plans:
        days = max((context.now() - oldest).days for oldest in plans)
        age = f", the oldest for {counted(days, 'day')}" if days > 0 else ""
        parts.append(f"{counted(len(plans), 'proposed change')} to memory{age} (the user decides with `engram review`)")
    if sessions:
        parts.append(f"{counted(sessions, 'finished session')} to curate (`/engram-curate`)")
    if unreviewed:
        parts.append(f"{counted(unreviewed, 'note')} that nobody has reviewed (`engram status`)")
    return f"Waiting in engram: {'; '.join(parts)}." if parts else ""


def _plans(folder: str, roots: set[str]) -> list[datetime]:
    """Returns since when each plan waits that belongs to one of some stores."""
    try:
        names = [name for name in os.listdir(folder) if name.endswith(".json")]
    except OSError:
        return []
    found = []
    for name in names:
        try:
            with open(os.path.join(folder, name), "rb") as file:
                record = parsed(file.read(_LARGEST_RECORD))
            if isinstance(record, dict) and record.get("store") in roots:
                found.append(datetime.fromisoformat(str(record.get("proposed"))))
        except (OSError, ValueError):
            continue
    return [at for at in found if at.tzinfo is not None]


def _rows(source: Source, today: str) -> list[Row]:
    def some(kinds: Sequence[str], most: int, **how: bool) -> list[Row]:
        mark = source.settings.unreviewed != EXCLUDE
        return notes.of_kinds(source.index, kinds, most, today=today, unreviewed=mark, **how)

    found = [
        *some((*opening.USER, *opening.LEARNT), _LOOKED_AT * 2),
        *some(opening.JOURNAL, _LOOKED_AT, newest=True),
    ]
    if source.place.scope != "user":
        found += some(opening.NOT_STATE, _LOOKED_AT, but=True)
    return found


def _dated(row: Row, now: datetime) -> tuple[str, float]:
    """Returns when a note was last said to hold, and how many days ago that is."""
    written = (max(row.created, row.updated) if row.kind in opening.JOURNAL else row.updated) or row.created
    try:
        at = datetime.fromisoformat(written)
    except ValueError:
        return "", _LONG_AGO
    at = at if at.tzinfo else at.replace(tzinfo=now.tzinfo)
    return written, (now - at) / timedelta(days=1)


def _item(sources: Sequence[Source], id_: Any, today: str) -> Item | None:
    number, row_id = id_
    source = sources[number]
    row = notes.rows(source.index, [row_id]).get(row_id)
    return None if row is None else item_of(source, row, standing_of(source, row, today))

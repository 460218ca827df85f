"""Reads notes from the index: the rows of some, whole; and those that a session may open with, in short.

On the hot path of the prompt hook: the standard library alone, and little of it.
"""

from __future__ import annotations

from engram.index.file import ARCHIVED, CONFLICTED, INVALIDATED, PROTECTED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    from engram.index.file import Index

_SOME = 400
"""Ids in one statement: SQLite takes no more than 999 values."""


class Row:
    """Is a note as the index has it. Frozen by custom. Empty texts for what it doesn't say."""

    __slots__ = (
        "applied", "base", "body", "created", "description", "expires", "fields", "flags", "id", "importance", "kind",
        "name", "path", "reviewed", "updated",
    )  # fmt: skip

    def __init__(self, values: Sequence[Any]) -> None:
        self.id: int = values[0]
        self.path: str = values[1]
        self.name: str = values[2]
        self.kind: str = values[3]
        self.description: str = values[4]
        self.created: str = values[5]
        self.updated: str = values[6]
        self.expires: str = values[7]
        self.importance: int = values[8]
        self.applied: int = values[9]
        self.flags: int = values[10]
        self.reviewed: bool = bool(values[11])
        self.base: str = values[12]
        self.fields: str = values[13] if len(values) > 13 else ""
        """The frontmatter as JSON; "" where it wasn't asked for."""
        self.body: str = values[14] if len(values) > 13 else ""


_SHORT = (
    "n.id, n.path, n.name, n.type, n.description, n.created, n.updated, n.expires, n.importance, n.applied, n.flags, "
    "n.reviewed, n.base"
)


def rows(index: Index, ids: Iterable[int]) -> dict[int, Row]:
    """Returns some notes by their ids, fields and bodies included; one that is gone is left out."""
    wanted = list(ids)
    found: dict[int, Row] = {}
    for start in range(0, len(wanted), _SOME):
        part = wanted[start : start + _SOME]
        marks = ", ".join("?" * len(part))
        query = f"SELECT {_SHORT}, t.fields, t.body FROM notes n JOIN texts t USING (id) WHERE n.id IN ({marks})"  # noqa: S608 - question marks alone
        for values in index.db.execute(query, part):
            row = Row(values)
            found[row.id] = row
    return found


def all_of(index: Index) -> Iterator[Row]:
    """Yields every note, fields and bodies included, in the order of their paths."""
    query = f"SELECT {_SHORT}, t.fields, t.body FROM notes n JOIN texts t USING (id) ORDER BY n.path"  # noqa: S608
    return map(Row, index.db.execute(query))


def of_kinds(
    index: Index,
    kinds: Sequence[str],
    most: int,
    *,
    today: str,
    unreviewed: bool,
    but: bool = False,
    newest: bool = False,
) -> list[Row]:
    """Returns at most so many notes of some types in short, the most important first (``newest``: the newest).

    ``but``: of all types but these. Notes that don't hold on a day would keep others out, and are passed over; with
    ``unreviewed`` those come that nobody reviewed.
    """
    marks = ", ".join("?" * len(kinds))
    order = "max(n.created, n.updated) DESC" if newest else "n.importance DESC, n.updated DESC"
    query = (
        f"SELECT {_SHORT} FROM notes n WHERE n.type {'NOT ' if but else ''}IN ({marks}) AND n.flags & ? = 0 "  # noqa: S608 - question marks alone
        "AND (n.expires IN ('', 'never') OR n.expires >= ? OR n.flags & ?) AND n.reviewed >= ? "
        f"ORDER BY {order} LIMIT ?"
    )
    over = INVALIDATED | ARCHIVED | CONFLICTED
    values = (*kinds, over, today, PROTECTED, 0 if unreviewed else 1, most)
    return [Row(row) for row in index.db.execute(query, values)]


def unreviewed(index: Index) -> int:
    """Returns how many notes of a store that is under git nobody has reviewed."""
    if not index.meta("versioned", 0):
        return 0
    (many,) = index.db.execute("SELECT count(*) FROM notes WHERE reviewed = 0").fetchone()
    return int(many)


def lapsing(index: Index, today: str, until: str, most: int, *, unreviewed: bool) -> list[Row]:
    """Returns at most so many notes in short that lapse up to a day, the soonest first; protected lapsed ones too."""
    query = (
        f"SELECT {_SHORT} FROM notes n WHERE n.flags & ? = 0 AND n.expires NOT IN ('', 'never') AND n.expires <= ? "  # noqa: S608 - question marks alone
        "AND (n.expires >= ? OR n.flags & ?) AND n.reviewed >= ? ORDER BY n.expires, n.path LIMIT ?"
    )
    over = INVALIDATED | ARCHIVED | CONFLICTED
    return [Row(row) for row in index.db.execute(query, (over, until, today, PROTECTED, 0 if unreviewed else 1, most))]


def names(index: Index, kinds: Sequence[str]) -> list[str]:
    """Returns the names of the notes of some types, those in the archive too; not what was invalidated or lost."""
    marks = ", ".join("?" * len(kinds))
    query = f"SELECT name FROM notes WHERE type IN ({marks}) AND flags & ? = 0"  # noqa: S608 - question marks alone
    return [name for (name,) in index.db.execute(query, (*kinds, INVALIDATED | CONFLICTED))]


def linked(index: Index, ids: Sequence[int], most: int) -> list[int]:
    """Returns the notes that some link to, in the order of these, each once and none of them."""
    found: dict[int, None] = {}
    for id_ in ids:
        query = (
            "SELECT m.id FROM edges e JOIN names m ON m.key = e.target "
            "WHERE e.source = ? AND e.kind <> 'contradicts' ORDER BY m.id LIMIT ?"
        )
        for (other,) in index.db.execute(query, (id_, most)):
            if other not in ids:
                found.setdefault(other)
    return list(found)[:most]

"""The session-start packet: who the user is, what was learnt, where this project stands, what happened lately.

On the hot path of the session-start hook: the standard library alone, and little of it.
"""

from __future__ import annotations

from engram.recall.packet import (
    BUDGET,
    EMPTY,
    MOST_CHARS,
    OPENING_FRAME,
    Packet,
    Page,
    fill,
    framed,
    fresh,
    stubbed,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from engram.recall.packet import Item, Mask, Seen

USER = ("user", "preference")
LEARNT = ("feedback", "lesson", "learning", "policy")
JOURNAL = ("journal",)
NOT_STATE = (*USER, *LEARNT, *JOURNAL, "reference", "rollup", "error", "bugfix", "session_summary")
"""Types that tell nothing of where a project stands now; a prompt that is about them finds them."""

MOST = {"user": 8, "learnt": 12, "state": 10, "journal": 6}
"""Notes of each section that are looked at at all."""
_SECTIONS = (
    ("user", "Who the user is:", 4),
    ("learnt", "Lessons and feedback:", 3),
    ("state", "State of this project:", 2),
    ("journal", "Journal, newest first:", 1),
)
"""Key, heading, and which part of the room that is left a section may take (a quarter, a third, …): what one leaves
is the next one's."""
_MOST_STUBS = 8
_HALF_LIFE = 60.0


class Fact:
    """Is what the choice of a note for the opening rests on. Frozen by custom."""

    __slots__ = ("age", "date", "id", "importance", "kind", "scope")

    def __init__(self, id: object, kind: str, scope: str, importance: int, date: str, age: float) -> None:  # noqa: A002
        self.id = id
        """Whatever the caller knows the note by."""
        self.kind = kind
        self.scope = scope
        self.importance = importance
        """1 to 10."""
        self.date = date
        """ISO date or time; "" where unknown."""
        self.age = age
        """Days since ``date``; very many where it is unknown."""


def chosen(facts: Sequence[Fact], month: str) -> dict[str, list[object]]:
    """Returns the ids of the notes that a session opens with, by section and in order.

    The user's own state of other projects never counts as this one's. Of the journal the newest two come, and what else
    this month (``YYYY-MM``) has; older story comes through a prompt that asks for it.
    """
    by_weight = sorted(facts, key=lambda fact: -_weight(fact))
    dated = sorted((fact for fact in facts if fact.kind in JOURNAL), key=lambda fact: fact.date, reverse=True)
    sections: dict[str, list[Fact]] = {
        "user": [fact for fact in by_weight if fact.kind in USER],
        "learnt": [fact for fact in by_weight if fact.kind in LEARNT],
        "state": [fact for fact in by_weight if fact.kind not in NOT_STATE and fact.scope != "user"],
        "journal": [fact for at, fact in enumerate(dated) if at < 2 or fact.date.startswith(month)],
    }
    return {key: [fact.id for fact in found[: MOST[key]]] for key, found in sections.items()}


def _weight(fact: Fact) -> float:
    """Returns importance and recency as one number: ten points of importance weigh as much as being of today."""
    recent: float = 0.5 ** (max(fact.age, 0.0) / _HALF_LIFE)
    return fact.importance / 10 + recent


def opening(
    sections: Mapping[str, Sequence[Item]],
    *,
    budget: int = BUDGET,
    seen: Seen | None = None,
    mask: Mask = str,
    notice: str = "",
    chars: int = MOST_CHARS,
) -> Packet:
    """Returns what a session opens with, within a budget of tokens. ``notice``: a line of engram's own, at the end.

    ``sections``: the notes by the keys of :func:`chosen`, in order. A note that stands in two comes in the first.
    """
    page = Page(budget, chars)
    notice = notice if page.take(notice) else ""
    alone = Packet(notice, (), ()) if notice else EMPTY
    known: dict[str, tuple[str, str]] = dict(seen or {})
    parts: list[tuple[str, list[Item]]] = []
    for key, heading, _ in _SECTIONS:
        items = fresh(sections.get(key, ()), known)
        known.update({item.key: (item.base, "whole") for item in items if item.base})
        parts.append((heading, items))
    head = framed(OPENING_FRAME, [item for _, items in parts for item in items])
    if not any(items for _, items in parts) or not page.take(head):
        return alone
    lines, whole, left = [head], [], []
    for (heading, items), (_, _, divisor) in zip(parts, _SECTIONS, strict=True):
        part = Page(page.tokens // divisor, page.chars)
        if not items or not part.take(heading):
            continue
        filled = fill(items, part, mask)
        left += filled.left
        if filled.blocks and page.take("\n".join([heading, *filled.blocks])):
            lines += [heading, *filled.blocks]
            whole += filled.whole
    stubs, stub_lines = stubbed(fresh(left, seen or {}, as_stubs=True)[:_MOST_STUBS], page, mask)
    if not whole and not stubs:
        return alone
    return Packet("\n".join([*lines, *stub_lines, *([notice] if notice else [])]), tuple(whole), tuple(stubs))

"""The floor that a store's index holds, as it is for the notes that the store has now.

On the hot path of the prompt hook: the standard library alone, and little of it.
"""

from __future__ import annotations

from math import log

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engram.index.file import Index

WORDS = "words"
"""Stands for the embedder where there is none."""

GROWTH = 0.05
"""What a floor rises by as a store grows e-fold: the best of more notes is better. Measured from 60 to 5,000 notes."""

HIGHEST = 0.98
"""No growth lifts a floor above this: relevance ends at 1."""


def kept(index: Index, embedder_id: str) -> float | None:
    """Returns the calibrated floor of a store; None before the first calibration. ``embedder_id``: "" without one."""
    name = embedder_id or WORDS
    floor = index.meta(f"floor/{name}", None)
    if not isinstance(floor, int | float):
        return None
    return grown(float(floor), _count(index.meta(f"floor-notes/{name}", 0)), _count(index.meta("notes", 0)))


def keep(index: Index, embedder_id: str, floor: float, notes: int) -> None:
    """Writes the floor that was found for so many notes, within the caller's transaction."""
    name = embedder_id or WORDS
    index.set_meta(f"floor/{name}", floor)
    index.set_meta(f"floor-notes/{name}", notes)


def grown(floor: float, then: int, now: int) -> float:
    """Returns a floor that was found for ``then`` notes as it is for ``now``; a store that shrinks keeps its floor."""
    return max(floor, min(floor + GROWTH * log(now / then), HIGHEST)) if now > then > 0 else floor


def _count(value: object) -> int:
    return value if isinstance(value, int) else 0

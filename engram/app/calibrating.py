"""Finds the relevance floor of a store: what everyday prompts, which are about nothing in it, come to at most."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engram.app.recalling import Source, standing_of
from engram.errors import EngramError
from engram.index import calibrate, notes
from engram.index.file import Trouble
from engram.index.search import Query, candidates
from engram.recall import rank

if TYPE_CHECKING:
    from engram.index.embed import Embedder


def keep_floor(source: Source, embedder: Embedder | None, *, now: str) -> bool:
    """Finds a store's floor anew where its notes, the embedder or the rules have changed. Tells whether it did.

    ``now``: ISO date. Where the index can't be written, the floor stays as it was; recall works all the same.
    """
    try:
        if not source.index.writable or not calibrate.due(source.index, embedder, rank.RULES):
            return False
        may = _brought(source, now)

        def best(prompts: Sequence[str], ready: Embedder | None) -> list[float]:
            return [_best(source, prompt, ready, may) for prompt in prompts]

        return calibrate.calibrate(source.index, embedder, best, rank.RULES) is not None
    except (EngramError, Trouble, OSError):
        return False


def _brought(source: Source, today: str) -> frozenset[int]:
    """Returns the notes that a prompt could bring unasked."""
    return frozenset(
        row.id
        for row in notes.all_of(source.index)
        if standing_of(source, row, today).served(source.settings.unreviewed)
    )


def _best(source: Source, prompt: str, embedder: Embedder | None, may: frozenset[int]) -> float:
    found = candidates(source.index, Query(prompt), embedder)
    return max((rank.relevance(one) for one in found if one.id in may), default=0.0)

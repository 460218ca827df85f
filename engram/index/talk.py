"""How much of a question is everyday talk: by its words, and by its nearness to the shipped everyday prompts.

"Fix the failing test" is like a note about a failing test, and like a hundred other prompts. What is as near to
everyday talk as it is to any note asks for no note. The everyday prompts are those of `calibrate`, so that each is its
own nearest: a prompt is never compared with itself, in the calibration or later.

On the hot path of the prompt hook: numpy only where there are vectors.
"""

from __future__ import annotations

import os
from math import log

from engram.index.talk_words import PROMPTS, TIMES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from engram.index.file import Index

NEAREST = 3
"""Prompts that a text is compared with: one could be a chance likeness."""

ITSELF = 0.995
"""A cosine from which on two texts are one, within the rounding of eight bits."""

_FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "everyday.i8")
_KEY, _SCALE = 8, 4
_TOP = log((PROMPTS + 1) / 0.5)


def share_of_talk(terms: Sequence[str], weights: Sequence[float]) -> float:
    """Returns how much of a question's words is everyday talk, 0 to 1; ``weights``: each term's idf in the store.

    A word is talk to the degree that everyday prompts have it: log-scaled as an idf is, 0 for a word that none has.
    """
    whole = sum(weights)
    if not whole:
        return 1.0
    talk = sum(
        weight * (1 - log((PROMPTS + 1) / (TIMES[term] + 0.5)) / _TOP)
        for term, weight in zip(terms, weights, strict=True)
        if term in TIMES
    )
    return talk / whole


def nearest(index: Index, embedder_id: str, queries: Any) -> list[float]:
    """Returns the mean cosine of each query to the everyday prompts nearest to it; 0.0 where their vectors are unknown.

    ``queries``: float32 (n, dim), normalised. The default embedder's vectors are shipped; another one's are kept in the
    index by `remember`.
    """
    import numpy as np  # noqa: PLC0415 - words alone do without it

    rows = _rows(index, embedder_id, queries.shape[1])
    if rows is None or len(rows) <= NEAREST:
        return [0.0] * len(queries)
    near = rows @ queries.T
    near[near > ITSELF] = -1.0
    return [float(value) for value in np.partition(near, -NEAREST, axis=0)[-NEAREST:].mean(axis=0)]


def remember(index: Index, embedder_id: str, vectors: Any) -> None:
    """Keeps the everyday prompts' vectors of an embedder that ships none, within the caller's transaction."""
    import numpy as np  # noqa: PLC0415

    index.set_meta(f"talk/{embedder_id}", np.ascontiguousarray(vectors, np.float16).tobytes())


def times(prompts: Iterable[Sequence[str]]) -> dict[str, int]:
    """Returns in how many prompts besides one a term stands; terms of one prompt alone are left out."""
    found: dict[str, int] = {}
    for terms in prompts:
        for term in set(terms):
            found[term] = found.get(term, 0) + 1
    return {term: many - 1 for term, many in sorted(found.items()) if many > 1}


def _rows(index: Index, embedder_id: str, dim: int) -> Any:
    """Returns the everyday prompts' vectors as float32 (m, dim), or None."""
    import numpy as np  # noqa: PLC0415

    kept = index.meta(f"talk/{embedder_id}", None)
    if isinstance(kept, bytes) and len(kept) % (2 * dim) == 0:
        return np.frombuffer(kept, np.float16).reshape(-1, dim).astype(np.float32)
    try:
        with open(_FILE, "rb") as file:
            if file.readline() != f"{embedder_id}\n".encode():
                return None
            data = np.frombuffer(file.read(), np.uint8).reshape(-1, _KEY + _SCALE + dim)
    except (OSError, ValueError):
        return None
    rows = data[:, _KEY + _SCALE :].view(np.int8).astype(np.float32)
    return rows * data[:, _KEY : _KEY + _SCALE].copy().view("<f4")

"""Near duplicates in other words: which standing notes mean almost what a new text says, by the index's vectors."""

from __future__ import annotations

import os
from collections.abc import Callable

from engram.app import indexing
from engram.app.context import Context
from engram.errors import EngramError
from engram.index import embed, vectors
from engram.index.file import Trouble

ALIKE = {"use": 0.72}
"""From this cosine on two notes say almost the same, by embedder. Pairs of notes that say the same in other words reach
0.60 to 0.86 with USE, related notes that say something else 0.61 at most. Other embedders have not been measured."""
_NEAREST = 3
SECONDS = 20.0


def alike_in(context: Context, root: str) -> Callable[[str], tuple[tuple[str, float], ...]]:
    """Returns a function that gives the notes of a store which mean almost what a text says, as path and cosine.

    The best come first. Nothing is loaded before the first text. Without an embedder that is ready (`engram index` and
    `engram recall` prepare it), or where the index can't be had, there are never any.
    """
    known: list[_Look | None] = []

    def alike(text: str) -> tuple[tuple[str, float], ...]:
        try:
            if not known:
                known.append(_look(context, root))
            return known[0](text) if known[0] is not None else ()
        except (OSError, EngramError, Trouble, ValueError):
            return ()

    return alike


class _Look:
    """Is a store's index and the embedder that its vectors are of."""

    def __init__(self, context: Context, root: str, embedder: embed.Embedder) -> None:
        self.context = context
        self.root = root
        self.embedder = embedder

    def __call__(self, text: str) -> tuple[tuple[str, float], ...]:
        embedder = self.embedder
        enclosing = self.root in {os.path.realpath(path) for path in self.context.settings().enclosing}
        done = indexing.refresh(
            self.root,
            self.context.state,
            self.context.env,
            vectors=indexing.Vectors(embedder.id, lambda: embedder),
            enclosing=enclosing,
            limits=indexing.Limits(SECONDS),
        )
        with done.index as index:
            ids, cosines = vectors.cosines(index, embedder.id, embedder.encode([text], query=True))
            near = [(int(id_), float(score)) for id_, score in zip(ids, cosines[:, 0], strict=True)]
            best = sorted((pair for pair in near if pair[1] >= ALIKE[embedder.name]), key=lambda pair: -pair[1])
            paths = dict(index.db.execute("SELECT id, path FROM notes"))
        return tuple((paths[id_], score) for id_, score in best[:_NEAREST] if id_ in paths)


def _look(context: Context, root: str) -> _Look | None:
    embedder, _ = embed.choose(context.folder("models"), context.settings().embedder, context.env, hook=True)
    return _Look(context, root, embedder) if embedder is not None and embedder.name in ALIKE else None

"""Brings a store's index up to date without hurry, vectors included: what `engram index` does."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from engram.app import calibrating, indexing, recalling
from engram.app.context import Context
from engram.index import embed, vectors

if TYPE_CHECKING:
    from engram.index.embed import Embedder


def reindex(context: Context, root: str, scope: str, *, rebuild: bool, limits: indexing.Limits) -> dict[str, Any]:
    """Refreshes an index, or makes it anew, with the embedder that the settings ask for, and finds the store's floor.

    Returns what came of it.
    """
    settings = context.settings(root)
    embedder, why = embedder_of(context, root)
    done = indexing.refresh(
        root,
        context.state,
        context.env,
        vectors=indexing.Vectors(embedder.id, lambda: embedder) if embedder is not None else None,
        enclosing=root in {os.path.realpath(path) for path in settings.enclosing},
        rebuild=rebuild,
        limits=limits,
    )
    source = recalling.Source(recalling.Place(root, scope), done, settings)
    calibrating.keep_floor(source, embedder, now=f"{context.now():%Y-%m-%d}")
    with done.index as index:
        return {
            "store": root,
            "index": index.path,
            "notes": index.meta("notes", 0),
            "read": done.read,
            "gone": done.gone,
            "left": done.left,
            "unread": done.unread,
            "embedder": "" if embedder is None else embedder.id,
            "why": why,
            "floor": recalling.floor_of(source, embedder, context.env),
            "without_vector": len(vectors.waiting(index, embedder.id)) if embedder is not None else 0,
            "bytes": os.path.getsize(index.path) if index.path else 0,
        }


def embedder_of(context: Context, root: str) -> tuple[Embedder | None, str]:
    """Returns the embedder that the settings ask for, made ready where it wasn't; or None and why."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # its own threads wait for each other longer than they work
    return embed.choose(context.folder("models"), context.settings(root).embedder, context.env, hook=False)

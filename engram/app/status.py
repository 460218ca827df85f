"""What there is to know about a store at a glance: what waits, what nobody reviewed, what was interrupted."""

from __future__ import annotations

from typing import Any

from engram.app import indexing, sessions
from engram.app.context import Context
from engram.app.stores import Store
from engram.curate import waiting
from engram.errors import EngramError
from engram.index import embed, file, floor


def status(context: Context, store: Store) -> dict[str, Any]:
    """Returns the state of a store and of what waits for it, as plain values."""
    snapshot = store.snapshot()
    now = context.now()
    plans = [one for one in waiting.every(context.folder("review")) if one.store == store.root]
    return {
        "store": store.root,
        "scope": store.scope,
        "reason": store.reason,
        "versioned": store.repository is not None,
        "branch": snapshot.ref.removeprefix("refs/heads/"),
        "head": snapshot.head,
        "notes": len(snapshot.notes),
        "unreviewed": sorted(snapshot.unreviewed) if store.repository else [],
        "findings": [{"code": one.code, "path": one.path, "message": one.message} for one in snapshot.findings],
        "plans": [
            {"id": one.id, "age_days": one.age_days(now), "agent": one.agent, "told": one.told(now)} for one in plans
        ],
        "queued_sessions": len(sessions.waiting(context)),
        **_recall(context, store.root),
        "blocked": _blocked(store),
        "notice": store.notice,
    }


def _recall(context: Context, root: str) -> dict[str, Any]:
    """Returns how the prompt hook finds notes here: why it goes by words alone ("" where it has an embedder), and the
    floor that was found on the store (None before `engram index`, and after the hook had to make the index anew)."""
    embedder, why = embed.choose(context.folder("models"), context.settings().embedder, context.env, hook=True)
    index = file.open_index(indexing.place_of(root, context.state), write=False)
    if index is None:
        return {"words_alone": why, "floor": None}
    try:
        return {"words_alone": why, "floor": floor.kept(index, embedder.id if embedder is not None else "")}
    except Exception as error:
        if not file.is_damage(error):
            raise
        return {"words_alone": why, "floor": None}
    finally:
        index.close()


def _blocked(store: Store) -> dict[str, Any] | None:
    """Returns why nothing can be committed here; None where it can."""
    try:
        store.writable().identity()
    except EngramError as error:
        return dict(error.as_json()["error"])
    return None

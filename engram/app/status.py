"""What there is to know about a store at a glance: what waits, what nobody reviewed, what was interrupted."""

from __future__ import annotations

from typing import Any

from engram.app import sessions
from engram.app.context import Context
from engram.app.stores import Store
from engram.curate import waiting
from engram.errors import EngramError


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
        "blocked": _blocked(store),
        "notice": store.notice,
    }


def _blocked(store: Store) -> dict[str, Any] | None:
    """Returns why nothing can be committed here; None where it can."""
    try:
        store.writable().identity()
    except EngramError as error:
        return dict(error.as_json()["error"])
    return None

"""Builds changesets for tests, as an agent writes them: JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from engram.model.note import base_of

SURE = {"relation": "compatible", "confidence": 0.9, "evidence": []}


def add(name: str, body: str = "One fact.", **fields: Any) -> dict[str, Any]:
    """Returns an ADD."""
    note = {"name": name, "description": f"About {name}", "type": "project", "body": body, **fields}
    return {**SURE, "op": "ADD", "reason": f"learnt {name}", "note": note}


def update(store: Path, path: str, **more: Any) -> dict[str, Any]:
    """Returns an UPDATE of a note as it stands."""
    base = base_of((store / path).read_bytes())
    return {**SURE, "op": "UPDATE", "target": Path(path).stem, "base": base, "reason": "moved on", **more}


def invalidate(store: Path, path: str, **more: Any) -> dict[str, Any]:
    """Returns an INVALIDATE of a note as it stands."""
    return {**update(store, path), "op": "INVALIDATE", "relation": "contradictory", **more}


def noop(target: str) -> dict[str, Any]:
    """Returns a NOOP."""
    return {**SURE, "op": "NOOP", "target": target, "relation": "subsumed", "reason": "already said"}


def changeset(*changes: dict[str, Any], **more: Any) -> str:
    """Returns the text of a changeset."""
    return json.dumps({"version": 1, "agent": "claude-code", "sessions": ["s-1"], **more, "changes": list(changes)})


def write(path: Path, *changes: dict[str, Any], **more: Any) -> str:
    """Writes a changeset into a file; returns its path as text."""
    path.write_text(changeset(*changes, **more), encoding="utf-8")
    return str(path)

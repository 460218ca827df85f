"""A person's own new note as a proposal; where a standing note says it already, as a change of that one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from engram.app import proposals, stores
from engram.app.context import Context
from engram.app.proposals import Proposal
from engram.curate.neighbours import NEAR, Neighbours, text_of
from engram.model.note import Note
from engram.model.snapshot import Snapshot

_SURE: Mapping[str, Any] = {"relation": "compatible", "confidence": 1.0, "evidence": []}


def written(
    context: Context,
    store: stores.Store,
    note: Mapping[str, Any],
    *,
    insist: bool = False,
    agent: str = "",
    sessions: tuple[str, ...] = (),
) -> tuple[Proposal, str]:
    """Returns the proposal of a new note, and the name of the standing note that it changes instead; "" for none.

    ``note``: as a changeset's ADD holds it. ``insist``: it is new even where a standing note says almost the same.
    Raises ChangesetInvalid, and what makes a plan impossible.
    """
    standing = None if insist else _standing(store.snapshot(), note)
    change: dict[str, Any] = {**_SURE, "reason": "written by a person" if not agent else "written at a person's word"}
    if standing is None:
        change |= {"op": "ADD", "note": dict(note)}
    else:
        fields = {key: value for key, value in note.items() if key not in ("name", "body", "type")}
        change |= {
            "op": "UPDATE",
            "target": standing.path,
            "base": standing.base,
            "set": fields,
            "body": note["body"],
        }
    changeset: dict[str, Any] = {"version": 1, "sessions": list(sessions), "changes": [change]}
    if agent:
        changeset["agent"] = agent
    proposal = proposals.propose(context, json.dumps(changeset, ensure_ascii=False), folder=store.root)
    return proposal, standing.name if standing is not None else ""


def _standing(snapshot: Snapshot, note: Mapping[str, Any]) -> Note | None:
    """Returns the note that holds and is called so, or says almost the same."""
    holding = [one for one in snapshot.notes if one.stands]
    called = [one for one in snapshot.find(note["name"]) if one.stands]
    text = text_of(note["name"], note.get("description", ""), note["body"])
    near = [one for one, _ in Neighbours(holding, [text]).near(text, limit=1, least=NEAR)]
    return next(iter((*called, *near)), None)


def first_line(body: str) -> str:
    """Returns what can stand as a note's description where none was given: its first line, without marks."""
    line = next((line.strip("# *\t") for line in body.splitlines() if line.strip("# *\t")), "")
    return line if len(line) <= 120 else f"{line[:119]}…"

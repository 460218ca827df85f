"""A person's own new note as a proposal; where a standing note says it already, as a change of that one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from engram.app import proposals, stores
from engram.app.context import Context
from engram.app.proposals import Proposal
from engram.curate import gate, waiting
from engram.curate.neighbours import NEAR, Neighbours, text_of
from engram.lifecycle.expiry import is_lapsed
from engram.model.note import Note
from engram.model.snapshot import Snapshot
from engram.model.when import expires_by_type

SESSION_MARK = "cli:"
"""Before the id of a session that a command line names: it wrote this note, and its transcript still waits."""
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
    agent = agent or gate.agent_in(context.env)
    reason = "written by a person" if not agent else f"proposed by {agent} from its command line"
    change: dict[str, Any] = {**_SURE, "reason": reason}
    if standing is None:
        change |= {"op": "ADD", "note": dict(note)}
    else:
        fields = {key: value for key, value in note.items() if key not in ("name", "body", "type")}
        today = context.now().date()
        if is_lapsed(standing, today) and "expires" not in fields:  # what is said today holds from today on
            defaults = context.settings(store.root).ttl_defaults
            fields["expires"] = str(expires_by_type(standing.type, today, defaults))
        change |= {
            "op": "UPDATE",
            "target": standing.path,
            "base": standing.base,
            "set": fields,
            "body": note["body"],
        }
    named = [f"{SESSION_MARK}{session}" for session in sessions]
    changeset: dict[str, Any] = {"version": 1, "sessions": named, "changes": [change]}
    if agent:
        changeset["agent"] = agent
    proposal = proposals.propose(context, json.dumps(changeset, ensure_ascii=False), folder=store.root)
    return _apart(proposal), standing.name if standing is not None else ""


def _apart(proposal: Proposal) -> Proposal:
    """Returns a proposal that stands for itself: a curation of the same session doesn't take its place, nor does its
    commit let that session go, which nobody has curated yet."""
    kept = proposal.waiting
    id_ = waiting.identity(kept.store, kept.kind, SESSION_MARK, (), kept.content)
    return replace(proposal, waiting=replace(kept, id=id_, sessions=()))


def _standing(snapshot: Snapshot, note: Mapping[str, Any]) -> Note | None:
    """Returns the note that holds and is called so, or says almost the same."""
    holding = [one for one in snapshot.notes if one.stands and not one.in_conflict]
    called = [one for one in snapshot.find(note["name"]) if one in holding]
    text = text_of(note["name"], note.get("description", ""), note["body"])
    near = [one for one, _ in Neighbours(holding, [text]).near(text, limit=1, least=NEAR)]
    return next(iter((*called, *near)), None)


def first_line(body: str) -> str:
    """Returns what can stand as a note's description where none was given: its first line, without marks."""
    line = next((line.strip("# *\t") for line in body.splitlines() if line.strip("# *\t")), "")
    return line if len(line) <= 120 else f"{line[:119]}…"

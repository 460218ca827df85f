"""How two notes stand to each other, as an agent judges it: a relation of the one, or the end of the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engram.app import reaching, remembering, saving
from engram.app.context import Context
from engram.app.sitting import Reply, Sitting
from engram.errors import EngramError
from engram.errors.agents import ArgumentInvalid

SUPERSEDES, COMPATIBLE = "supersedes", "compatible"


def judge(
    context: Context,
    sitting: Sitting,
    *,
    id: str,  # noqa: A002 - the tool's word
    other_id: str,
    relation: str,
    reason: str,
    confidence: float,
    scope: str,
    session_id: str,
    project: str,
) -> Reply:
    """Proposes a judgement. What supersedes another invalidates it; what contradicts it says so, since which of the two
    holds was not told."""
    with saving.alone(context):
        store, note = reaching.standing(context, id, scope, project)
        others, other = reaching.standing(context, other_id, scope, project)
        if (store.root, note.path) == (others.root, other.path):
            raise ArgumentInvalid("id and other_id are the same note")
        if store.root != others.root:
            raise ArgumentInvalid("the two notes are of different stores; a relation stands within one")
        if relation == COMPATIBLE:
            return saving.nothing("nothing", "Nothing to propose: notes that go together stand as they are.")
        why = " ".join(reason.split()) or f"an agent judges that {note.name} {relation.replace('_', ' ')} {other.name}"
        told = f"{why} (mem_judge)"
        if relation == SUPERSEDES:
            return remembering.invalidate(
                context, sitting, store, other, note.name, told, session=session_id, confidence=confidence
            )
        waiting = _waiting_relations(context, store.root, note.path, note.base)
        relations = dict.fromkeys((*note.texts("relations"), *waiting, f"{relation} {other.name}"))
        return remembering.amend(
            context, sitting, store, note, {"relations": tuple(relations)}, "",
            reason=told, session=session_id, confidence=confidence,
        )  # fmt: skip


def judge_many(
    context: Context,
    sitting: Sitting,
    *,
    judgements: Sequence[Mapping[str, Any]],
    scope: str,
    session_id: str,
    project: str,
) -> Reply:
    """Proposes several judgements in order. One that can't be proposed says why, and stops none of the others."""
    results: list[dict[str, Any]] = []
    for one in judgements:
        try:
            reply = judge(context, sitting, **one, scope=scope, session_id=session_id, project=project)
            results.append(reply.data or {})
        except EngramError as error:
            results.append({"result": "refused", "code": error.code, "words": f"{error.code}: {error.message}"})
    return together(results)


def together(results: Sequence[dict[str, Any]]) -> Reply:
    """Returns the answer of several proposals, each in the order in which it was asked for."""
    lines = [f"{number}. {one.get('words', '')}" for number, one in enumerate(results, 1)]
    return Reply("\n".join(lines), {"results": list(results)})


def _waiting_relations(context: Context, root: str, path: str, base: str) -> Sequence[str]:
    id_ = saving.place_of(root, "update", path)
    change = next((one.change for one in saving.waits(context, root) if one.kept.id == id_), {})
    return change.get("set", {}).get("relations", ()) if change.get("base") == base else ()

"""One proposed change from a tool to its place in the review queue. Nothing here commits, and nothing here approves.

Each change waits in a place of its own, named for what it is about: the note, the topic, the session's journal. Whoever
reviews decides each by itself, a later word on the same thing takes the earlier one's place, and the changeset that a
curator drew from the same session stays what it is. A changeset names the tool's session as ``mcp:ID``: a session's
plain name there would say that its whole transcript has been curated.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from engram import disk, resources
from engram.app import asking, inbox, proposals, stores
from engram.app.context import Context
from engram.app.projects import PROJECT
from engram.app.sitting import Reply, Sitting
from engram.curate import waiting
from engram.curate.fingerprint import fingerprint
from engram.curate.validate import validate
from engram.errors import EngramError, ProjectNotFound, StoreNotFound
from engram.model.plan import Concern

SESSION_MARK = "mcp:"
LONGEST_QUOTE = 600
PATIENCE = 60.0
"""Seconds to wait for another server that is proposing."""
_MOST_EVIDENCE = 10


@dataclass(frozen=True)
class Waits:
    """Is one change of a tool's that waits."""

    kept: waiting.Waiting
    change: Mapping[str, Any]
    """As its changeset has it."""

    @property
    def note(self) -> Mapping[str, Any]:
        """What an ADD adds; {} for other changes."""
        note = self.change.get("note")
        return note if isinstance(note, dict) else {}


# -- which store -------------------------------------------------------------------------------------------------------


def at(context: Context, project: str) -> Context:
    """Returns the surroundings of the project that is named: a folder, or the name of one that has memory."""
    if not project:
        return context
    folder = os.path.realpath(os.path.join(context.cwd, os.path.expanduser(project)))
    if os.path.isdir(folder):
        return context._replace(cwd=folder, env={key: value for key, value in context.env.items() if key != PROJECT})
    return context._replace(env={**context.env, PROJECT: project})


def store_for(context: Context, scope: str, project: str) -> tuple[stores.Store, str]:
    """Returns the store that a new note of a scope goes to, and what there is to say about the choice ("" as a rule).

    ``project`` is the project's store where this place has one that its person trusts; where it has none, or where the
    name means none or several, the nearest that there is: what is proposed is shown with its store, and waits.
    """
    if scope == "project":
        for named in dict.fromkeys((project, "")):
            try:
                (place,) = asking.places(at(context, named), asking.Wanted(scope="project"))
            except (ProjectNotFound, StoreNotFound):
                continue
            words = f"no one project is meant by {project!r}; it goes to this one's" if named != project else ""
            return stores.open_store(context, stores.choose(context, folder=place.root)), words
    choice = stores.choose(context, scope="user")
    if scope == "project" and not choice.exists:
        located = stores.choose(context)
        making = stores.making_of(located.root, "project" if located.scope == "project" else "user")
        raise StoreNotFound("this place has no store of notes yet", f"a person runs `{making}`, or `engram init`")
    words = "this place has no project store to propose for; it goes to the user's" if scope == "project" else ""
    return stores.open_store(context, choice), words


def stored_in(scope: str) -> str:
    """Returns the store that a tool's scope is kept in: `personal` and `global` are both the user's."""
    return {"personal": "user", "global": "user"}.get(scope, scope)


def stores_of(context: Context, scope: str, project: str) -> list[stores.Store]:
    """Returns the stores in which a standing note is looked for, the project's first. Raises StoreNotFound."""
    places = asking.places(at(context, project), asking.Wanted(scope=stored_in(scope)))
    return [stores.open_store(context, stores.choose(context, folder=place.root)) for place in places]


# -- the queue ---------------------------------------------------------------------------------------------------------


@contextmanager
def alone(context: Context) -> Iterator[None]:
    """Holds other servers off: what is looked up in the queue is still so when it is written. Raises StoreLocked."""
    with disk.lock(os.path.join(context.prepared("review"), ".tools.lock"), seconds=PATIENCE):
        yield


def waits(context: Context, root: str) -> list[Waits]:
    """Returns the changes of tools that wait for a store, the oldest first."""
    return [
        Waits(kept, change)
        for kept in waiting.every(context.folder("review"))
        if kept.store == root and kept.kind == "changeset" and (change := _only_change(kept.content))
    ]


def place_of(root: str, *about: str) -> str:
    """Returns the id of the place in the queue for a change that is about something."""
    return waiting.identity(root, "changeset", SESSION_MARK, (), "\0".join(about))


def evidence(context: Context, sitting: Sitting, session: str) -> list[dict[str, str]]:
    """Returns the latest prompt kept of a session as evidence; [] where none is. It is looked up in the transcript
    like any other: only there it counts as the user's words."""
    text = inbox.latest(context, sitting.session(session))
    if not text:
        return []
    quote = text if len(text) <= LONGEST_QUOTE else text[:LONGEST_QUOTE].rpartition(" ")[0] or text[:LONGEST_QUOTE]
    return [{"session": sitting.session(session), "ref": "", "quote": quote}]


def propose(
    context: Context,
    sitting: Sitting,
    store: stores.Store,
    id_: str,
    change: Mapping[str, Any],
    *,
    session: str = "",
    notice: str = "",
) -> Reply:
    """Puts a change into its place in the queue, or says why it isn't put there. ``id_``: see :func:`place_of`.

    The caller holds :func:`alone`. Raises SecretFound with the rule's name, and all that a changeset or a store can be
    refused for; nothing is kept then.
    """
    older = next((one for one in waits(context, store.root) if one.kept.id == id_), None)
    proposal = _made(context, sitting, store, change, session)
    proposals.refuse_secrets(proposal)
    assert proposal.changeset is not None  # noqa: S101 - an undo has none, and this isn't one
    rejected = next((one for one in proposal.concerns if one.code == "rejected-before"), None)
    if rejected is not None:
        return _rejected(rejected, proposal)
    result = "replaced" if older else "proposed"
    if older and _mark(older.kept.content) == fingerprint(proposal.changeset.changes[0]):
        return _reply(context, "repeated", older.kept, proposal, notice)
    if older:
        proposal = _made(context, sitting, store, {**change, "evidence": _together(older.change, change)}, session)
    kept = replace(
        proposal.waiting,
        id=id_,
        digest=proposal.plan.digest,
        sessions=(),
        proposer=proposal.waiting.proposer or sitting.session(session),
        proposed=older.kept.proposed if older else proposal.waiting.proposed,
    )
    waiting.keep(context.prepared("review"), kept)
    return _reply(context, result, kept, proposal, notice)


def nothing(result: str, words: str, **more: Any) -> Reply:
    """Returns the answer where nothing was put into the queue."""
    return Reply(words, {"result": result, "words": words, **more})


def _made(
    context: Context, sitting: Sitting, store: stores.Store, change: Mapping[str, Any], session: str
) -> proposals.Proposal:
    whole = {
        "version": 1,
        "agent": sitting.agent,
        "sessions": [f"{SESSION_MARK}{sitting.session(session)}"],
        "changes": [change],
    }
    return proposals.propose(context, json.dumps(whole, ensure_ascii=False, indent=1), folder=store.root)


def _reply(context: Context, result: str, kept: waiting.Waiting, proposal: proposals.Proposal, notice: str) -> Reply:
    every = [one.id for one in waiting.every(context.folder("review"))]
    line = proposal.plan.lines[0]
    place = every.index(kept.id) + 1 if kept.id in every else 0
    how = {
        "proposed": "Proposed, and not in memory yet",
        "replaced": "Proposed in place of what waited, and not in memory yet",
        "repeated": "This waits already; nothing was added",
    }[result]
    concerns = [f"{one.code}: {one.message}" for one in proposal.concerns if one.level == "warn"]
    parts = [
        f"{how}: {line.op} {line.name} in the {_called(proposal.store)} at {kept.store}.",
        f"It is plan {kept.id}, {place} of {len(every)} in the review queue.",
        f"The user reads the diff and decides: engram review {kept.id}",
        *([f"Note: {notice}."] if notice else []),
        *(f"The user will be shown: {one}" for one in concerns),
    ]
    data = {
        "result": result,
        "plan": kept.id,
        "position": place,
        "waiting": len(every),
        "review": f"engram review {kept.id}",
        "op": line.op,
        "id": line.name,
        "store": kept.store,
        "scope": proposal.store.scope,
        "concerns": concerns,
        "words": "\n".join(parts),
    }
    return Reply("\n".join(parts), data)


def _rejected(concern: Concern, proposal: proposals.Proposal) -> Reply:
    words = f"Not proposed: {concern.message}. Do not propose it again unless the user asks for it."
    return nothing("rejected-before", words, id=proposal.plan.lines[0].name, store=proposal.store.root)


def _called(store: stores.Store) -> str:
    return {"project": "project's store", "user": "user's store"}.get(store.scope, "store")


def _only_change(content: str) -> Mapping[str, Any] | None:
    """Returns the change of a changeset that a tool proposed; None for any other."""
    try:
        whole = json.loads(content)
    except (ValueError, RecursionError):
        return None
    if not isinstance(whole, dict):
        return None
    sessions, changes = whole.get("sessions"), whole.get("changes")
    mine = isinstance(sessions, list) and len(sessions) == 1 and str(sessions[0]).startswith(SESSION_MARK)
    if not mine or not isinstance(changes, list) or len(changes) != 1 or not isinstance(changes[0], dict):
        return None
    return changes[0]


def _mark(content: str) -> str:
    """Returns the fingerprint of the one change of a kept changeset; "" where it isn't valid any more."""
    try:
        return fingerprint(validate(content, resources.schema()).changes[0])
    except EngramError:
        return ""


def _together(older: Mapping[str, Any], newer: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    both = [*(newer.get("evidence") or ()), *(older.get("evidence") or ())]
    return [one for number, one in enumerate(both) if one not in both[:number]][:_MOST_EVIDENCE]

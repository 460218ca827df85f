"""From a text to a plan: a changeset, acts, or a commit to take back, planned for the store that it belongs to."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from engram import resources
from engram.app import likeness, sessions, stores, uses
from engram.app.context import Context
from engram.curate import gate, records, rejections, retext, undo, waiting, waivers
from engram.curate.acts import plan_of
from engram.curate.check import check
from engram.curate.diff import render
from engram.curate.leaks import leaks
from engram.curate.plan import make_plan
from engram.curate.validate import validate
from engram.errors import ChangesetInvalid, EngramError, NothingToUndo
from engram.model.act import Act, as_wire, from_wire
from engram.model.change import ChangeSet
from engram.model.note import base_of
from engram.model.plan import Concern, Plan, Said
from engram.model.snapshot import Snapshot
from engram.store import history, read

Log = Callable[[str], None]
Kind = Literal["changeset", "undo", "acts"]


@dataclass(frozen=True)
class Proposal:
    """Is a proposal with the plan that was just made of it."""

    store: stores.Store
    waiting: waiting.Waiting
    snapshot: Snapshot
    plan: Plan
    changeset: ChangeSet | None = None
    """None for an undo, and for acts."""
    concerns: tuple[Concern, ...] = ()
    said: tuple[Said, ...] = ()

    def rendering(self, width: int = 100) -> str:
        """Returns what a person reads before they answer, for a screen of this many columns."""
        return render(self.plan, self.concerns, self.said, width=width)


def propose(context: Context, text: str | bytes, *, folder: str = "", planned_only: bool = False) -> Proposal:
    """Returns the plan of a changeset, made for the store that it belongs to.

    ``planned_only``: it won't be committed, so that a store that can't be written to is no error.
    Raises ChangesetInvalid, StoreNotFound, and what makes a plan impossible.
    """
    changeset = validate(text, resources.schema())
    store = stores.open_store(context, stores.choose(context, folder=folder, scope=changeset.scope))
    if not planned_only:
        store.writable()
    content = text if isinstance(text, str) else text.decode("utf-8-sig")
    return planned(context, store, _proposal(context, store, "changeset", content, changeset))


def propose_undo(context: Context, commit: str, *, folder: str = "") -> Proposal:
    """Returns the plan that takes a commit back: the last one that engram made, where none is named."""
    store = stores.open_store(context, stores.choose(context, folder=folder))
    repository = store.writable()
    found = history.entry(repository, commit) if commit else _last(history.log(repository))
    return planned(context, store, _proposal(context, store, "undo", found.commit, None))


def propose_acts(context: Context, store: stores.Store, acts: Sequence[Act], *, agent: str = "") -> Proposal:
    """Returns the plan of some acts on one store. ``agent``: whose word they rest on, where it isn't the person's or
    that of the agent in whose shell this runs.

    Raises what stands against writing to the store, and what makes the plan impossible.
    """
    store.writable()
    content = json.dumps(as_wire(acts), ensure_ascii=False)
    kept = replace(_proposal(context, store, "acts", content, None), agent=agent or gate.agent_in(context.env))
    return planned(context, store, kept)


def plannable(context: Context, snapshot: Snapshot, acts: Sequence[Act], log: Log) -> tuple[Act, ...]:
    """Returns the acts that a plan can be made of: one that can't be keeps no other from it. Of those, why is told."""

    def against(some: Sequence[Act]) -> str:
        try:
            plan_of(some, snapshot, now=context.now(), symlinked=lambda path: read.symlinked_part(snapshot.root, path))
        except EngramError as error:
            return error.message
        return ""

    if not against(acts):
        return tuple(acts)
    alone = {act.path: against([act]) for act in acts}
    able = [act for act in acts if not alone[act.path]]
    for path, why in alone.items():
        if why:
            log(f"{path} is left to you: {why}")
    while able and (why := against(able)):
        log(f"{able.pop().path} is left to you: {why}")
    return tuple(able)


def again(context: Context, kept: waiting.Waiting) -> Proposal:
    """Returns a waiting proposal planned anew, for the store as it is now."""
    store = stores.open_store(context, stores.choose(context, folder=kept.store))
    store.writable()
    return planned(context, store, kept)


def part(context: Context, proposal: Proposal, indexes: Sequence[int]) -> Proposal:
    """Returns a proposal of some of its changes alone, planned for the same store."""
    whole = json.loads(proposal.waiting.content.removeprefix("\ufeff"))
    whole["changes"] = [whole["changes"][index] for index in sorted(indexes)]
    content = json.dumps(whole, ensure_ascii=False, indent=1)
    return planned(context, proposal.store, replace(proposal.waiting, content=content))


def edited(context: Context, proposal: Proposal, path: str, text: bytes) -> Proposal:
    """Returns the proposal with a note's text as the person wrote it in their editor, planned anew."""
    edit = next(edit for edit in proposal.plan.edits if edit.path == path)
    base = "" if edit.work_before is None else base_of(edit.work_before)
    texts = {**proposal.waiting.texts, path: {"base": base, "text": text.decode("utf-8")}}
    return planned(context, proposal.store, replace(proposal.waiting, texts=texts))


def planned(context: Context, store: stores.Store, kept: waiting.Waiting) -> Proposal:
    """Returns a proposal with the plan that is made of it for its store as it is now; raises why there can be none."""
    snapshot = store.snapshot()
    if kept.kind != "changeset":
        plan = (
            _undo_plan(store, kept.content, snapshot)
            if kept.kind == "undo"
            else _acts_plan(context, store, kept, snapshot)
        )
        nobody: Said = "none"
        return Proposal(store, kept, snapshot, plan, None, leaks_of(context, plan), tuple(nobody for _ in plan.lines))
    changeset = validate(kept.content, resources.schema())
    settings = context.settings(store.root)
    plan = make_plan(
        changeset,
        snapshot,
        now=context.now(),
        settings=settings,
        symlinked=lambda path: read.symlinked_part(store.root, path),
        versions=store.version,
        proposed=waiting.moment(kept, context.now()),
    )
    written = retext.as_written(changeset, plan, kept.texts)
    plan = retext.with_texts(plan, snapshot, kept.texts)
    plan = uses.folded(context, store, plan, snapshot, until=kept.proposed)
    said = sessions.who_said(context, changeset, kept.transcripts)
    concerns = check(
        written,
        plan,
        snapshot,
        said,
        extra_patterns=settings.redaction_patterns_extra,
        waived=waivers.waived(context.folder("waived")),
        rejected=rejections.reasons(context.folder("rejections")),
        today=context.now().date(),
        alike=likeness.alike_in(context, store.root),
    )
    return Proposal(store, kept, snapshot, plan, changeset, tuple(concerns), said)


def leaks_of(context: Context, plan: Plan) -> tuple[Concern, ...]:
    """Returns the secrets in what a plan would write, but for those that a person called none."""
    extra = context.settings(plan.root).redaction_patterns_extra
    return tuple(leaks(plan, extra, waivers.waived(context.folder("waived"))))


def _last(entries: Sequence[history.Entry]) -> history.Entry:
    """Returns the newest commit that a plan made. Raises NothingToUndo."""
    for entry in entries:
        if entry.values("Engram-Change"):
            return entry
    raise NothingToUndo(
        "no commit of this store came from a plan", "name the commit to take back; `engram log` lists them"
    )


def _proposal(
    context: Context, store: stores.Store, kind: Kind, content: str, changeset: ChangeSet | None
) -> waiting.Waiting:
    agent = changeset.agent if changeset else ""
    taught = changeset.sessions if changeset else ()
    id_ = waiting.identity(store.root, kind, agent, taught, content)
    standing = [one for one in waiting.every(context.folder("review")) if (one.id, one.content) == (id_, content)]
    return waiting.Waiting(
        id=id_,
        store=store.root,
        kind=kind,
        content=content,
        digest="",
        proposed=standing[0].proposed if standing else records.moment(context.now()),
        agent=agent,
        sessions=taught,
        proposer=context.env.get("CLAUDE_CODE_SESSION_ID", ""),
        transcripts=sessions.transcripts(context, changeset) if changeset else {},
    )


def _acts_plan(context: Context, store: stores.Store, kept: waiting.Waiting, snapshot: Snapshot) -> Plan:
    try:
        acts = from_wire(json.loads(kept.content))
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise ChangesetInvalid([("$", f"what waits holds no acts: {error}")]) from None
    return plan_of(
        acts,
        snapshot,
        now=context.now(),
        symlinked=lambda path: read.symlinked_part(snapshot.root, path),
        versions=store.version,
        agent=kept.agent,
    )


def _undo_plan(store: stores.Store, commit: str, snapshot: Snapshot) -> Plan:
    repository = store.writable()
    found = history.entry(repository, commit)
    before = history.texts(repository, found.parents[0] if found.parents else "", found.paths)
    after = history.texts(repository, found.commit, found.paths)
    return undo.undo(found.commit, found.subject, before, after, snapshot)

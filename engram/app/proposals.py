"""From a proposal to a commit: plan, show, wait, approve, reject. The person's answers come in as values."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from engram import resources
from engram.app import likeness, proofs, sessions, stores
from engram.app.context import Context
from engram.curate import approvals, gate, records, rejections, retext, tokens, undo, waiting, waivers
from engram.curate.adoption import adoption
from engram.curate.check import check
from engram.curate.commit import apply, half_made
from engram.curate.diff import render
from engram.curate.leaks import leaks
from engram.curate.plan import make_plan
from engram.curate.validate import validate
from engram.errors import GateRefused, NothingToUndo, PlanChanged, SecretFound
from engram.model import secrets
from engram.model.change import ChangeSet
from engram.model.note import base_of
from engram.model.plan import Approve, Concern, Decision, Plan, Said
from engram.model.snapshot import Snapshot
from engram.store import history, read


@dataclass(frozen=True)
class Proposal:
    """Is a proposal with the plan that was just made of it."""

    store: stores.Store
    waiting: waiting.Waiting
    snapshot: Snapshot
    plan: Plan
    changeset: ChangeSet | None = None
    """None for an undo."""
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
    return _planned(context, store, _proposal(context, store, "changeset", content, changeset))


def propose_undo(context: Context, commit: str, *, folder: str = "") -> Proposal:
    """Returns the plan that takes a commit back: the last one that engram made, where none is named."""
    store = stores.open_store(context, stores.choose(context, folder=folder))
    repository = store.writable()
    found = history.entry(repository, commit) if commit else _last(history.log(repository))
    return _planned(context, store, _proposal(context, store, "undo", found.commit, None))


def again(context: Context, kept: waiting.Waiting) -> Proposal:
    """Returns a waiting proposal planned anew, for the store as it is now."""
    store = stores.open_store(context, stores.choose(context, folder=kept.store))
    store.writable()
    return _planned(context, store, kept)


def keep(context: Context, proposal: Proposal) -> Proposal:
    """Keeps a proposal among those that wait, with the digest of its plan. Returns it."""
    kept = replace(proposal.waiting, digest=proposal.plan.digest)
    waiting.keep(context.prepared("review"), kept)
    return replace(proposal, waiting=kept)


def decide(context: Context, proposal: Proposal, requested: float | None) -> Decision:
    """Returns what the gate says before anybody is asked."""
    settings = context.settings(proposal.store.root)
    policy = gate.Policy(settings.auto_gate, settings.auto_threshold)
    return gate.decide(proposal.plan, proposal.concerns, proposal.said, policy, requested)


def refuse_secrets(proposal: Proposal) -> None:
    """Raises SecretFound where the plan would commit something shaped like a secret."""
    found = secrets_in(proposal)
    if found:
        raise SecretFound("; ".join(concern.message for concern in found))


def secrets_in(proposal: Proposal) -> tuple[Concern, ...]:
    """Returns what refuses the plan until a person says that it is no secret."""
    return tuple(concern for concern in proposal.concerns if concern.level == "refuse")


def waive(context: Context, proposal: Proposal) -> Proposal:
    """Waives each text of the plan that looks like a secret. Returns the plan made anew."""
    waive_all(context, secrets_in(proposal))
    return _planned(context, proposal.store, proposal.waiting)


def waive_all(context: Context, found: Sequence[Concern]) -> None:
    """Remembers, by hashes alone, that a person called each such text no secret."""
    for concern in found:
        waivers.waive(context.prepared("waived"), concern.fingerprint, context.now())


def commit(context: Context, proposal: Proposal, decision: Approve) -> str:
    """Commits a plan that was approved just now. Returns the commit; "" where there was nothing to write.

    Raises SecretFound, and what ``curate.commit.apply`` raises.
    """
    made = commit_part(context, proposal, decision)
    with suppress(KeyboardInterrupt):  # it is committed: that is told, and `committed` lets the plan go another time
        close(context, proposal)
    return made


def commit_part(context: Context, proposal: Proposal, decision: Approve) -> str:
    """Does the same, and leaves the whole among those that wait until the rest is decided."""
    refuse_secrets(proposal)
    return _granted(context, proposal.store, proposal.plan, decision, proposal.waiting) if proposal.plan.edits else ""


def commit_approved(context: Context, proposal: Proposal, digest: str) -> str:
    """Commits a plan on an approval that is on record and that a typed prompt stands behind.

    Raises GateRefused, PlanChanged, SecretFound.
    """
    refuse_secrets(proposal)
    record = approvals.standing(context.folder("approvals"), digest, context.now())
    proofs.require(context, record)
    _require_same(proposal, record.digest)
    approval = Approve(record.by, record.via)  # type: ignore[arg-type]
    edits = bool(proposal.plan.edits)
    made = _apply(context, proposal.store, proposal.plan, approval, proposal.waiting) if edits else ""
    close(context, proposal)
    return made


def commit_allowed(context: Context, proposal: Proposal, digest: str, token: str) -> str:
    """Commits a plan that a person let pass in their client's dialog, which the token proves.

    Raises GateRefused, PlanChanged, SecretFound.
    """
    refuse_secrets(proposal)
    _require_same(proposal, digest)
    spent = tokens.spend(context.prepared("tokens"), token, proposal.plan.digest, context.now())
    evidence = {"token": spent.id, "session": spent.session, "call": spent.call, "transcript": spent.transcript}
    decision = replace(_person(proposal.store), via="dialog")
    made = ""
    if proposal.plan.edits:
        made = _granted(context, proposal.store, proposal.plan, decision, proposal.waiting, evidence)
    close(context, proposal)
    return made


def _require_same(proposal: Proposal, digest: str) -> None:
    if proposal.plan.digest != digest:
        raise PlanChanged("the store, or the changeset, is no longer the one that was approved", place=digest[:12])


def require_token(context: Context, token: str) -> str:
    """Returns the digest of the plan that a token is for. Raises GateRefused where it is none of engram's."""
    found = tokens.named(context.folder("tokens"), tokens.hash_of(token))
    if found is None:
        raise GateRefused("this is no token of a dialog about a plan", tokens.HINT)
    return found.digest


def require_approval(context: Context, digest: str) -> None:
    """Raises GateRefused where no approval is on record that the plan named by a digest could be committed on."""
    approvals.standing(context.folder("approvals"), digest, context.now())


def person(proposal: Proposal) -> Approve:
    """Returns the decision of the person at this terminal, under the name that git knows them by."""
    return _person(proposal.store)


def adopt(context: Context, proposal: Proposal) -> Proposal:
    """Commits the hand edits of the notes that the plan touches, as the person's own. Returns the plan made anew."""
    plan, _ = adoption_of(context, proposal)
    commit_adoption(context, proposal.store, plan)
    return again(context, proposal.waiting)


def adoption_of(context: Context, proposal: Proposal) -> tuple[Plan, tuple[Concern, ...]]:
    """Returns the plan that would commit the hand edits which stand in the way, and the secrets in them."""
    return adoption_in(context, proposal.store, proposal.snapshot, proposal.plan.hand_edits)


def adoption_in(
    context: Context, store: stores.Store, snapshot: Snapshot, paths: Sequence[str]
) -> tuple[Plan, tuple[Concern, ...]]:
    """Returns the plan that would commit files as they stand in a store's folder, and the secrets in them."""
    plan = adoption(snapshot, paths, person=store.versioned().identity())
    return plan, _leaks(context, plan)


def commit_adoption(context: Context, store: stores.Store, plan: Plan) -> str:
    """Commits what the person at this terminal adopted just now, as their own. Returns the commit."""
    return _granted(context, store, plan, _person(store))


def part(context: Context, proposal: Proposal, indexes: Sequence[int]) -> Proposal:
    """Returns a proposal of some of its changes alone, planned for the same store."""
    whole = json.loads(proposal.waiting.content.removeprefix("\ufeff"))
    whole["changes"] = [whole["changes"][index] for index in sorted(indexes)]
    content = json.dumps(whole, ensure_ascii=False, indent=1)
    return _planned(context, proposal.store, replace(proposal.waiting, content=content))


def edited(context: Context, proposal: Proposal, path: str, text: bytes) -> Proposal:
    """Returns the proposal with a note's text as the person wrote it in their editor, planned anew."""
    edit = next(edit for edit in proposal.plan.edits if edit.path == path)
    base = "" if edit.work_before is None else base_of(edit.work_before)
    texts = {**proposal.waiting.texts, path: {"base": base, "text": text.decode("utf-8")}}
    return _planned(context, proposal.store, replace(proposal.waiting, texts=texts))


def reject(context: Context, proposal: Proposal, indexes: Sequence[int], reason: str) -> None:
    """Remembers that a person rejected changes, and why; a secret in what they say is masked."""
    if proposal.changeset is None:
        return
    reason = secrets.masked(reason, context.settings(proposal.store.root).redaction_patterns_extra)
    for index in indexes:
        rejections.remember(
            context.prepared("rejections"),
            proposal.changeset.changes[index],
            reason,
            store=proposal.store.root,
            agent=proposal.changeset.agent,
            now=context.now(),
        )


def close(context: Context, proposal: Proposal) -> None:
    """Lets a proposal go that was decided as a whole, and its sessions with it."""
    _let_go(context, proposal.waiting)


def committed(context: Context, kept: waiting.Waiting) -> str:
    """Returns the commit that a plan became in a run that ended before it let the plan go, and lets it go; else ""."""
    made = approvals.commit_of(context.folder("approvals"), kept.digest)
    repository = stores.open_store(context, stores.choose(context, folder=kept.store)).repository if made else None
    if repository is None or not history.contains(repository, made):
        return ""
    _let_go(context, kept)
    return made


def replaced(context: Context, proposal: Proposal) -> bool:
    """Tells whether a later proposal of the same sessions waits in this one's place."""
    return waiting.replaced(context.folder("review"), proposal.waiting)


def close_unkept(context: Context, proposal: Proposal) -> None:
    """Lets a proposal go that may not be kept; its sessions still wait."""
    waiting.drop(context.folder("review"), proposal.waiting)


def _let_go(context: Context, kept: waiting.Waiting) -> None:
    waiting.drop(context.folder("review"), kept)
    read_until = waiting.moment(kept, context.now())
    sessions.release(context, kept.sessions, records.moment(read_until))


def _person(store: stores.Store) -> Approve:
    name, email = store.versioned().identity()
    return Approve(f"{name} <{email}>", "terminal")


def _last(entries: Sequence[history.Entry]) -> history.Entry:
    """Returns the newest commit that a plan made. Raises NothingToUndo."""
    for entry in entries:
        if entry.values("Engram-Change"):
            return entry
    raise NothingToUndo(
        "no commit of this store came from a plan", "name the commit to take back; `engram log` lists them"
    )


def _granted(
    context: Context,
    store: stores.Store,
    plan: Plan,
    decision: Approve,
    kept: waiting.Waiting | None = None,
    evidence: Mapping[str, str] | None = None,
) -> str:
    """Commits a plan on a yes of this moment, which counts for this attempt alone."""
    approvals.grant(context.prepared("approvals"), plan, decision, context.now(), evidence=evidence)
    try:
        return _apply(context, store, plan, decision, kept)
    finally:
        approvals.withdraw(context.folder("approvals"), plan.digest)


def _apply(context: Context, store: stores.Store, plan: Plan, decision: Approve, kept: waiting.Waiting | None) -> str:
    """Commits a plan. ``kept``: the proposal that it was made of; None for an adoption."""
    folder = context.folder("approvals")
    now = context.now()
    try:
        return apply(
            plan,
            decision,
            store.versioned(),
            now=now,
            proposed=waiting.moment(kept, now) if kept else None,
            spend=lambda commit: approvals.spend(folder, plan, commit, context.now()),
        )
    except KeyboardInterrupt:
        if not half_made(store.root):
            raise
        raise KeyboardInterrupt("a commit was under way; `engram status` finishes it or says what to do") from None


def _proposal(
    context: Context, store: stores.Store, kind: str, content: str, changeset: ChangeSet | None
) -> waiting.Waiting:
    agent = changeset.agent if changeset else ""
    taught = changeset.sessions if changeset else ()
    id_ = waiting.identity(store.root, kind, agent, taught, content)
    standing = [one for one in waiting.every(context.folder("review")) if (one.id, one.content) == (id_, content)]
    return waiting.Waiting(
        id=id_,
        store=store.root,
        kind="undo" if kind == "undo" else "changeset",
        content=content,
        digest="",
        proposed=standing[0].proposed if standing else records.moment(context.now()),
        agent=agent,
        sessions=taught,
        proposer=context.env.get("CLAUDE_CODE_SESSION_ID", ""),
        transcripts=sessions.transcripts(context, changeset) if changeset else {},
    )


def _planned(context: Context, store: stores.Store, kept: waiting.Waiting) -> Proposal:
    snapshot = store.snapshot()
    if kept.kind == "undo":
        plan = _undo_plan(store, kept.content, snapshot)
        nobody: Said = "none"
        return Proposal(store, kept, snapshot, plan, None, _leaks(context, plan), tuple(nobody for _ in plan.lines))
    changeset = validate(kept.content, resources.schema())
    settings = context.settings(store.root)
    plan = make_plan(
        changeset,
        snapshot,
        now=context.now(),
        settings=settings,
        symlinked=lambda path: read.symlinked_part(store.root, path),
    )
    written = retext.as_written(changeset, plan, kept.texts)
    plan = retext.with_texts(plan, snapshot, kept.texts)
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


def _leaks(context: Context, plan: Plan) -> tuple[Concern, ...]:
    extra = context.settings(plan.root).redaction_patterns_extra
    return tuple(leaks(plan, extra, waivers.waived(context.folder("waived"))))


def _undo_plan(store: stores.Store, commit: str, snapshot: Snapshot) -> Plan:
    repository = store.writable()
    found = history.entry(repository, commit)
    before = history.texts(repository, found.parents[0] if found.parents else "", found.paths)
    after = history.texts(repository, found.commit, found.paths)
    return undo.undo(found.commit, found.subject, before, after, snapshot)

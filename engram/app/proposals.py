"""From a plan to a commit: keep, approve, commit, reject. The person's answers come in as values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from engram.app import above, grounds, identities, planning, proofs, sessions, stores
from engram.app.context import Context
from engram.app.planning import Proposal, again, edited, part, propose, propose_acts, propose_undo
from engram.curate import approvals, gate, records, rejections, tokens, waiting, waivers
from engram.curate.adoption import adoption
from engram.curate.commit import apply, half_made
from engram.errors import GateRefused, PlanChanged, SecretFound
from engram.model import secrets
from engram.model.plan import Approve, Concern, Decision, Plan
from engram.model.snapshot import Snapshot
from engram.store import history

__all__ = [
    "Proposal", "again", "edited", "part", "propose", "propose_acts", "propose_undo",
]  # fmt: skip


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
    return planning.planned(context, proposal.store, proposal.waiting)


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
    if not proposal.plan.edits:
        return ""
    made = _granted(context, proposal.store, proposal.plan, decision, proposal.waiting)
    grounds.keep(context, made, proposal)
    return made


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
    grounds.keep(context, made, proposal)
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
        grounds.keep(context, made, proposal)
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
    context: Context,
    store: stores.Store,
    snapshot: Snapshot,
    paths: Sequence[str],
    author: tuple[str, str] | None = None,
) -> tuple[Plan, tuple[Concern, ...]]:
    """Returns the plan that would commit files as they stand in a store's folder, and the secrets in them.

    ``author``: who wrote them, by name and address; None for the person.
    """
    plan = adoption(snapshot, paths, person=author or store.versioned().identity())
    return plan, planning.leaks_of(context, plan)


def commit_adoption(context: Context, store: stores.Store, plan: Plan) -> str:
    """Commits what the person at this terminal adopted just now, as their own. Returns the commit."""
    return _granted(context, store, plan, _person(store))


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


def _granted(
    context: Context,
    store: stores.Store,
    plan: Plan,
    decision: Approve,
    kept: waiting.Waiting | None = None,
    evidence: Mapping[str, str] | None = None,
) -> str:
    """Commits a plan on a yes of this moment, which counts for this attempt alone."""
    if decision.via == "terminal" and (marked := above.agent_above()):
        evidence = {"above": marked}  # it was asked at a terminal that an agent opened; the audit says so
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
        made = apply(
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
    identities.remember(context, store.root)
    return made

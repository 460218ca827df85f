"""What every command that wants to commit does with its proposal: the policy, else the person, else it waits."""

from __future__ import annotations

from typing import Any

from engram.app import proposals
from engram.app.proposals import Proposal
from engram.cli.door import Outcome, walk
from engram.cli.tree import Run
from engram.errors import ApprovalNeeded, GateRefused
from engram.model.counted import counted
from engram.model.plan import Approve


def through(run: Run, proposal: Proposal, requested: float | None = None) -> None:
    """Takes a proposal through the gate. Raises ApprovalNeeded where no person is there to ask; it then waits."""
    if run.ui.alone or run.ui.json_asked:
        proposals.refuse_secrets(proposal)
    decision = proposals.decide(run.context, proposal, requested)
    if isinstance(decision, Approve):
        many = len(proposal.plan.lines)
        told(run, "committed", proposals.commit(run.context, proposal, decision), many, proposal)
        run.ui.say("approved by your policy, not by you: `engram audit` lists it")
        return
    if run.ui.alone or run.ui.json_asked:
        _wait(run, proposal, getattr(decision, "why", ""))
    outcome = walk(run, proposal)
    if outcome.result == "rejected":
        if proposal.changeset is None:
            raise GateRefused(_let_go(proposal))
        changes = counted(outcome.changes, "change")
        raise GateRefused(f"rejected {changes}; nothing was written", "the next curation is told")
    reported(run, outcome, proposal)


def reported(run: Run, outcome: Outcome, proposal: Proposal) -> None:
    """Prints what a person made of a proposal."""
    told(run, outcome.result, outcome.commit, outcome.changes, proposal, outcome.noted)
    if outcome.left:
        waits = "1 more waits" if outcome.left == 1 else f"{outcome.left} more wait"
        run.ui.say(f"{waits}: `engram review {proposal.waiting.id}`")


def told(run: Run, result: str, commit: str, changes: int, proposal: Proposal, noted: int = 0) -> None:
    """Prints what became of a proposal. ``noted``: how many of the changes write nothing."""
    if run.ui.json_asked:
        run.ui.json({"result": result, "commit": commit, "changes": changes, **described(proposal)})
        return
    beside = f"; {noted} had nothing to write" if noted else ""
    rejected = f"rejected {counted(changes, 'change')}"
    words = {
        "committed": f"committed {counted(changes - noted, 'change')} as {commit[:12]}{beside}",
        "rejected": rejected if proposal.waiting.kind == "changeset" else _let_go(proposal),
    }
    run.ui.out(words.get(result, "nothing to write; the sessions have left the queue"))


def _let_go(proposal: Proposal) -> str:
    return "let go; nothing is taken back" if proposal.waiting.kind == "undo" else "let go; nothing is written"


def described(proposal: Proposal) -> dict[str, Any]:
    """Returns a proposal as plain values."""
    plan = proposal.plan
    return {
        "plan": proposal.waiting.id,
        "digest": plan.digest,
        "store": plan.root,
        "files": [edit.path for edit in plan.edits],
        "summary": [
            {"op": line.op, "name": line.name, "path": line.path, "reason": line.reason} for line in plan.lines
        ],
        "said": list(proposal.said),
        "concerns": [
            {"code": c.code, "level": c.level, "message": c.message, "change": c.change} for c in proposal.concerns
        ],
        "hand_edits": list(plan.hand_edits),
        "rendering": proposal.rendering(),
    }


def _wait(run: Run, proposal: Proposal, why: str) -> None:
    proposal = proposals.keep(run.context, proposal)
    number = proposal.waiting.id
    reason = run.ui.alone or "--json asks nobody"
    needed = ApprovalNeeded(
        f"nothing was written: {why or 'a person has to say yes'}, and {reason}. Plan {number} waits "
        f"(digest {proposal.plan.digest})",
        f"a person runs `engram review {number}` in a terminal of their own",
        details={"result": "approval-needed", **described(proposal)},
    )
    if not run.ui.json_asked:
        try:
            run.ui.show(proposal.rendering(run.ui.width))
        except BrokenPipeError:
            raise needed from None
    raise needed

"""The walk through the gate at a terminal: show the plan, ask, and do what the person says. Anything but yes is no."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from engram.app import proposals
from engram.app.proposals import Proposal
from engram.cli.tree import Run
from engram.curate.covered import covers, with_edits
from engram.curate.diff import render
from engram.errors import EngramError, GateRefused, NoteChanged, PlanChanged, SecretFound
from engram.model.plan import Concern, Edit, Line, Plan

HELP = """\
y - apply all of it
n - leave it waiting (so do Enter and Ctrl-D); `engram review` comes back to it
s - go through the changes one by one
e - edit a note's text as it would become, then see the plan again
r - reject it for good, with a reason that the next curation is told
? - this"""

HELP_UNDO = """\
y - take it back, as a new commit
n - leave it waiting (so do Enter and Ctrl-D); `engram review` comes back to it
r - let it go: nothing is taken back
? - this"""

HELP_ACTS = """\
y - do it, as a commit
n - leave it waiting (so do Enter and Ctrl-D); `engram review` comes back to it
r - let it go: nothing is written
? - this"""

HELP_ONE = """\
y - take this change
n - leave this one waiting
e - edit the note's text as it would become
r - reject this one for good, with a reason
? - this"""


@dataclass(frozen=True, slots=True)
class Outcome:
    """Is what became of a proposal. ``commit`` is "" where there was nothing to write."""

    result: Literal["committed", "rejected", "released"]
    commit: str = ""
    changes: int = 0
    noted: int = 0
    """Of them, those that write nothing: a NOOP."""
    left: int = 0
    """Changes that still wait."""


def walk(run: Run, proposal: Proposal) -> Outcome:
    """Takes a proposal through the gate with the person at the terminal.

    Raises GateRefused where the answer was no; the proposal then waits. Raises SecretFound where the text looks like
    a secret and nobody said that it is none; the proposal is then not kept, or waits as it was before the edit that
    brought the secret.
    """
    shown = ""
    while True:
        proposal = _adopted(run, _waived_or_gone(run, proposal))
        proposal = proposals.keep(run.context, proposal)
        if shown != proposal.plan.digest:
            run.ui.forget_typed()
            run.ui.show(proposal.rendering(run.ui.width))
            shown = proposal.plan.digest
        answer = (run.ui.ask(_question(proposal)) or "").lower()
        if answer in {"y", "yes"}:
            try:
                made = proposals.commit(run.context, proposal, proposals.person(proposal))
            except (PlanChanged, NoteChanged) as error:
                run.ui.say(f"{error.message}; here is the plan anew")
                proposal = proposals.again(run.context, proposal.waiting)
                continue
            lines = proposal.plan.lines
            return Outcome("committed" if made else "released", made, len(lines), _noted(lines))
        as_whole = proposal.changeset is None
        if answer == "r":
            if (rejected := _rejected(run, proposal)) is not None:
                return rejected
        elif answer == "s" and not as_whole:
            return _one_by_one(run, proposal)
        elif answer == "e" and not as_whole:
            proposal = _edited(run, proposal, _which(run, proposal))
        elif answer in {"", "n", "no"}:
            raise GateRefused(
                "nothing was written; the plan waits", f"`engram review {proposal.waiting.id}` comes back to it"
            )
        else:
            run.ui.say({"undo": HELP_UNDO, "acts": HELP_ACTS}.get(proposal.waiting.kind, HELP))


def _question(proposal: Proposal) -> str:
    if proposal.changeset is None:
        return "Do it? [y/N/r/?]" if proposal.waiting.kind == "acts" else "Take it back? [y/N/r/?]"
    many = len(proposal.plan.lines)
    return f"{'Apply this change?' if many == 1 else f'Apply these {many} changes?'} [y/N/s/e/r/?]"


def _noted(lines: Sequence[Line]) -> int:
    return sum(line.op == "NOOP" for line in lines)


def _waived(run: Run, proposal: Proposal) -> Proposal:
    found = proposals.secrets_in(proposal)
    if not found:
        return proposal
    ask_about(run, found)
    return proposals.waive(run.context, proposal)


def _waived_or_gone(run: Run, proposal: Proposal) -> Proposal:
    try:
        return _waived(run, proposal)
    except SecretFound:
        proposals.close_unkept(run.context, proposal)
        raise


def ask_about(run: Run, found: Sequence[Concern]) -> None:
    """Asks whether texts that look like secrets are none. Raises SecretFound where the answer isn't yes."""
    run.ui.forget_typed()
    for concern in found:
        run.ui.say(f"looks like a secret: {concern.message}")
    if found and not run.ui.confirm("Is this no secret, so that it may be kept in plain text for good?"):
        raise SecretFound("; ".join(concern.message for concern in found))


def _adopted(run: Run, proposal: Proposal) -> Proposal:
    """Lets the person commit their own hand edits first, where the plan touches notes that have some."""
    while proposal.plan.hand_edits:
        names = ", ".join(proposal.plan.hand_edits)
        plan, concerns = proposals.adoption_of(run.context, proposal)
        run.ui.forget_typed()
        run.ui.show(render(plan, concerns, (), width=run.ui.width))
        if not run.ui.confirm(f"{names}: edited by hand and not yet committed. Commit these edits as yours first?"):
            kept = proposals.keep(run.context, proposal)
            raise GateRefused(
                "nothing was written; the plan waits", f"`engram review {kept.waiting.id}` comes back to it"
            )
        ask_about(run, concerns)
        proposals.waive_all(run.context, concerns)
        proposal = proposals.adopt(run.context, proposal)
    return proposal


def _one_by_one(run: Run, proposal: Proposal) -> Outcome:
    taken: list[int] = []
    rejected: dict[int, str] = {}
    seen = proposal.plan
    index = 0
    shown = ""
    while index < len(proposal.plan.lines):
        line = proposal.plan.lines[index]
        rendering = _part_rendering(proposal, index, run.ui.width)
        if rendering != shown:
            run.ui.show(rendering)
            shown = rendering
        seen = with_edits(seen, _own(proposal, line))
        answer = run.ui.ask(f"({index + 1}/{len(proposal.plan.lines)}) {line.op} {line.name}: take it? [y/N/e/r/?]")
        if answer is None:
            hint = f"`engram review {proposal.waiting.id}` comes back to it"
            raise GateRefused("nothing was written; the plan waits", hint)
        word = answer.lower()
        if word == "e":
            proposal = proposals.keep(run.context, _edited(run, proposal, index))
            continue
        if word in {"y", "yes"}:
            taken.append(index)
        elif word == "r":
            reason = _reason(run)
            if reason is None:
                continue
            rejected[index] = reason
        elif word not in {"", "n", "no"}:
            run.ui.say(HELP_ONE)
            continue
        index += 1
    return _chosen(run, proposal, taken, rejected, seen)


def _chosen(run: Run, proposal: Proposal, taken: Sequence[int], rejected: dict[int, str], seen: Plan) -> Outcome:
    """Commits what was taken. ``seen``: what the person was shown; a part that does anything else is shown first."""
    left = [i for i in range(len(proposal.plan.lines)) if i not in taken and i not in rejected]
    part = _taken(run, proposal, taken, seen) if taken else None
    for index, reason in rejected.items():
        proposals.reject(run.context, proposal, [index], reason)
    made = proposals.commit_part(run.context, part, proposals.person(part)) if part else ""
    if left:
        _keep_rest(run, proposal, left, committed=bool(part))
    else:
        proposals.close(run.context, proposal)
    if not part:
        if left:
            raise GateRefused("nothing was written; what you left waits", f"`engram review {proposal.waiting.id}`")
        return Outcome("rejected", changes=len(rejected))
    noted = _noted([proposal.plan.lines[index] for index in taken])
    return Outcome("committed" if made else "released", made, len(taken), noted, len(left))


def _taken(run: Run, proposal: Proposal, taken: Sequence[int], seen: Plan) -> Proposal:
    """Returns the proposal of the changes that were taken alone. Raises GateRefused where it can't be made or isn't
    what the person saw, and they don't want it; the whole then waits."""
    try:
        part = proposals.part(run.context, proposal, taken)
    except EngramError as error:
        raise GateRefused(
            f"nothing was written: these can't be taken without the others ({error.message})",
            f"`engram review {proposal.waiting.id}` comes back to all of them",
        ) from error
    part = _waived(run, part)
    if part.plan.hand_edits or not covers(seen, part.plan):
        run.ui.show(part.rendering(run.ui.width))
        if part.plan.hand_edits or not run.ui.confirm(f"This is not quite what was shown. {_question(part)}"):
            raise GateRefused("nothing was written; the plan waits", f"`engram review {proposal.waiting.id}`")
    return part


def _keep_rest(run: Run, proposal: Proposal, left: Sequence[int], *, committed: bool) -> None:
    """Keeps the changes that were neither taken nor rejected; what can't be planned any more is named."""
    if proposals.replaced(run.context, proposal):
        return  # a later proposal of the same sessions waits in its place
    try:
        proposals.keep(run.context, proposals.part(run.context, proposal, left))
    except EngramError as error:
        run.ui.say(f"what you left can't be planned any more: {error.message}")
        if committed:
            proposals.close(run.context, proposal)


def _rejected(run: Run, proposal: Proposal) -> Outcome | None:
    """Rejects a proposal for good; None where the person thought better of it."""
    if proposal.changeset is not None:
        reason = _reason(run)
        if reason is None:
            return None
        proposals.reject(run.context, proposal, range(len(proposal.plan.lines)), reason)
    proposals.close(run.context, proposal)
    return Outcome("rejected", changes=len(proposal.plan.lines))


def _reason(run: Run) -> str | None:
    """Asks why; None where the input ended there, which takes the rejection back."""
    reason = run.ui.ask("Why? (the next curation is told; Enter for no reason)")
    if reason is None:
        run.ui.say("not rejected")
    return reason


def _which(run: Run, proposal: Proposal) -> int | None:
    """Returns the change whose text is to be edited, the only one there is or the one that is asked for."""
    able = [index for index, line in enumerate(proposal.plan.lines) if _editable(proposal, line)]
    if len(able) == 1:
        return able[0]
    many = len(proposal.plan.lines)
    typed = run.ui.ask(f"Which change? [1-{many}]") or ""
    if not typed.isdecimal() or not 0 < int(typed) <= many:
        run.ui.say(f"there is no change {typed!r}" if typed else "left as it was")
        return None
    return int(typed) - 1


def _editable(proposal: Proposal, line: Line) -> bool:
    return any(edit.path == line.path and edit.work_after is not None for edit in proposal.plan.edits)


def _edited(run: Run, proposal: Proposal, index: int | None) -> Proposal:
    if index is None:
        return proposal
    if not _editable(proposal, proposal.plan.lines[index]):
        run.ui.say("there is no text to edit in that one")
        return proposal
    path = proposal.plan.lines[index].path
    before = next(edit.work_after for edit in proposal.plan.edits if edit.path == path) or b""
    after = run.ui.edit(before, path, run.context.prepared("review"))
    if after is None:
        run.ui.say("left as it was")
        return proposal
    try:
        changed = proposals.edited(run.context, proposal, path, after)
    except (EngramError, UnicodeDecodeError) as error:
        run.ui.say(f"that text can't stand: {error}")
        return proposal
    return _waived(run, changed)


def _part_rendering(proposal: Proposal, index: int, width: int) -> str:
    plan, line = proposal.plan, proposal.plan.lines[index]
    concerns = tuple(replace(c, change=0) for c in proposal.concerns if c.change == index)
    part = replace(plan, lines=(line,), edits=_own(proposal, line))
    return render(part, concerns, proposal.said[index : index + 1], width=width)


def _own(proposal: Proposal, line: Line) -> tuple[Edit, ...]:
    return tuple(edit for edit in proposal.plan.edits if edit.path == line.path)

"""`engram review`: a person walks through the plans that wait."""

from __future__ import annotations

import click

from engram.app import proposals, stores
from engram.cli import unreviewed
from engram.cli.door import walk
from engram.cli.gate import reported
from engram.cli.tree import Run, folder_option, json_option
from engram.curate import waiting
from engram.errors import (
    EXIT_INTERRUPTED,
    ActImpossible,
    ApprovalNeeded,
    ChangesetInvalid,
    EngramError,
    FrontmatterBroken,
    GateRefused,
    NoteAmbiguous,
    NoteChanged,
    NoteNotFound,
    NoteProtected,
    NothingToUndo,
    StoreNotFound,
)

_STALE = (
    ActImpossible, ChangesetInvalid, FrontmatterBroken, NoteAmbiguous, NoteChanged, NoteNotFound, NoteProtected,
    NothingToUndo, StoreNotFound,
)  # fmt: skip
"""What no second look will mend: the store is no longer the one that the proposal was written for."""
_NAMED = 5


@click.command("review")
@click.argument("plan", required=False, default="")
@click.option("--list", "only_list", is_flag=True, help="Show what waits, and ask nothing.")
@folder_option
@json_option
@click.pass_obj
def command(run: Run, plan: str, only_list: bool, folder: str, as_json: bool) -> int:
    """Walk through the plans that wait, and commit what you accept. Each is made anew for the store as it is now.

    Then shows what stands in the store and was never reviewed (edits by hand, notes of the client's own), and commits
    what you adopt. With PLAN, an id or a digest or the first digits of either, only that plan.
    """
    every = waiting.every(run.context.folder("review"))
    if plan:
        every = (waiting.find(run.context.folder("review"), plan),)
    if folder:
        root = stores.choose(run.context, folder=folder).root
        every = tuple(one for one in every if one.store == root)
    if only_list or as_json or run.ui.alone:
        _listed(run, every, as_json)
        if not plan and not as_json and (found := unreviewed.standing(run, folder)):
            run.ui.out(f"unreviewed in {found[0].root}: {', '.join(unreviewed.named(found[1]))}")
        if not only_list and every:
            raise ApprovalNeeded(f"nothing was written: {run.ui.alone or '--json asks nobody'}")
        return 0
    if not every:
        run.ui.line("nothing waits")
    status = _walked(run, every)
    if plan or status == EXIT_INTERRUPTED:
        return status
    return status if unreviewed.offer(run, folder) else GateRefused.exit_status


def _walked(run: Run, every: tuple[waiting.Waiting, ...]) -> int:
    """Takes what waits through the gate, one after the other. Returns the exit status."""
    decided = []
    for one in every:
        try:
            decided.append(_reviewed(run, _latest(run, one)))
        except KeyboardInterrupt:
            if not any(decided):
                raise
            run.ui.say("\ninterrupted; what you decided before stays, the rest waits")
            return EXIT_INTERRUPTED
    return 0 if all(decided) else GateRefused.exit_status


def _latest(run: Run, listed: waiting.Waiting) -> waiting.Waiting:
    """Returns what waits in a proposal's place by now: while one was read, an agent may have replaced another."""
    return next((one for one in waiting.every(run.context.folder("review")) if one.id == listed.id), listed)


def _reviewed(run: Run, kept: waiting.Waiting) -> bool:
    """Takes one proposal through the gate; tells whether it was decided."""
    run.ui.say(f"plan {kept.id} for {kept.store}, {kept.told(run.context.now())}")
    try:
        if made := proposals.committed(run.context, kept):
            run.ui.say(f"it was committed already, as {made[:12]}")
            return True
        proposal = proposals.again(run.context, kept)
        outcome = walk(run, proposal)
    except GateRefused as error:
        run.ui.say(f"{error.message}; {error.hint}" if error.hint else error.message)
        return False
    except _STALE as error:
        return _stale(run, kept, error)
    except EngramError as error:
        run.ui.say(f"{error.code}: {error.message}\n  -> {error.hint}")
        return False
    reported(run, outcome, proposal)
    return not outcome.left


def _stale(run: Run, kept: waiting.Waiting, error: EngramError) -> bool:
    """Offers to let a proposal go that the store no longer fits; its sessions, where it has some, stay queued."""
    run.ui.say(f"can't be applied as it stands: {error.code}: {error.message}\n  -> {error.hint}")
    sessions = " Its sessions stay queued for the next curation." if kept.sessions else ""
    if not run.ui.confirm(f"Let this plan go?{sessions}"):
        return False
    waiting.drop(run.context.folder("review"), kept)
    return True


def _listed(run: Run, every: tuple[waiting.Waiting, ...], as_json: bool) -> None:
    now = run.context.now()
    if as_json:
        fields = ("id", "digest", "store", "kind", "agent", "proposed")
        rows = [{name: getattr(one, name) for name in fields} for one in every]
        more = [
            {"sessions": list(one.sessions), "age_days": one.age_days(now), "changes": one.changes()} for one in every
        ]
        run.ui.json({"plans": [{**row, **extra} for row, extra in zip(rows, more, strict=True)]})
        return
    for one in every:
        run.ui.line(f"{one.id}  {one.store}  {one.told(now)}, digest {one.digest[:12]}")
        named = one.changes()
        rest = f", and {len(named) - _NAMED} more" if len(named) > _NAMED else ""
        if named:
            run.ui.line(f"  {', '.join(named[:_NAMED])}{rest}")
    if not every:
        run.ui.line("nothing waits")

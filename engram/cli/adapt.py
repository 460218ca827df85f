"""`engram adapt`: puts engram into an agent's settings, or takes it out of them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from engram.adapters import adapters
from engram.adapters.files.shown import diff
from engram.app import adapting
from engram.app.adapted import names as remembered
from engram.app.adapting import Plan
from engram.app.replacing import carry_out
from engram.app.stores import NOT_NOTES
from engram.cli.tree import Run, json_option
from engram.curate.gate import unattended
from engram.errors import ApprovalNeeded, CommandLine, EngramError, GateRefused
from engram.model.counted import counted
from engram.model.visible import visible_line

if TYPE_CHECKING:
    from engram.adapters.files.place import Adapter

PORTABLE = "portable"


@click.command("adapt")
@click.option("--target", type=click.Choice([each.NAME for each in adapters()]), default=None, help="The agent.")
@click.option("--all", "every", is_flag=True, help="Every agent that is installed here.")
@click.option("--export", default="", metavar="DIR", help="Write into DIR in place of your own settings.")
@click.option("--guard", is_flag=True, help="Also deny agents direct edits of a store's files, in your own settings.")
@click.option("--remove", is_flag=True, help="Take engram out, and give back what stood there before.")
@click.option("--dry-run", is_flag=True, help="Show the diff and change nothing.")
@click.option("--yes", is_flag=True, help="Show the diff and don't ask. Not for agents.")
@json_option
@click.pass_obj
def command(
    run: Run,
    target: str | None,
    every: bool,
    export: str,
    guard: bool,
    remove: bool,
    dry_run: bool,
    yes: bool,
    as_json: bool,
) -> None:
    """Put engram into an agent's settings: its hooks, the MCP server, the skills.

    Every file that would change is shown as a diff first, and nothing is written before you said yes at a terminal.
    All else in the files stays as it is; --remove gives back what stood there, byte for byte.
    """
    if (target is None) == (not every):
        raise CommandLine("name an agent with --target, or say --all")
    if export and every:
        raise CommandLine("--export takes one agent; name it with --target")
    if as_json and not (dry_run or yes or (target == PORTABLE and not export)):
        raise CommandLine("--json shows no diff to say yes to; add --dry-run, or --yes")
    if target == PORTABLE and not export:
        if remove:
            raise CommandLine("name the file or folder that holds the block with --export")
        _print_block(run, as_json)
        return
    chosen = _chosen(run, target, remove=remove)
    if not chosen:
        run.ui.say("no agent that engram knows is installed here")
    plans, refused = _plans(run, chosen, export, remove=remove, single=target is not None)
    if guard:
        plans.append(adapting.plan_guard(run.context, remove=remove))
    changed = [plan for plan in plans if plan.changes]
    shown = "\n".join(diff(*change[:3]) for plan in changed for change in plan.changes)
    if changed and not dry_run:
        if not as_json:
            run.ui.show(shown.rstrip("\n"))
            run.ui.say("\n".join(_listed(changed)))
        _agree(run, changed, remove=remove, yes=yes)
        for plan in changed:
            carry_out(run.context, [plan])
    _say(run, plans, shown, as_json=as_json, dry_run=dry_run, remove=remove)
    if refused is not None:
        raise refused


def _chosen(run: Run, target: str | None, *, remove: bool) -> list[Adapter]:
    """Returns the adapters that are meant; to be removed is also what is remembered, the agent itself being gone."""
    if target is not None:
        return [each for each in adapting.every_adapter() if target == each.NAME]
    kept = remembered(run.context) if remove else ()
    found = {each.NAME for each in adapting.installed(run.context)}
    return [each for each in adapting.every_adapter() if each.NAME in found or each.NAME in kept]


def _plans(
    run: Run, chosen: Sequence[Adapter], export: str, *, remove: bool, single: bool
) -> tuple[list[Plan], EngramError | None]:
    """Returns a plan for each agent. Of several, one whose settings can't be changed doesn't stop the others."""
    plans: list[Plan] = []
    refused: EngramError | None = None
    for adapter in chosen:
        try:
            if remove:
                plan = adapting.plan_to_remove(run.context, adapter, export, [each.NAME for each in chosen])
            else:
                plan = adapting.plan_to_add(run.context, adapter, export)
        except EngramError as error:
            if single:
                raise
            refused = refused or error
            run.ui.say(f"{adapter.TITLE} is left out: {error.message}")
        else:
            plans.append(plan)
    return plans, refused


def _agree(run: Run, plans: Sequence[Plan], *, remove: bool, yes: bool) -> None:
    """Returns where a person agrees; raises else. An agent never agrees, whatever its command line says."""
    files = sum(len(plan.changes) for plan in plans)
    names_ = ", ".join(plan.target for plan in plans)
    against = unattended(run.ui.env, True) if yes else run.ui.alone
    if against:
        raise ApprovalNeeded(
            f"{counted(files, 'file')} would change ({names_}); nothing was, since {against}",
            "a person runs the same command in a terminal of their own; --dry-run shows the diff",
        )
    run.ui.forget_typed()
    verb = "Take engram out of" if remove else "Put engram into"
    if not yes and not run.ui.confirm(f"{verb} {counted(files, 'file')} ({names_})?"):
        raise GateRefused("nothing was changed")


def _say(run: Run, plans: Sequence[Plan], shown: str, *, as_json: bool, dry_run: bool, remove: bool) -> None:
    changes = [(plan.target, change) for plan in plans for change in plan.changes]
    if as_json:
        listed = [
            {"target": name, "path": each.path, "action": _action(each.before, each.after)} for name, each in changes
        ]
        remarks = [words for plan in plans for words in plan.remarks]
        run.ui.json({"changes": listed, "diff": shown, "written": bool(changes) and not dry_run, "remarks": remarks})
        return
    if dry_run and changes:
        run.ui.show(shown.rstrip("\n"))
        run.ui.say("\n".join(_listed([plan for plan in plans if plan.changes])))
    for plan in plans:
        if not plan.changes:
            run.ui.out(f"{plan.target}: nothing to change")
        elif dry_run:
            run.ui.out(f"{plan.target}: {counted(len(plan.changes), 'file')} would change; nothing was")
        else:
            became = ("as it was before" if remove else "on") if plan.name == adapting.GUARD else ""
            run.ui.out(f"{plan.target}: {became or ('engram is out of it' if remove else 'engram is in')}")
        for words in plan.remarks:
            run.ui.say(f"  {words}")
    if plans and not remove and not _has_store(run.context.engram_home):
        run.ui.say(f"there is no store of notes in {run.context.engram_home} yet: `engram init` makes one")


def _has_store(folder: str) -> bool:
    """Tells whether a folder holds more than engram's own state, which it keeps there from the first command on."""
    try:
        return not set(os.listdir(folder)) <= {*NOT_NOTES} - {".git"}
    except OSError:
        return False


def _listed(plans: Sequence[Plan]) -> Iterator[str]:
    """Yields every file that would change, in short: at the end of a long diff a person sees what it was about."""
    for plan in plans:
        yield f"{plan.name}:"
        for each in plan.changes:
            leads = f"  (a link to {visible_line(os.path.realpath(each.path))})" if os.path.islink(each.path) else ""
            yield f"  {_action(each.before, each.after)}  {visible_line(each.path)}{leads}"


def _action(before: bytes | None, after: bytes | None) -> str:
    return "create" if before is None else "remove" if after is None else "change"


def _print_block(run: Run, as_json: bool) -> None:
    """Prints the block for an agent that engram knows no settings of, and says where it goes."""
    block = adapting.block(run.context)
    adapter = next(each for each in adapting.every_adapter() if each.NAME == PORTABLE)
    remarks = list(adapter.remarks(adapting.place_of(run.context)))
    if as_json:
        run.ui.json({"block": block, "remarks": remarks})
        return
    run.ui.out(block.rstrip("\n"))
    for words in remarks:
        run.ui.say(words)

"""`engram doctor`: what is wrong with a store and around it, and what mends it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import click

from engram import errors
from engram.app import examining, mending
from engram.app.examining import Report
from engram.cli.gate import through
from engram.cli.tree import Run, folder_option, json_option, scope_option
from engram.doctor.facts import Hook
from engram.doctor.finding import Finding
from engram.errors import ApprovalNeeded, EngramError
from engram.model.counted import counted

SHOWN = {"error": 10, "warn": 3, "info": 1}
"""Findings of one kind that the short report names."""
MARKS = {"error": "!!", "warn": "! ", "info": "- "}


@click.command("doctor")
@click.option("--fix", is_flag=True, help="Repair derived state at once, and propose what a person has to approve.")
@folder_option
@scope_option
@json_option
@click.pass_obj
def command(run: Run, fix: bool, folder: str, scope: str | None, as_json: bool) -> int:
    """Examine a store: whether it is whole, and what is around it.

    Only reads. With --fix it repairs what is derived (the index, stale locks, an interrupted commit) and proposes the
    rest as one plan, which waits in `engram review` where nobody can be asked. Exits 0 where nothing has to be mended
    and 5 where something has.
    """

    def examine() -> Report:
        return examining.examine(run.context, folder=folder, scope=scope or "")

    report = examine()
    done: list[str] = []
    if fix:
        done += [*mending.repaired(run.context, report, run.ui.say), *_settled(run, report)]
        report = examine() if done else report
        if _mended(run, report, done):
            mending.repaired(run.context, examine(), run.ui.say)  # the index follows what was committed
            report, done = examine(), []
    if as_json:
        run.ui.json({**examining.shown(report), "repaired": done})
    else:
        _print(run, report, done, fixing=fix)
    return errors.EXIT_OK if report.healthy else errors.EXIT_MEND


def _settled(run: Run, report: Report) -> list[str]:
    """Asks about projects that moved or were replaced. Where nobody can be asked, nothing happens."""
    done = []
    for finding in mending.offered(report):
        run.ui.say(f"{finding.path}: {finding.words}")
        question = {
            "project-moved": f"Link the store of this project to {finding.path} again?",
            "project-replaced": "Are these notes this project's?",
        }[finding.code]
        if run.ui.confirm(question):
            done.append(mending.linked(run.context, report, finding))
    return done


def _mended(run: Run, report: Report, done: Sequence[str]) -> bool:
    """Takes what a person has to approve through the gate. Tells whether anything was committed.

    Raises ApprovalNeeded where nobody can be asked, with the findings among its details.
    """
    try:
        proposal = mending.proposed(run.context, report, run.ui.say)
    except EngramError as error:
        run.ui.say(f"nothing can be proposed: {error.message}" + (f"\n  -> {error.hint}" if error.hint else ""))
        return False
    if proposal is None:
        return False
    if not run.ui.json_asked:
        _print(run, report, done, fixing=True)
    try:
        through(run, proposal)
    except ApprovalNeeded as needed:
        needed.details = {**needed.details, **examining.shown(report), "repaired": list(done)}
        raise
    return True


def _print(run: Run, report: Report, done: Sequence[str], *, fixing: bool) -> None:
    ui = run.ui
    choice, notes = report.choice, len(report.facts.snapshot.notes)
    ui.line(f"{choice.root} ({choice.scope}; {choice.reason}): {counted(notes, 'note')}")
    for words in done:
        ui.line(f"repaired: {words}")
    if heard := [_heard(hook) for hook in report.facts.hooks]:
        ui.line(f"hooks: {'; '.join(heard)}")
    for (_, code), group in groupby(report.findings, key=lambda finding: (finding.level, finding.code)):
        _print_kind(run, code, list(group))
    counts = {level: sum(finding.level == level for finding in report.findings) for level in MARKS}
    mendable = [finding for finding in report.findings if finding.mendable]
    if report.healthy:
        ui.line("healthy: nothing has to be mended" + (f"; {counts['info']} to know" if counts["info"] else ""))
    else:
        ui.line(f"{counts['error']} grave, {counts['warn']} to mend, {counts['info']} to know")
    if mendable and not fixing:
        many = f"{len(mendable)} of them" if len(mendable) > 1 else "one of them"
        ui.line(f"`engram doctor --fix` mends {many}, or proposes to")


def _heard(hook: Hook) -> str:
    version = f" {hook.version}" if hook.version else ""
    spoke = f"last heard of {hook.spoke:%Y-%m-%d %H:%M}" if hook.spoke else "never heard of"
    return f"{hook.host}{version}, {'not installed' if hook.installed is False else spoke}"


def _print_kind(run: Run, code: str, group: Sequence[Finding]) -> None:
    some = group[: SHOWN[group[0].level]]
    for finding in some:
        place = f"{finding.path}:{finding.line}: " if finding.line else f"{finding.path}: " if finding.path else ""
        unnamed = [path for path in finding.others if path not in finding.words]
        more = f" (and {len(unnamed)} more)" if unnamed else ""
        run.ui.line(f"{MARKS[finding.level]}{place}{finding.words}{more} ({code})")
    if len(group) > len(some):
        run.ui.line(f"   … {len(group) - len(some)} more of {code}: `engram doctor --json` names them")
    first = group[0]
    do = (
        "`engram doctor --fix`" if all(one.mendable for one in group) and first.repair != "link-project" else first.next
    )
    if do:
        run.ui.line(f"   -> {do}")

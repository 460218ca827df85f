"""`engram curate run`: a coding agent reads the sessions that wait, by itself; what it proposes waits for review."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from types import FrameType
from typing import Any

import click

from engram import queue
from engram.app.curating import asking, run
from engram.app.curating.reading import Wanted
from engram.app.curating.run import Budget, Outcome, Report
from engram.cli.tree import Run, folder_option, json_option, scope_option
from engram.errors import EXIT_FIX, EXIT_OK
from engram.model.counted import counted
from engram.model.visible import visible_line

_AMOUNT = click.IntRange(min=1)


class _Seconds(click.FloatRange):
    """Is a time that a clock can count: `inf` and `nan` pass for numbers."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        seconds = float(super().convert(value, param, ctx))
        if not seconds <= _LONGEST:
            self.fail(f"{seconds} is longer than {_LONGEST:,} seconds", param, ctx)
        return seconds


_LONGEST = 10_000_000
_SECONDS = _Seconds(min=0, min_open=True)


@click.command("run")
@click.option(
    "--agent",
    "named",
    default="",
    metavar="AGENT",
    help="claude, codex, gemini, opencode, copilot, or a command line that takes the prompt on standard input and "
    "answers on standard output (else the first of the five that is installed).",
)
@click.option("--model", default="", metavar="MODEL", help="The model that the agent uses (else its own choice).")
@click.option("--sessions", type=_AMOUNT, default=10, show_default=True, metavar="N", help="Read N sessions at most.")
@click.option(
    "--seconds", type=_SECONDS, default=1800, show_default=True, metavar="S", help="End after S seconds, agent and all."
)
@click.option(
    "--tokens", type=_AMOUNT, default=None, metavar="T", help="Begin no further session once T tokens are used."
)
@click.option(
    "--timeout", type=_SECONDS, default=300, show_default=True, metavar="S", help="Wait S seconds for one answer."
)
@click.option("--here", is_flag=True, help="Only sessions of the project that this is run in (else all).")
@click.option("--again", is_flag=True, help="Read sessions again that taught nothing, or that gave no usable answer.")
@folder_option
@scope_option
@click.option("--dry-run", is_flag=True, help="Say what would be read, and at what length; ask no agent.")
@json_option
@click.pass_obj
def command(
    run_: Run,
    named: str,
    model: str,
    sessions: int,
    seconds: float,
    tokens: int | None,
    timeout: float,
    here: bool,
    again: bool,
    folder: str,
    scope: str | None,
    dry_run: bool,
    as_json: bool,
) -> int:
    """Have a coding agent read the sessions that wait, without anybody at it.

    The agent is given the session and the notes near to it, has no tools, and answers with a changeset. What can be
    planned waits for `engram review`, each in the store of its session's project or in the user's; nothing is
    committed. A session stays queued until a person has decided.
    """
    asker = asking.asker(run_.context, named, model)
    report = Report(asker.agent.NAME)
    with ExitStack() as stack:
        if not dry_run:
            stack.enter_context(run.alone(run_.context))
            stack.enter_context(_ended_like_an_interrupt())
        shown = _Progress(run_, stack)
        work = run.Run(
            run_.context,
            asker,
            Budget(sessions, seconds, tokens, timeout),
            Wanted(folder, scope or ""),
            shown.tell,
            report,
        )
        entries = run.waiting(run_.context, here=here)
        try:
            work.go(entries, again=again, dry=dry_run)
        except KeyboardInterrupt:
            stack.close()
            _printed(run_, report, as_json, whole=False)
            raise KeyboardInterrupt(_interrupted(report)) from None
    _printed(run_, report, as_json)
    return EXIT_FIX if report.of("failed") else EXIT_OK


def _printed(run_: Run, report: Report, as_json: bool, *, whole: bool = True) -> None:
    """Prints what became of the sessions. ``whole``: the run came to its end."""
    if as_json:
        run_.ui.json(run.shown(report))
        return
    for one in report.outcomes:
        if one.result != "left":
            run_.ui.line(f"{one.result}  {one.entry.session}  {_told(one)}")
        if one.error is not None and one.error.hint:
            run_.ui.say(f"  -> {one.error.hint}")
    if whole and not report.outcomes:
        run_.ui.say("no session waits")
    for line in _summed(report):
        run_.ui.say(line)


def _told(one: Outcome) -> str:
    """Returns what became of a session, in a line."""
    if one.error is not None:
        return f"{one.error.code}: {one.why}"
    plans = [
        f"plan {each.waiting.id} for {each.store.root}: "
        + ", ".join(f"{line.op} {line.name}" for line in each.plan.lines)
        for each in one.proposals
    ]
    return "; ".join(plans) or one.why or f"`engram pending clear {one.entry.id}` lets it go"


def _summed(report: Report) -> Iterator[str]:
    """Yields what a person does next."""
    proposed = sum(len(one.proposals) for one in report.outcomes)
    if proposed:
        yield f"{counted(proposed, 'proposal waits', 'proposals wait')} for you: `engram review`"
    left = report.of("left")
    if left:
        yield f"{counted(len(left), 'session')} left: {left[0].why}"
    if report.tokens:
        yield f"{'' if report.counted else 'about '}{report.tokens:,} tokens used by {report.agent}"


def _interrupted(report: Report) -> str:
    many = len(report.of("proposed"))
    kept = f"what {counted(many, 'session')} taught waits for review" if many else "nothing was written"
    return f"{kept}; the rest stays queued"


@contextmanager
def _ended_like_an_interrupt() -> Iterator[None]:
    """Takes being ended by a scheduler, or with the terminal, for an interrupt: the agent is ended with us."""

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():  # only there a signal can be taken
        yield
        return
    names = [signal.SIGTERM] if sys.platform == "win32" else [signal.SIGTERM, signal.SIGHUP]
    names = [number for number in names if signal.getsignal(number) != signal.SIG_IGN]  # `nohup` stays what it says
    before = {number: signal.signal(number, interrupt) for number in names}
    try:
        yield
    finally:
        for number, taken in before.items():
            signal.signal(number, taken)


class _Progress:
    """Is what a person sees meanwhile: a spinner with the time at a terminal, a line per session elsewhere."""

    def __init__(self, run_: Run, stack: ExitStack) -> None:
        self._ui = run_.ui
        self._shown: Any = None
        self._task: Any = None
        if not run_.ui.json_asked and run_.ui.stderr.isatty():
            from rich.console import Console  # noqa: PLC0415 - where there is somebody to see it
            from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn  # noqa: PLC0415

            columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn())
            self._shown = stack.enter_context(Progress(*columns, console=Console(file=run_.ui.stderr), transient=True))
            self._task = self._shown.add_task("looking at the queue", total=None)

    def tell(self, entry: queue.Entry, words: str) -> None:
        line = f"{entry.session}: {words}"
        if self._shown is not None:
            self._shown.update(self._task, description=visible_line(line))
        else:
            self._ui.say(visible_line(line))

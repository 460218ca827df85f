"""`engram index`: brings the index of a store up to date, or makes it anew."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import Any

import click

from engram.app import indexing, reindexing
from engram.cli.tree import Run, folder_option, json_option, scope_option
from engram.model.counted import counted


@click.command("index")
@click.option("--rebuild", is_flag=True, help="Make the index anew, whatever stands there.")
@folder_option
@scope_option
@json_option
@click.pass_obj
def command(run: Run, rebuild: bool, folder: str, scope: str | None, as_json: bool) -> None:
    """Bring the index of a store up to date: what recall searches, derived from the notes and from nothing else.

    A prompt's hook does it by itself within its time; this takes the time it needs, for a new store or after a change
    of the embedder.
    """
    store = run.open_store(folder, scope or "")
    with ExitStack() as stack:
        tell = _Bars(run, stack).tell
        pool = stack.enter_context(ThreadPoolExecutor(os.cpu_count() or 1))
        limits = indexing.Limits(log=run.ui.say, tell=tell, spread=pool.map)
        shown = reindexing.reindex(run.context, store.root, store.scope, rebuild=rebuild, limits=limits)
    if as_json:
        run.ui.json(shown)
        return
    parts = [counted(shown["notes"], "note"), f"{shown['read']} read", f"{shown['gone']} gone"]
    if shown["without_vector"]:
        parts.append(f"{shown['without_vector']} without a vector yet")
    run.ui.out(f"{shown['index'] or 'in memory'}: {', '.join(parts)}")
    run.ui.out(f"embedder: {shown['embedder'] or 'none, words alone: ' + shown['why']}")
    for path in shown["unread"]:
        run.ui.say(f"could not be read: {path}")


class _Bars:
    """Is the progress at a terminal: one bar for what is read, one for what is embedded; nothing anywhere else."""

    def __init__(self, run: Run, stack: ExitStack) -> None:
        self._shown: Any = None
        self._bars: dict[str, Any] = {}
        if not run.ui.json_asked and run.ui.stderr.isatty():
            from rich.console import Console  # noqa: PLC0415 - where there is somebody to see it
            from rich.progress import MofNCompleteColumn, Progress, TimeRemainingColumn  # noqa: PLC0415

            columns = (*Progress.get_default_columns()[:2], MofNCompleteColumn(), TimeRemainingColumn())
            self._shown = stack.enter_context(Progress(*columns, console=Console(file=run.ui.stderr), transient=True))

    def tell(self, what: str, more: int, of: int) -> None:
        if self._shown is not None:
            if what not in self._bars:
                self._bars[what] = self._shown.add_task(what, total=of)
            self._shown.advance(self._bars[what], more)

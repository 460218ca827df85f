"""`engram log`: the commits of memory."""

from __future__ import annotations

from dataclasses import asdict

import click

from engram.app import provenance
from engram.cli.acting import reach
from engram.cli.tree import Run, folder_option, json_option, scope_option
from engram.store import history


@click.command("log")
@click.argument("name", required=False, default="")
@click.option("-n", "limit", type=click.IntRange(1), default=None, metavar="N", help="At most this many.")
@folder_option
@scope_option
@json_option
@click.pass_obj
def command(run: Run, name: str, limit: int | None, folder: str, scope: str | None, as_json: bool) -> None:
    """Show the commits of memory, the newest first: what changed, from which session, who approved it.

    With NAME, only those that touched that note.
    """
    if name:
        store, _, note = reach(run, name, folder, scope)
        entries = provenance.commits(store, note, limit)
    else:
        store = run.open_store(folder, scope or "")
        entries = history.log(store.versioned(), None, limit)
    if as_json:
        run.ui.json({"store": store.root, "commits": [asdict(entry) for entry in entries]})
        return
    if name and not entries:
        run.ui.say(f"no commit holds {name}: nobody has reviewed it")
    for entry in entries:
        run.ui.line(f"{entry.commit[:12]}  {entry.at[:16]}  {entry.author}  {entry.subject}")
        for line in entry.body.splitlines():
            if line.startswith("- "):
                run.ui.line(f"    {line}")
        for key, value in entry.trailers:
            run.ui.line(f"    {key}: {value}")

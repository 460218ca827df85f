"""`engram journal rollup`: a month's entries to be summed up, and their sum."""

from __future__ import annotations

import click

from engram.app import journal
from engram.cli.gate import through
from engram.cli.source import body_text
from engram.cli.tree import Run, folder_option, json_option, scope_option
from engram.model.parts import ROLLUP_LINES


@click.command("rollup")
@click.argument("month", metavar="YYYY-MM")
@click.option("--body-file", "file", default="", metavar="FILE", help="The summary; - for standard input.")
@click.option("--agent", default="", metavar="NAME", help="Which agent wrote it.")
@folder_option
@scope_option
@json_option
@click.pass_obj
def command(run: Run, month: str, file: str, agent: str, folder: str, scope: str | None, as_json: bool) -> None:
    """Print a month's entries for whoever sums them up; with --body-file, propose their sum in at most 15 lines.

    The roll-up supersedes the entries, which lapse by themselves and stay readable.
    """
    store = run.open_store(folder, scope or ("" if folder else "user"))
    try:
        if file:
            through(run, journal.rollup(run.context, store, month, body_text(run, file), agent=agent))
            return
        entries = journal.gathered(store, month)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    if as_json:
        shown = [{"name": entry.name, "path": entry.path, "body": entry.body.strip()} for entry in entries]
        run.ui.json({"month": month, "lines": ROLLUP_LINES, "entries": shown})
        return
    for entry in entries:
        run.ui.out(f"## {entry.name}\n\n{entry.body.strip()}\n")

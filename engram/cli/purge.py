"""`engram purge`: what has lain in the archive long enough, taken out of the store."""

from __future__ import annotations

import click

from engram.app import keeping
from engram.cli.gate import through
from engram.cli.tree import Run, folder_option, json_option, scope_option
from engram.model.when import Never, span


@click.command("purge")
@click.option(
    "--older-than", "age", default="90d", show_default=True, metavar="SPAN", help="How long it has to have lain there."
)
@folder_option
@scope_option
@json_option
@click.pass_obj
def command(run: Run, age: str, folder: str, scope: str | None, as_json: bool) -> None:
    """Propose to remove from archive/ what was put there longer ago than SPAN. Git keeps every version.

    Protected notes, and notes that don't say when they were archived, stay.
    """
    try:
        length = span(age)
    except ValueError as error:
        raise click.UsageError(f"--older-than: {error}") from None
    if isinstance(length, Never):
        raise click.UsageError("--older-than: a span, such as 90d")
    found = keeping.purge(run.context, run.open_store(folder, scope or ""), length, run.ui.say)
    if found is not None:
        through(run, found)
    elif as_json:
        run.ui.json({"result": "nothing"})
    else:
        run.ui.say(f"nothing in the archive is older than {age}")

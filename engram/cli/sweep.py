"""`engram sweep`: what has lapsed, put away."""

from __future__ import annotations

import click

from engram.app import keeping
from engram.cli.gate import through
from engram.cli.tree import Run, folder_option, json_option, scope_option


@click.command("sweep")
@folder_option
@scope_option
@json_option
@click.pass_obj
def command(run: Run, folder: str, scope: str | None, as_json: bool) -> None:
    """Propose to put away what has lapsed: each such note moves to archive/, its text stays.

    Protected notes stay where they are. Nothing is removed: that is `engram purge`.
    """
    found = keeping.sweep(run.context, run.open_store(folder, scope or ""), run.ui.say)
    if found is not None:
        through(run, found)
    elif as_json:
        run.ui.json({"result": "nothing"})
    else:
        run.ui.say("nothing has lapsed")

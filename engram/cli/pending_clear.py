"""`engram pending clear`: lets sessions go without curating them."""

from __future__ import annotations

import click

from engram import queue
from engram.cli.tree import Run, json_option
from engram.model.counted import counted


@click.command("clear")
@click.argument("session", metavar="[ID]...", nargs=-1)
@click.option("--all", "every", is_flag=True, help="All of them.")
@json_option
@click.pass_obj
def command(run: Run, session: tuple[str, ...], every: bool, as_json: bool) -> None:
    """Let sessions go without curating them. Their transcripts stay where they are."""
    if bool(session) == every:
        raise click.UsageError("name sessions by their ID, or say --all")
    folder = run.context.folder("queue")
    found = queue.entries(folder) if every else tuple(queue.find(folder, word) for word in session)
    gone = queue.remove(found)
    if as_json:
        run.ui.json({"cleared": gone})
    else:
        run.ui.out(f"{counted(gone, 'session')} let go")

"""`engram lesson applied`: a lesson changed what an agent did; the next curation counts it."""

from __future__ import annotations

import click

from engram.app import uses
from engram.cli.acting import reach
from engram.cli.tree import Run, folder_option, json_option, scope_option
from engram.model.counted import counted


@click.command("applied")
@click.argument("name")
@click.option("--agent", default="", metavar="NAME", help="Which agent applied it.")
@click.option("--session", default="", metavar="ID", help="In which session.")
@folder_option
@scope_option
@json_option
@click.pass_obj
def command(run: Run, name: str, agent: str, session: str, folder: str, scope: str | None, as_json: bool) -> None:
    """Record that a lesson was applied. Nothing is written into the store: the next curation adds the count.

    Asks nobody; it is for agents too. Each use renews the lesson's life span once it is counted.
    """
    store, _, note = reach(run, name, folder, scope)
    use = uses.record(run.context, store, note, agent=agent, session=session)
    waits = sum(each.path == note.path for each in uses.pending(run.context, store.root, store.repository))
    if as_json:
        run.ui.json({"result": "recorded", "name": note.name, "use": use.id, "uncounted": waits})
        return
    run.ui.out(f"recorded; {counted(waits, 'use')} of {note.name} wait{'s' * (waits == 1)} to be counted")

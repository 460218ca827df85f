"""`engram why`: what a note rests on."""

from __future__ import annotations

from dataclasses import asdict

import click

from engram.app import provenance
from engram.app.provenance import Step
from engram.cli.acting import reach
from engram.cli.tree import Run, folder_option, json_option, scope_option
from engram.curate.shown import SAID


@click.command("why")
@click.argument("name")
@folder_option
@scope_option
@json_option
@click.pass_obj
def command(run: Run, name: str, folder: str, scope: str | None, as_json: bool) -> None:
    """Show what a note rests on: each change with its reason, the quotes it gave, where the transcript is, and who said
    yes."""
    store, _, note = reach(run, name, folder, scope)
    steps = provenance.steps(run.context, store, note)
    if as_json:
        run.ui.json({"store": store.root, "path": note.path, "steps": [asdict(step) for step in steps]})
        return
    if not steps:
        run.ui.say(f"no commit holds {note.path}: nobody has reviewed it")
    for step in steps:
        _told(run, step)


def _told(run: Run, step: Step) -> None:
    run.ui.line(f"{step.commit[:12]}  {step.at[:16]}  {step.what}" + (f": {step.reason}" if step.reason else ""))
    facts = {
        "approved": f"{step.by}" + (f" ({step.via})" if step.via else ""),
        "proposed": " from ".join(filter(None, (step.agent, ", ".join(step.sessions)))),
        "rests on": next((words for said, words in SAID.items() if said == step.said), ""),
    }
    for key, value in facts.items():
        if value:
            run.ui.line(f"    {key}: {value}")
    for quote in step.quotes:
        run.ui.line(f"    quote: {quote}")
    for transcript in step.transcripts:
        run.ui.line(f"    transcript: {transcript}")

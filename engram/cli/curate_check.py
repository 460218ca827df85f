"""`engram curate check`: what a changeset would do, and what stands against it."""

from __future__ import annotations

import click

from engram.app import proposals
from engram.cli.gate import described
from engram.cli.source import changeset_text
from engram.cli.tree import Run, folder_option, json_option


@click.command("check")
@click.argument("file", metavar="FILE|-")
@folder_option
@json_option
@click.pass_obj
def command(run: Run, file: str, folder: str, as_json: bool) -> None:
    """Check a changeset and show what it would do. Nothing is kept and nobody is asked.

    Every problem of the file's form is reported at once, and where it has none every problem with the store, each
    with its place in the file.
    """
    proposal = proposals.propose(run.context, changeset_text(run, file), folder=folder, planned_only=True)
    proposals.refuse_secrets(proposal)  # before the diff, which would print them
    if as_json:
        run.ui.json({"result": "valid", **described(proposal)})
    else:
        run.ui.show(proposal.rendering(run.ui.width))

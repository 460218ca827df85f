"""`engram undo`: takes a commit of memory back, as a new commit, through the same gate."""

from __future__ import annotations

import click

from engram.app import proposals
from engram.cli.gate import through
from engram.cli.tree import Run, folder_option, json_option


@click.command("undo")
@click.argument("commit", required=False, default="")
@folder_option
@json_option
@click.pass_obj
def command(run: Run, commit: str, folder: str, as_json: bool) -> None:  # noqa: ARG001 - click names it
    """Take COMMIT back, or the last commit that engram made. Nothing leaves git's history."""
    through(run, proposals.propose_undo(run.context, commit, folder=folder))

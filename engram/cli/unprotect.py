"""`engram unprotect`: a note that may be changed again."""

from __future__ import annotations

import click

from engram.cli.acting import through_the_gate
from engram.cli.tree import Run, folder_option, json_option, scope_option
from engram.errors import ApprovalNeeded
from engram.lifecycle import hold


@click.command("unprotect")
@click.argument("names", metavar="NAME...", nargs=-1, required=True)
@folder_option
@scope_option
@json_option
@click.pass_obj
def command(run: Run, names: tuple[str, ...], folder: str, scope: str | None, as_json: bool) -> None:  # noqa: ARG001
    """Let a protected note be changed again. Nothing else does, and no agent can: you run it at your own terminal."""
    if run.ui.alone:
        raise ApprovalNeeded(f"only you take protection off a note: {run.ui.alone}", "run it in a terminal of your own")
    through_the_gate(run, names, folder, scope, lambda note, _around: hold.unprotected(note))

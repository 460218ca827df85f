"""`engram protect`: a note that nothing changes but the person's own unprotect."""

from __future__ import annotations

import click

from engram.cli.acting import through_the_gate
from engram.cli.tree import Run, folder_option, json_option, scope_option
from engram.lifecycle import hold


@click.command("protect")
@click.argument("names", metavar="NAME...", nargs=-1, required=True)
@click.option("--keep-expiry", is_flag=True, help="Keep the day after which it lapses; it is served and asked about.")
@folder_option
@scope_option
@json_option
@click.pass_obj
def command(
    run: Run,
    names: tuple[str, ...],
    keep_expiry: bool,
    folder: str,
    scope: str | None,
    as_json: bool,  # noqa: ARG001 - click names it
) -> None:
    """Let nothing change a note, and nothing make it lapse, until you unprotect it."""
    through_the_gate(run, names, folder, scope, lambda note, _around: hold.protected(note, keep_expiry=keep_expiry))

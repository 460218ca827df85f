"""What the commands on notes that stand have in common: find the note, make the act, go through the gate."""

from __future__ import annotations

from collections.abc import Sequence

import click

from engram.app import keeping
from engram.app.keeping import Making
from engram.cli.gate import through
from engram.cli.tree import Run, folder_option, json_option, scope_option


def on_notes(words: str, line: str, making: Making, *, archived: bool = False) -> click.Command:
    """Returns the command that does one thing to each of the notes it is given. ``line``: its help."""

    @click.command(words, help=line)
    @click.argument("names", metavar="NAME...", nargs=-1, required=True)
    @folder_option
    @scope_option
    @json_option
    @click.pass_obj
    def command(run: Run, names: tuple[str, ...], folder: str, scope: str | None, as_json: bool) -> None:  # noqa: ARG001
        through_the_gate(run, names, folder, scope, making, archived=archived)

    return command


def through_the_gate(
    run: Run, names: Sequence[str], folder: str, scope: str | None, making: Making, *, archived: bool = False
) -> None:
    """Takes one act on each of some notes through the gate; says why where there is nothing to do on any.

    ``archived``: see :func:`engram.app.keeping.acted`.
    """
    store = run.open_store(folder, scope or "")
    found = keeping.acted(run.context, store, names, making, archived=archived, log=run.ui.say)
    if isinstance(found, str):
        run.ui.json({"result": "nothing", "message": found}) if run.ui.json_asked else run.ui.say(found)
        return
    through(run, found)

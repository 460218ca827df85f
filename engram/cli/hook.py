"""`engram hook`: documented here; `engram.__main__` runs it without click."""

from __future__ import annotations

import click

from engram.app import hook
from engram.cli.tree import Run


@click.command("hook", context_settings={"ignore_unknown_options": True, "allow_extra_args": True})
@click.option("--host", default="", metavar="NAME", help="The agent that runs it.")
@click.argument("rest", nargs=-1)
@click.pass_obj
def command(run: Run, host: str, rest: tuple[str, ...]) -> int:  # noqa: ARG001 - passed over, as in the hook itself
    """Answer an agent's UserPromptSubmit or SessionStart hook, from its JSON on stdin, with what memory holds.

    Prints one line of JSON, or nothing where nothing is relevant. Exit 0 whatever happens, within a second and a half.
    ENGRAM_DISABLE=1 switches it off.
    """
    found = hook.answered(run.context.env, run.context.home)
    if found is not None and found.text:
        run.ui.stdout.write(found.text + "\n")
        found.remember()
    return 0

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
    """Serve an agent's hook, whatever its event, from the JSON on stdin.

    A session's start and a prompt are answered with what memory holds; a turn's end, a compaction and a session's end
    queue the session; a tool's call that has to do with engram is judged. Prints one line of JSON in the shape that the
    agent accepts, or nothing. Exit 0 whatever happens, within a second and a half (eight where a plan is shown).
    ENGRAM_DISABLE=1 switches it off.
    """
    found = hook.answered(run.context.env, run.context.home, host)
    if found is not None and found.text:
        run.ui.stdout.write(found.text + "\n")
        found.remember()
    return 0

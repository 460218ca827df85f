"""`engram pending add`: documented here; `engram.__main__` runs it without click."""

from __future__ import annotations

import click

from engram.capture import pending
from engram.cli.tree import Run


@click.command("add", context_settings={"ignore_unknown_options": True, "allow_extra_args": True})
@click.argument("rest", metavar="[ANYTHING]...", nargs=-1)
@click.pass_obj
def command(run: Run, rest: tuple[str, ...]) -> int:
    """Queue a session for curation, from the JSON that an agent's Stop hook gives on stdin.

    Silent, and exit 0 whatever happens: a hook must not hurt the prompt. ENGRAM_DISABLE=1 switches it off.
    """
    return pending.add(rest, run.context.env, run.context.home)

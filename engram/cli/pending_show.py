"""`engram pending show`: what a curator needs of a session."""

from __future__ import annotations

import click

from engram.app import sessions
from engram.cli.tree import Run


@click.command("show")
@click.argument("session", metavar="ID")
@click.option(
    "--tokens",
    type=click.IntRange(200, 100_000),
    default=6000,
    show_default=True,
    metavar="N",
    help="At most this many, from 200 to 100000.",
)
@click.pass_obj
def command(run: Run, session: str, tokens: int) -> None:
    """Show what a curator needs of a queued session: what the person said, what was concluded, what failed and what
    fixed it, which files changed; each with a `ref` that evidence can name. Secrets are masked."""
    run.ui.out(sessions.shown(run.context, session, tokens))

"""`engram journal add`: today's entry."""

from __future__ import annotations

import click

from engram.app import journal
from engram.cli.gate import through
from engram.cli.source import body_text
from engram.cli.tree import Run, folder_option, json_option, scope_option


@click.command("add")
@click.option("--slug", required=True, metavar="SLUG", help="What the day was about, in kebab-case: auth-flow.")
@click.option("--description", default="", metavar="TEXT", help="One line; the body's first without it.")
@click.option("--agent", default="", metavar="NAME", help="Which agent wrote it.")
@click.option("--session", default="", metavar="ID", help="In which session.")
@click.option("--body-file", "file", default="-", metavar="FILE", help="The 3 to 6 lines; standard input without it.")
@folder_option
@scope_option
@json_option
@click.pass_obj
def command(
    run: Run,
    slug: str,
    description: str,
    agent: str,
    session: str,
    file: str,
    folder: str,
    scope: str | None,
    as_json: bool,  # noqa: ARG001 - click names it
) -> None:
    """Propose a journal entry of today: 3 to 6 lines of what a session decided or finished.

    It goes into your own store, unless --dir or --scope names another.
    """
    store = run.open_store(folder, scope or ("" if folder else "user"))
    body = body_text(run, file)
    try:
        found = journal.entry(run.context, store, slug, body, description=description, agent=agent, session=session)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    through(run, found)

"""`engram expire`: the last day on which a note holds."""

from __future__ import annotations

from datetime import date

import click

from engram.cli.acting import through_the_gate
from engram.cli.tree import Run, folder_option, json_option, scope_option
from engram.lifecycle import hold
from engram.model.when import Never, day_after


@click.command("expire")
@click.argument("name")
@click.option("--in", "span", default="", metavar="SPAN", help="After a span: N and d, w, m or y, such as 30d.")
@click.option("--on", "day", default="", metavar="DATE", help="On a day, YYYY-MM-DD.")
@folder_option
@scope_option
@json_option
@click.pass_obj
def command(
    run: Run,
    name: str,
    span: str,
    day: str,
    folder: str,
    scope: str | None,
    as_json: bool,  # noqa: ARG001 - click names it
) -> None:
    """Set the last day on which a note holds; afterwards it leaves recall, and `engram sweep` offers to put it away."""
    last = _last_day(run.context.now().date(), span, day)
    through_the_gate(run, [name], folder, scope, lambda note, _around: hold.expiring(note, last))


def _last_day(today: date, span: str, day: str) -> date:
    """Returns the day that one of the two options names. Raises UsageError."""
    if bool(span) == bool(day):
        raise click.UsageError("say when: --in SPAN or --on DATE")
    try:
        found = day_after(today, span) if span else date.fromisoformat(day)
    except ValueError as error:
        raise click.UsageError(str(error) if span else f"--on: {day!r} is no day: write YYYY-MM-DD") from None
    if isinstance(found, Never):
        raise click.UsageError("a note that never lapses is pinned: `engram pin`")
    return found

"""`engram add`: a note that a person writes themselves."""

from __future__ import annotations

import re
from datetime import date
from typing import Any

import click

from engram.app import writing
from engram.cli.gate import through
from engram.cli.source import body_text
from engram.cli.tree import Run, folder_option, json_option, scope_option
from engram.errors import ApprovalNeeded
from engram.model.parts import template
from engram.model.when import Never, day_after

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


@click.command("add")
@click.option("--type", "kind", required=True, metavar="TYPE", help="user, feedback, project, reference, lesson, …")
@click.option("--name", required=True, metavar="NAME", help="Small letters, digits and hyphens: prefers-pnpm.")
@click.option("--description", default="", metavar="TEXT", help="One line that tells the note from others.")
@click.option("--tags", default="", metavar="A,B", help="Separated by commas.")
@click.option("--importance", type=click.IntRange(1, 10), default=None, metavar="N", help="1 to 10; 5 without it.")
@click.option("--expires", default="", metavar="DATE|SPAN|never", help="The last day on which it holds.")
@click.option("--body-file", "file", default="", metavar="FILE", help="The body; - for standard input.")
@click.option("--new", "insist", is_flag=True, help="A note of its own even where one says almost the same.")
@folder_option
@scope_option
@json_option
@click.pass_obj
def command(
    run: Run,
    kind: str,
    name: str,
    description: str,
    tags: str,
    importance: int | None,
    expires: str,
    file: str,
    insist: bool,
    folder: str,
    scope: str | None,
    as_json: bool,  # noqa: ARG001 - click names it
) -> None:
    """Write a note. Its body comes from your editor, --body-file, or standard input.

    Where a note that stands is called so or says almost the same, that one is changed instead. You see the diff before
    anything is kept.
    """
    body = _body(run, file, kind)
    note: dict[str, Any] = {
        "name": name,
        "type": kind,
        "description": description or writing.first_line(body),
        "body": body,
    }
    if tags:
        note["tags"] = [tag.strip() for tag in tags.split(",") if tag.strip()]
    if importance is not None:
        note["importance"] = importance
    if expires:
        note["expires"] = _last_day(run, expires)
    store = run.open_store(folder, scope or "")
    proposal, standing = writing.written(run.context, store, note, insist=insist)
    if standing:
        run.ui.say(f"{standing} says it already, or almost: this changes that note (--new makes one of its own)")
    through(run, proposal)


def _body(run: Run, file: str, kind: str) -> str:
    if file or run.ui.alone:
        return body_text(run, file or "-")
    edited = run.ui.edit(template(kind).encode("utf-8"), f"{kind}.md", run.context.prepared("review"))
    if edited is None:
        raise ApprovalNeeded("nothing was written", "write the body in the editor, or give --body-file")
    return edited.decode("utf-8", "replace")


def _last_day(run: Run, text: str) -> str:
    """Returns what ``expires`` says for a date, a span or ``never``. Raises UsageError."""
    try:
        found = date.fromisoformat(text) if _DAY.fullmatch(text) else day_after(run.context.now().date(), text)
    except ValueError:
        words = f"{text!r} is no day (YYYY-MM-DD), no span such as 90d, and not never"
        raise click.UsageError(f"--expires: {words}") from None
    return "never" if isinstance(found, Never) else found.isoformat()

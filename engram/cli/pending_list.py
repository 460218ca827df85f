"""`engram pending list`: the sessions that wait for curation."""

from __future__ import annotations

import click

from engram import queue
from engram.app import sessions
from engram.cli.tree import Run, json_option


@click.command("list")
@json_option
@click.pass_obj
def command(run: Run, as_json: bool) -> None:
    """List the sessions that wait for curation, the oldest first."""
    found = sessions.waiting(run.context)
    for path, why in queue.damaged(run.context.folder("queue")):
        run.ui.say(f"{path} can't be read: {why}")
    fields = ("id", "agent", "session", "cwd", "queued_at", "transcript")
    if as_json:
        run.ui.json({"sessions": [{name: getattr(one, name) for name in fields} for one in found]})
        return
    for one in found:
        run.ui.line(f"{one.id}  {one.agent}  {one.queued_at[:16]}  {one.cwd or 'somewhere'}  {one.session}")
    if not found:
        run.ui.line("no session waits")

"""`engram status`: what waits, what nobody reviewed, what was interrupted."""

from __future__ import annotations

import click

from engram.app.status import status
from engram.cli.tree import Run, folder_option, json_option


@click.command("status")
@folder_option
@json_option
@click.pass_obj
def command(run: Run, folder: str, as_json: bool) -> None:
    """Say what waits for you, what stands in the store that nobody reviewed, and what was interrupted."""
    found = status(run.context, run.open_store(folder))
    if as_json:
        run.ui.json(found)
        return
    ui = run.ui
    ui.line(f"store: {found['store']} ({found['scope']}; {found['reason']})")
    ui.line(f"notes: {found['notes']}" + (f", on {found['branch']}" if found["branch"] else ""))
    if not found["versioned"]:
        ui.line("not versioned: the notes are read and not written; `engram init` puts them under git")
    for path in found["unreviewed"]:
        ui.line(f"unreviewed: {path}")
    for one in found["findings"]:
        ui.line(f"finding: {one['path']}: {one['message']} ({one['code']})")
    for one in found["plans"]:
        by = one["agent"] or "unknown"
        ui.line(f"waiting: plan {one['id']} by {by}, {one['age_days']} days old: `engram review`")
    if found["queued_sessions"]:
        ui.line(f"queued: {found['queued_sessions']} sessions wait for curation: `/engram-curate`")
    if found["blocked"] and found["versioned"]:
        ui.line(f"can't commit: {found['blocked']['message']} ({found['blocked']['code']})")

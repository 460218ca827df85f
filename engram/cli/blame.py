"""`engram blame`: which session taught which line."""

from __future__ import annotations

from dataclasses import asdict

import click

from engram.app import provenance
from engram.cli.acting import reach
from engram.cli.tree import Run, folder_option, json_option, scope_option


@click.command("blame")
@click.argument("name")
@folder_option
@scope_option
@json_option
@click.pass_obj
def command(run: Run, name: str, folder: str, scope: str | None, as_json: bool) -> None:
    """Show each line of a note with the day it came, the session that taught it, and the commit."""
    store, _, note = reach(run, name, folder, scope)
    lines = provenance.blamed(store, note)
    if as_json:
        run.ui.json({"store": store.root, "path": note.path, "lines": [asdict(line) for line in lines]})
        return
    for line in lines:
        taught = ", ".join(session.rpartition(":")[2][:8] for session in line.sessions) or line.by.split(" <", 1)[0]
        run.ui.line(f"{line.commit[:8]} {line.at[:10]} {taught[:20]:<20} | {line.text}")

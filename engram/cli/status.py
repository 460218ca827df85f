"""`engram status`: what waits, what nobody reviewed, what was interrupted."""

from __future__ import annotations

import shlex

import click

from engram.app.status import status
from engram.app.stores import making_of
from engram.cli.tree import Run, folder_option, json_option
from engram.model.counted import counted


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
        making = making_of(found["store"], found["scope"])
        ui.line(f"not versioned: the notes are read and not written; `{making}` puts them under git")
    for path in found["unreviewed"]:
        ui.line(f"unreviewed: {path}")
    if found["unreviewed"]:
        named = f" --dir {shlex.quote(found['store'])}" if folder else ""
        ui.line(f"  `engram review{named}` shows what is unreviewed and commits what you adopt")
    for one in found["findings"]:
        ui.line(f"finding: {one['path']}: {one['message']} ({one['code']})")
    for one in found["plans"]:
        ui.line(f"waiting: plan {one['id']}, {one['told']}: `engram review`")
    if found["queued_sessions"]:
        wait = counted(found["queued_sessions"], "session waits", "sessions wait")
        ui.line(f"queued: {wait} for curation: ask your agent for `/engram-curate`")
    if found["words_alone"]:
        ui.line(f"recall: the hook searches by words alone: {found['words_alone']}")
    if found["floor"] is None and found["notes"]:
        meant = f"--dir {shlex.quote(found['store'])}" if found["scope"] == "dir" else f"--scope {found['scope']}"
        ui.line(f"recall: the hook is strict until `engram index {meant}` has found the floor of this store")
    if found["blocked"] and found["versioned"]:
        ui.line(f"can't commit: {found['blocked']['message']} ({found['blocked']['code']})")

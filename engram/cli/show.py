"""`engram show`: one note."""

from __future__ import annotations

import click

from engram.cli.acting import reach
from engram.cli.list_notes import row
from engram.cli.tree import Run, folder_option, json_option, scope_option


@click.command("show")
@click.argument("name")
@folder_option
@scope_option
@json_option
@click.pass_obj
def command(run: Run, name: str, folder: str, scope: str | None, as_json: bool) -> None:
    """Show one note, by its name (whatever its case) or its path.

    With --json, `base` is what an UPDATE or INVALIDATE of it has to name.
    """
    store, snapshot, note = reach(run, name, folder, scope)
    if as_json:
        whole = {"store": store.root, "fields": note.fields, "links": list(note.links), "body": note.body}
        run.ui.json({**row(note, snapshot, run.context.now().date()), **whole})
        return
    run.ui.out(snapshot.work[note.path].decode("utf-8", "replace").removeprefix("\ufeff").rstrip("\n"))

"""`engram where`: which stores belong to this place, and why."""

from __future__ import annotations

import click

from engram.app import stores
from engram.cli.tree import Run, json_option


@click.command("where")
@json_option
@click.pass_obj
def command(run: Run, as_json: bool) -> None:
    """Say which stores belong to this place, and which rule chose each.

    Nothing is made by asking.
    """
    found = stores.where(run.context)
    if as_json:
        run.ui.json(found)
        return
    for name in ("project", "user"):
        one = found[name]
        if one is None:
            run.ui.out(f"{name}: none here")
        else:
            run.ui.out(f"{name}: {one['path']}{'' if one['exists'] else ' (not there yet)'}\n  {one['reason']}")
    run.ui.out(f"state: {found['state']}")

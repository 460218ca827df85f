"""`engram curate rejected`: what not to propose again."""

from __future__ import annotations

from dataclasses import asdict

import click

from engram.cli.tree import Run, json_option
from engram.curate import rejections


@click.command("rejected")
@json_option
@click.pass_obj
def command(run: Run, as_json: bool) -> None:
    """List the changes that were rejected, the latest first, with the reasons that were given."""
    found = rejections.every(run.context.folder("rejections"))
    if as_json:
        run.ui.json({"rejected": [asdict(one) for one in found]})
        return
    for one in found:
        run.ui.line(f"{one.at[:10]}  {one.op} {one.name}: {one.description}")
        run.ui.line(f"    {one.reason or 'no reason given'}")
    if not found:
        run.ui.out("nothing was rejected")

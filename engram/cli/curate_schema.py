"""`engram curate schema`: the JSON schema of a changeset."""

from __future__ import annotations

import click

from engram import resources
from engram.cli.tree import Run


@click.command("schema")
@click.pass_obj
def command(run: Run) -> None:
    """Print the JSON schema of a changeset (draft 2020-12)."""
    run.ui.json(resources.schema())

"""`engram config set`: changes a setting."""

from __future__ import annotations

import json

import click

from engram import config
from engram.cli.tree import Run, json_option
from engram.errors import ConfigForbidden


@click.command("set")
@click.argument("name")
@click.argument("value")
@json_option
@click.pass_obj
def command(run: Run, name: str, value: str, as_json: bool) -> None:
    """Set NAME to VALUE (JSON, or plain text) in your own settings file; everything else in it stays.

    What loosens the gate or the secret scan is set by a person at a terminal alone.
    """
    if config.guarded(name) and run.ui.alone:
        raise ConfigForbidden(
            f"{name} is set by a person at a terminal alone, and {run.ui.alone}",
            "run the command in a terminal of yours",
        )
    try:
        given: object = json.loads(value)
    except ValueError:
        given = value
    run.context.set_config(name, given)
    kept = config.value_of(run.context.written_config(), name)
    if as_json:
        run.ui.json({"file": run.context.config_path, "settings": {name: kept}})
    else:
        run.ui.out(f"{name} = {config.text_of(kept)}")

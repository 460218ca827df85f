"""`engram config get`: the settings."""

from __future__ import annotations

import click

from engram import config
from engram.cli.tree import Run, json_option
from engram.errors import ConfigInvalid


@click.command("get")
@click.argument("name", required=False, default="")
@json_option
@click.pass_obj
def command(run: Run, name: str, as_json: bool) -> None:
    """Show a setting, or all of them: what your file says, else the default."""
    written = run.context.written_config()
    if name and name not in config.KEYS and name.partition(".")[0] not in config.KEYS:
        raise ConfigInvalid(f"there is no setting {name!r}", "`engram config get` lists them", name)
    names = [name] if name else list(config.KEYS)
    found = {one: config.value_of(written, one) for one in names}
    if as_json:
        run.ui.json({"file": run.context.config_path, "settings": found})
        return
    for one, value in found.items():
        words = f"  # {config.KEYS[one].words}" if one in config.KEYS else ""
        run.ui.out(f"{one} = {config.text_of(value)}{words}")

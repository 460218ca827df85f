"""`engram undone`: what a person undid of what nobody reviewed, and its way back."""

from __future__ import annotations

from dataclasses import asdict

import click

from engram.app import undone
from engram.cli.tree import Run, folder_option, json_option, scope_option


@click.command("undone")
@click.argument("name", required=False, default="")
@click.option("--show", is_flag=True, help="Print the text, and bring nothing back.")
@folder_option
@scope_option
@json_option
@click.pass_obj
def command(run: Run, name: str, show: bool, folder: str, scope: str | None, as_json: bool) -> None:
    """List the texts that you undid in `engram review`; with NAME, bring one back into its file, unreviewed."""
    store = run.open_store(folder, scope or "")
    if name and show:
        _, data = undone.text_of(store, name)
        run.ui.out(data.decode("utf-8", "replace").rstrip("\n"))
    elif name:
        path = undone.bring_back(store, name)
        run.ui.json({"result": "brought-back", "path": path}) if as_json else run.ui.out(
            f"{path} is back, unreviewed: `engram review` asks about it"
        )
    elif as_json:
        run.ui.json({"store": store.root, "undone": [asdict(one) for one in undone.every(store)]})
    else:
        every = undone.every(store)
        for one in every:
            run.ui.line(f"{one.name}  {one.path}")
        if not every:
            run.ui.say("nothing was undone")

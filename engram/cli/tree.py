"""The tree of commands, made from the table, and what every command is given."""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Sequence
from dataclasses import dataclass

import click

from engram import __version__
from engram.app import stores
from engram.app.context import Context
from engram.cli import COMMANDS, Row
from engram.cli.ui import Ui

GROUPS = {
    "curate": "Propose changes to memory and commit what a person accepts.",
    "lesson": "What agents learnt from mistakes, and how often it helped.",
    "journal": "What happened, a few lines a day and a few more a month.",
    "pending": "The queue of sessions that wait for curation.",
    "config": "Settings.",
}


@dataclass
class Run:
    """Is what a command works with."""

    context: Context
    ui: Ui

    def open_store(self, folder: str, scope: str = "") -> stores.Store:
        """Opens the store that is meant, and says where opening it mended something."""
        store = stores.open_store(self.context, stores.choose(self.context, folder=folder, scope=scope))
        if store.notice:
            self.ui.say(store.notice)
        return store


class Table(click.Group):
    """Is a group whose commands are imported when they run; their help lines stand in the table."""

    def __init__(self, name: str, rows: Sequence[Row], help_: str, **settings: object) -> None:
        super().__init__(name=name, help=help_, **settings)  # type: ignore[arg-type]
        self.rows = {row.words.rsplit(" ", 1)[-1]: row for row in rows if " " not in row.words or name != "engram"}
        self.groups = {word: line for word, line in GROUPS.items() if name == "engram"}

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return [*self.rows, *self.groups]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        if cmd_name in self.groups:
            return Table(cmd_name, [row for row in COMMANDS if row.words.startswith(f"{cmd_name} ")], GROUPS[cmd_name])
        row = self.rows.get(cmd_name)
        if row is None:
            return None
        command: click.Command = importlib.import_module(f"engram.cli.{row.module}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Finds the command that is meant; of one that isn't there, says which comes near."""
        word = args[0]
        if self.get_command(ctx, word) is None and not word.startswith("-"):
            meant = self._near(word)
            ctx.fail(f"No such command {word!r}." + (f" Did you mean {meant}?" if meant else ""))
        return super().resolve_command(ctx, args)

    def _near(self, word: str) -> str:
        """Returns the commands that a word may stand for, by their own last word, wherever they are."""
        calls = {word: f"engram {word}" for word in self.groups}
        for row in COMMANDS:
            calls.setdefault(row.words.rsplit(" ", 1)[-1], f"engram {row.words}")
        near = difflib.get_close_matches(word, calls, n=2, cutoff=0.65)
        return " or ".join(f"`{calls[one]}`" for one in near)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's signature
        lines = [(word, row.line) for word, row in self.rows.items()]
        with formatter.section("Commands"):
            formatter.write_dl([*lines, *self.groups.items()])


def group() -> click.Group:
    """Returns the tree of every command."""
    tree = Table(
        "engram",
        COMMANDS,
        "Memory for coding agents that nothing enters until you have read the diff and said yes.",
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    )
    return click.version_option(__version__, prog_name="engram", message="%(prog)s %(version)s")(tree)


folder_option = click.option(
    "--dir",
    "folder",
    default="",
    metavar="DIR",
    help="The folder of notes (else the project's store, else the user's).",
)
scope_option = click.option(
    "--scope", type=click.Choice(["project", "user"]), default=None, help="The project's store or the user's."
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")

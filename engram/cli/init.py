"""`engram init`: makes a store, or puts a folder of notes under git."""

from __future__ import annotations

import click

from engram.app import making, stores
from engram.cli.tree import Run, json_option
from engram.errors import ApprovalNeeded, ConfigForbidden, GateRefused, GitIdentityMissing
from engram.model.counted import counted
from engram.store import git
from engram.store.create import standing_folder


@click.command("init")
@click.option("--dir", "folder", default="", metavar="DIR", help="Make DIR the store.")
@click.option(
    "--user", "scope", flag_value="user", help="Make the user's store (the default where no project's waits)."
)
@click.option("--project", "scope", flag_value="project", help="Make the store of this project.")
@click.option("--adopt/--no-adopt", default=None, help="Whether notes that stand there count as reviewed.")
@click.option("--enclosing", is_flag=True, help="Commit to the repository around the folder.")
@json_option
@click.pass_obj
def command(run: Run, folder: str, scope: str | None, adopt: bool | None, enclosing: bool, as_json: bool) -> None:
    """Make a store, or put a folder of notes under git, in a repository of its own.

    A folder that exists is not touched before you said yes at a terminal; you are also asked whether the notes that
    stand in it are adopted as reviewed. What isn't adopted stays as it is, unreviewed.
    """
    choice = making.meant(run.context, folder=folder, scope=scope or "")
    if making.is_made(run.context, choice):
        _say(run, as_json, choice, "", "is a store already", project_left=not (folder or scope))
        return
    if enclosing and run.ui.alone:
        raise ConfigForbidden(f"--enclosing is for a person at a terminal, and {run.ui.alone}")
    standing = making.standing(run.context, choice.root)
    adopted = _asked(run, choice, standing, adopt) if standing.files else False
    identity = _identity(run, choice)
    made = making.make(
        run.context, choice, adopt=adopted, enclosing=enclosing, identity=identity, person=not run.ui.alone
    )
    left = len(standing.notes) if not adopted else 0
    unreviewed = f"; {counted(left, 'note in it is', 'notes in it are')} unreviewed" if left else ""
    _say(run, as_json, choice, made, f"is a store now{unreviewed}", project_left=not (folder or scope))


def _asked(run: Run, choice: stores.Choice, standing: making.Standing, adopt: bool | None) -> bool:
    """Asks before a folder that exists is touched. Returns whether its notes are adopted as reviewed."""
    notes = len(standing.notes)
    holds = f"{choice.root} exists and holds {counted(notes, 'note')}"
    if run.ui.alone:
        raise ApprovalNeeded(
            f"{holds}; nothing was changed, since {run.ui.alone}",
            f"a person runs `{stores.making_of(choice.root, choice.scope)}` in a terminal of their own",
        )
    around = git.enclosing(choice.root)
    if around:
        run.ui.say(f"it lies inside the repository {around}")
    if not run.ui.confirm(f"{holds}. Put it under git as a store?"):
        raise GateRefused("nothing was changed")
    if not notes or adopt is not None:
        return bool(notes and adopt)
    for path in standing.notes[:20]:
        run.ui.line(f"  {path}")
    if notes > 20:
        run.ui.line(f"  and {notes - 20} more")
    for path, rules in standing.secrets:
        run.ui.line(f"  ! {path} holds text shaped like a secret ({rules}); git's history keeps what is adopted")
    return run.ui.confirm("Adopt these notes as reviewed? (no: they stay, unreviewed, until you have seen them)")


def _identity(run: Run, choice: stores.Choice) -> tuple[str, str] | None:
    """Returns the name and address to put into the store's own settings; None where git knows them already."""
    try:
        git.identity(standing_folder(choice.root))
    except GitIdentityMissing:
        if run.ui.alone:
            raise
        run.ui.say("git doesn't know you yet; this name goes on the commits of this store")
        name, email = run.ui.ask("Your name?") or "", run.ui.ask("Your email?") or ""
        if not name or not email:
            raise
        return name, email
    return None


def _say(run: Run, as_json: bool, choice: stores.Choice, commit: str, words: str, *, project_left: bool) -> None:
    """Says what became of the folder; and of the project's own store, where that was not meant and isn't there."""
    if as_json:
        run.ui.json({"store": choice.root, "scope": choice.scope, "commit": commit, "created": bool(commit)})
    else:
        run.ui.out(f"{choice.root} {words} ({choice.reason})")
        if project_left and choice.scope == "user" and not making.project_stands(run.context):
            run.ui.say("this project has no store of its own yet: `engram init --project` makes it")

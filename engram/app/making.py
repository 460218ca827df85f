"""Making a store: which folder is meant, what stands in it, and the first commit."""

from __future__ import annotations

import os
from dataclasses import dataclass

from engram.app import identities, stores
from engram.app.context import Context
from engram.curate import approvals
from engram.model.plan import Approve
from engram.model.secrets import scan
from engram.store import create, git, history, read


@dataclass(frozen=True, slots=True)
class Standing:
    """Is what a folder holds before it becomes a store: its files (engram's own apart) and, of them, the notes.

    ``secrets``: each note that holds text shaped like one, with the rules; never the text.
    """

    files: tuple[str, ...]
    notes: tuple[str, ...]
    secrets: tuple[tuple[str, str], ...] = ()


def meant(context: Context, *, folder: str, scope: str) -> stores.Choice:
    """Returns the folder to make a store of: the one that is named, else the project's notes that no git keeps yet,
    else the user's store."""
    if folder or scope:
        return stores.choose(context, folder=folder, scope=scope)
    choice = stores.choose(context, scope="")
    if choice.scope == "project" and not is_made(context, choice):
        return choice
    return stores.choose(context, scope="user")


def project_stands(context: Context) -> bool:
    """Tells whether the repository around this place has its folder of notes; true too where there is none around."""
    located = context.project_store()
    if located is None or os.path.isdir(located.path):
        return True
    return git.Repository.find(context.cwd, enclosing_allowed=True) is None


def is_made(context: Context, choice: stores.Choice) -> bool:
    """Tells whether a folder is a store with a first commit."""
    if not os.path.isdir(choice.root):
        return False
    repository = git.Repository.find(choice.root, enclosing_allowed=context.encloses(choice.root))
    return repository is not None and bool(repository.head()[1])


def standing(context: Context, root: str) -> Standing:
    """Returns what stands in a folder; nothing for one that isn't there."""
    try:
        names = [name for name in os.listdir(root) if name not in stores.NOT_NOTES]
    except FileNotFoundError:
        return Standing((), ())
    found = read.read_folder(root)
    extra = context.settings(root).redaction_patterns_extra
    rules = {path: scan(data.decode("utf-8", "replace"), extra) for path, data in found.work.items()}
    told = ((path, ", ".join(dict.fromkeys(hit.rule for hit in hits))) for path, hits in rules.items() if hits)
    return Standing(tuple(names), tuple(note.path for note in found.notes), tuple(told))


def make(
    context: Context,
    choice: stores.Choice,
    *,
    adopt: bool,
    enclosing: bool,
    identity: tuple[str, str] | None,
    person: bool,
) -> str:
    """Makes the store and returns its first commit. ``person``: one sits at the terminal and asked for it."""
    approval = None
    if person:
        name, email = identity or git.identity(create.standing_folder(choice.root))
        approval = Approve(f"{name} <{email}>", "terminal")
    made = create.create(
        choice.root,
        user_store=choice.scope == "user",
        identity=identity,
        adopt=adopt,
        enclosing=enclosing,
        created=context.now().date().isoformat(),
        approval=approval,
    )
    if enclosing and not context.encloses(choice.root):
        context.set_config("gate.enclosing", [*context.settings().enclosing, choice.root])
    if approval is not None:
        _on_record(context, choice.root, made.commit, approval, enclosing=enclosing)
    identities.remember(context, choice.root)
    return made.commit


def _on_record(context: Context, root: str, commit: str, approval: Approve, *, enclosing: bool) -> None:
    repository = git.Repository.find(root, enclosing_allowed=enclosing)
    if repository is None or not commit:
        return
    found = history.entry(repository, commit)
    texts = history.texts(repository, commit, found.paths)
    parent = (found.parents or ("",))[0]
    folder = context.prepared("approvals")
    approvals.record_made(folder, root, parent, commit, texts=texts, by=approval.by, now=context.now())

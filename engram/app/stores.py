"""Which store a command means, and opening it. Asking about a store never makes one."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engram.app.context import NOT_NOTES, Context, stands
from engram.curate import commit
from engram.errors import EngramError, StoreEnclosed, StoreNotFound, StoreNotVersioned
from engram.model.note import base_of
from engram.model.snapshot import Scope, Snapshot
from engram.store import git, history, read
from engram.store.locate import Located

__all__ = ["NOT_NOTES", "Choice", "Store", "choose", "open_store", "stands", "where"]


@dataclass(frozen=True)
class Store:
    """Is a folder of notes, chosen and opened. ``repository`` is None where it is not versioned."""

    root: str
    scope: Scope
    reason: str
    repository: git.Repository | None
    notice: str = ""
    """What opening it mended, or could not; "" as a rule."""

    def snapshot(self) -> Snapshot:
        return read.take_snapshot(self.root, self.scope, self.repository)

    def version(self, path: str, base: str) -> bytes | None:
        """Returns the bytes that a note had in a version, if its history knows them."""
        if self.repository is None:
            return None
        return history.version(self.repository, path, lambda data: base_of(data) == base)

    def writable(self) -> git.Repository:
        """Returns the repository, fit to be committed to. Raises what stands against it, before anything is written."""
        repository = self.versioned()
        repository.check_fit()
        return repository

    def versioned(self) -> git.Repository:
        """Returns the repository, fit or not. Raises why there is none."""
        if self.repository is None:
            raise self.unversioned()
        return self.repository

    def unversioned(self) -> EngramError:
        """Returns the reason why the folder can't be written to, with the command that mends it."""
        why = git.why_unversioned(self.root)
        making = making_of(self.root, self.scope)
        if isinstance(why, StoreNotVersioned):
            why.hint = f"run `{making}` in a terminal to put these notes under git"
        elif isinstance(why, StoreEnclosed):
            why.hint = f"`{making}` gives the notes a repository of their own; with --enclosing it commits to this one"
        return why


@dataclass(frozen=True, slots=True)
class Choice:
    """Is where a store is, or would be, and which rule said so."""

    root: str
    scope: Scope
    reason: str
    exists: bool


def choose(context: Context, *, folder: str = "", scope: str = "") -> Choice:
    """Returns the store that is meant: a named folder wins, then a scope, then the project's where it exists."""
    user = _choice(context.user_store())
    located = context.project_store() if scope != "user" or folder else None
    project = _choice(located) if located is not None else None
    if folder:
        root = os.path.realpath(os.path.join(context.cwd, os.path.expanduser(folder)))
        for known in (user, project):
            if known is not None and known.root == root:
                return Choice(root, known.scope, "named with --dir", os.path.isdir(root))
        return Choice(root, "dir", "named with --dir", os.path.isdir(root))
    if scope == "user":
        return user
    if scope == "project":
        if project is None:
            raise StoreNotFound("this folder belongs to no project that has a place for memory")
        return project
    return project if project is not None and project.exists else user


def open_store(context: Context, choice: Choice) -> Store:
    """Opens a store for reading, and finishes a commit that was interrupted in it. Raises StoreNotFound."""
    if not choice.exists:
        making = making_of(choice.root, choice.scope)
        raise StoreNotFound(
            f"there is no store at {choice.root} ({choice.reason})",
            f"run `{making}` to make one there, or name a folder of notes with --dir",
            choice.root,
        )
    repository = git.Repository.find(choice.root, enclosing_allowed=context.encloses(choice.root))
    try:
        notice = commit.recover(choice.root, repository)
    except EngramError as error:
        notice = f"{error.message}; {error.hint}" if error.hint else error.message
    return Store(choice.root, choice.scope, choice.reason, repository, notice)


def making_of(root: str, scope: Scope) -> str:
    """Returns the command that makes a store of a folder."""
    return f"engram init --dir {shlex.quote(root)}" if scope == "dir" else f"engram init --{scope}"


def where(context: Context) -> dict[str, Any]:
    """Returns where the stores of this place are, with the rule that chose each."""
    found = {"user": context.user_store(), "project": context.project_store()}
    shown = {name: None if one is None else _described(_choice(one)) for name, one in found.items()}
    return {**shown, "state": context.state}


def _described(choice: Choice) -> Mapping[str, Any]:
    return {"path": choice.root, "exists": choice.exists, "reason": choice.reason, "scope": choice.scope}


def _choice(located: Located) -> Choice:
    root = os.path.realpath(located.path)
    there = stands(root) if located.scope == "user" else os.path.isdir(root)
    return Choice(root, located.scope, located.reason, there)

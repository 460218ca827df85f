"""A new store: a repository of its own (or a place in one that was chosen), its first files, its first commit.

What stands in the folder is never changed; without ``adopt`` it stays untracked, which is to say unreviewed. A killed
run is finished by the next one.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from datetime import datetime

from engram import disk
from engram.errors import StoreEnclosed, StoreNotVersioned
from engram.model.counted import counted
from engram.model.plan import Approve
from engram.model.snapshot import TOC
from engram.store import git, plumbing, read, staged, write
from engram.store.git import Repository, Tracked
from engram.store.hold import folder_of, hold
from engram.store.message import message

FIRST_FILES: Mapping[str, bytes] = {
    ".gitattributes": b"* -text\n",
    ".gitignore": b".engram/\n*.tmp\n",
    TOC: b"# Memory\n",
}
SETTINGS = {"config.json": b'{"schema_version": 1}\n'}
"""The user's own store has this file too."""


@dataclass(frozen=True, slots=True)
class Created:
    """Is what was made: the commit (the standing one where there was nothing to add) and the files in it."""

    commit: str
    files: tuple[str, ...]


def create(
    root: str,
    *,
    user_store: bool,
    identity: tuple[str, str] | None,
    adopt: bool,
    enclosing: bool,
    created: str,
    approval: Approve | None = None,
    now: datetime | None = None,
    step: Callable[[str], None] = lambda _: None,
) -> Created:
    """Makes a store of a folder, which need not exist, and commits its first files.

    ``identity``: name and address where git has none; it is kept in the repository's own settings. ``adopt``: the notes
    that stand there are part of the first commit. ``enclosing``: commit to the repository around the folder instead of
    making one. ``created``: today, for the message. ``now``: the commit's time, git's own clock by default. An error
    leaves the folder as it was. Raises GitIdentityMissing, StoreNotVersioned (``enclosing``, and nothing encloses it),
    StoreLocked, StoreReadOnly, DiskFull, SigningFailed and what ``Repository.check_fit`` raises.
    """
    root = os.path.realpath(root)
    person = identity or git.identity(standing_folder(root))
    with ExitStack() as undo:
        _make_folder(root, undo)
        with hold(root) as descriptor:
            repository = _repository(root, undo, enclosing=enclosing)
            step("repository")
            with repository.holding(descriptor):
                if identity and not enclosing:
                    _keep_identity(repository, identity)
                files = _first_files(repository, undo, user_store=user_store)
                step("files")
                files.update(_notes(root) if adopt else {})
                people = plumbing.People(person, person, now)
                text = _message(created, [path for path in files if path not in {*FIRST_FILES, *SETTINGS}], approval)
                made = _commit(repository, files, text, people, step)
            _done(root)
        undo.pop_all()
    step("done")
    return made


def _commit(
    repository: Repository, files: Mapping[str, bytes], text: str, people: plumbing.People, step: Callable[[str], None]
) -> Created:
    repository.check_fit()
    ref, head = repository.head()
    staged.check_unfiltered(repository, files)
    tracked = repository.entries(head, files)
    after = {path: Tracked("100644", repository.blob_id(data)) for path, data in files.items()}
    new = {path: entry for path, entry in after.items() if path not in tracked}
    index = repository.index_entries(files)
    # committed by a run that was killed before the index followed
    late = {path: tracked[path] for path in tracked if tracked[path].id == after[path].id and path not in index}
    following = {
        path: entry
        for path, entry in new.items()
        if staged.staged_after(index, path, ("", ""), (entry.id, entry.id), repository.blob_id(b"")) is not None
    }
    commit = head
    if new:
        with plumbing.scratch(repository.root) as folder:
            plumbing.write_blobs(repository, folder, {after[path].id: files[path] for path in new})
            tree = plumbing.write_tree(repository, folder, head, new, dict.fromkeys(new, ""))
            commit = plumbing.write_commit(repository, tree, head, text, people)
        step("commit")
        plumbing.move_ref(repository, ref, commit, head, f"engram: {text.splitlines()[0]}")
        step("ref")
    staged.settle(repository, {**late, **following})
    return Created(commit, tuple(sorted(new)))


def _repository(root: str, undo: ExitStack, *, enclosing: bool) -> Repository:
    """Returns the repository to commit to, made where there is none."""
    found = Repository.find(root, enclosing_allowed=enclosing)
    if found is not None:
        return found
    why = git.why_unversioned(root)
    if enclosing:
        raise why
    begun = os.path.join(folder_of(root), "creating")
    if not isinstance(why, StoreNotVersioned | StoreEnclosed) and not os.path.lexists(begun):
        raise why
    fresh = not os.path.lexists(os.path.join(root, ".git"))
    disk.write_whole(begun, b"")
    if fresh:
        undo.callback(shutil.rmtree, os.path.join(root, ".git"), ignore_errors=True)
    undo.callback(_done, root)
    git.git(root, "init", "-q", "--template=", "-b", "main", root)
    made = Repository.find(root)
    if made is None:
        raise git.why_unversioned(root)
    return made


def _first_files(repository: Repository, undo: ExitStack, *, user_store: bool) -> dict[str, bytes]:
    """Writes the files that every store has, where nothing stands in their place; returns those that are engram's."""
    wanted = {**FIRST_FILES, **(SETTINGS if user_store else {})}
    ours = {}
    for path, data in wanted.items():
        standing = write.current(repository.root, path) if not _is_link(repository.root, path) else b""
        if standing is None:
            write.replace(repository.root, path, None, data)
            undo.callback(write.replace, repository.root, path, data, None)
        if standing in (None, data):
            ours[path] = data
    return ours


def _notes(root: str) -> Mapping[str, bytes]:
    return read.read_folder(root).work


def _message(created: str, adopted: list[str], approval: Approve | None) -> str:
    many = counted(len(adopted), "note")
    subject = f"Start the store; {many} adopted as reviewed" if adopted else "Start the store"
    approved = [("Approved-By", approval.by), ("Approved-Via", approval.via)] if approval else []
    return message(subject, [("Engram-Created", created), *approved])


def _keep_identity(repository: Repository, identity: tuple[str, str]) -> None:
    for key, value in zip(("user.name", "user.email"), identity, strict=True):
        if repository.setting(key, "path") != value:
            repository.run("config", "--local", key, value)


def _make_folder(root: str, undo: ExitStack) -> None:
    missing = []
    folder = root
    while not os.path.isdir(folder) and os.path.dirname(folder) != folder:
        missing.append(folder)
        folder = os.path.dirname(folder)
    try:
        os.makedirs(root, exist_ok=True)
    except OSError as error:
        raise disk.named(error, root) from error
    for made in reversed(missing):
        undo.callback(_remove_empty, made)
    if missing:
        undo.callback(shutil.rmtree, folder_of(root), ignore_errors=True)


def _remove_empty(folder: str) -> None:
    with suppress(OSError):
        os.rmdir(folder)


def _done(root: str) -> None:
    with suppress(OSError):
        os.unlink(os.path.join(folder_of(root), "creating"))


def standing_folder(path: str) -> str:
    """Returns the nearest folder that is there: the path itself or one above it."""
    while not os.path.isdir(path) and os.path.dirname(path) != path:
        path = os.path.dirname(path)
    return path


def _is_link(root: str, path: str) -> bool:
    return bool(read.symlinked_part(root, path))

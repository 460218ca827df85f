"""The steps of a commit, each one git command: blobs, tree, commit, ref, index. The user's index is never the way.

A tree is built in a temporary index of its own; nothing that the user staged can get in, and no bytes but those given:
no filter, no conversion, no hook. Until ``move_ref`` nothing exists but objects that nothing names.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime

from engram import disk
from engram.errors import GitFailed, GitLocked, PlanChanged
from engram.store.git import Repository, Tracked
from engram.store.gitparse import REGULAR
from engram.store.hold import folder_of
from engram.store.staged import index_info

_DURABLE = ("core.fsync=loose-object,reference",)
"""By default git leaves new objects to the cache of the system; a ref that outlives its commit is a broken store."""


@dataclass(frozen=True, slots=True)
class People:
    """Is who made a commit and when (None: now). Names and addresses as git takes them.

    ``authored``: when what it holds was written, where that was earlier.
    """

    author: tuple[str, str]
    committer: tuple[str, str]
    now: datetime | None
    authored: datetime | None = None

    def environment(self) -> dict[str, str]:
        named = {
            "GIT_AUTHOR_NAME": self.author[0], "GIT_AUTHOR_EMAIL": self.author[1],
            "GIT_COMMITTER_NAME": self.committer[0], "GIT_COMMITTER_EMAIL": self.committer[1],
        }  # fmt: skip
        if self.now is None:
            return named
        return {**named, "GIT_AUTHOR_DATE": _when(self.authored or self.now), "GIT_COMMITTER_DATE": _when(self.now)}


def _when(moment: datetime) -> str:
    return f"@{int(moment.timestamp())} {moment.strftime('%z')[:5] or '+0000'}"


@contextmanager
def scratch(root: str) -> Iterator[str]:
    """Gives an empty folder in the store's own machine-local one. Only who holds the store's lock may ask for it."""
    folder = os.path.join(folder_of(root), "commit")
    shutil.rmtree(folder, ignore_errors=True)
    try:
        os.makedirs(folder, mode=0o700)
    except OSError as error:
        raise disk.named(error, folder) from error
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def write_blobs(repository: Repository, folder: str, texts: Mapping[str, bytes]) -> None:
    """Puts texts into the repository as blobs, by their ids, exactly as they are. ``folder``: a scratch folder."""
    if not texts:
        return
    names = []
    for number, data in enumerate(texts.values()):
        path = os.path.join(folder, f"{number}")
        _spill(path, data)
        names.append(os.path.relpath(path, repository.top).replace(os.sep, "/"))
    lines = "".join(f"./{name}\n" for name in names).encode("utf-8", "surrogateescape")
    out = repository.run("hash-object", "-w", "--no-filters", "--stdin-paths", data=lines, config=_DURABLE)
    if out.decode("ascii", "replace").split() != list(texts):
        raise GitFailed("git wrote other bytes than it was given")


def write_tree(
    repository: Repository, folder: str, parent: str, after: Mapping[str, Tracked | None], before: Mapping[str, str]
) -> str:
    """Returns a tree that is the parent's ("": an empty one) but for some paths: their new entries, None to remove.

    ``before``: the blob ids that the parent holds, "" for none. Raises PlanChanged where it holds others, or where the
    tree would differ from the parent's in any other way.
    """
    index = {"GIT_INDEX_FILE": os.path.join(folder, "index")}
    plain = ("core.splitIndex=false", "index.sparse=false", "core.untrackedCache=false")
    if parent:
        repository.run("read-tree", "--no-sparse-checkout", parent, env=index, config=plain)
    data = index_info(repository, after)
    repository.run("update-index", "-z", "--index-info", data=data, env=index, config=plain)
    tree = repository.run("write-tree", env=index, config=(*plain, *_DURABLE)).decode().strip()
    base = parent or repository.object_id(b"tree", b"")
    expected = {
        repository.at_top(path): (before[path], entry.id if entry else "")
        for path, entry in after.items()
        if before[path] != (entry.id if entry else "")
    }
    if dict(_changed(repository, base, tree)) != expected:
        raise PlanChanged("the commit would change more, or something else, than was shown; nothing was committed")
    return tree


def write_commit(repository: Repository, tree: str, parent: str, message: str, people: People) -> str:
    """Returns a commit of a tree, signed where the settings ask for it. Raises SigningFailed."""
    sign = ["-S"] if repository.setting("commit.gpgsign") == "true" else []
    parents = ["-p", parent] if parent else []
    text = message.encode("utf-8", "backslashreplace")
    out = repository.run(
        "commit-tree", *sign, *parents, tree, data=text, env=people.environment(), config=_DURABLE
    )  # fmt: skip
    return out.decode().strip()


def move_ref(repository: Repository, ref: str, new: str, old: str, reason: str) -> None:
    """Moves a branch from one commit to another ("": none yet, or no longer), if it is still there.

    Raises PlanChanged where it moved meanwhile, GitLocked.
    """
    # without a time-out a lock that another git holds for a moment would fail the commit
    waiting = (*_DURABLE, "core.filesRefLockTimeout=1000")
    try:
        there = [ref, new, old or repository.no_object] if new else ["-d", ref, old]
        repository.run("update-ref", "-m", reason, *there, config=waiting)
    except GitLocked:
        raise
    except GitFailed as error:
        if repository.commit_of(ref) != old:
            raise PlanChanged(f"{ref} moved while the commit was being made", place=ref) from error
        raise


def check_regular(entries: Mapping[str, Tracked]) -> None:
    """Raises PlanChanged where a commit holds a link or a submodule in a note's place."""
    for path, entry in entries.items():
        if entry.mode not in REGULAR:
            raise PlanChanged(f"{path} is no file in the last commit but a link or a submodule", place=path)


def _changed(repository: Repository, base: str, tree: str) -> Iterator[tuple[str, tuple[str, str]]]:
    """Yields path from the top and blob ids before and after ("" for none) for all in which two trees differ."""
    parts = iter(repository.run("diff-tree", "-r", "-z", "--raw", "--no-renames", base, tree).split(b"\0")[:-1])
    for head, name in zip(parts, parts, strict=True):
        _, _, old, new, _ = head.decode().split(" ")
        blank = repository.no_object
        yield name.decode("utf-8", "surrogateescape"), ("" if old == blank else old, "" if new == blank else new)


def _spill(path: str, data: bytes) -> None:
    try:
        with open(path, "wb") as file:
            file.write(data)
    except OSError as error:
        raise disk.named(error, path) from error

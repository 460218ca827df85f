"""The user's index, and what git would do to a file on its way there: looked at, and changed for a few paths alone."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from engram.errors import GitFiltered, NoteStaged
from engram.store.gitparse import Tracked

if TYPE_CHECKING:
    from engram.store.git import Repository


def check_unfiltered(repository: Repository, paths: Collection[str]) -> None:
    """Raises GitFiltered where git would send one of these files through a program (encryption, large files)."""
    data = b"".join(_utf8(repository.at_top(path)) + b"\0" for path in paths)
    answers = repository.run("check-attr", "-z", "--stdin", "filter", data=data).split(b"\0")
    for path, name in zip(answers[0::3], answers[2::3], strict=False):
        driver = name.decode("utf-8", "replace")
        if driver in repository.filters:
            raise GitFiltered(f"{path.decode('utf-8', 'replace')} goes through git's filter {driver!r}")


def staged_after(
    index: Mapping[str, Tracked | None], path: str, before: tuple[str, str], after: tuple[str, str], empty: str
) -> str | None:
    """Returns the blob id that the user's index gets for a path, "" for none; None where it stays as it is.

    ``before`` and ``after``: what HEAD and what the folder holds. The index moves with whichever of the two it equals.
    ``empty``: the id of the empty blob, which stands for a file that was announced (``git add -N``) and not yet added.
    Raises NoteStaged where it holds a third version, which would be lost.
    """
    entry = index.get(path)
    if path in index and entry is None:
        raise NoteStaged(f"{path} has conflicts in the store's index", place=path)
    now = entry.id if entry else ""
    if now == after[0]:
        return None
    if now == empty and not before[0]:
        return after[0]
    for old, new in zip(before, after, strict=True):
        if now == old:
            return new
    raise NoteStaged(f"the store's index holds another version of {path}, which is neither committed nor in the folder",
                     place=path)  # fmt: skip


def settle(repository: Repository, entries: Mapping[str, Tracked | None]) -> None:
    """Puts entries into the user's index, None to remove, and leaves every other one as it is. Raises GitLocked."""
    if not entries:
        return
    repository.run("update-index", "-z", "--index-info", data=index_info(repository, entries))
    standing = [path for path, entry in entries.items() if entry]
    if standing:  # so that `git status` needs to read none of them again
        data = b"".join(_utf8(repository.at_top(path)) + b"\0" for path in standing)
        repository.run("add", "--refresh", "--pathspec-from-file=-", "--pathspec-file-nul", data=data, ok=(0, 1, 128))


def index_info(repository: Repository, entries: Mapping[str, Tracked | None]) -> bytes:
    """Returns entries, None to remove one, as ``git update-index -z --index-info`` reads them."""
    lines = [
        f"{entry.mode if entry else 0} {entry.id if entry else repository.no_object}\t{repository.at_top(path)}\0"
        for path, entry in entries.items()
    ]
    return "".join(lines).encode("utf-8", "surrogateescape")


def _utf8(path: str) -> bytes:
    """Returns a path as git keeps it, whatever the system's own encoding is."""
    return path.encode("utf-8", "surrogateescape")

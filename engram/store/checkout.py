"""Finds the main checkout of a repository from any folder of it. A few small files tell; no git process runs."""

from __future__ import annotations

import ntpath
import posixpath
from collections.abc import Iterator
from types import ModuleType
from typing import Literal, Protocol

Kind = Literal["", "main", "worktree", "foreign"]
"""Outside of any repository; a checkout of its own; a linked worktree; a folder that claims to be one."""


class Probe(Protocol):
    """What the rules ask of the disk. None of it raises."""

    def realpath(self, path: str) -> str:
        """Returns the absolute path with every symlink resolved, whether it exists or not."""
        ...

    def read_text(self, path: str) -> str | None:
        """Returns a file's text; None where there is no readable file."""
        ...

    def is_dir(self, path: str) -> bool:
        """Tells whether a folder stands there."""
        ...


def main_root(cwd: str, probe: Probe) -> str:
    """Returns the main checkout's folder for any folder of a repository; the folder itself outside of one.

    A linked worktree counts as one only where the repository knows it too: a ``.git`` file that merely points at
    another project's repository must not reach that project's memory. Of a bare repository with worktrees it is the
    repository's own folder. A submodule is a repository of its own.
    """
    return checkout(probe.realpath(cwd), probe)[1]


def checkout(cwd: str, probe: Probe) -> tuple[str, str, Kind]:
    """Returns the top of the work tree around a folder, the main checkout's, and how they hang together."""
    paths = flavour(cwd)
    for folder in upwards(cwd):
        marker = paths.join(folder, ".git")
        if probe.is_dir(marker):
            return folder, folder, "main"
        if (text := probe.read_text(marker)) is not None:
            main, kind = _behind(folder, text, probe)
            return folder, main, kind
    return cwd, cwd, ""


def _behind(folder: str, text: str, probe: Probe) -> tuple[str, Kind]:
    """Returns the main checkout's folder behind a ``.git`` file, and what kind of work tree the file's folder is."""
    paths = flavour(folder)
    if not text.startswith("gitdir:"):
        return folder, "main"
    git_dir = probe.realpath(paths.join(folder, text[len("gitdir:") :].strip()))
    shared = probe.read_text(paths.join(git_dir, "commondir"))
    if shared is None:  # a submodule, or a repository whose .git was put elsewhere
        return folder, "main"
    common = probe.realpath(paths.join(git_dir, shared.strip()))
    back = probe.read_text(paths.join(git_dir, "gitdir"))
    known = paths.dirname(git_dir) == paths.join(common, "worktrees") and back is not None
    if not known or probe.realpath(paths.join(git_dir, (back or "").strip())) != paths.join(folder, ".git"):
        return folder, "foreign"
    return (paths.dirname(common) if paths.basename(common) == ".git" else common), "worktree"


def upwards(folder: str) -> Iterator[str]:
    """Yields a folder and every one above it."""
    paths = flavour(folder)
    while True:
        yield folder
        above = str(paths.dirname(folder))
        if above == folder:
            return
        folder = above


def flavour(path: str) -> ModuleType:
    """Returns the rules for paths that look like this one, whichever platform the code runs on."""
    return ntpath if path[1:3] in (":\\", ":/") or path.startswith("\\\\") else posixpath

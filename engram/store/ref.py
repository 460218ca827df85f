"""Where HEAD stands, read from a repository's own files; and what it holds, by one git process with a time limit.

On the hot path of the prompt hook: no process is started to see that nothing moved.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_HEX = frozenset("0123456789abcdef")
_OWN = ("refs/bisect/", "refs/worktree/", "refs/rewritten/")
"""Refs that each worktree has for itself."""

_INVALID = "refs/heads/.invalid"
"""What HEAD's file names where the refs stand in another format (reftable) than files."""


def head_of(root: str, *, enclosing: bool = False) -> tuple[str, str] | None:
    """Returns the branch that HEAD names and its commit, as `store.git.Repository.head` would; no process runs.

    ``("", "")`` where the folder is not versioned; the branch is "" where HEAD is detached, the commit "" before the
    first one. None where these files don't tell: another ref format, a file that can't be read, no repository at all.
    ``enclosing``: a repository around the folder counts as well.
    """
    try:
        found = git_dir_of(root, enclosing=enclosing)
        return ("", "") if not found else _head(found, _common(found))
    except (OSError, ValueError):
        return None


def mark_of(root: str, *, enclosing: bool = False) -> str | None:
    """Returns a text that changes whenever HEAD moves; "" where nothing is versioned, None where nobody knows."""
    head = head_of(root, enclosing=enclosing)
    if head is not None:
        return " ".join(head).strip()
    try:
        found = git_dir_of(root, enclosing=enclosing)
        if found and _text(os.path.join(found, "HEAD")).strip() == f"ref: {_INVALID}":
            tables = [_text(os.path.join(one, "reftable", "tables.list")) for one in {found, _common(found)}]
            return " ".join(sorted(" ".join(tables).split()))
    except (OSError, ValueError):
        pass
    return None


def git_dir_of(root: str, *, enclosing: bool = False) -> str:
    """Returns the git folder of a store; "" where it has none of its own. Raises OSError, ValueError."""
    folder = os.path.realpath(root)
    while True:
        marker = os.path.join(folder, ".git")
        if os.path.isdir(marker):
            return marker
        if os.path.lexists(marker):
            text = _text(marker)
            if not text.startswith("gitdir:"):
                raise ValueError(f"{marker} names no folder")
            return os.path.join(folder, text[len("gitdir:") :].strip())
        above = os.path.dirname(folder)
        if not enclosing or above == folder:
            return ""
        folder = above


def blobs_at(root: str, revision: str, env: Mapping[str, str], seconds: float) -> dict[str, str] | None:
    """Returns the notes that a commit holds of a store: path to blob id. None where git can't tell in time.

    ``revision``: a commit's id, or ``HEAD``. The process is ended when the time is over, and waited for.
    """
    import subprocess  # noqa: PLC0415 - only where HEAD moved

    from engram.store.gitenv import ADDED, NEUTRAL, scrub  # noqa: PLC0415 - only where HEAD moved

    own = dict(env)
    scrub(own)
    hidden: dict[str, Any] = {}
    if sys.platform == "win32":
        hidden["creationflags"] = subprocess.CREATE_NO_WINDOW
    command = ["git", "-C", root, *NEUTRAL, "ls-tree", "-r", "-z", revision]
    try:
        done = subprocess.run(
            command, env={**own, **ADDED}, stdin=subprocess.DEVNULL, capture_output=True, timeout=seconds, check=False,
            **hidden,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return None
    if done.returncode != 0:
        return None
    found: dict[str, str] = {}
    for record in done.stdout.split(b"\0"):
        words, _, name = record.partition(b"\t")
        mode, _, rest = words.partition(b" ")
        if name.endswith(b".md") and mode in (b"100644", b"100755"):
            try:
                found[name.decode("utf-8")] = rest.rpartition(b" ")[2].decode("ascii")
            except UnicodeDecodeError:
                continue
    return found


def _head(git_dir: str, common: str) -> tuple[str, str] | None:
    text = _text(os.path.join(git_dir, "HEAD")).strip()
    if not text.startswith("ref:"):
        return ("", text) if _is_id(text) else None
    branch = name = text[4:].strip()
    for _ in range(5):  # as deep as git follows one symbolic ref after the other
        if name == _INVALID or not name.startswith("refs/") or ".." in name or "\0" in name:
            return None
        value = _value(git_dir if name.startswith(_OWN) else common, name)
        if not value.startswith("ref:"):
            return (branch, value) if not value or _is_id(value) else None
        branch = name = value[4:].strip()
    return None


def _value(folder: str, name: str) -> str:
    """Returns what a ref holds, from its own file or from ``packed-refs``; "" where it isn't there (yet)."""
    try:
        return _text(os.path.join(folder, *name.split("/"))).strip()
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        pass
    except PermissionError:
        if not os.path.isdir(os.path.join(folder, *name.split("/"))):  # Windows says so of a folder
            raise
    try:
        packed = _text(os.path.join(folder, "packed-refs"))
    except FileNotFoundError:
        return ""
    end = packed.find(f" {name}\n")
    return "" if end < 0 else packed[packed.rfind("\n", 0, end) + 1 : end]


def _common(git_dir: str) -> str:
    """Returns the folder that all worktrees of a repository share."""
    try:
        named = _text(os.path.join(git_dir, "commondir")).strip()
    except FileNotFoundError:
        return git_dir
    return os.path.join(git_dir, named)


def _is_id(text: str) -> bool:
    return len(text) in (40, 64) and _HEX.issuperset(text)


def _text(path: str) -> str:
    with open(path, encoding="utf-8", errors="surrogateescape", newline="\n") as file:
        return file.read()


def object_format(root: str) -> str:
    """Returns ``sha256`` where a store's own repository uses it, else ``sha1``, as git does by default."""
    try:
        found = git_dir_of(root, enclosing=True)
        settings = _text(os.path.join(_common(found), "config")).lower() if found else ""
    except (OSError, ValueError):
        return "sha1"
    words = "".join(settings.split())
    return "sha256" if "objectformat=sha256" in words else "sha1"

"""What git printed, named: which error a user meets when git refuses. Pure.

git's words are matched in English; every process runs under ``LC_ALL=C``.
"""

from __future__ import annotations

import re

from engram.errors import (
    DiskFull,
    EngramError,
    GitDubiousOwnership,
    GitFailed,
    GitIdentityMissing,
    GitLocked,
    SigningFailed,
    StoreReadOnly,
)
from engram.model.visible import visible_line

_LOCK = re.compile(r"[Uu]nable to create '(?P<path>[^'\n]+\.lock)'")
_OWNER = re.compile(r"dubious ownership in repository at '(?P<path>[^'\n]+)'")
_UNSIGNED = ("failed to sign", "gpg", "signingkey", "signingKey", "ssh-keygen")
_SIGNS: tuple[tuple[type[EngramError], str, tuple[str, ...]], ...] = (
    (DiskFull, "no space left for git", ("No space left on device", "isk quota exceeded")),
    (
        StoreReadOnly,
        "git can't write",
        ("insufficient permission", "Permission denied", "Read-only file system", "Operation not permitted"),
    ),
    (
        GitIdentityMissing,
        "git has no name and address for a commit",
        ("tell me who you are", "empty ident name", "unable to auto-detect", "no email was given", "no name was given"),
    ),
)


def named(command: str, status: int, stderr: str) -> EngramError:
    """Returns the error for a git command that ended with ``status`` and printed ``stderr``.

    The message holds git's own first telling line, with nothing hidden in it.
    """
    said = visible_line(telling_line(stderr))
    if match := _OWNER.search(stderr):
        return dubious(match["path"])
    if (match := _LOCK.search(stderr)) and "File exists" in stderr:
        return locked(match["path"])
    if command == "commit-tree" and any(words in stderr for words in _UNSIGNED):
        return SigningFailed(f"the commit could not be signed, so nothing was committed: {said}")
    for kind, lead, signs in _SIGNS:
        if any(words in stderr for words in signs):
            return kind(f"{lead}: {said}")
    return GitFailed(f"git {command} failed ({status}): {said or 'it said nothing'}")


def dubious(path: str) -> GitDubiousOwnership:
    """Returns the error for a repository that belongs to someone else."""
    shown = visible_line(path)
    return GitDubiousOwnership(
        f"{shown} belongs to another user, and git won't work in it",
        hint=f"if you trust it: git config --global --add safe.directory {shown}",
        place=path,
    )


def locked(path: str) -> GitLocked:
    """Returns the error for a lock file of git's that another process holds or left."""
    shown = visible_line(path)
    return GitLocked(
        f"another git is at work in the store, or died there: {shown} exists",
        hint=f"wait for it to end; if no git is running, remove {shown}",
        place=path,
    )


def telling_line(stderr: str) -> str:
    """Returns the first line that says what went wrong, without ``fatal:``; "" where there is none."""
    lines = [line.strip() for line in stderr.splitlines() if line.strip()]
    best = [line for line in lines if line.startswith(("fatal:", "error:"))] or lines
    return re.sub(r"^(fatal|error): ", "", best[0]) if best else ""

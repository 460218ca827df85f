"""Whether a repository can be committed to right now: what stands in its folder tells."""

from __future__ import annotations

import os
import time

from engram.errors import GitBusy, GitDetached
from engram.store import giterrors

PATIENCE = 1.0
"""Seconds to wait for a lock that another git holds: an editor's `git status` takes one for a moment."""

UNDER_WAY = {
    "MERGE_HEAD": "a merge", "rebase-merge": "a rebase", "rebase-apply": "a rebase",
    "CHERRY_PICK_HEAD": "a cherry-pick", "REVERT_HEAD": "a revert", "sequencer": "a cherry-pick or revert",
    "BISECT_LOG": "a bisection",
}  # fmt: skip
"""What git keeps while something is under way, and what that is."""


def check(git_dir: str, common_dir: str, ref: str) -> None:
    """Raises GitDetached, GitBusy or GitLocked where a commit to ``ref`` ("": none) would be out of place."""
    for name, what in UNDER_WAY.items():
        if os.path.lexists(os.path.join(git_dir, name)):
            raise GitBusy(f"{what} is under way in the store", place=os.path.join(git_dir, name))
    if not ref:
        raise GitDetached("the store's HEAD is detached: a commit there would belong to no branch", place=git_dir)
    locks = [os.path.join(git_dir, "index.lock"), os.path.join(git_dir, "HEAD.lock"), f"{common_dir}/{ref}.lock"]
    deadline = time.monotonic() + PATIENCE
    while held := [path for path in locks if os.path.lexists(path)]:
        if time.monotonic() >= deadline:
            raise giterrors.locked(held[0])
        time.sleep(0.05)

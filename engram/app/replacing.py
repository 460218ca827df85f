"""Carries plans for agents' settings out: all files or none, each whole, and none that changed since the diff."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import suppress

from engram import disk
from engram.app.adapted import FOLDER, save
from engram.app.adapting import Change, Plan
from engram.app.context import Context
from engram.disk import read_bytes
from engram.errors import SettingsChanged


def carry_out(context: Context, plans: Sequence[Plan], step: Callable[[str], object] = str) -> None:
    """Makes every change of the plans; where one fails, those before it are taken back.

    What stood there before is remembered first: a process that is killed in between leaves each file old or new, and
    the next run goes on from there. ``step`` is told each path before it is touched.
    Raises SettingsChanged, StoreReadOnly, DiskFull.
    """
    folder = context.prepared(FOLDER)
    done: list[Change] = []
    with disk.lock(os.path.join(folder, "lock")):
        for plan in plans:
            _compare([change for change in plan.changes if not _stands(change)])
            save(context, plan.name, plan.first)
        try:
            for plan in plans:
                for change in plan.changes:
                    if _stands(change):  # another of the plans, by a folder that two agents share
                        continue
                    step(change.path)
                    _change(change)
                    done.append(change)
                save(context, plan.name, plan.last)
        except BaseException:
            _take_back(done)
            raise


def _stands(change: Change) -> bool:
    return read_bytes(change.path) == change.after


def _compare(changes: Sequence[Change]) -> None:
    for change in changes:
        if read_bytes(change.path) != change.before:
            raise SettingsChanged(f"{change.path} changed since the diff was made", place=change.path)


def _change(change: Change) -> None:
    """Makes one change. Raises SettingsChanged where the file is no longer the one that was shown."""
    if change.after is None:
        _compare([change])
        try:
            os.unlink(change.path)
        except OSError as error:
            raise disk.named(error, change.path) from error
        for folder in reversed(change.folders):
            with suppress(OSError):  # somebody else's file is in it, or it is gone
                os.rmdir(folder)
        return
    try:
        os.makedirs(os.path.dirname(change.path), exist_ok=True)
    except OSError as error:
        raise disk.named(error, change.path) from error
    disk.write_whole(change.path, change.after, last_look=lambda: _compare([change]))


def _take_back(done: Sequence[Change]) -> None:
    for change in reversed(done):
        with suppress(OSError, SettingsChanged):  # what somebody changed meanwhile is theirs
            _change(Change(change.path, change.after, change.before, change.folders))

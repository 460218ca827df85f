"""What a commit is about to do, on disk before it does it: enough to finish it, whatever ends the process.

One JSON file in the store's machine-local folder. It is there from right before the branch moves until the folder and
the user's index have followed; outside of a running commit it means that one was interrupted.
"""

from __future__ import annotations

import base64
import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from engram import disk

_VERSION = 1


@dataclass(frozen=True, slots=True)
class Step:
    """Is one file: the ids of the blobs it was ("" for none), in HEAD and in the folder, and the bytes it becomes."""

    path: str
    head_before: str
    work_before: str
    head_after: bytes | None
    work_after: bytes | None


@dataclass(frozen=True, slots=True)
class Intent:
    """Is one commit: the branch it moves, from where ("" before the first commit), to where, and every file."""

    ref: str
    old: str
    new: str
    pid: int
    """The process that wrote it: temporary files carry its number."""
    steps: tuple[Step, ...]

    @property
    def paths(self) -> tuple[str, ...]:
        return tuple(step.path for step in self.steps)


class Damaged(Exception):
    """The file is there and can't be understood."""


def path_in(folder: str) -> str:
    """Returns where a machine-local folder keeps its intent."""
    return os.path.join(folder, "intent.json")


def put(folder: str, intent: Intent) -> None:
    """Writes the intent, whole and lasting. Raises DiskFull, StoreReadOnly."""
    steps = [
        {
            "path": step.path,
            "head_before": step.head_before,
            "work_before": step.work_before,
            "head_after": _packed(step.head_after),
            "work_after": _packed(step.work_after),
        }
        for step in intent.steps
    ]
    said = {
        "version": _VERSION, "ref": intent.ref, "old": intent.old, "new": intent.new, "pid": intent.pid, "steps": steps,
    }  # fmt: skip
    disk.write_whole(path_in(folder), json.dumps(said).encode("ascii"))


def take(folder: str, inside: Callable[[str], bool]) -> Intent | None:
    """Returns the intent that stands; None where none does. ``inside`` tells which paths belong to the store.

    Raises Damaged where it can't be understood, or reaches further than the store.
    """
    data = disk.read_bytes(path_in(folder))
    if data is None:
        return None
    try:
        said = json.loads(data)
        steps = tuple(_step(step) for step in {_VERSION: said["steps"]}[said["version"]])
        intent = Intent(str(said["ref"]), str(said["old"]), str(said["new"]), int(said["pid"]), steps)
    except (ValueError, KeyError, TypeError) as error:
        raise Damaged(path_in(folder)) from error
    if not all(inside(path) for path in intent.paths):
        raise Damaged(path_in(folder))
    return intent


def drop(folder: str) -> None:
    """Removes the intent: there is nothing left to finish."""
    try:
        os.unlink(path_in(folder))
    except FileNotFoundError:
        return
    disk.sync_folder(folder)


def set_aside(folder: str) -> str:
    """Moves an intent that can't be understood out of the way; returns where it is now."""
    aside = f"{path_in(folder)}.damaged"
    os.replace(path_in(folder), aside)
    return aside


def _step(said: Mapping[str, Any]) -> Step:
    head_before, work_before = str(said["head_before"]), str(said["work_before"])
    return Step(
        str(said["path"]), head_before, work_before, _unpacked(said["head_after"]), _unpacked(said["work_after"])
    )


def _packed(data: bytes | None) -> str | None:
    return None if data is None else base64.b64encode(data).decode("ascii")


def _unpacked(text: str | None) -> bytes | None:
    return None if text is None else base64.b64decode(text, validate=True)

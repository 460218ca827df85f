"""Once: several agents run hooks that were written for another, so that one event may start two of ours. One speaks.

A marker per event in ``$ENGRAM_HOME/.engram/once``: whoever makes it speaks. It holds for a while, since the same event
may come again later: a session is resumed twice, a person types the same words. An event that names its turn or its
time can't be mistaken for another within a minute; of others (a session's start) only those at the same moment count
as one.

On the hot path of every hook: the standard library alone, and little of it.
"""

from __future__ import annotations

import os
from time import time

from engram.disk import private_folder
from engram.queue import id_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engram.capture.heard import Heard

HOLDS = 50.0
"""Seconds; less than the minute that a time is told within."""
MOMENT = 4.0
SUFFIX = ".once"


def folder_in(engram_home: str) -> str:
    """Returns where a home keeps its markers."""
    return os.path.join(engram_home, ".engram", "once")


def claimed(engram_home: str, heard: Heard) -> bool:
    """Tells whether this process is the one that may speak to an event. Where no marker can be made, it is."""
    dated = heard.turn or heard.tool_use_id or not heard.stamp.startswith("/")
    whose = heard.session or heard.cwd
    parts = (whose, heard.turn, heard.tool_use_id, heard.source, heard.stamp)
    name = id_of(f"{heard.host} {heard.event}", "\0".join(parts)) + SUFFIX
    folder = folder_in(engram_home)
    try:
        return _made(os.path.join(folder, name), HOLDS if dated else MOMENT)
    except FileNotFoundError:
        pass
    except OSError:
        return True
    try:
        private_folder(folder)
        return _made(os.path.join(folder, name), HOLDS if dated else MOMENT)
    except Exception:  # noqa: BLE001 - a home that can't be written; twice is better than never
        return True


def made(path: str) -> bool:
    """Makes an empty file; False where it is there already. Of several processes one gets True. Raises OSError."""
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        return False
    return True


def _made(path: str, seconds: float) -> bool:
    """Makes a marker, or takes one over that is older than it holds. Raises OSError."""
    if made(path):
        return True
    last = os.stat(path)
    if time() - last.st_mtime < seconds:
        return False
    if not made(f"{path[: -len(SUFFIX)]}-{last.st_mtime_ns:x}{SUFFIX}"):  # another takes over the same one just now
        return False
    os.utime(path)
    return True

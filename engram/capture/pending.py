"""`engram pending add`: what an agent runs after each turn of each session.

It is silent and returns 0 whatever happens: a hook that fails is an error message in somebody's work. What went wrong
stands in ``$ENGRAM_HOME/.engram/log/hook.log``.

On the hot path of every hook: the standard library alone, and little of it.
"""

from __future__ import annotations

import os

from engram.capture.classify import event_of
from engram.capture.faults import note_fault, now_text
from engram.capture.stdin import read_json
from engram.model.event import engram_home
from engram.queue import append, folder_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

STDIN_SECONDS = 1.0
STDIN_LIMIT = 16 << 20


def add(arguments: Sequence[str], env: Mapping[str, str], user_home: str) -> int:
    """Queues the session that a hook reports on stdin; 0 whatever happens. ``--host NAME``: the agent that runs it.

    Other arguments are passed over: a hook's command line outlives the version it was written for.
    """
    home = engram_home(env, user_home)
    if not os.path.isabs(home):  # no home directory is known; a relative one would be made in somebody's project
        return 0
    try:
        event = event_of(read_json(0, STDIN_SECONDS, STDIN_LIMIT), env, now_text(), _host(arguments))
        if event is not None:
            append(folder_in(home), event)
    except Exception as error:  # noqa: BLE001 - never in the way of the work
        note_fault(home, "pending add", f"{type(error).__name__}: {error}")
    return 0


def _host(arguments: Sequence[str]) -> str:
    for at, argument in enumerate(arguments):
        if argument == "--host":
            return "".join(arguments[at + 1 : at + 2])
        if argument.startswith("--host="):
            return argument[7:]
    return ""

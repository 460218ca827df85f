"""`engram pending add`: what an agent ran after each turn of each session before `engram hook` served every event.

It is silent and returns 0 whatever happens: a hook that fails is an error message in somebody's work. What went wrong
stands in ``$ENGRAM_HOME/.engram/log/hook.log``.

On the hot path of every hook: the standard library alone, and little of it.
"""

from __future__ import annotations

import os

from engram.capture.faults import note_fault, now_text
from engram.capture.heard import RESTING, event_in, heard_of, host_in
from engram.capture.stdin import read_json
from engram.model.event import TURN_END, engram_home
from engram.queue import append, folder_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from engram.capture.heard import Heard

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
        payload = read_json(0, STDIN_SECONDS, STDIN_LIMIT)
        heard = heard_of(payload, env, host_in(arguments), unnamed=TURN_END)
        if heard is not None:
            put(heard, home)
    except Exception as error:  # noqa: BLE001 - never in the way of the work
        note_fault(home, "pending add", f"{type(error).__name__}: {error}")
    return 0


def put(heard: Heard, home: str) -> None:
    """Queues the session that came to rest; does nothing where none did, or where it has no id.

    A stop with ``stop_hook_active`` is queued as any other: engram never makes a session go on, so there is no
    recursion to break, and the work done since the first stop belongs to the session. Raises what the queue raises.
    """
    if heard.event in RESTING and heard.session:
        append(folder_in(home), event_in(heard, now_text()))

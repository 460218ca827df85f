"""The log of the hooks: what went wrong where nobody may be troubled with it.

On the hot path of every hook: the standard library alone, and little of it.
"""

from __future__ import annotations

import os
from time import gmtime, strftime, time_ns

from engram.disk import append_line, private_folder

LOG_LIMIT = 64 << 10


def note_fault(engram_home: str, what: str, words: str) -> None:
    """Adds a line to ``$ENGRAM_HOME/.engram/log/hook.log``. Raises nothing: there is nobody left to tell."""
    try:
        folder = private_folder(os.path.join(engram_home, ".engram", "log"))
        line = f"{now_text()} {what}: {' '.join(words.split())[:400]}"
        append_line(os.path.join(folder, "hook.log"), line, LOG_LIMIT)
    except Exception:  # noqa: BLE001, S110 - where even the log can't be written, nobody can be told
        pass


def now_text() -> str:
    """Returns this moment as ISO text in UTC, to the microsecond."""
    seconds, rest = divmod(time_ns(), 1_000_000_000)
    return f"{strftime('%Y-%m-%dT%H:%M:%S', gmtime(seconds))}.{rest // 1000:06d}Z"

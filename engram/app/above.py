"""Whether a process stands below one that an agent's client marked: in a terminal that an agent opened and cleaned.

Nothing rests on it but the audit. It is known where the system tells the environment of a process (Linux), of what was
started from the client and not handed over to another (a terminal multiplexer that ran before).
"""

from __future__ import annotations

import os

from engram.curate.gate import unattended

_FARTHEST = 64


def agent_above(proc: str = "/proc") -> str:
    """Returns what marks a process above this one as an agent's, in words; "" where none is, or nobody tells."""
    process = os.getppid()
    for _ in range(_FARTHEST):
        if process <= 1:
            break
        try:
            with open(os.path.join(proc, str(process), "environ"), "rb") as file:
                marked = unattended(_environment(file.read()), True)
            with open(os.path.join(proc, str(process), "stat"), "rb") as file:
                process = int(file.read().rpartition(b")")[2].split()[1])
        except (OSError, ValueError, IndexError):
            break
        if marked:
            return marked
    return ""


def _environment(data: bytes) -> dict[str, str]:
    pairs = (entry.partition(b"=") for entry in data.split(b"\0"))
    return {os.fsdecode(name): os.fsdecode(value) for name, sign, value in pairs if sign}

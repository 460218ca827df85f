"""Makes one commit and kills itself after a step: ``python -m tests.crash.child STORE STEP [COUNT]``."""

from __future__ import annotations

import os
import signal
import sys

from engram.curate.commit import apply
from tests.crash.plan import FILES, LINES
from tests.lib.commits import ADA, NOW, plan_of, repository


def die() -> None:
    """Ends the process at once; nothing is cleaned up."""
    if os.name == "nt":
        os._exit(9)
    os.kill(os.getpid(), signal.SIGKILL)


def main(store: str, last: str, count: int) -> None:
    left = count

    def step(name: str) -> None:
        nonlocal left
        left -= name == last
        if not left:
            die()

    plan = plan_of(store, FILES, lines=LINES)
    apply(plan, ADA, repository(store), now=NOW, step=step)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int((*sys.argv[3:], "1")[0]))

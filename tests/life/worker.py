"""One of many who use a store at once. Prints what it did as JSON; what the store refused for now it tries again."""

from __future__ import annotations

import json
import os
import random
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

from engram import queue
from engram.model.event import Event
from tests.lib.cli import context, run
from tests.lib.proposed import add, changeset

TRIES = 200
AGAIN = (4, 3)
"""Exit statuses of a store that moved, or is locked, while the plan was made or waited."""


def main(store: Path, number: int, operations: int) -> None:
    chosen = random.Random(number)
    did: dict[str, int] = {}
    here = context(now=lambda: datetime.now(UTC))
    for turn in range(operations):
        what = chosen.choice(("recall", "queue", "apply", "apply", "hand", "lesson", "sweep"))
        if what == "queue":
            at = f"2026-11-30T11:00:00.{turn:06}Z"
            queue.append(here.folder("queue"), Event("codex", f"s-{number}-{turn}", "", "", at))
        elif what == "hand":
            with open(store / f"hand-{number}.md", "a", encoding="utf-8") as file:
                file.write(f"line {turn}\n")
        else:
            _until_done(store, what, number, turn)
        did[what] = did.get(what, 0) + 1
        if what == "apply":
            did[f"note-{number}-{turn}"] = 1
    print(json.dumps(did))


def _until_done(store: Path, what: str, number: int, turn: int) -> None:
    here = context(now=lambda: datetime.now(UTC))
    text = changeset(add(f"note-{number}-{turn}", f"Fact {number} {turn}."), sessions=[f"a-{number}-{turn}"])
    words, stdin = {
        "recall": (("recall", "fact", "--budget", "200"), ""),
        "lesson": (("lesson", "applied", "check-lock"), ""),
        "sweep": (("sweep",), ""),
        "apply": (("curate", "apply", "-"), text),
    }[what]
    for _ in range(TRIES):
        ran = run(*words, "--dir", str(store), stdin=stdin.encode(), answers=["y"] * 20, at=here)
        if ran.exit == 0:
            return
        if ran.exit not in AGAIN:
            raise SystemExit(f"{what}: exit {ran.exit}\n{ran.out}\n{ran.err}")
        time.sleep(0.02 + 0.05 * random.Random(os.urandom(4)).random())
    raise SystemExit(f"{what} was never done\n{ran.out}\n{ran.err}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))

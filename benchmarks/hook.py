"""How long a hook takes: wall time of `engram pending add` as a ratio to the same interpreter's `-c pass`.

Run as ``python -m benchmarks.hook [ROUNDS] [--json]``. Pairs are interleaved, so that a busy machine slows both; the
ratio is of medians. Bytecode is compiled beforehand into a folder of its own, as an installed package has it.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.table import Row, show
from engram.model.event import Event
from engram.queue import append, folder_in

ROOT = Path(__file__).resolve().parent.parent
LIMIT = 2.5
QUEUED = (1, 1_000)
WRAPPER = """\
import sys
from engram.__main__ import main
if __name__ == '__main__':
    sys.argv[0] = sys.argv[0].removesuffix('.exe')
    sys.exit(main())
"""
"""What pip writes as a console script."""


def payload(session: str) -> bytes:
    """Returns what a Stop hook is given, with a last message of a usual length."""
    return json.dumps({
        "session_id": session,
        "transcript_path": f"/home/ada/.claude/projects/-home-ada-shop/{session}.jsonl",
        "cwd": "/home/ada/shop",
        "prompt_id": "3f84aa94-879d-47e2-a3e7-c58d06491639",
        "permission_mode": "default",
        "hook_event_name": "Stop",
        "stop_hook_active": False,
        "last_assistant_message": "The tests pass again. " * 60,
    }).encode()  # fmt: skip


def seconds(command: Sequence[str], data: bytes, env: Mapping[str, str]) -> float:
    """Returns the wall time of one run. Raises AssertionError where it isn't silent and successful."""
    start = time.perf_counter()
    done = subprocess.run(command, input=data, capture_output=True, env=env, check=False)
    taken = time.perf_counter() - start
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b""), done
    return taken


def ratio(command: Sequence[str], env: Mapping[str, str], rounds: int) -> tuple[float, float, float]:
    """Returns the median times of a bare interpreter and of the command, in seconds, and their ratio."""
    bare, hooked = [], []
    data = payload("9754bf09-92c8-42fe-9854-9ee02567ea27")
    for _ in range(rounds):
        bare.append(seconds([sys.executable, "-c", "pass"], data, env))
        hooked.append(seconds(command, data, env))
    return statistics.median(bare), statistics.median(hooked), statistics.median(hooked) / statistics.median(bare)


def fill(home: Path, count: int) -> None:
    """Queues sessions until ``count`` wait."""
    for number in range(count):
        append(folder_in(str(home)), Event("claude-code", f"session-{number}", "", "", "2026-01-02T03:04:05Z"))


def main(argv: Sequence[str] | None = None) -> int:
    """Prints the ratios; 1 where one is over the limit."""
    arguments = sys.argv[1:] if argv is None else argv
    rounds = next((int(one) for one in arguments if one.isdigit()), 40)
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder, "engram-script.py")
        script.write_text(WRAPPER, encoding="utf-8")
        commands = {
            "python -m engram": [sys.executable, "-m", "engram", "pending", "add"],
            "console script": [sys.executable, str(script), "pending", "add"],
        }
        env = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONPYCACHEPREFIX": str(Path(folder, "bytecode"))}
        for name in ("PYTHONDONTWRITEBYTECODE", "ENGRAM_DISABLE", "ENGRAM_CURATING"):
            env.pop(name, None)
        for count in QUEUED:
            home = Path(folder, f"home-{count}")
            env["ENGRAM_HOME"] = str(home)
            fill(home, count)
            for name, command in commands.items():
                ratio(command, env, 2)  # compiles what isn't
                _bare, hooked, times = ratio(command, env, rounds)
                rows.append({
                    "pending add": name, "queued": count, "ms": round(hooked * 1000, 1), "times pass": round(times, 2),
                    "limit": LIMIT, "over": times > LIMIT,
                })  # fmt: skip
    show(rows, arguments)
    return int(any(row["over"] for row in rows))


if __name__ == "__main__":
    sys.exit(main())

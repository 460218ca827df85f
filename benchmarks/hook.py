"""How long a silent hook takes: wall time as a ratio to the same interpreter's `-c pass`.

Most of what hooks report is answered with silence: a turn's end that is queued (by `engram hook`, and by `engram
pending add` of older settings), and a tool's call that has nothing to do with engram.

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


def payload(session: str, event: str) -> bytes:
    """Returns what a hook is given: a turn's end with a last message of a usual length, or a shell's command."""
    stop = {"stop_hook_active": False, "last_assistant_message": "The tests pass again. " * 60}
    call = {
        "tool_name": "Bash",
        "tool_input": {"command": "cd web && make test 2>&1 | tail -40", "description": "runs the tests"},
        "tool_use_id": "toolu_01",
    }
    return json.dumps({
        "session_id": session,
        "transcript_path": f"/home/ada/.claude/projects/-home-ada-shop/{session}.jsonl",
        "cwd": "/home/ada/shop",
        "prompt_id": "prompt-1",
        "permission_mode": "default",
        "hook_event_name": event,
        **(stop if event == "Stop" else call),
    }).encode()  # fmt: skip


def seconds(command: Sequence[str], data: bytes, env: Mapping[str, str]) -> float:
    """Returns the wall time of one run. Raises AssertionError where it isn't silent and successful."""
    start = time.perf_counter()
    done = subprocess.run(command, input=data, capture_output=True, env=env, check=False)
    taken = time.perf_counter() - start
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b""), done
    return taken


def ratio(command: Sequence[str], data: bytes, env: Mapping[str, str], rounds: int) -> tuple[float, float, float]:
    """Returns the median times of a bare interpreter and of the command, in seconds, and their ratio."""
    bare, hooked = [], []
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
        module, console = [sys.executable, "-m", "engram"], [sys.executable, str(script)]
        commands = {
            ("pending add", "Stop", "python -m"): [*module, "pending", "add"],
            ("pending add", "Stop", "script"): [*console, "pending", "add"],
            ("hook", "Stop", "script"): [*console, "hook"],
            ("hook", "PreToolUse", "script"): [*console, "hook"],
        }
        env = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONPYCACHEPREFIX": str(Path(folder, "bytecode"))}
        for name in ("PYTHONDONTWRITEBYTECODE", "ENGRAM_DISABLE", "ENGRAM_CURATING"):
            env.pop(name, None)
        for count in QUEUED:
            home = Path(folder, f"home-{count}")
            env["ENGRAM_HOME"] = str(home)
            fill(home, count)
            for (name, event, way), command in commands.items():
                data = payload("session-0", event)
                ratio(command, data, env, 2)  # compiles what isn't
                _bare, hooked, times = ratio(command, data, env, rounds)
                rows.append({
                    "command": name, "event": event, "started as": way, "queued": count, "ms": round(hooked * 1000, 1),
                    "times pass": round(times, 2), "limit": LIMIT, "over": times > LIMIT,
                })  # fmt: skip
    show(rows, arguments)
    return int(any(row["over"] for row in rows))


if __name__ == "__main__":
    sys.exit(main())

"""How long recall takes: whole processes as ratios to the same interpreter's `-c pass`, with their peak memory.

Run as ``python -m benchmarks.speed [--all] [--rounds N] [--json]``; ``--all`` adds 50,000 notes. In each round every
command runs once, so that a busy machine slows all; ratios are of medians. Notes of about a hundred words are made
here. The vectors of the stores that are searched are random, under the embedder's own id: comparing them takes what
real ones take; making them is measured on 1,000 notes.

- *prompt*: `engram hook`, the console script that clients run, on a matching prompt, the index warm; *yes*: on a bare
  acknowledgement
- *look*: a process that opens the index, looks at every file, and asks for three words; no numpy
- *fts5*: a process that asks a plain FTS5 table of the same texts, without looking at any file
- *edit*: `engram hook` right after one note was changed
"""

from __future__ import annotations

import json
import os
import random
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.hook import WRAPPER
from benchmarks.table import Row, show
from engram.app.indexing import Limits, Refreshed, Vectors, refresh
from engram.index import embed

ROOT = Path(__file__).resolve().parent.parent
LIMITS = {("prompt", 1_000): 11.0, ("prompt", 10_000): 13.0, ("prompt", 50_000): 35.0, "yes": 3.0}
MOST_MEMORY = 80.0
"""MiB at 10,000 notes."""
MOST_BUILD = 15.0
"""Seconds for the first index of 1,000 notes, vectors included, on two processors."""
MOST_STORES = 60.0
"""Seconds for the first index of the corpus's stores."""
MOST_EDIT = 0.25
"""Seconds that a hook may look for changed notes: one edited note has to fit in."""

LOOK = """
import os, sys
from engram.app.indexing import refresh
index = refresh(sys.argv[1], sys.argv[1] + '/.engram', os.environ).index
print(index.db.execute("SELECT path FROM words JOIN notes ON id = words.rowid WHERE words MATCH ? ORDER BY bm25(words) "
                       "LIMIT 5", ('"deploi" OR "gatewai" OR "port"',)).fetchall())
sys.stdout.flush()
os._exit(0)
"""
LAUNCHER = """
import json, os, subprocess, sys, time
for line in sys.stdin:
    command, data = json.loads(line)
    start = time.perf_counter()
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    process.stdin.write(data.encode())
    process.stdin.close()
    out = process.stdout.read()
    if hasattr(os, 'wait4'):
        _, status, used = os.wait4(process.pid, 0)
        process.returncode, memory = os.waitstatus_to_exitcode(status), used.ru_maxrss
    else:
        process.wait()
        memory = 0
    taken = time.perf_counter() - start
    print(json.dumps([taken, memory, process.returncode, out.decode()]), flush=True)
"""
FTS5 = """
import os, sqlite3, sys
db = sqlite3.connect(sys.argv[1])
print(db.execute("SELECT name FROM notes WHERE notes MATCH ? ORDER BY bm25(notes) LIMIT 5",
                 ('"deploy" OR "gateway" OR "port"',)).fetchall())
sys.stdout.flush()
os._exit(0)
"""

THINGS = [
    "gateway",
    "scheduler",
    "parser",
    "cache",
    "ledger",
    "importer",
    "renderer",
    "queue",
    "login",
    "invoice",
    "webhook",
    "migration",
    "dashboard",
    "compiler",
    "exporter",
    "crawler",
    "notifier",
    "mailer",
    "replica",
    "snapshot",
    "archive",
    "catalogue",
    "pricing",
    "tenant",
    "session",
    "token",
    "schema",
    "worker",
]
ACTS = [
    "restarts",
    "retries",
    "rejects",
    "accepts",
    "rounds",
    "caches",
    "signs",
    "splits",
    "merges",
    "delays",
    "drops",
    "renames",
    "moves",
    "checks",
    "logs",
]
PLACES = [
    "staging",
    "production",
    "the",
    "laptop",
    "the",
    "nightly",
    "job",
    "the",
    "release",
    "branch",
    "the",
    "test",
    "suite",
    "the",
    "second",
    "region",
]
REASONS = (
    "because the driver leaks handles", "since the vendor changed the format", "after the outage in spring",
    "as the customer asked for it", "to keep the bill small", "until the new cluster is ready",
)  # fmt: skip


def text_of(number: int) -> str:
    """Returns a note of about a hundred words; the same number gives the same note."""
    chance = random.Random(number)
    thing = f"{chance.choice(THINGS)}-{number}"
    lines = []
    while sum(line.count(" ") for line in lines) < 90:
        lines.append(
            f"The {chance.choice(THINGS)} of {thing} {chance.choice(ACTS)} on {chance.choice(PLACES)} "
            f"{chance.choice(REASONS)}, at port {chance.randrange(1024, 65535)} or later."
        )
    return (
        f"---\nname: fact-{number}\ndescription: How the {thing} behaves\ntype: reference\nimportance: "
        f"{chance.randrange(1, 10)}\nupdated: 2026-0{chance.randrange(1, 9)}-1{chance.randrange(10)}\n---\n\n"
        + "\n".join(lines)
        + "\n"
    )


class Random:
    """Stands in for an embedder: vectors without meaning, of the same size and under the same id."""

    def __init__(self, like: Any) -> None:
        self.id, self.dim = like.id, like.dim
        import numpy as np  # noqa: PLC0415 - after OPENBLAS_NUM_THREADS is set

        self._chance = np.random.default_rng(1)

    def encode(self, texts: Sequence[str]) -> Any:
        rows = self._chance.standard_normal((len(texts), self.dim), "f4")
        return rows / (rows * rows).sum(axis=1, keepdims=True) ** 0.5


def make_store(root: Path, count: int) -> None:
    """Writes notes that look old, in a repository of their own with all of them committed."""
    root.mkdir(parents=True)
    for number in range(count):
        (root / f"fact-{number}.md").write_text(text_of(number), encoding="utf-8")
    for command in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "start"]):
        who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com", "-c", "gc.auto=0"]
        subprocess.run(["git", *who, *command], cwd=root, check=True)
    for number in range(count):
        os.utime(root / f"fact-{number}.md", (1.7e9, 1.7e9 + number / 1e6))


def make_table(path: Path, count: int) -> None:
    """Writes the same texts into a plain FTS5 table."""
    db = sqlite3.connect(path)
    db.execute("CREATE VIRTUAL TABLE notes USING fts5(name, text)")
    db.executemany("INSERT INTO notes VALUES (?, ?)", ((f"fact-{number}", text_of(number)) for number in range(count)))
    db.commit()
    db.close()


class Launcher:
    """Runs commands from a small process of its own: a child's peak memory begins with that of whoever starts it."""

    def __init__(self, env: Mapping[str, str], cwd: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-S", "-c", LAUNCHER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env, cwd=cwd
        )

    def run(self, command: Sequence[str], data: bytes = b"") -> tuple[float, float, str]:
        """Returns the wall time, the peak memory in MiB (0.0 where the platform doesn't tell) and what was printed."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps([list(command), data.decode()]).encode() + b"\n")
        self._process.stdin.flush()
        taken, memory, status, out = json.loads(self._process.stdout.readline())
        assert status == 0, (command, out)
        return taken, memory / (1024 if sys.platform != "darwin" else 1 << 20), out

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


def prompt(text: str, cwd: Path) -> bytes:
    """Returns what a UserPromptSubmit hook is given, of a session that nobody has seen."""
    session = f"bench-{time.monotonic_ns()}"
    return json.dumps({
        "session_id": session, "transcript_path": f"/home/ada/.claude/projects/-work/{session}.jsonl", "cwd": str(cwd),
        "prompt_id": "prompt-1", "permission_mode": "default", "hook_event_name": "UserPromptSubmit", "prompt": text,
    }).encode()  # fmt: skip


def edit(root: Path, turn: int) -> None:
    """Changes one note."""
    path = root / f"fact-{turn % 90}.md"
    path.write_text(path.read_text(encoding="utf-8") + f"\nSeen again in turn {turn}.\n", encoding="utf-8")


def measured(count: int, folder: Path, like: Any, models: Path, rounds: int) -> list[dict[str, Any]]:
    """Returns the rows for a store of one size."""
    home = folder / f"home-{count}"
    make_store(home, count)
    make_table(folder / f"{count}.db", count)
    env = environment(folder, home)
    stand_in = Random(like)
    given = Vectors(like.id, lambda: stand_in)
    started = time.perf_counter()
    done = refresh(str(home), str(home / ".engram"), env, vectors=given, limits=Limits())
    built = time.perf_counter() - started
    size = os.path.getsize(done.index.path) / (1 << 20)
    done.index.close()
    if models.is_dir():
        shutil.copytree(models, home / ".engram" / "models")
    cwd = folder / "work"
    cwd.mkdir(exist_ok=True)
    script = folder / "engram-script.py"
    script.write_text(WRAPPER, encoding="utf-8")
    hook = [sys.executable, str(script), "hook"]
    words = f"how does the deploy of the gateway-{count // 2} behave on staging, at which port?"
    commands: dict[str, tuple[list[str], Callable[[], bytes]]] = {
        "pass": ([sys.executable, "-c", "pass"], lambda: b""),
        "prompt": (hook, lambda: prompt(words, cwd)),
        "yes": (hook, lambda: prompt("yes, continue", cwd)),
        "look": ([sys.executable, "-c", LOOK, str(home)], lambda: b""),
        "fts5": ([sys.executable, "-c", FTS5, str(folder / f"{count}.db")], lambda: b""),
    }
    launcher = Launcher(env, cwd)
    times: dict[str, list[float]] = {name: [] for name in (*commands, "edit")}
    memory = dict.fromkeys(times, 0.0)
    for turn in range(-2, rounds):  # the first rounds compile what isn't
        for name, (command, data) in commands.items():
            taken, used, out = launcher.run(command, data())
            assert bool(out) == (name in ("look", "fts5")) or name == "prompt", (name, out)
            if turn >= 0:
                times[name].append(taken)
                memory[name] = max(memory[name], used)
    for turn in range(max(3, rounds // 3)):
        edit(home, turn)
        time.sleep(0.2)  # so that the time of the change tells something
        times["edit"].append(launcher.run(hook, prompt(words, cwd))[0])
    launcher.close()
    bare = statistics.median(times.pop("pass"))
    rows = []
    for name, taken in times.items():
        middle = statistics.median(taken)
        limit = LIMITS.get((name, count)) or LIMITS.get(name) or 0.0
        rows.append(
            {
                "what": name,
                "notes": count,
                "ms": round(middle * 1000, 1),
                "times pass": round(middle / bare, 2),
                "limit": limit or "-",
                "MiB": round(memory[name], 1),
                "over": bool(limit and middle / bare > limit) or bool(count == 10_000 and memory[name] > MOST_MEMORY),
            }
        )
    return [*rows, _row("build, words alone", count, built, 0.0, size)]


def built(root: Path, folder: Path, like: Any, count: int, limit: float, what: str) -> Row:
    """Returns the row of a first index with real vectors."""
    from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415 - as the command does

    started = time.perf_counter()
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        done: Refreshed = refresh(
            str(root), str(folder / "state"), os.environ, vectors=Vectors(like.id, lambda: like), rebuild=True,
            limits=Limits(spread=pool.map),
        )  # fmt: skip
    taken = time.perf_counter() - started
    size = os.path.getsize(done.index.path) / (1 << 20)
    done.index.close()
    return _row(what, count or done.read, taken, limit, size)


def refreshed(root: Path, folder: Path, like: Any) -> Row:
    """Returns the row of a refresh after one edit, in this process."""
    times = []
    for turn in range(5):
        edit(root, turn)
        started = time.perf_counter()
        refresh(str(root), str(folder / "state"), os.environ, vectors=Vectors(like.id, lambda: like)).index.close()
        times.append(time.perf_counter() - started)
    return _row("refresh after an edit", 1_000, statistics.median(times), MOST_EDIT, 0.0)


def _row(what: str, count: int, taken: float, limit: float, size: float) -> Row:
    return {
        "what": what,
        "notes": count,
        "ms": round(taken * 1000, 1),
        "times pass": "-",
        "limit": f"{limit:g} s" if limit else "-",
        "MiB": round(size, 1),
        "over": bool(limit and taken > limit),
    }


def environment(folder: Path, home: Path) -> dict[str, str]:
    """Returns the environment of a child: a home of its own, bytecode where it doesn't disturb."""
    env = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONPYCACHEPREFIX": str(folder / "bytecode"), "HOME": str(folder)}
    for name in list(env):
        if name.startswith(("ENGRAM_", "CLAUDE", "GIT_")) or name == "PYTHONDONTWRITEBYTECODE":
            env.pop(name)
    return {**env, "ENGRAM_HOME": str(home)}


def main(argv: Sequence[str] | None = None) -> int:
    """Prints the table; 1 where something is over its limit."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    rounds = int(arguments[arguments.index("--rounds") + 1]) if "--rounds" in arguments else 15
    sizes = [100, 1_000, 10_000, *([50_000] if "--all" in arguments else [])]
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        models = folder / "models"
        like, why = embed.choose(str(models), embed.AUTO, os.environ, hook=False)
        if like is None:
            print(f"NOT MEASURED: no embedder: {why}", file=sys.stderr)
            return 0
        rows: list[Row] = []
        for count in sizes:
            rows += measured(count, folder, like, models, rounds)
        make_store(folder / "fresh", 1_000)
        rows.append(built(folder / "fresh", folder, like, 1_000, MOST_BUILD, "first index"))
        rows.append(refreshed(folder / "fresh", folder, like))
        corpus = Path(os.environ.get("ENGRAM_CORPUS", "")) / "stores"
        if os.environ.get("ENGRAM_CORPUS") and corpus.is_dir():
            shutil.copytree(corpus, folder / "stores")
            rows.append(built(folder / "stores", folder, like, 0, MOST_STORES, "first index, real notes"))
        show(rows, arguments)
    return int(any(row["over"] for row in rows))


if __name__ == "__main__":
    sys.exit(main())

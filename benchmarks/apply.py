"""How long a commit through the gate takes: `engram curate apply` of ten changes against plain git.

Run as ``python -m benchmarks.apply [ROUNDS] [--json]``. Each round sets the same store back and does the same commit
twice, once by engram (the person's yes is put in, since nobody sits there) and once by `git add` and `git commit` of
the same ten files; the ratio is of medians. Both start from a process of their own.
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
from engram.model.note import base_of

ROOT = Path(__file__).resolve().parent.parent
SIZES = (1_000, 10_000)
ANSWERING = """\
import sys
from engram.app.context import real_context
from engram.cli import main
from engram.cli.ui import Ui
context = real_context()
ui = Ui(context.env, sys.stdin, sys.stdout, sys.stderr, answer=lambda question: "y")
sys.exit(main(sys.argv[1:], context=context, ui=ui))
"""
WORDS = tuple(sorted({"build", "deploy", "cache", "queue", "parser", "schema", "release", "token", "worker", "branch"}))


def note(number: int) -> str:
    """Returns a note of about a hundred words, none like another."""
    picked = [WORDS[(number * 7 + k * (number % 11 + 1)) % len(WORDS)] + str((number + k) % 97) for k in range(90)]
    about = f"Fact {number} about {picked[0]} and {picked[1]}"
    head = f"---\nname: fact-{number:05}\ndescription: {about}\ntype: project\n---\n"
    return head + "\n" + " ".join(picked) + f"\n\nsee {number}\n"


def git(store: Path, env: Mapping[str, str], *words: str) -> None:
    subprocess.run(["git", *words], cwd=store, env=env, check=True, capture_output=True)


def build(store: Path, env: Mapping[str, str], size: int) -> None:
    """Makes a store of ``size`` notes in one commit."""
    store.mkdir()
    for number in range(size):
        (store / f"fact-{number:05}.md").write_text(note(number), encoding="utf-8")
    git(store, env, "init", "-q", "-b", "main")
    git(store, env, "add", "-A")
    git(store, env, "commit", "-q", "-m", "start")


def changeset(store: Path) -> str:
    """Returns ten changes: five new notes and five edits."""
    changes: list[dict[str, object]] = []
    common = {"relation": "compatible", "confidence": 0.9, "reason": "learnt", "evidence": []}
    for number in range(5):
        new = {
            "name": f"new-{number}",
            "type": "decision",
            "description": f"A new fact {number}",
            "body": f"Body {number}.",
        }
        changes.append({**common, "op": "ADD", "note": new})
        path = store / f"fact-{number:05}.md"
        edit = {"find": f"see {number}", "replace": f"see also {number}"}
        target = {"target": path.stem, "base": base_of(path.read_bytes()), "edits": [edit]}
        changes.append({**common, "op": "UPDATE", **target})
    return json.dumps({"version": 1, "agent": "bench", "sessions": [], "changes": changes})


def timed(*commands: Sequence[str], cwd: Path, env: Mapping[str, str]) -> float:
    """Returns the wall time of some commands in a row, in seconds."""
    start = time.perf_counter()
    for command in commands:
        subprocess.run(command, cwd=cwd, env=env, check=True, capture_output=True)
    return time.perf_counter() - start


def measured(folder: Path, size: int, rounds: int) -> tuple[float, float]:
    """Returns the median seconds of the commit by engram and by git alone."""
    env = {**os.environ, "HOME": str(folder), "ENGRAM_HOME": str(folder / "home"), "PYTHONPATH": str(ROOT)}
    names = {"GIT_AUTHOR_NAME": "B", "GIT_AUTHOR_EMAIL": "b@example.com", "GIT_CONFIG_NOSYSTEM": "1"}
    env |= {**names, "GIT_COMMITTER_NAME": "B", "GIT_COMMITTER_EMAIL": "b@example.com"}
    store, proposed = folder / f"store-{size}", folder / "changeset.json"
    build(store, env, size)
    proposed.write_text(changeset(store), encoding="utf-8")
    apply = [sys.executable, "-c", ANSWERING, "curate", "apply", str(proposed), "--dir", str(store)]
    ours, plain = [], []
    for _ in range(rounds):
        ours.append(timed(apply, cwd=store, env=env))
        git(store, env, "tag", "-f", "made")
        git(store, env, "reset", "-q", "--hard", "HEAD^")
        made = subprocess.run(
            ["git", "diff", "--name-only", "HEAD", "made"], cwd=store, env=env, check=True, capture_output=True
        )
        paths = made.stdout.decode().split()
        git(store, env, "checkout", "-q", "made", "--", *paths)
        git(store, env, "reset", "-q")
        plain.append(timed(["git", "add", "--", *paths], ["git", "commit", "-q", "-m", "ten"], cwd=store, env=env))
        git(store, env, "reset", "-q", "--hard", "HEAD^")
        git(store, env, "clean", "-fdq", "-e", ".engram")
    return statistics.median(ours), statistics.median(plain)


def main(argv: Sequence[str] | None = None) -> int:
    """Prints the ratios."""
    arguments = sys.argv[1:] if argv is None else argv
    rounds = next((int(one) for one in arguments if one.isdigit()), 5)
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as made:
        for size in SIZES:
            ours, plain = measured(Path(made), size, rounds)
            rows.append({
                "curate apply": "10 changes", "notes": size, "ms": round(ours * 1000), "git, ms": round(plain * 1000),
                "times git": round(ours / plain, 1),
            })  # fmt: skip
    show(rows, arguments)
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Many at once on one store: recall, queue, apply, hand edits, lessons, sweeps. Nothing is lost or counted twice."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from engram import queue
from engram.store.frontmatter import parse
from tests.lib.cli import context, environment, run
from tests.lib.proposed import changeset, noop
from tests.lib.stores import git, make_store, note

pytestmark = pytest.mark.soak
FULL = bool(os.environ.get("ENGRAM_SOAK"))
WRITERS, OPERATIONS = (8, 50) if FULL else (4, 6)
LAPSED = 12


def test_many_at_once_lose_nothing(tmp_path: Path) -> None:
    assert run("config", "set", "recall.embedder", "none").exit == 0
    lapsed = {f"old-{number}.md": note(f"old-{number}", expires="2026-01-01") for number in range(LAPSED)}
    lesson = note("check-lock", "**Mistake:** x", type="lesson", expires="2027-01-01")
    store = make_store(tmp_path / "memory", {"check-lock.md": lesson, **lapsed})
    root = str(Path(__file__).parents[2])
    line = [sys.executable, "-m", "tests.life.worker", str(store)]
    running = [
        subprocess.Popen(
            [*line, str(number), str(OPERATIONS)],
            env={**environment(), "PYTHONPATH": root},
            cwd=root,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )
        for number in range(WRITERS)
    ]
    done = [process.communicate(timeout=1200) for process in running]
    assert [process.returncode for process in running] == [0] * WRITERS, done
    did: Counter[str] = Counter()
    for out, _ in done:
        did.update(json.loads(out))

    assert len(queue.entries(context().folder("queue"))) == did["queue"]
    assert queue.damaged(context().folder("queue")) == ()
    ran = run("curate", "apply", "-", "--dir", str(store), stdin=changeset(noop("x")).encode(), answers=["y"])
    assert ran.exit == 0, ran.err
    assert times_applied(store) == did["lesson"]
    for number in range(WRITERS):
        hand = store / f"hand-{number}.md"
        lines = hand.read_text(encoding="utf-8").splitlines() if hand.exists() else []
        assert all(one.startswith("line ") for one in lines)
    assert sum(len(hand.read_text(encoding="utf-8").splitlines()) for hand in store.glob("hand-*.md")) == did["hand"]
    tracked = set(git(store, "ls-files").split())
    assert {f"{name}.md" for name in did if name.startswith("note-")} <= tracked
    if did["sweep"]:
        assert {f"archive/{name}" for name in lapsed} <= tracked
    assert git(store, "fsck", "--strict", "--no-dangling") == ""
    changed = [one[3:] for one in git(store, "status", "--porcelain").splitlines()]
    assert [one for one in changed if not one.startswith("hand-")] == []
    verdicts = Counter(one["verdict"] for one in run("audit", "--dir", str(store), "--json").json["commits"])
    assert set(verdicts) <= {"approved", "outside"}
    assert verdicts["outside"] == 1  # the one that made the store
    assert not (store / ".engram" / "intent.json").exists()


def times_applied(store: Path) -> int:
    found, _ = parse((store / "check-lock.md").read_bytes(), "check-lock.md")
    assert found is not None
    return int(found.text("times_applied") or 0)

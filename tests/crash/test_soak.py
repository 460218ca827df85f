"""Two writers, killed at random moments. ``ENGRAM_SOAK`` is how often: a few in the ordinary run, 200 in a soak."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from engram.curate.commit import half_made, recover
from engram.errors import GitLocked
from engram.store import history
from tests.crash.writer import is_whole, note
from tests.lib.commits import changed, repository
from tests.lib.stores import git, make_store

KILLS = int(os.environ.get("ENGRAM_SOAK", "10"))
WRITERS = ("one", "two")


class Writer:
    """Is a writer that can be killed, alone or with the git that it runs, and starts again where it was."""

    def __init__(self, root: Path, name: str, approvals: Path) -> None:
        self.root, self.name, self.approvals = root, name, approvals
        self.number = 0
        self.start()

    def start(self) -> None:
        self.number += 1000
        words = [str(self.root), self.name, str(self.number), str(self.approvals)]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.crash.writer", *words],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=os.name == "posix",
        )  # fmt: skip
        assert self.process.stdout is not None
        assert self.process.stdout.readline().strip() == b"ready", self.last_words()

    def kill(self, *, with_git: bool) -> None:
        assert self.process.poll() is None, self.last_words()
        if with_git and os.name == "posix":
            os.killpg(self.process.pid, signal.SIGKILL)
        else:
            self.process.kill()
        self.last_words()

    def last_words(self) -> str:
        """Returns what the ended process printed, and closes its pipes."""
        _, err = self.process.communicate()
        return err.decode("utf-8", "replace")


@pytest.mark.soak
def test_writers_killed_at_random_moments_lose_nothing(tmp_path: Path) -> None:
    seed = random.randrange(2**32)
    print(f"seed {seed}, {KILLS} kills")
    chance = random.Random(seed)
    root = make_store(tmp_path / "s", {"MEMORY.md": "# Memory\n", "shared.md": note("start"), "mine.txt": "1\n"})
    (root / "mine.txt").write_bytes(b"staged\n")
    git(root, "add", "mine.txt")
    approvals = tmp_path / "approvals"
    approvals.mkdir()
    start = git(root, "rev-parse", "HEAD")
    writers = [Writer(root, name, approvals) for name in WRITERS]
    try:
        heads = [start]
        for number in range(KILLS):
            time.sleep(chance.uniform(0.02, 0.25))
            victim = chance.choice(writers)
            victim.kill(with_git=chance.random() < 0.3)
            every_note_is_whole(root)
            heads.append(a_valid_head(root, heads[-1]))
            if number % 20 == 0 and os.name == "posix":
                with standing_still(other for other in writers if other is not victim):
                    assert git(root, "fsck", "--no-dangling", "--no-progress") == ""
            victim.start()
        deadline = time.monotonic() + 60
        while int(git(root, "rev-list", "--count", "HEAD")) < 3 and time.monotonic() < deadline:
            time.sleep(0.1)  # on a slow machine every one of a few kills may have come too early for a commit
    finally:
        for writer in writers:
            if writer.process.poll() is None:
                writer.kill(with_git=False)
    settle(root)
    assert git(root, "status", "--porcelain") == "M  mine.txt"
    assert git(root, "show", ":mine.txt") == "staged"
    assert git(root, "fsck", "--no-dangling", "--no-progress") == ""
    assert not half_made(str(root))
    every_commit_is_the_plan_s_and_approved(root, start, approvals)
    count = int(git(root, "rev-list", "--count", "HEAD"))
    print(f"{count} commits")
    assert count >= 3


@contextmanager
def standing_still(writers: Iterable[Writer]) -> Iterator[None]:
    """Stops writers, git and all, wherever they are.

    A commit that is made while fsck looks seems broken to it.
    """
    groups = [writer.process.pid for writer in writers]
    for group in groups:
        os.killpg(group, signal.SIGSTOP)
    try:
        yield
    finally:
        for group in groups:
            os.killpg(group, signal.SIGCONT)


def every_note_is_whole(root: Path) -> None:
    for path in root.rglob("*.md"):
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            continue
        assert path.name == "MEMORY.md" or is_whole(data), path
        if path.name == "MEMORY.md":
            assert data.startswith(b"# Memory\n")
            assert data.endswith(b"\n")


def a_valid_head(root: Path, earlier: str) -> str:
    head = git(root, "rev-parse", "--verify", "HEAD^{commit}")
    git(root, "merge-base", "--is-ancestor", earlier, head)
    return head


def settle(root: Path) -> None:
    """Does what the errors say until nothing is left to finish."""
    for _ in range(5):
        try:
            recover(str(root), repository(root))
            break
        except GitLocked as error:
            Path(error.place).unlink(missing_ok=True)
    for lock in ("index.lock", "HEAD.lock", "refs/heads/main.lock"):
        (root / ".git" / lock).unlink(missing_ok=True)


def every_commit_is_the_plan_s_and_approved(root: Path, start: str, approvals: Path) -> None:
    for entry in history.log(repository(root)):
        if entry.commit != start:
            assert entry.values("Approved-By") == ("Ada Tester <ada@example.com>",)
            assert entry.values("Approved-Via") == ("terminal",)
            assert {value.removeprefix("EDIT ") for value in entry.values("Engram-Change")} == changed(
                root, entry.commit
            )
            assert (approvals / entry.commit).exists()

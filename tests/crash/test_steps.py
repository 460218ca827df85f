"""Killed after each step of a commit: the store is the old one or the new one, and nobody's work is lost."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from engram.curate.commit import STEPS, half_made, recover
from engram.errors import CommitHalfMade, GitLocked
from engram.store import fit
from tests.crash.plan import AFTER, BEFORE, DIRTY, FILES
from tests.lib.commits import changed, commit, repository, state
from tests.lib.stores import git, make_store

EVERY = [(step, 1) for step in STEPS] + [("file", count) for count in range(2, 1 + len(AFTER))]
MADE = STEPS.index("ref")
"""From this step on the commit is made."""
STAGED = "A  mine-too.txt\nM  mine.txt"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    root = make_store(tmp_path / "s", BEFORE)
    (root / "mine.txt").write_bytes(b"staged\n")
    (root / "mine-too.txt").write_bytes(b"staged too\n")
    git(root, "add", "mine.txt", "mine-too.txt")
    (root / "MEMORY.md").write_bytes(DIRTY)
    return root


def killed(root: Path, step: str, count: int = 1) -> str:
    """Kills a commit after a step; returns HEAD from before it."""
    head = git(root, "rev-parse", "HEAD")
    done = subprocess.run(
        [sys.executable, "-m", "tests.crash.child", str(root), step, str(count)], capture_output=True, check=False
    )
    assert done.returncode in (-9, 9), done.stderr.decode()
    return head


def texts(root: Path) -> dict[str, bytes | None]:
    return {path: (root / path).read_bytes() if (root / path).exists() else None for path in AFTER}


def old(root: Path) -> bool:
    return texts(root) == {**dict.fromkeys(AFTER), **{path: BEFORE.get(path) for path in FILES}, "MEMORY.md": DIRTY}


def whole(root: Path) -> None:
    """Checks that each note is one whole version, and that the repository is sound."""
    for path, text in texts(root).items():
        assert text in (AFTER[path], BEFORE.get(path), DIRTY if path == "MEMORY.md" else None)
    assert git(root, "fsck", "--no-dangling") == ""


@pytest.mark.parametrize(("step", "count"), EVERY)
def test_the_next_run_finds_the_old_state_or_finishes_the_new_one(store: Path, step: str, count: int) -> None:
    head = killed(store, step, count)
    whole(store)
    now = git(store, "rev-parse", "HEAD")
    assert (now == head) is (STEPS.index(step) < MADE)
    words = recover(str(store), repository(store))
    assert bool(words) is (step not in ("done", "locked", "compared", "blobs", "tree", "commit"))
    assert git(store, "rev-parse", "HEAD") == now
    if now == head:
        assert old(store)
    else:
        assert texts(store) == AFTER
        assert changed(store) == set(AFTER)
        assert "Approved-By: Ada Tester" in git(store, "log", "-1", "--format=%B")
    assert git(store, "status", "--porcelain") == f" M MEMORY.md\n{STAGED}"
    whole(store)
    assert recover(str(store), repository(store)) == ""
    assert not half_made(str(store))
    assert not list(store.rglob(".engram-*.tmp"))
    commit(store, {"next.md": b"next\n", "a.md": b"A3\n"})
    assert changed(store) == {"next.md", "a.md"}
    assert git(store, "status", "--porcelain") == f" M MEMORY.md\n{STAGED}"
    assert not (store / ".engram" / "commit").exists()


@pytest.mark.parametrize("step", ["intent", "spent"])
def test_what_was_not_yet_made_never_will_be(store: Path, step: str) -> None:
    head = killed(store, step)
    assert half_made(str(store))
    (store / "a.md").write_bytes(b"by hand\n")
    assert recover(str(store), repository(store))
    assert (git(store, "rev-parse", "HEAD"), (store / "a.md").read_bytes()) == (head, b"by hand\n")


@pytest.mark.parametrize(
    ("path", "later"),
    [
        ("a.md", b"by hand\n"),
        ("a.md", None),
        ("gone.md", b"kept\n"),
        ("deep/er/n é.md", b"mine\n"),
        ("MEMORY.md", b"x\n"),
    ],
)
def test_a_later_change_is_never_overwritten_and_told_once(store: Path, path: str, later: bytes | None) -> None:
    killed(store, "ref")
    if later is None:
        (store / path).unlink()
    else:
        (store / path).parent.mkdir(parents=True, exist_ok=True)
        (store / path).write_bytes(later)
    with pytest.raises(CommitHalfMade) as caught:
        recover(str(store), repository(store))
    assert path in caught.value.message
    assert not {other for other in AFTER if other != path and other in caught.value.message}
    assert texts(store) == {**AFTER, path: later}
    assert recover(str(store), repository(store)) == ""
    # what differs from HEAD now is the later change, as an edit by hand, and the index is HEAD's
    assert git(store, "diff", "--cached", "--name-only") == "mine-too.txt\nmine.txt"
    commit(store, {"next.md": b"next\n"})
    assert texts(store) == {**AFTER, path: later}


def test_a_commit_refuses_once_where_an_earlier_one_can_t_be_finished_whole(store: Path) -> None:
    killed(store, "ref")
    (store / "a.md").write_bytes(b"by hand\n")
    with pytest.raises(CommitHalfMade):
        commit(store, {"next.md": b"next\n"})
    assert not (store / "next.md").exists()
    commit(store, {"next.md": b"next\n"})
    assert changed(store) == {"next.md"}


def test_what_the_user_committed_on_top_stays(store: Path) -> None:
    killed(store, "ref")
    (store / "a.md").write_bytes(b"A\n")
    git(store, "commit", "-qm", "back to A", "a.md")
    recover(str(store), repository(store))
    assert texts(store) == {**AFTER, "a.md": b"A\n"}
    assert git(store, "status", "--porcelain") == f" M MEMORY.md\n{STAGED}"


def test_what_the_user_staged_since_stays(store: Path) -> None:
    killed(store, "files")
    (store / "a.md").write_bytes(b"staged since\n")
    git(store, "add", "a.md")
    with pytest.raises(CommitHalfMade):
        recover(str(store), repository(store))
    assert git(store, "show", ":a.md") == "staged since"


def test_a_commit_that_was_reset_away_is_not_brought_back(store: Path) -> None:
    head = killed(store, "ref")
    git(store, "reset", "-q", "--soft", head)
    before = state(store)
    assert "as it was" in recover(str(store), repository(store))
    assert state(store) == {**before, "intent": False}


@pytest.mark.skipif(sys.platform == "win32", reason="making a symlink needs a privilege there")
def test_a_link_that_came_in_the_way_is_not_followed(store: Path, tmp_path: Path) -> None:
    killed(store, "ref")
    (tmp_path / "outside.md").write_bytes(b"A\n")
    (store / "a.md").unlink()
    (store / "a.md").symlink_to(tmp_path / "outside.md")
    with pytest.raises(CommitHalfMade):
        recover(str(store), repository(store))
    assert (tmp_path / "outside.md").read_bytes() == b"A\n"


def test_a_locked_index_leaves_the_rest_for_later(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    killed(store, "ref")
    (store / ".git" / "index.lock").touch()
    monkeypatch.setattr(fit, "PATIENCE", 0.1)
    with pytest.raises(GitLocked):
        recover(str(store), repository(store))
    (store / ".git" / "index.lock").unlink()
    assert recover(str(store), repository(store))
    assert git(store, "status", "--porcelain") == f" M MEMORY.md\n{STAGED}"


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"null", b'{"version": 99}', b"\xff\x00"])
def test_a_damaged_intent_is_set_aside_and_told_once(store: Path, data: bytes) -> None:
    (store / ".engram").mkdir()
    (store / ".engram" / "intent.json").write_bytes(data)
    before = {**state(store), "intent": False}
    with pytest.raises(CommitHalfMade):
        recover(str(store), repository(store))
    assert recover(str(store), repository(store)) == ""
    assert state(store) == before


@pytest.mark.parametrize("path", [".git/config", "../outside.md", "/tmp/outside.md", ".engram/lock"])
def test_a_forged_intent_reaches_nothing_but_notes(store: Path, tmp_path: Path, path: str) -> None:
    killed(store, "ref")
    intent = store / ".engram" / "intent.json"
    said = json.loads(intent.read_text(encoding="utf-8"))
    said["steps"] = [{**said["steps"][0], "path": path, "head_after": None, "work_before": ""}]
    intent.write_text(json.dumps(said), encoding="utf-8")
    config = (store / ".git" / "config").read_bytes()
    with pytest.raises(CommitHalfMade):
        recover(str(store), repository(store))
    assert (store / ".git" / "config").read_bytes() == config
    assert not (tmp_path / "outside.md").exists()


def test_a_folder_without_a_repository_has_nothing_to_finish(tmp_path: Path) -> None:
    assert recover(str(tmp_path), None) == ""
    assert list(tmp_path.iterdir()) == []

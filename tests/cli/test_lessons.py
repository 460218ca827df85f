"""Lessons' uses: recorded without a commit, counted once by the next curation, whoever is killed when."""

from __future__ import annotations

import subprocess
from datetime import timedelta
from pathlib import Path

import pytest

from engram.app import uses
from engram.curate import approvals
from engram.model.note import Note
from engram.store.frontmatter import parse
from tests.lib.cli import NOW, Ran, command_line, context, environment, run
from tests.lib.proposed import add, changeset, invalidate, noop, update
from tests.lib.stores import everything, git, make_store, note

LESSON = note("check-lock", "**Mistake:** x\n", type="lesson", expires="2027-01-01", times_applied="3")


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return make_store(
        tmp_path / "memory",
        {"check-lock.md": LESSON, "locked.md": note("locked", type="lesson", protected="true"), "a.md": note("a")},
    )


def applied(store: Path, name: str = "check-lock", days: int = 0) -> Ran:
    at = context(now=lambda: NOW + timedelta(days=days))
    return run("lesson", "applied", name, "--dir", str(store), "--agent", "codex", at=at)


def curated(store: Path, *changes: dict, days: int = 1, answers: tuple[str, ...] = ("y",)) -> Ran:
    at = context(now=lambda: NOW + timedelta(days=days))
    text = changeset(*(changes or (noop("a"),)))
    return run("curate", "apply", "-", "--dir", str(store), stdin=text.encode(), answers=answers, at=at)


def read(store: Path, path: str = "check-lock.md") -> Note:
    found, _ = parse((store / path).read_bytes(), path)
    assert found is not None
    return found


def test_a_use_is_no_commit_and_the_next_curation_counts_it(store: Path) -> None:
    before = everything(store)
    assert applied(store).out == "recorded; 1 use of check-lock waits to be counted\n"
    assert applied(store, days=1).exit == 0
    assert everything(store) == before
    ran = curated(store, add("new"))
    assert ran.exit == 0, ran.err
    assert "engram adds: APPLIED check-lock" in " ".join(ran.out.split())
    after = (store / "check-lock.md").read_text(encoding="utf-8")
    assert after == LESSON.replace("times_applied: 3", "times_applied: 5").replace(
        "expires: 2027-01-01", "expires: 2027-12-01"
    ).replace("\n---\n\n", "\nlast_applied: 2026-12-01\n---\n\n", 1)
    message = git(store, "log", "-1", "--format=%B")
    assert "Engram-Change: APPLIED check-lock.md" in message
    assert len(message.split("Engram-Uses: ")[1].split("\n")[0].split()) == 2


def test_a_use_is_counted_once(store: Path) -> None:
    applied(store)
    assert curated(store).exit == 0
    assert read(store).fields["times_applied"] == "4"
    assert "APPLIED" not in curated(store, add("b"), days=2).out
    assert read(store).fields["times_applied"] == "4"
    assert uses.pending(context(), str(store), None) == ()  # what a commit names is let go


def test_a_refused_curation_loses_no_use(store: Path) -> None:
    applied(store)
    assert curated(store, add("b"), answers=("n",)).exit == 3
    assert curated(store, add("c"), days=2).exit == 0
    assert read(store).fields["times_applied"] == "4"


def test_a_use_after_the_proposal_waits_for_the_next_one(store: Path) -> None:
    applied(store)
    ran = run("curate", "apply", "-", "--dir", str(store), stdin=changeset(add("b")).encode())
    assert ran.exit == 3
    (plan,) = run("review", "--list", "--json").json["plans"]
    applied(store, days=1)
    (again,) = run("review", "--list", "--json").json["plans"]
    assert again["digest"] == plan["digest"]
    assert run("review", plan["digest"], answers=["y"]).exit == 0
    assert read(store).fields["times_applied"] == "4"


def test_beside_a_change_of_the_lesson_itself(store: Path) -> None:
    applied(store)
    change = update(store, "check-lock.md", set={"description": "Look at the lock first"})
    assert curated(store, change).exit == 0
    assert (read(store).description, read(store).fields["times_applied"]) == ("Look at the lock first", "4")


@pytest.mark.parametrize("name", ["locked", "check-lock"])
def test_a_protected_or_invalidated_lesson_gets_nothing(store: Path, name: str) -> None:
    applied(store, name)
    changes = [invalidate(store, "check-lock.md")] if name == "check-lock" else [add("b")]
    assert curated(store, *changes).exit == 0
    assert "last_applied" not in read(store, f"{name}.md").fields


@pytest.mark.parametrize(("name", "said"), [("a", "is no lesson"), ("gone", "no note is called")])
def test_what_is_no_lesson_is_refused(store: Path, name: str, said: str) -> None:
    ran = applied(store, name)
    assert (ran.exit, said in ran.err) == (1, True)


def test_uses_of_many_processes_at_once_are_all_counted(store: Path) -> None:
    line = command_line("lesson", "applied", "check-lock", "--dir", str(store))
    running = [subprocess.Popen(line, env=environment(), stdout=subprocess.DEVNULL) for _ in range(12)]
    assert [process.wait() for process in running] == [0] * 12
    assert curated(store, days=400).exit == 0
    assert read(store).fields["times_applied"] == "15"


def test_a_run_that_ends_right_behind_its_commit_counts_nothing_twice(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    applied(store)
    spend = approvals.spend

    def killed(*args: object, **more: object) -> None:
        spend(*args, **more)  # type: ignore[arg-type]
        monkeypatch.setattr("engram.app.proposals.close", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))

    monkeypatch.setattr(approvals, "spend", killed)
    curated(store, add("b"))
    monkeypatch.undo()
    curated(store, add("c"), days=2)
    assert read(store).fields["times_applied"] == "4"


def test_uses_that_nothing_can_count_keep_no_other_from_its_turn(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uses, "MOST", 2)
    for _ in range(3):
        assert applied(store, "locked").exit == 0
    assert applied(store).exit == 0
    assert curated(store).exit == 0
    found, _ = parse((store / "check-lock.md").read_bytes(), "check-lock.md")
    assert found is not None
    assert found.text("times_applied") == "4"


def test_a_use_counts_for_the_lesson_under_its_new_file_name(store: Path) -> None:
    assert applied(store).exit == 0
    git(store, "mv", "check-lock.md", "look-at-the-lock.md")
    git(store, "commit", "-qm", "renamed")
    assert curated(store).exit == 0
    found, _ = parse((store / "look-at-the-lock.md").read_bytes(), "look-at-the-lock.md")
    assert found is not None
    assert found.text("times_applied") == "4"


def test_a_damaged_log_of_uses_is_passed_over(store: Path) -> None:
    assert applied(store).exit == 0
    (folder,) = (path for path in Path(context().folder("uses")).iterdir() if path.is_dir())
    for name, text in (
        ("a", "{"),
        ("b", '{"path": 5, "day": "x", "agent": [], "session": null, "at": "9"}'),
        ("c", "[]"),
    ):
        (folder / f"{name * 16}.json").write_text(text, encoding="utf-8")
    assert curated(store).exit == 0
    found, _ = parse((store / "check-lock.md").read_bytes(), "check-lock.md")
    assert found is not None
    assert (found.text("times_applied"), found.text("last_applied")) == ("4", "2026-11-30")

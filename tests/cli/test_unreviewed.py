"""What nobody reviewed: `engram review` shows it and commits what the person adopts."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.lib.cli import run
from tests.lib.proposed import add, write
from tests.lib.stores import everything, git, make_store, note


@pytest.fixture
def store(tmp_path: Path) -> Path:
    made = make_store(tmp_path / "memory", {"old.md": note("old"), "gone.md": note("gone"), "MEMORY.md": "# Memory\n"})
    (made / "old.md").write_text(note("old", "By hand."))
    (made / "auto.md").write_text(note("auto", "By the client."))
    (made / "MEMORY.md").write_text("# Memory\n\n- [Auto](auto.md): auto\n")
    (made / "gone.md").unlink()
    (made / "staged.txt").write_text("staged\n")
    git(made, "add", "staged.txt")
    return made


def left(store: Path) -> list[str]:
    unreviewed: list[str] = run("status", "--dir", str(store), "--json").json["unreviewed"]
    return unreviewed


def review(store: Path, *answers: str | None):
    return run("review", "--dir", str(store), answers=answers)


def test_a_yes_commits_it_as_it_stands_and_as_the_persons_own(store: Path) -> None:
    work = everything(store, skip=(".git", ".engram"))
    ran = review(store, "y")
    assert (ran.exit, left(store)) == (0, [])
    assert "adopted 4 files as " in ran.out
    assert "+By hand." in ran.out
    assert "as it stands in the folder" not in ran.out
    assert "differs from the last commit" not in ran.out
    assert everything(store, skip=(".git", ".engram")) == work
    assert git(store, "show", "--name-only", "--format=").split() == ["MEMORY.md", "auto.md", "gone.md", "old.md"]
    assert git(store, "diff", "--cached", "--name-only").split() == ["staged.txt"]
    (newest, *_) = run("audit", "--dir", str(store), "--json").json["commits"]
    assert newest["verdict"] == "approved"


@pytest.mark.parametrize("answers", [["n"], [""], [None], ["s", "y", None], ["s", "n", "n", "n", "n"], ["?", "n"]])
def test_anything_else_leaves_it(store: Path, answers: list[str | None]) -> None:
    before = everything(store, skip=(".engram",))
    ran = review(store, *answers)
    assert ran.exit == 3
    assert "it stays unreviewed" in ran.err
    assert everything(store, skip=(".engram",)) == before


def test_one_by_one_takes_a_part(store: Path) -> None:
    ran = review(store, "s", "y", "n", "n", "y")
    assert (ran.exit, left(store)) == (3, ["gone.md", "old.md"])
    assert "(4/4) MEMORY.md: adopt it? [y/N]" in ran.out
    assert "adopted 2 files as " in ran.out


def test_it_comes_after_the_plans_that_wait(store: Path, tmp_path: Path) -> None:
    run("curate", "apply", write(tmp_path / "c.json", add("new")), "--dir", str(store))
    ran = review(store, "y", "y")
    assert (ran.exit, left(store)) == (0, [])
    assert ran.out.index("committed 1 change") < ran.out.index("Adopt it as yours?")


def test_of_one_plan_nothing_else_is_asked(store: Path, tmp_path: Path) -> None:
    run("curate", "apply", write(tmp_path / "c.json", add("new")), "--dir", str(store))
    (plan,) = run("review", "--list", "--json").json["plans"]
    assert "Adopt it" not in run("review", plan["id"], answers=["y"]).out


def test_a_secret_in_it_is_asked_about(store: Path) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6" * 3
    (store / "auto.md").write_text(note("auto", f"It is {secret}."))
    head = git(store, "rev-parse", "HEAD")
    ran = review(store, "y", "n")
    assert (ran.exit, "secret-found" in ran.err, git(store, "rev-parse", "HEAD")) == (1, True, head)


def test_it_is_listed_where_nobody_can_be_asked(store: Path) -> None:
    ran = run("review", "--list", "--dir", str(store))
    assert (ran.exit, "auto.md, gone.md, old.md, MEMORY.md" in ran.out) == (0, True)
    assert "`engram review --dir " in run("status", "--dir", str(store)).out

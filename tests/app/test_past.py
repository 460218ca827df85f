"""Memory as it stood: recall over earlier commits, with the present undisturbed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.lib.cli import Ran, run
from tests.lib.stores import everything, git, make_store, note

DAYS = ("2026-01-10", "2026-02-10", "2026-03-10", "2026-04-10", "2026-05-10")
TOOLS = ("npm", "yarn", "bower", "bun", "pnpm")


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Returns a store of five commits, a month apart: each says another package manager."""
    assert run("config", "set", "recall.embedder", "none").exit == 0
    made = make_store(tmp_path / "memory", {}, commit=False)
    for day, tool in zip(DAYS, TOOLS, strict=True):
        (made / "packages.md").write_text(
            note("packages", f"The package manager is {tool}.", type="feedback", expires="2026-06-01"), encoding="utf-8"
        )
        (made / f"{tool}-only.md").write_text(note(f"{tool}-only", f"{tool} hides in {day}."), encoding="utf-8")
        monkeypatch.setenv("GIT_COMMITTER_DATE", f"{day}T12:00:00Z")
        git(made, "add", "-A")
        git(made, "commit", "-qm", tool)
    return made


def recalled(store: Path, *words: str) -> Ran:
    return run("recall", "package manager", "--dir", str(store), "--json", *words)


def bodies(ran: Ran) -> str:
    assert ran.exit == 0, ran.err
    return str(ran.json["packet"])


@pytest.mark.parametrize(("number", "tool"), list(enumerate(TOOLS)))
def test_each_commit_and_each_day_gives_what_it_held(store: Path, number: int, tool: str) -> None:
    commits = git(store, "rev-list", "--reverse", "HEAD").split()
    for when in (commits[number], commits[number][:10], DAYS[number], f"{DAYS[number]}T12:00:00+00:00"):
        told = bodies(recalled(store, "--at", when))
        assert f"The package manager is {tool}." in told
        assert [other for other in TOOLS if other != tool and f"is {other}." in told] == []


def test_the_present_is_not_disturbed(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run("index", "--dir", str(store))
    before = everything(store)
    temporary = store.parent / "tmp"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    told = recalled(store, "--at", DAYS[1])
    assert told.json["stores"] == [{"path": os.path.realpath(store), "scope": "dir"}]
    assert everything(store) == before
    assert list(temporary.iterdir()) == []


def test_what_has_lapsed_since_held_then_and_counts_as_reviewed(store: Path) -> None:
    assert "packages" not in [hit["name"] for hit in recalled(store).json["hits"]]
    (hit,) = [hit for hit in recalled(store, "--at", DAYS[0]).json["hits"] if hit["name"] == "packages"]
    assert (hit["holds"], hit["status"]) == (True, "reviewed")


@pytest.mark.parametrize(
    ("when", "exit_status"), [("2025-01-01", 1), ("deadbeef", 1), ("next-week", 1), ("--all", 1), ("2026-13-01", 2)]
)
def test_a_time_that_is_none_is_named(store: Path, when: str, exit_status: int) -> None:
    assert run("recall", "x", "--dir", str(store), f"--at={when}").exit == exit_status


def test_a_tag_with_hyphens_and_an_id_of_digits_alone_are_commits(store: Path) -> None:
    git(store, "tag", "before-the-move", "HEAD~3")
    git(store, "tag", "20260314", "HEAD~3")
    for named in ("before-the-move", "20260314"):
        assert "yarn" in bodies(recalled(store, "--at", named))


def test_what_was_never_there_is_named_as_it_was_asked_for(store: Path) -> None:
    assert "no store here has the commit 'nosuch'\n" in run("recall", "x", "--dir", str(store), "--at", "nosuch").err
    early = run("recall", "x", "--dir", str(store), "--at", "1999-01-01").err
    assert "no store here has a commit of 1999-01-01 or before\n" in early

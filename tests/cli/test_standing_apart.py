"""What agents and people write from a command line: each for itself, under whose word it is, and none lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from engram import queue
from engram.curate import waiting
from engram.model.event import Event
from engram.store.frontmatter import parse
from tests.lib.cli import Ran, context, run
from tests.lib.proposed import add, changeset
from tests.lib.stores import git, make_store, note

LINES = "Moved the build.\nDecided on make.\nNext: the pipeline.\n"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return make_store(tmp_path / "memory", {"old.md": note("old", "Jenkins builds it.", expires="2026-11-29")})


def journal(store: Path, slug: str, answer: str | None = None, **env: str) -> Ran:
    words = ("journal", "add", "--slug", slug, "--agent", "claude-code", "--session", "s-1", "--dir", str(store))
    return run(*words, stdin=LINES.encode(), answers=None if answer is None else [answer], at=context(**env))


def waits() -> list[str]:
    return [one.content for one in waiting.every(context().folder("review"))]


def test_entries_and_a_curation_of_one_session_wait_beside_each_other(store: Path) -> None:
    assert journal(store, "one").exit == 3
    assert journal(store, "two").exit == 3
    text = changeset(add("fact"), agent="claude-code", sessions=["s-1"])
    assert run("curate", "apply", "-", "--dir", str(store), stdin=text.encode()).exit == 3
    assert sorted(name for name in ("-one", "-two", "fact") if any(name in one for one in waits())) == [
        "-one", "-two", "fact",
    ]  # fmt: skip


def test_an_entry_lets_no_session_go_that_nobody_curated(store: Path) -> None:
    queue.append(context().folder("queue"), Event("claude-code", "s-1", "", "", "2026-11-30T11:00:00Z"))
    assert journal(store, "one", "y").exit == 0
    assert [entry.session for entry in queue.entries(context().folder("queue"))] == ["s-1"]
    assert "Engram-Session: cli:s-1" in git(store, "log", "-1", "--format=%B")
    assert run("pending", "list", "--json").json["sessions"][0]["session"] == "s-1"


@pytest.mark.parametrize(
    ("env", "agent"),
    [
        ({"CLAUDECODE": "1"}, "claude-code"),
        ({"CODEX_THREAD_ID": "t"}, "codex"),
        ({"CLAUDECODE": "1", "GEMINI_CLI": "1"}, "gemini"),
        ({"AI_AGENT": "other"}, "unknown"),
        ({"CODEX_HOME": "/x"}, ""),
    ],
)
def test_what_an_agent_runs_is_told_as_its_own(store: Path, env: dict[str, str], agent: str) -> None:
    run("pin", "old", "--dir", str(store), at=context(**env))
    words = ("add", "--type", "user", "--name", "new-fact", "--body-file", "-", "--dir", str(store))
    run(*words, stdin=b"Likes tea.\n", at=context(**env))
    found = waiting.every(context().folder("review"))
    assert [one.agent for one in found] == [agent, agent]
    told = "written by a person" if not agent else f"proposed by {agent} from its command line"
    assert any(told in one for one in waits())


def test_what_is_said_again_of_a_lapsed_note_holds_again(store: Path) -> None:
    words = ("add", "--type", "project", "--name", "old", "--body-file", "-", "--dir", str(store))
    assert run(*words, stdin=b"Jenkins builds it still.\n", answers=["y"]).exit == 0
    found, _ = parse((store / "old.md").read_bytes(), "old.md")
    assert found is not None
    assert found.text("expires") == "2027-05-29"

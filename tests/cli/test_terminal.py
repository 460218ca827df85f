"""The gate at a real terminal: a pseudo-terminal, a real process, real git."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest

from tests.lib.cli import command_line, environment
from tests.lib.proposed import add, invalidate, noop, update, write
from tests.lib.stores import everything, git, make_store, note

pexpect = pytest.importorskip("pexpect")
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")

PROMPT = r"\[y/N/s/e/r/\?\] "
TOC = "# Memory\n\n- [Old ci](old-ci.md) — About old-ci\n"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    made = make_store(
        tmp_path / "memory", {"old-ci.md": note("old-ci"), "runbook.md": note("runbook", "Ask blue."), "MEMORY.md": TOC}
    )
    (made / "staged.txt").write_text("staged\n")
    git(made, "add", "staged.txt")
    (made / "dirty.txt").write_text("dirty\n")
    return made


@pytest.fixture
def proposed(store: Path, tmp_path: Path) -> str:
    return write(
        tmp_path / "changeset.json",
        add("new-ci"),
        invalidate(store, "old-ci.md", by="new-ci"),
        update(store, "runbook.md", edits=[{"find": "blue", "replace": "green"}]),
    )


def listening() -> None:
    """Lets a child hear Ctrl-C, which it doesn't where the tests were started in the background."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def start(*words: str, **env: str):
    return pexpect.spawn(
        command_line()[0],
        command_line(*words)[1:],
        env=environment(**env),
        encoding="utf-8",
        codec_errors="replace",
        timeout=30,
        dimensions=(50, 200),
        preexec_fn=listening,
    )


def ended(child) -> int:
    child.expect(pexpect.EOF)
    child.close()
    return child.exitstatus if child.exitstatus is not None else -child.signalstatus


def test_a_fence_that_goes_is_coloured_as_a_line_and_not_as_a_header(store: Path, tmp_path: Path) -> None:
    child = start("curate", "apply", write(tmp_path / "c.json", add("a")), "--dir", str(store))
    child.expect_exact("[y/N/s/e/r/?]")
    child.sendline("y")
    assert ended(child) == 0
    child = start("undo", "--dir", str(store), TERM="xterm", NO_COLOR="", PAGER="")
    child.expect_exact("\x1b[1m--- a/a.md\x1b[0m")
    child.expect_exact("\x1b[31m----\x1b[0m")
    child.expect_exact("[y/N/r/?]")
    child.sendline("n")
    assert ended(child) == 3


@pytest.mark.parametrize(
    ("keys", "status"),
    [("n\r", 3), ("\r", 3), ("\x04", 3), ("\x03", 130)],
    ids=["n", "enter", "ctrl-d", "ctrl-c"],
)
def test_anything_but_yes_leaves_everything_as_it_was(store: Path, proposed: str, keys: str, status: int) -> None:
    before = everything(store, skip=(".engram",))
    child = start("curate", "apply", proposed, "--dir", str(store))
    child.expect("Apply these 3 changes\\? " + PROMPT)
    child.send(keys)
    assert ended(child) == status
    assert everything(store, skip=(".engram",)) == before


def test_yes_makes_exactly_one_commit_of_the_plans_paths(store: Path, proposed: str) -> None:
    head = git(store, "rev-parse", "HEAD")
    child = start("curate", "apply", proposed, "--dir", str(store))
    child.expect(PROMPT)
    child.send("y\r")
    assert ended(child) == 0
    assert git(store, "rev-parse", "HEAD^") == head
    changed = git(store, "diff-tree", "-r", "--name-only", "--no-commit-id", "HEAD").split("\n")
    assert changed == ["MEMORY.md", "new-ci.md", "old-ci.md", "runbook.md"]
    trailers = git(store, "log", "-1", "--format=%(trailers:only,unfold)").split("\n")
    assert trailers[1:] == [
        "Engram-Agent: claude-code",
        "Engram-Session: s-1",
        "Engram-Change: ADD new-ci.md",
        "Engram-Change: INVALIDATE old-ci.md",
        "Engram-Change: UPDATE runbook.md",
        "Approved-By: Ada Tester <ada@example.com>",
        "Approved-Via: terminal",
    ]
    assert trailers[0].startswith("Engram-Changeset: ")
    assert git(store, "diff", "--cached", "--name-only") == "staged.txt"
    assert git(store, "status", "--porcelain", "dirty.txt") == "?? dirty.txt"
    assert "Ask green." in (store / "runbook.md").read_text()


def test_s_applies_a_chosen_subset(store: Path, proposed: str) -> None:
    child = start("curate", "apply", proposed, "--dir", str(store))
    child.expect(PROMPT)
    child.send("s\r")
    for answer in ("y", "n", "y"):
        child.expect(r"take it\? \[y/N/e/r/\?\] ")
        child.send(f"{answer}\r")
    assert ended(child) == 0
    changed = git(store, "diff-tree", "-r", "--name-only", "--no-commit-id", "HEAD").split("\n")
    assert changed == ["MEMORY.md", "new-ci.md", "runbook.md"]
    assert "(old-ci.md)" in (store / "MEMORY.md").read_text()


@pytest.mark.parametrize(
    "variable", ["CLAUDECODE", "AI_AGENT", "COPILOT_CLI", "GEMINI_SESSION_ID", "CODEX_SANDBOX", "ENGRAM_CURATING"]
)
def test_a_terminal_inside_an_agent_counts_as_none(store: Path, proposed: str, variable: str) -> None:
    before = everything(store, skip=(".engram",))
    child = start("curate", "apply", proposed, "--dir", str(store), **{variable: "1"})
    child.expect("approval-needed")
    assert ended(child) == 3
    assert everything(store, skip=(".engram",)) == before


def test_e_opens_the_note_as_it_would_become(store: Path, tmp_path: Path) -> None:
    editor = tmp_path / "editor.py"
    editor.write_text(
        "import sys\np = sys.argv[1]\nt = open(p).read()\nopen(p, 'w').write(t.replace('One fact.', 'Another fact.'))\n"
    )
    proposed = write(tmp_path / "one.json", add("fact"), noop("runbook"))
    child = start("curate", "apply", proposed, "--dir", str(store), EDITOR=f"{sys.executable} {editor}", VISUAL="")
    child.expect(PROMPT)
    child.send("e\r")
    child.expect("Another fact")
    child.expect(PROMPT)
    child.send("y\r")
    assert ended(child) == 0
    assert "Another fact." in git(store, "show", "HEAD:fact.md")


def test_a_plan_that_waits_is_committed_by_review(store: Path, proposed: str) -> None:
    child = start("curate", "apply", proposed, "--dir", str(store), CLAUDECODE="1")
    assert ended(child) == 3
    child = start("review")
    child.expect(PROMPT)
    child.send("y\r")
    assert ended(child) == 0
    assert "Approved-Via: terminal" in git(store, "log", "-1", "--format=%B")


def test_a_long_plan_goes_through_the_pager_that_is_set(store: Path, tmp_path: Path) -> None:
    proposed = write(tmp_path / "long.json", add("long", "\n".join(f"line {i}" for i in range(100))))
    child = start("curate", "apply", proposed, "--dir", str(store), PAGER="sed 's/^/paged:/'")
    child.expect("paged:.*line 99")
    child.expect(PROMPT)
    child.send("n\r")
    assert ended(child) == 3


def test_what_was_typed_ahead_adopts_nothing(store: Path, tmp_path: Path) -> None:
    head = git(store, "rev-parse", "HEAD")
    (store / "runbook.md").write_text(note("runbook", "Ask blue, by hand."))
    proposed = write(tmp_path / "one.json", update(store, "runbook.md", edits=[{"find": "blue", "replace": "green"}]))
    child = start("curate", "apply", proposed, "--dir", str(store))
    child.send("y\ry\ry\r")
    child.expect(r"as yours first\? \[y/N\] ")
    child.send("\r")
    assert ended(child) == 3
    assert git(store, "rev-parse", "HEAD") == head


def test_a_key_that_is_no_utf8_is_no_answer_and_no_fault(store: Path, proposed: str) -> None:
    child = start("curate", "apply", proposed, "--dir", str(store), LC_ALL="C.UTF-8")
    child.expect(PROMPT)
    os.write(child.child_fd, b"\xe9\xff\r")
    child.expect(PROMPT)
    child.send("n\r")
    assert ended(child) == 3

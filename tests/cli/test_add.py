"""A person's own note: through the door as any other, and a change of the one that says it already."""

from __future__ import annotations

from pathlib import Path

import pytest

from engram.store.frontmatter import parse
from tests.lib.cli import Ran, run
from tests.lib.stores import everything, git, make_store, note

BODY = "Run the linter before each push.\n\n**Why:** the build is slow.\n**How to apply:** make check.\n"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return make_store(tmp_path / "memory", {"runbook.md": note("runbook", "Ask blue.")})


def added(store: Path, *words: str, body: str = BODY, answer: str | None = "y") -> Ran:
    answers = None if answer is None else [answer]
    words = ("--type", "feedback", "--name", "lint-first", *words)
    return run("add", *words, "--body-file", "-", "--dir", str(store), stdin=body.encode(), answers=answers)


def test_a_note_is_written_with_its_fields_once_the_person_says_yes(store: Path) -> None:
    before = everything(store, skip=(".engram",))
    assert added(store, answer="n").exit == 3
    assert everything(store, skip=(".engram",)) == before
    ran = added(store, "--tags", "ci, lint", "--importance", "7", "--expires", "30d")
    assert ran.exit == 0, ran.err
    found, _ = parse((store / "lint-first.md").read_bytes(), "lint-first.md")
    assert found is not None
    assert (found.tags, found.importance, found.text("expires")) == (("ci", "lint"), 7, "2026-12-30")
    assert found.description == "Run the linter before each push."
    assert "source_agent" not in found.fields
    assert "missing-part" not in ran.out


def test_the_parts_that_a_type_asks_for_are_a_concern(store: Path) -> None:
    assert "How to apply" in added(store, body="Run the linter.\n").out


def test_what_a_standing_note_says_changes_that_note(store: Path) -> None:
    assert added(store).exit == 0
    again = run(
        "add", "--type", "feedback", "--name", "linter-before-push", "--body-file", "-", "--dir", str(store),
        stdin=BODY.replace("each push", "every push").encode(), answers=["y"],
    )  # fmt: skip
    assert (again.exit, "lint-first says it already" in again.err) == (0, True)
    assert "before every push" in (store / "lint-first.md").read_text(encoding="utf-8")
    assert not (store / "linter-before-push.md").exists()
    assert "UPDATE lint-first.md" in git(store, "log", "-1", "--format=%B")


def test_one_of_its_own_where_the_person_insists(store: Path) -> None:
    assert added(store).exit == 0
    ran = run(
        "add", "--type", "feedback", "--name", "another", "--new", "--body-file", "-", "--dir", str(store),
        stdin=BODY.encode(), answers=["y"],
    )  # fmt: skip
    assert ran.exit == 0
    assert (store / "another.md").exists()


@pytest.mark.parametrize(
    ("words", "exit_status"),
    [(("--expires", "soon"), 2), (("--expires", "2026-13-77"), 2), (("--importance", "11"), 2)],
)
def test_bad_values_are_named_and_write_nothing(store: Path, words: tuple[str, ...], exit_status: int) -> None:
    before = everything(store, skip=(".engram",))
    assert added(store, *words).exit == exit_status
    assert everything(store, skip=(".engram",)) == before


def test_a_name_that_none_can_have_and_a_secret_are_refused(store: Path) -> None:
    before = everything(store, skip=(".engram",))
    assert run("add", "--type", "user", "--name", "../x", "--body-file", "-", "--dir", str(store), stdin=b"x").exit == 1
    secret = added(store, body="token ghp_" + "a1B2c3D4e5F6" * 3, answer="n")
    assert (secret.exit, "secret-found" in secret.err) == (1, True)
    assert everything(store, skip=(".engram",)) == before


def test_an_agent_s_waits(store: Path) -> None:
    assert added(store, answer=None).exit == 3
    assert not (store / "lint-first.md").exists()


@pytest.mark.parametrize(
    ("said", "meant"),
    [("1000d", "2029-08-26"), ("2028-02-29", "2028-02-29"), ("99999y", "9999-12-31"), ("never", "never")],
)
def test_the_last_day_is_a_day_a_span_or_never(store: Path, said: str, meant: str) -> None:
    assert added(store, "--expires", said).exit == 0
    found, _ = parse((store / "lint-first.md").read_bytes(), "lint-first.md")
    assert found is not None
    assert found.text("expires") == meant


@pytest.mark.parametrize("said", ["0d", "2026-02-30", "20270101", "soon"])
def test_a_last_day_that_is_none_is_a_slip_of_the_command_line(store: Path, said: str) -> None:
    ran = added(store, "--expires", said)
    assert (ran.exit, f"--expires: '{said}' is no day" in ran.err) == (2, True)

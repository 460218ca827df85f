"""The commands on notes that stand: each asks, commits one act, and can be taken back."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from engram.model.note import Note
from engram.store.frontmatter import parse
from tests.lib.cli import NOW, Ran, context, run
from tests.lib.stores import everything, git, make_store, note

CONTENTS = "# Memory\n\n- [Old ci](old-ci.md): Jenkins\n- [Choice](choice.md): pnpm\n- [Mine](mine.md): mine\n"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return make_store(
        tmp_path / "memory",
        {
            "old-ci.md": note("old-ci", type="project", expires="2026-11-29"),
            "choice.md": note("choice", type="decision", review_after="2026-11-01"),
            "mine.md": note("mine", type="user", protected="true", expires="2026-01-01"),
            "MEMORY.md": CONTENTS,
        },
    )


def done(store: Path, *words: str, answer: str = "y", days: int = 0) -> Ran:
    return run(*words, "--dir", str(store), answers=[answer], at=context(now=lambda: NOW + timedelta(days=days)))


def read(store: Path, path: str) -> Note:
    found, _ = parse((store / path).read_bytes(), path)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("words", "fields"),
    [
        (("pin", "old-ci"), {"expires": "never"}),
        (("expire", "old-ci", "--in", "30d"), {"expires": "2026-12-30"}),
        (("expire", "old-ci", "--on", "2027-02-03"), {"expires": "2027-02-03"}),
        (("protect", "old-ci"), {"protected": "true", "expires": "never"}),
        (("protect", "old-ci", "--keep-expiry"), {"protected": "true", "expires": "2026-11-29"}),
    ],
)
def test_a_field_is_set_once_the_person_says_yes(store: Path, words: tuple[str, ...], fields: dict[str, str]) -> None:
    before = everything(store)
    refused = done(store, *words, answer="n")
    assert (refused.exit, everything(store)) == (3, before)
    ran = done(store, *words)
    assert ran.exit == 0, ran.err
    assert {key: read(store, "old-ci.md").fields[key] for key in fields} == fields
    assert f"Engram-Change: {words[0].upper()} old-ci.md" in git(store, "log", "-1", "--format=%B")
    assert git(store, "status", "--porcelain") == ""


def test_an_unpinned_note_has_the_span_of_its_type(store: Path) -> None:
    assert done(store, "pin", "old-ci").exit == 0
    assert done(store, "unpin", "old-ci").exit == 0
    assert read(store, "old-ci.md").fields["expires"] == "2027-05-29"


def test_what_lapsed_is_swept_and_comes_back(store: Path) -> None:
    whole = (store / "old-ci.md").read_text(encoding="utf-8")
    assert done(store, "sweep").exit == 0
    assert not (store / "old-ci.md").exists()
    assert read(store, "archive/old-ci.md").fields["archived"] == "2026-11-30"
    assert "old-ci" not in (store / "MEMORY.md").read_text(encoding="utf-8")
    assert (store / "mine.md").exists()  # protected and lapsed: never moved
    assert "nothing has lapsed" in done(store, "sweep").err
    assert done(store, "restore", "old-ci").exit == 0
    assert (store / "old-ci.md").read_text(encoding="utf-8") == whole.replace("2026-11-29", "2027-05-29")
    assert "(old-ci.md)" in (store / "MEMORY.md").read_text(encoding="utf-8")


def test_a_purge_takes_what_has_lain_long_enough_and_git_keeps_it(store: Path) -> None:
    assert done(store, "archive", "choice", "old-ci").exit == 0
    assert "older than 90d" in done(store, "purge", days=90).err
    assert done(store, "purge", days=91).exit == 0
    assert not (store / "archive").exists() or not any((store / "archive").iterdir())
    assert "Engram-Change: PURGE archive/choice.md" in git(store, "log", "-1", "--format=%B")
    assert "One fact." in git(store, "show", "HEAD~1:archive/choice.md")


def test_a_reviewed_note_is_due_a_whole_interval_later(store: Path) -> None:
    assert done(store, "reviewed", "choice").exit == 0
    assert read(store, "choice.md").fields["review_after"] == "2027-05-29"
    assert "looked at today already" in done(store, "reviewed", "choice").err


@pytest.mark.parametrize(
    "words", [("pin", "mine"), ("expire", "mine", "--in", "1d"), ("archive", "mine"), ("edit", "mine")]
)
def test_nothing_touches_a_protected_note_but_its_unprotect(store: Path, words: tuple[str, ...]) -> None:
    before = everything(store)
    assert "note-protected" in done(store, *words).err
    assert everything(store) == before
    assert done(store, "unprotect", "mine").exit == 0
    assert not read(store, "mine.md").protected


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("unpin", "old-ci"), "is not pinned"),
        (("restore", "choice"), "is not in the archive"),
        (("unprotect", "choice"), "is not protected"),
        (("protect", "mine"), "protected already"),
        (("reviewed", "old-ci"), "have no review interval"),
    ],
)
def test_where_there_is_nothing_to_do_it_says_so(store: Path, words: tuple[str, ...], said: str) -> None:
    before = everything(store)
    ran = done(store, *words)
    assert (ran.exit, said in ran.err, everything(store)) == (0, True, before)


@pytest.mark.parametrize(
    "words", [("expire", "old-ci"), ("expire", "old-ci", "--in", "soon"), ("expire", "old-ci", "--on", "2026-13-01"),
              ("expire", "old-ci", "--in", "1d", "--on", "2027-01-01"), ("purge", "--older-than", "never")]
)  # fmt: skip
def test_a_day_that_is_none_is_an_error_of_the_command_line(store: Path, words: tuple[str, ...]) -> None:
    assert done(store, *words).exit == 2


def test_an_agent_s_sweep_waits_for_the_person(store: Path) -> None:
    before = everything(store, skip=(".engram",))
    ran = run("sweep", "--dir", str(store))
    assert ran.exit == 3
    assert everything(store, skip=(".engram",)) == before
    (plan,) = run("review", "--list", "--json").json["plans"]
    assert run("review", plan["plan"] if "plan" in plan else plan["id"], answers=["y"]).exit == 0
    assert (store / "archive/old-ci.md").exists()


def test_an_edit_changes_the_body_alone(store: Path, tmp_path: Path) -> None:
    (tmp_path / "body.md").write_text("Another fact.\n", encoding="utf-8")
    before = (store / "choice.md").read_text(encoding="utf-8")
    assert done(store, "edit", "choice", "--body-file", str(tmp_path / "body.md")).exit == 0
    after = before.replace("One fact.", "Another fact.").replace(
        "review_after: 2026-11-01\n", "review_after: 2026-11-01\nupdated: 2026-11-30\n"
    )
    assert (store / "choice.md").read_text(encoding="utf-8") == after


def test_lists_of_what_lapses_what_is_put_away_and_what_is_due(store: Path) -> None:
    assert done(store, "archive", "old-ci").exit == 0

    def names(flag: str) -> list[str]:
        return [one["name"] for one in run("list", flag, "--json", "--dir", str(store)).json["notes"]]

    assert names("--archived") == ["old-ci"]
    assert names("--overdue") == ["choice"]
    assert names("--expiring") == ["mine"]


@pytest.mark.parametrize(
    "words", [("pin", "old-ci"), ("archive", "old-ci"), ("expire", "old-ci", "--in", "3d"), ("reviewed", "choice")]
)
def test_every_act_is_taken_back_as_a_new_commit(store: Path, words: tuple[str, ...]) -> None:
    before = everything(store, skip=(".git", ".engram"))
    assert done(store, *words).exit == 0
    assert everything(store, skip=(".git", ".engram")) != before
    assert done(store, "undo").exit == 0
    assert everything(store, skip=(".git", ".engram")) == before
    assert "Engram-Undoes" in git(store, "log", "-1", "--format=%B")


def test_a_purge_is_taken_back_too(store: Path) -> None:
    assert done(store, "archive", "choice").exit == 0
    text = (store / "archive/choice.md").read_bytes()
    assert done(store, "purge", days=91).exit == 0
    assert done(store, "undo", days=91).exit == 0
    assert (store / "archive/choice.md").read_bytes() == text


def test_taking_protection_back_needs_the_person_s_unprotect(store: Path) -> None:
    assert done(store, "protect", "choice").exit == 0
    assert "note-protected" in done(store, "undo").err


def test_what_waits_and_no_longer_fits_is_let_go(store: Path) -> None:
    assert done(store, "pin", "old-ci", answer="n").exit == 3
    assert done(store, "expire", "old-ci", "--in", "30d").exit == 0
    (plan,) = run("review", "--list", "--json").json["plans"]
    ran = run("review", plan["id"], answers=["y"])
    assert "by a command, less than a day old" in ran.err
    assert "Let this plan go? [y/N]" in ran.out  # it rests on no session that could stay queued
    assert run("review", "--list", "--json").json["plans"] == []

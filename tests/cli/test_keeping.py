"""The commands on notes that stand: each asks, commits one act, and can be taken back."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path

import pytest

from engram.curate import waiting
from engram.model.note import Note, body_hash
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


def test_a_span_longer_than_the_calendar_takes_nothing(store: Path) -> None:
    assert done(store, "archive", "old-ci").exit == 0
    ran = done(store, "purge", "--older-than", "99999y")
    assert (ran.exit, ran.err.strip()) == (0, "nothing in the archive is older than 99999y")
    assert done(store, "expire", "choice", "--in", "99999y").exit == 0
    assert read(store, "choice.md").fields["expires"] == "9999-12-31"


@pytest.mark.parametrize("day", ["2026-02-30", "tomorrow", "30.1.2027"])
def test_a_day_that_is_none_is_a_slip_of_the_command_line(store: Path, day: str) -> None:
    ran = done(store, "expire", "choice", "--on", day)
    assert (ran.exit, "is no day: write YYYY-MM-DD" in ran.err) == (2, True)


def test_a_note_comes_back_to_where_it_was_however_many_of_its_name_were_put_away(tmp_path: Path) -> None:
    store = make_store(tmp_path / "clash", {"archive/X.md": note("x", "First."), "x.md": note("x", "Second.")})
    assert done(store, "archive", "x").exit == 0
    assert sorted(path.name for path in (store / "archive").iterdir()) == ["X.md", "x-2.md"]
    ran = done(store, "restore", "x")
    assert (ran.exit, "2 notes are called 'x': archive/X.md, archive/x-2.md" in ran.err) == (1, True)
    assert done(store, "restore", "archive/x-2").exit == 0
    assert (store / "x.md").read_text(encoding="utf-8").endswith("Second.\n")
    assert "another note stands at X.md" in done(store, "restore", "x").err  # the one of the archive is meant
    assert done(store, "pin", "x").exit == 0  # and here the one that holds
    assert read(store, "x.md").fields["expires"] == "never"


def test_a_text_in_conflict_is_no_note_that_lapses(tmp_path: Path) -> None:
    path = "conflicts/x.20260101T000000Z.codex.md"
    loser = note("x.20260101T000000Z.codex", type="decision", expires="2026-01-01", review_after="2026-01-01")
    store = make_store(tmp_path / "conflict", {"x.md": note("x"), path: loser})
    assert "nothing has lapsed" in done(store, "sweep").err
    assert "no note is due for another look" in done(store, "list", "--overdue").err
    assert "[in conflict]" in done(store, "list").out


def test_an_act_that_waits_is_made_anew_for_a_note_that_moved_on(store: Path) -> None:
    for words in (("pin", "choice"), ("archive", "choice"), ("expire", "old-ci", "--in", "30d")):
        assert done(store, *words, answer="n").exit == 3
    (store / "choice.md").write_text(note("choice", "Other words.", type="decision"), encoding="utf-8")
    moved = (store / "old-ci.md").read_text(encoding="utf-8").replace("2026-11-29", "2026-12-24")
    (store / "old-ci.md").write_text(moved, encoding="utf-8")
    git(store, "commit", "-qam", "moved on")
    plans = {one["plan"]: one["word"] for one in _waiting(store)}
    pin = done(store, "review", next(id_ for id_, word in plans.items() if word == "PIN"))
    assert (pin.exit, "choice has moved on since this was proposed" in pin.out) == (0, True), pin.out
    assert read(store, "choice.md").fields["expires"] == "never"
    assert "Other words." in (store / "choice.md").read_text(encoding="utf-8")
    for word in ("ARCHIVE", "EXPIRE"):  # what they rest on, or touch, is no longer the same
        other = done(store, "review", next(id_ for id_, known in plans.items() if known == word), answer="")
        assert "is no longer what this was made for" in other.err


def _waiting(store: Path) -> list[dict[str, str]]:
    every = waiting.every(context().folder("review"))
    return [{"plan": one.id, "word": json.loads(one.content)[0]["verb"]} for one in every]


def test_a_note_edited_in_the_editor_is_stamped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    body = "\nOne fact.\n"
    store = make_store(tmp_path / "hashed", {"x.md": note("x", hash=body_hash(body), updated="2026-01-01")})
    monkeypatch.setattr("engram.cli.ui.Ui.edit", lambda _ui, data, *_: data.replace(b"One", b"Another"))
    assert done(store, "edit", "x").exit == 0
    found = read(store, "x.md")
    assert (found.hash, found.text("updated")) == (body_hash(found.body), "2026-11-30")


def test_a_note_that_no_plan_can_move_keeps_no_other_from_its_turn(tmp_path: Path) -> None:
    lapsed = {name: note(name.strip("-_"), expires="2026-01-01") for name in ("one", "two")}
    files = {f"{name}.md": text for name, text in lapsed.items()}
    store = make_store(tmp_path / "odd", {**files, "README.md": note("readme-note", expires="2026-01-01")})
    ran = done(store, "sweep")
    assert ran.exit == 0, ran.err
    assert "README.md is left to you: README.md: README.md is reserved and no note" in ran.err
    assert sorted(path.name for path in (store / "archive").iterdir()) == ["one.md", "two.md"]
    alone = done(store, "archive", "readme-note")
    assert (alone.exit, "engram: act-impossible: " in alone.err, "curate check" in alone.err) == (1, True, False)


def test_the_list_says_what_lapsed_and_what_is_due_for_another_look(store: Path) -> None:
    told = {line.split("  ")[0]: line for line in done(store, "list").out.splitlines()}
    assert "[lapsed]" in told["old-ci"]
    assert "[needs_review]" in told["choice"]
    assert "[lapsed] [protected]" in told["mine"]


def test_of_several_notes_those_with_nothing_to_do_are_named(store: Path) -> None:
    assert done(store, "pin", "choice").exit == 0
    ran = done(store, "pin", "choice", "old-ci")
    assert (ran.exit, "choice is pinned already: it never lapses" in ran.err) == (0, True)
    assert read(store, "old-ci.md").fields["expires"] == "never"


def test_what_waits_and_no_longer_fits_is_let_go(store: Path) -> None:
    assert done(store, "pin", "old-ci", answer="n").exit == 3
    assert done(store, "expire", "old-ci", "--in", "30d").exit == 0
    (plan,) = run("review", "--list", "--json").json["plans"]
    ran = run("review", plan["id"], answers=["y"])
    assert "by a command, less than a day old" in ran.err
    assert "Let this plan go? [y/N]" in ran.out  # it rests on no session that could stay queued
    assert run("review", "--list", "--json").json["plans"] == []

"""The journal: entries, and a month's roll-up made from them."""

from __future__ import annotations

from pathlib import Path

import pytest

from engram.store.frontmatter import parse
from tests.lib.cli import Ran, context, run
from tests.lib.stores import git, make_store, note

BODY = "Planned the move.\nDecided on blue.\nNext: the pipeline.\n"


@pytest.fixture
def store() -> Path:
    """Returns the user's store, where the journal has folders."""
    home = Path(context().engram_home)
    october = {
        f"journal/2026/2026-10/2026-10-0{day}-{slug}.md": note(
            f"2026-10-0{day}-{slug}", f"Did {slug}.", type="journal", created=f"2026-10-0{day}"
        )
        for day, slug in ((3, "auth"), (1, "setup"))
    }
    return make_store(home, october)


def test_an_entry_lies_with_its_month_and_lapses_first(store: Path) -> None:
    (store.parent / "body").write_text(BODY, encoding="utf-8")
    words = ("journal", "add", "--slug", "move-plan", "--body-file", str(store.parent / "body"), "--scope", "user")
    assert run(*words).exit == 3  # nobody was asked: it waits
    ran = run(*words, answers=["y"])
    assert ran.exit == 0, ran.err
    path = "journal/2026/2026-11/2026-11-30-move-plan.md"
    found, _ = parse((store / path).read_bytes(), path)
    assert found is not None
    assert (found.type, found.text("expires"), found.description) == ("journal", "2027-02-28", "Planned the move.")
    assert "journal entry has" not in ran.out


def test_a_month_is_gathered_in_order_and_its_sum_supersedes_it(store: Path) -> None:
    gathered = run("journal", "rollup", "2026-10", "--scope", "user")
    assert gathered.out.index("Did setup.") < gathered.out.index("Did auth.")
    (store.parent / "sum").write_text("Auth is done.\n", encoding="utf-8")
    ran = run(
        "journal", "rollup", "2026-10", "--body-file", str(store.parent / "sum"), "--scope", "user", answers=["y"]
    )
    assert ran.exit == 0, ran.err
    path = "journal/2026/2026-10-rollup.md"
    found, _ = parse((store / path).read_bytes(), path)
    assert found is not None
    assert found.relations == (("supersedes", "2026-10-01-setup"), ("supersedes", "2026-10-03-auth"))
    assert found.text("expires") == "2027-11-30"
    assert git(store, "status", "--porcelain") == ""


@pytest.mark.parametrize(
    ("words", "exit_status"),
    [
        (("rollup", "2026-13"), 2),
        (("rollup", "../x"), 2),
        (("rollup", "2026-09"), 1),
        (("add", "--slug", "Not A Slug"), 2),
        (("add", "--slug", "../x"), 2),
    ],
)
def test_what_is_no_month_or_slug_is_named(store: Path, words: tuple[str, ...], exit_status: int) -> None:
    assert run("journal", *words, "--scope", "user", stdin=BODY.encode()).exit == exit_status


def test_a_sum_that_is_no_sum_is_refused(store: Path) -> None:
    ran = run("journal", "rollup", "2026-10", "--body-file", "-", "--scope", "user", stdin=b"line\n" * 16)
    assert (ran.exit, "at most 15 lines" in ran.err) == (2, True)


def rolled(text: str) -> Ran:
    words = ("journal", "rollup", "2026-10", "--body-file", "-", "--scope", "user")
    return run(*words, stdin=text.encode(), answers=["y"])


def test_a_month_summed_up_again_changes_its_roll_up(store: Path) -> None:
    assert rolled("Auth is done.\n").exit == 0
    late = store / "journal/2026/2026-10/2026-10-09-late.md"
    late.write_text(note("2026-10-09-late", "Did late.", type="journal"), encoding="utf-8")
    git(store, "add", "-A")
    git(store, "commit", "-qm", "late")
    ran = rolled("Auth is done, and late.\n")
    assert ran.exit == 0, ran.err
    path = "journal/2026/2026-10-rollup.md"
    found, _ = parse((store / path).read_bytes(), path)
    assert found is not None
    assert found.body.strip() == "Auth is done, and late."
    assert [name for _, name in found.relations] == ["2026-10-01-setup", "2026-10-03-auth", "2026-10-09-late"]


def test_entries_that_were_put_away_still_make_up_their_month(store: Path) -> None:
    assert run("archive", "2026-10-01-setup", "--scope", "user", answers=["y"]).exit == 0
    assert "Did setup." in run("journal", "rollup", "2026-10", "--scope", "user").out


def test_a_slug_that_the_day_has_already_is_named(store: Path) -> None:
    words = ("journal", "add", "--slug", "auth", "--scope", "user")
    assert run(*words, stdin=BODY.encode(), answers=["y"]).exit == 0
    ran = run(*words, stdin=BODY.encode(), answers=["y"])
    assert (ran.exit, "today has an entry 'auth' already" in ran.err) == (2, True)

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
    assert "(4/4) MEMORY.md: adopt it? [y/N/e/u/?]" in ran.out
    assert "adopted 2 files as " in ran.out


def test_it_comes_after_the_plans_that_wait(store: Path, tmp_path: Path) -> None:
    run("curate", "apply", write(tmp_path / "c.json", add("new")), "--dir", str(store))
    ran = review(store, "y", "y")
    assert (ran.exit, left(store)) == (0, [])
    assert ran.out.index("committed 1 change") < ran.out.index("Adopt it as it stands?")


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


# -- who wrote it, and the way back ------------------------------------------------------------------------------------

SIGNED = "---\nname: auto\nmetadata:\n  type: feedback\n  originSessionId: {session}\n  modified: {at}\n---\n\n{body}\n"


def signed(body: str = "By the client.", session: str = "0f3c", at: str = "2026-11-30T03:13:37.748Z") -> str:
    return SIGNED.format(body=body, session=session, at=at)


def test_what_a_client_wrote_is_adopted_under_its_name(store: Path) -> None:
    (store / "auto.md").write_text(signed())
    ran = review(store, "y")
    assert ran.exit == 0, ran.err
    assert "auto.md: probably by Claude Code in session 0f3c (originSessionId)" in ran.err
    assert "old.md: probably written by hand" in ran.err
    authors = git(store, "log", "-2", "--format=%an <%ae>|%s").splitlines()
    assert "Claude Code <claude-code@agents.invalid>|memory: adopt auto" in authors
    assert {one["verdict"] for one in run("audit", "--dir", str(store), "--json").json["commits"][:2]} == {"approved"}


def test_a_sign_that_was_there_before_says_nothing_of_a_later_hand(store: Path) -> None:
    (store / "auto.md").write_text(signed())
    review(store, "y")
    (store / "auto.md").write_text(signed("By hand, later."))
    assert "auto.md: probably written by hand" in review(store, "n").err
    (store / "auto.md").write_text(signed("By the client, later.", at="2026-11-30T04:00:00.000Z"))
    assert "auto.md: probably by Claude Code" in review(store, "n").err


def test_what_is_undone_is_kept_and_comes_back(store: Path) -> None:
    texts = {path: (store / path).read_bytes() for path in ("auto.md", "old.md")}
    index = git(store, "diff", "--cached", "--name-only")
    head = git(store, "rev-parse", "HEAD")
    ran = review(store, "s", "u", "u", "u", "n")
    assert (ran.exit, left(store)) == (3, ["MEMORY.md"])
    assert not (store / "auto.md").exists()
    assert (store / "old.md").read_text() == note("old")
    assert (store / "gone.md").read_text() == note("gone")
    assert (git(store, "rev-parse", "HEAD"), git(store, "diff", "--cached", "--name-only")) == (head, index)
    kept = run("undone", "--dir", str(store), "--json").json["undone"]
    assert sorted(one["path"] for one in kept) == ["auto.md", "old.md"]
    for one in kept:
        assert f"engram undone {one['name']}" in ran.out
        assert run("undone", one["name"], "--show", "--dir", str(store)).out.encode() == texts[one["path"]]
        assert (
            git(store, "show", f"refs/engram/undone/{one['name']}:{one['path']}").encode()
            == texts[one["path"]].rstrip()
        )
        assert run("undone", one["name"], "--dir", str(store)).exit == 0
        assert (store / one["path"]).read_bytes() == texts[one["path"]]
    assert left(store) == ["MEMORY.md", "auto.md", "old.md"]


def test_it_comes_back_over_nothing_that_would_be_lost(store: Path) -> None:
    review(store, "s", "u", "n", "n", "n")
    (one,) = run("undone", "--dir", str(store), "--json").json["undone"]
    (store / "auto.md").write_text("other")
    ran = run("undone", one["name"], "--dir", str(store))
    assert (ran.exit, (store / "auto.md").read_text()) == (4, "other")
    assert run("undone", "nothing", "--dir", str(store)).exit == 1


def test_the_end_of_the_input_undoes_nothing(store: Path) -> None:
    before = everything(store, skip=(".engram",))
    assert review(store, "s", "u", "y", None).exit == 3
    assert everything(store, skip=(".engram",)) == before


def test_one_is_adopted_and_edited(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engram.cli.ui.Ui.edit", lambda self, text, name, folder: text.replace(b"client", b"person"))
    ran = review(store, "s", "e", "n", "n", "n", "y")
    assert ran.exit == 3
    assert "By the person." in (store / "auto.md").read_text()
    assert git(store, "log", "-2", "--format=%s").splitlines() == ["memory: edit auto", "memory: adopt auto"]

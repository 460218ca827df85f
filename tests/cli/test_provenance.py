"""Where a note comes from: its commits, its lines, what it rests on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engram import queue
from engram.model.event import Event
from tests.lib.cli import Ran, context, run
from tests.lib.proposed import add, changeset, update
from tests.lib.stores import git, make_store, note
from tests.lib.transcripts import Talk

SECRET = "ghp_" + "a1B2c3D4e5F6" * 3


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return make_store(tmp_path / "memory", {"old.md": note("old")})


def applied(store: Path, *changes: dict, session: str) -> Ran:
    ran = run(
        "curate", "apply", "-", "--dir", str(store),
        stdin=changeset(*changes, sessions=[session]).encode(), answers=["y"],
    )  # fmt: skip
    assert ran.exit == 0, ran.err
    return ran


@pytest.fixture
def taught(store: Path, tmp_path: Path) -> Path:
    """Returns a store in which two sessions and a hand wrote one note."""
    transcript = tmp_path / "s-1.jsonl"
    transcript.write_bytes(Talk("s-1").user("we always ask blue before a deploy").says("Noted.").data())
    queue.append(
        context().folder("queue"), Event("claude-code", "s-1", str(transcript), "", "2026-11-30T11:00:00.000000Z")
    )
    quote = {"session": "s-1", "ref": "u1", "quote": "always ask blue before a deploy"}
    applied(store, add("runbook", "Ask blue.\nThen push.") | {"evidence": [quote]}, session="s-1")
    applied(store, update(store, "runbook.md", edits=[{"find": "push", "replace": "press"}]), session="s-2")
    (store / "runbook.md").write_text((store / "runbook.md").read_text() + "By hand.\n")
    git(store, "commit", "-qam", "mine")
    return store


def test_why_tells_each_change_its_words_and_where_they_were_said(taught: Path, tmp_path: Path) -> None:
    steps = run("why", "runbook", "--dir", str(taught), "--json").json["steps"]
    assert [(one["what"], one["sessions"], one["via"]) for one in steps] == [
        ("edited outside engram", [], ""),
        ("UPDATE", ["s-2"], "terminal"),
        ("ADD", ["s-1"], "terminal"),
    ]
    first = steps[-1]
    assert (first["reason"], first["said"]) == ("learnt runbook", "user")
    assert first["quotes"] == ["s-1 u1: always ask blue before a deploy"]
    assert first["transcripts"] == [str(tmp_path / "s-1.jsonl")]
    assert "outside engram" in steps[0]["by"]
    (tmp_path / "s-1.jsonl").unlink()
    told = run("why", "runbook", "--dir", str(taught)).out
    assert f"transcript: {tmp_path / 's-1.jsonl'} (gone)" in told
    assert "rests on: said by the user" in told


def test_why_without_a_record_tells_what_git_does(taught: Path) -> None:
    for record in (Path(context().folder("grounds"))).iterdir():
        if record.suffix == ".json":
            record.unlink()
    last = run("why", "runbook", "--dir", str(taught), "--json").json["steps"][-1]
    assert (last["reason"], last["quotes"], last["said"]) == ("learnt runbook", [], "")


def test_blame_names_the_session_of_each_line(taught: Path) -> None:
    lines = run("blame", "runbook", "--dir", str(taught), "--json").json["lines"]
    by_text = {line["text"]: line["sessions"] for line in lines}
    assert by_text["Ask blue."] == ["s-1"]
    assert by_text["Then press."] == ["s-2"]
    assert by_text["By hand."] == []
    told = run("blame", "runbook", "--dir", str(taught)).out
    assert [line.split("|")[0].split()[-1] for line in told.splitlines() if line.endswith("Then press.")] == ["s-2"]


def test_a_note_that_moved_keeps_its_history(taught: Path) -> None:
    assert run("archive", "runbook", "--dir", str(taught), answers=["y"]).exit == 0
    steps = run("why", "runbook", "--dir", str(taught), "--json").json["steps"]
    assert {one["what"] for one in steps} == {"ARCHIVE", "ADD", "UPDATE", "edited outside engram"}


def test_a_note_that_nobody_reviewed_has_none(store: Path) -> None:
    (store / "new.md").write_text(note("new"))
    assert "nobody has reviewed it" in run("why", "new", "--dir", str(store)).err


def test_the_log_of_a_note_goes_back_past_the_archive(taught: Path) -> None:
    before = [one["commit"] for one in run("log", "runbook", "--dir", str(taught), "--json").json["commits"]]
    assert run("archive", "runbook", "--dir", str(taught), answers=["y"]).exit == 0
    after = [one["commit"] for one in run("log", "runbook", "--dir", str(taught), "--json").json["commits"]]
    assert (len(before), after[1:]) == (3, before)
    assert [
        one["commit"] for one in run("log", "runbook", "-n", "2", "--dir", str(taught), "--json").json["commits"]
    ] == (after[:2])


def test_what_no_commit_holds_has_no_history(store: Path) -> None:
    (store / "new.md").write_text(note("new"), encoding="utf-8")
    ran = run("blame", "new", "--dir", str(store))
    assert (ran.exit, "no commit holds new.md: nobody has reviewed it" in ran.err) == (1, True)
    assert "nobody has reviewed it" in run("log", "new", "--dir", str(store)).err
    bare = make_store(store.parent / "bare", {"x.md": note("x")}, commit=False)
    assert "nobody has reviewed it" in run("blame", "x", "--dir", str(bare)).err


def test_line_ends_are_no_part_of_a_blamed_line(tmp_path: Path) -> None:
    store = make_store(tmp_path / "crlf", {"x.md": note("x").replace("\n", "\r\n")})
    assert "U+000D" not in run("blame", "x", "--dir", str(store)).out


def test_the_commit_is_believed_before_the_record_beside_it(taught: Path) -> None:
    commit = git(taught, "log", "--format=%H", "-1", "--grep", "UPDATE runbook")
    record = Path(context().folder("grounds")) / f"{commit}.json"
    forged = json.loads(record.read_text(encoding="utf-8"))
    forged["reasons"]["runbook.md"] = "the person asked for it"
    record.write_text(json.dumps(forged), encoding="utf-8")
    reasons = [one["reason"] for one in run("why", "runbook", "--dir", str(taught), "--json").json["steps"]]
    assert "moved on" in reasons
    assert "the person asked for it" not in reasons


def test_other_peoples_refs_among_what_was_undone_are_passed_over(store: Path) -> None:
    (store / "old.md").write_text(note("old", "By hand."), encoding="utf-8")
    assert run("review", "--dir", str(store), answers=["s", "u"]).exit == 0
    blob = git(store, "rev-parse", "HEAD:old.md")
    git(store, "update-ref", "refs/engram/undone/blob", blob)
    git(store, "update-ref", "refs/engram/undone/several", "HEAD")
    tree = git(store, "mktree", data=f"100755 blob {blob}\tpre-commit\n".encode())
    git(store, "update-ref", "refs/engram/undone/no-note", git(store, "commit-tree", tree, "-m", "x"))
    names = [one["name"] for one in run("undone", "--dir", str(store), "--json").json["undone"]]
    assert names == ["20261130T120000Z-old"]
    for name in ("blob", "several", "no-note"):
        assert run("undone", name, "--dir", str(store)).exit == 1
    assert run("undone", *names, "--dir", str(store)).exit == 0
    assert "By hand." in (store / "old.md").read_text(encoding="utf-8")

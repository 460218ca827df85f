"""Commands that read: they print what stands, as JSON too, and change no file."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from engram.model.note import base_of
from tests.lib.cli import command_line, context, environment, run
from tests.lib.proposed import changeset, noop
from tests.lib.stores import everything, git, make_store, note


@pytest.fixture
def store(tmp_path: Path) -> Path:
    files = {
        "a.md": note("a", "Body of a."),
        "deep/b.md": note("B-note", type="feedback"),
        "no-name.md": "# Just text\n",
        "old.md": note("old", invalidated_by="a"),
    }
    made = make_store(tmp_path / "memory", {**files, "bad.md": b"\xff\xfe\x00"})
    (made / "new.md").write_text(note("new"))
    return made


def test_no_reading_command_changes_a_file(store: Path) -> None:
    before = everything(store)
    for words in (
        ["list"],
        ["list", "--json"],
        ["show", "a"],
        ["show", "a", "--json"],
        ["log"],
        ["log", "a"],
        ["status"],
        ["status", "--json"],
        ["audit"],
    ):
        assert run(*words, "--dir", str(store)).exit in (0, 1), words
    assert run("where").exit == 0
    assert everything(store) == before


def test_list_json(store: Path) -> None:
    found = run("list", "--dir", str(store), "--json").json
    rows = {one["path"]: one for one in found["notes"]}
    assert rows["a.md"]["name"] == "a"
    assert rows["deep/b.md"]["name"] == "B-note"
    assert rows["no-name.md"]["name"] == "no-name"
    assert rows["old.md"]["states"] == ["invalidated"]
    assert rows["new.md"]["states"] == ["unreviewed"]
    assert [one["path"] for one in found["findings"] if one["path"] == "bad.md"]


def test_a_row_is_one_line_whatever_a_note_or_a_file_is_called(store: Path) -> None:
    (store / "forged.md").write_text("---\nname: forged\ndescription: |\n  x\n  b  (feedback)  forged\ntype: x\n---\n")
    (store / "odd\nfinding: forged.md").write_text(note("odd"))
    for words in (["list"], ["status"]):
        lines = run(*words, "--dir", str(store)).out.split("\n")
        assert not [line for line in lines if line.startswith(("b  (feedback)  forged", "finding: forged"))]


def test_list_by_type(store: Path) -> None:
    assert run("list", "--type", "feedback", "--dir", str(store)).out.startswith("B-note")


@pytest.mark.parametrize("word", ["a", "A", "a.md", "./a.md".removeprefix("./")])
def test_show_finds_by_name_whatever_its_case_and_by_path(store: Path, word: str) -> None:
    assert "Body of a." in run("show", word, "--dir", str(store)).out


def test_show_json_gives_the_base(store: Path) -> None:
    assert run("show", "b-note", "--dir", str(store), "--json").json["base"] == base_of(
        (store / "deep/b.md").read_bytes()
    )


def test_show_of_nothing_and_of_two(store: Path) -> None:
    assert (run("show", "zzz", "--dir", str(store)).exit, run("show", "bad", "--dir", str(store)).exit) == (1, 1)
    (store / "other.md").write_text(note("a"))
    ran = run("show", "a", "--dir", str(store))
    assert "Body of a." in ran.out
    (store / "x").mkdir()
    (store / "x" / "twin.md").write_text(note("twin"))
    (store / "twin2.md").write_text(note("twin"))
    assert "note-ambiguous" in run("show", "twin", "--dir", str(store)).err


def test_what_a_note_hides_is_made_visible(store: Path) -> None:
    (store / "evil.md").write_text(note("evil", "left\u202eright \x1b[2Kgone \u200bzero"), encoding="utf-8")
    shown = run("show", "evil", "--dir", str(store)).out
    assert not {"\u202e", "\x1b", "\u200b"} & set(shown)
    raw = run("show", "evil", "--dir", str(store), "--json").out
    assert not {"\u202e", "\x1b", "\u200b"} & set(raw)
    assert "\u202e" in json.loads(raw)["body"]


def test_errors_are_json_where_json_was_asked(store: Path) -> None:
    found = run("show", "zzz", "--dir", str(store), "--json")
    assert found.exit == 1
    assert found.json["error"]["code"] == "note-not-found"
    assert found.json["error"]["hint"]


@pytest.mark.parametrize(
    "words", [("show",), ("nosuch",), ("list", "--scope", "both"), ("log", "-n", "0"), ("list", "--no")]
)
def test_a_wrong_command_line_is_json_where_json_was_asked(words: tuple[str, ...]) -> None:
    ran = run(*words, "--json")
    assert (ran.exit, ran.err, ran.json["error"]["code"]) == (2, "", "command-line")


def test_a_slip_of_the_finger_is_answered_with_what_comes_near(store: Path) -> None:
    assert "`engram list`" in run("lst").err
    assert "`engram curate apply`" in run("apply", "x.json").err
    assert run("zzz").err.endswith("No such command 'zzz'.\n")
    (name, *_) = [one["name"] for one in run("list", "--dir", str(store), "--json").json["notes"]]
    assert f"did you mean {name}" in run("show", f"{name}s", "--dir", str(store)).err


def test_an_empty_list_says_so(store: Path, tmp_path: Path) -> None:
    assert run("list", "--type", "nosuch", "--dir", str(store)).err.startswith("no note of the type 'nosuch'\n")
    run("init", "--dir", str(tmp_path / "new"))
    assert run("list", "--dir", str(tmp_path / "new")).err == "no note yet\n"


def test_hints_name_the_folder_that_is_meant(tmp_path: Path) -> None:
    loose = make_store(tmp_path / "two words", {"a.md": note("a")}, init=False)
    call = f"engram init --dir '{loose}'"
    for words in (("status",), ("log",), ("init",), ("undo",)):
        ran = run(*words, "--dir", str(loose))
        assert call in ran.out + ran.err, words
    assert "exists and holds 1 note;" in run("init", "--dir", str(loose)).err
    outer = make_store(tmp_path / "outer", {"readme.md": "x\n", "memory/a.md": note("a")})
    ran = run("undo", "--dir", str(outer / "memory"))
    assert f"`engram init --dir {outer / 'memory'}` gives the notes a repository of their own" in ran.err
    assert "`engram init --user`" in run("list", "--scope", "user").err


@pytest.mark.skipif(os.name != "posix", reason="a shell closes the descriptors")
@pytest.mark.parametrize(
    ("words", "closed", "status"),
    [("list", ">&-", 0), ("list", ">&- 2>&-", 0), ("nosuch", "2>&-", 2), ("curate check -", "<&-", 1)]
    + [(f"list{more}", ">/dev/full", 1) for more in ("", " --json") if os.path.exists("/dev/full")],
)
def test_closed_or_full_descriptors_end_in_a_status_and_no_traceback(
    store: Path, words: str, closed: str, status: int
) -> None:
    command = [*command_line(*words.split()), *(["--dir", str(store)] if words != "nosuch" else [])]
    done = subprocess.run(
        ["sh", "-c", f'"$@" {closed}', "sh", *command], env=environment(), capture_output=True, text=True, check=False
    )
    assert done.returncode == status
    assert "Traceback" not in done.stderr
    assert "Exception" not in done.stderr


def test_an_unversioned_folder_is_read_and_not_written(tmp_path: Path) -> None:
    loose = make_store(tmp_path / "loose", {"a.md": note("a")}, init=False)
    assert run("list", "--dir", str(loose)).exit == 0
    assert run("show", "a", "--dir", str(loose)).exit == 0
    status = run("status", "--dir", str(loose), "--json").json
    assert (status["versioned"], status["unreviewed"]) == (False, [])
    ran = run("curate", "apply", "-", "--dir", str(loose), stdin=changeset(noop("a")).encode())
    assert (ran.exit, "store-not-versioned" in ran.err, "engram init" in ran.err) == (1, True, True)


def test_asking_makes_no_store(tmp_path: Path, sealed: Path) -> None:
    here = context(tmp_path)
    before = sorted(os.listdir(sealed))
    assert run("where", at=here).exit == 0
    assert run("list", at=here).exit == 1
    assert run("status", at=here).exit == 1
    assert run("show", "x", at=here).exit == 1
    assert sorted(os.listdir(sealed)) == before


def test_where_names_the_projects_store_and_the_users(tmp_path: Path) -> None:
    project = tmp_path / "My Proj"
    (project / "sub").mkdir(parents=True)
    git(project, "init", "-q")
    found = run("where", "--json", at=context(project / "sub")).json
    assert found["project"]["path"].endswith("-My-Proj/memory".replace("/", os.sep))
    assert (found["project"]["exists"], found["user"]["exists"]) == (False, False)
    assert found["project"]["reason"]
    assert run("init", "--project", at=context(project / "sub")).exit == 0
    assert run("where", "--json", at=context(project)).json["project"]["exists"]
    assert run("list", at=context(project)).exit == 0


def test_the_project_store_is_meant_where_it_exists_else_the_users(tmp_path: Path) -> None:
    project = tmp_path / "p"
    project.mkdir()
    here = context(project)
    assert run("init", "--user", at=here).exit == 0
    assert run("status", "--json", at=here).json["scope"] == "user"
    assert run("init", "--project", at=here).exit == 0
    assert run("status", "--json", at=here).json["scope"] == "project"


def test_a_note_is_looked_for_in_the_users_store_too_where_nothing_says_which(tmp_path: Path) -> None:
    project = tmp_path / "p"
    project.mkdir()
    here = context(project)
    mine = make_store(Path(here.engram_home), {"me.md": note("me", "Mine."), "both.md": note("both", "Mine too.")})
    assert run("init", "--project", at=here).exit == 0
    theirs = Path(run("where", "--json", at=here).json["project"]["path"])
    make_store(theirs, {"both.md": note("both", "The project's.")}, init=False)
    assert run("show", "me", at=here).out.endswith("Mine.\n")
    assert run("show", "both", at=here).out.endswith("The project's.\n")
    for words in (("why",), ("blame",), ("log",)):
        assert run(*words, "me", "--json", at=here).json["store"] == str(mine), words
    for where in (("--scope", "project"), ("--dir", str(theirs))):
        ran = run("show", "me", *where, at=here)
        assert (ran.exit, "no note is called 'me'" in ran.err) == (1, True), where
    assert run("pin", "me", answers=["y"], at=here).exit == 0
    assert "Engram-Change: PIN me.md" in git(mine, "log", "-1", "--format=%B")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("list", "--expiring"), "no note lapses within 14 days\n"),
        (("list", "--overdue"), "no note is due for another look\n"),
        (("list", "--archived"), "no note lies in the archive\n"),
        (("list", "--type", "lesson", "--overdue"), "no note of the type 'lesson' is due for another look\n"),
        (("undone",), "nothing was undone\n"),
    ],
)
def test_an_empty_list_says_what_there_is_none_of(tmp_path: Path, words: tuple[str, ...], said: str) -> None:
    store = make_store(tmp_path / "memory", {"a.md": note("a")})
    ran = run(*words, "--dir", str(store))
    assert (ran.exit, ran.out, ran.err) == (0, "", said)


@pytest.mark.corpus
def test_no_reading_command_changes_a_real_store(corpus: Path) -> None:
    before = everything(corpus / "stores")
    words = ("--dir", str(corpus / "stores"))
    found = run("list", "--json", *words).json
    named = {one["path"] for one in (*found["notes"], *found["findings"])}
    assert {path for path in before if path not in named} == set()
    path = next(one["path"] for one in found["notes"])
    for command in (["list"], ["status"], ["status", "--json"], ["show", path], ["show", path, "--json"]):
        assert run(*command, *words).exit == 0, command
    assert everything(corpus / "stores") == before

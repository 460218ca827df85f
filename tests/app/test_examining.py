"""Examining with real folders and real git: facts that need a machine; projects that share, move and take places."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from engram.app import examining, identities, outlook
from engram.app.outlook import _windows_stores
from engram.store import locate
from tests.lib.cli import context, run
from tests.lib.proposed import add, write
from tests.lib.stores import everything, git, make_store, note

FACT = note("fact", "Packages come from pnpm.", source_agent="codex")


def project(folder: Path, remote: str = "") -> Path:
    """Makes a repository with a commit of its own."""
    made = make_store(folder, {"readme.txt": str(folder)})
    if remote:
        git(made, "remote", "add", "origin", remote)
    return made


def store_of(home: Path, folder: Path) -> Path:
    return home / ".claude" / "projects" / locate.slug(os.path.realpath(folder)) / "memory"


def codes(cwd: Path, *more: str) -> set[str]:
    ran = run("doctor", "--json", *more, at=context(cwd))
    assert ran.exit in (0, 5)
    return {each["code"] for each in ran.json["findings"]}


def with_store(home: Path, folder: Path) -> Path:
    """Gives a project a store with one note, by the commands that a person has."""
    made = run("init", "--project", answers=[], at=context(folder))
    assert made.exit == 0, made.err
    store = store_of(home, folder)
    (store / "fact.md").write_text(FACT)
    (store / "MEMORY.md").write_text("# Memory\n\n- [Fact](fact.md)\n")
    git(store, "add", "-A")
    git(store, "commit", "-q", "-m", "fact")
    return store


# -- identities --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("url", "plain"),
    [
        ("https://ada:secret@example.com/ada/shop.git", "example.com/ada/shop"),
        ("git@example.com:ada/shop.git", "example.com/ada/shop"),
        ("ssh://git@example.com:2222/ada/shop", "example.com:2222/ada/shop"),
        ("https://example.com/ada/shop/", "example.com/ada/shop"),
        ("/srv/git/shop.git", "/srv/git/shop"),
        ("", ""),
    ],
)
def test_where_a_project_comes_from_is_kept_without_user_and_password(url: str, plain: str) -> None:
    assert identities.plain_url(url) == plain


def test_what_a_project_is_known_by(tmp_path: Path) -> None:
    shop = project(tmp_path / "shop", "git@example.com:ada/shop.git")
    below = shop / "src"
    below.mkdir()
    known = identities.identity(context(below))
    assert known.main == os.path.realpath(shop)
    assert known.common == os.path.realpath(shop / ".git")
    assert (known.remote, known.roots) == ("example.com/ada/shop", (git(shop, "rev-parse", "HEAD"),))
    git(shop, "worktree", "add", "-q", str(tmp_path / "tree"))
    assert identities.identity(context(tmp_path / "tree")) == known
    plain = tmp_path / "plain"
    plain.mkdir()
    assert identities.identity(context(plain)).roots == ()


def test_making_a_store_puts_its_project_on_record(sealed: Path, tmp_path: Path) -> None:
    shop = project(tmp_path / "shop")
    with_store(sealed, shop)
    (record,) = (sealed / ".agent-memory" / ".engram" / "projects").glob("*.json")
    written = json.loads(record.read_text())
    assert (written["main"], written["store"]) == (os.path.realpath(shop), os.path.realpath(store_of(sealed, shop)))


def test_a_commit_puts_its_project_on_record(sealed: Path, tmp_path: Path) -> None:
    shop = project(tmp_path / "shop")
    make_store(store_of(sealed, shop), {"fact.md": FACT, "MEMORY.md": "# Memory\n"})
    changes = write(tmp_path / "c.json", add("new"))
    assert run("curate", "apply", changes, answers=["y"], at=context(shop)).exit == 0
    (record,) = (sealed / ".agent-memory" / ".engram" / "projects").glob("*.json")
    assert json.loads(record.read_text())["roots"] == [git(shop, "rev-parse", "HEAD")]
    assert run("curate", "apply", write(tmp_path / "d.json", add("more")), "--dir", str(tmp_path)).exit == 1


def test_looking_makes_no_home_where_there_is_none(sealed: Path, tmp_path: Path) -> None:
    shop = project(tmp_path / "shop")
    make_store(store_of(sealed, shop), {"fact.md": FACT, "MEMORY.md": "# Memory\n\n- [Fact](fact.md)\n"})
    assert codes(shop) == {"index-missing", "hook-missing"}
    assert not (sealed / ".agent-memory").exists()


# -- two in one place --------------------------------------------------------------------------------------------------


def test_two_projects_that_one_name_stands_for(sealed: Path, tmp_path: Path) -> None:
    one, other = project(tmp_path / "b-c"), project(tmp_path / "b" / "c")
    assert store_of(sealed, one) == store_of(sealed, other)
    with_store(sealed, one)
    assert "project-mixed" not in codes(one)
    ran = run("doctor", "--json", at=context(other))
    (finding,) = [each for each in ran.json["findings"] if each["code"] == "project-mixed"]
    assert ran.exit == 5
    assert finding["level"] == "error"
    assert finding["others"] == [os.path.realpath(other), os.path.realpath(one)]
    assert "project-mixed" not in codes(one)


def test_two_projects_are_told_by_their_sessions_where_nothing_is_on_record(sealed: Path, tmp_path: Path) -> None:
    one, other = project(tmp_path / "b-c"), project(tmp_path / "b" / "c")
    store = make_store(store_of(sealed, one), {"fact.md": FACT})
    assert "project-mixed" not in codes(one)
    for name, folder in (("s-1", one), ("s-2", other)):
        line = json.dumps({"type": "user", "cwd": str(folder), "message": "é"})
        (store.parent / f"{name}.jsonl").write_text(f'{{"type":"mode"}}\n{line}\n')
    assert "project-mixed" in codes(one)
    assert "project-mixed" in codes(other)
    assert "project-mixed" not in codes(one, "--scope", "user")


def test_a_project_that_took_another_s_place_is_asked_about(sealed: Path, tmp_path: Path) -> None:
    shop = project(tmp_path / "shop")
    with_store(sealed, shop)
    shop.rename(tmp_path / "old")
    project(tmp_path / "shop", "git@example.com:ada/other.git")
    git(shop, "commit", "-q", "--amend", "--allow-empty", "-m", "another beginning")
    assert "project-replaced" in codes(shop)
    assert run("doctor", "--fix", at=context(shop)).exit == 5
    assert "project-replaced" in codes(shop)
    ran = run("doctor", "--fix", answers=["y"], at=context(shop))
    assert "Are these notes this project's? [y/N]" in ran.out
    assert "project-replaced" not in codes(shop)


# -- moved -------------------------------------------------------------------------------------------------------------


def test_a_project_that_moved_gets_its_notes_back(sealed: Path, tmp_path: Path) -> None:
    shop = project(tmp_path / "shop")
    store = with_store(sealed, shop)
    moved = shop.rename(tmp_path / "elsewhere")
    before = everything(store, skip=(".engram",))
    assert "project-moved" in codes(moved)
    assert "project-moved" in codes(moved, "--scope", "project")
    assert run("doctor", "--fix", answers=["n"], at=context(moved)).exit == 5
    assert not store_of(sealed, moved).exists()
    ran = run("doctor", "--fix", answers=["y"], at=context(moved))
    assert f"linked {store_of(sealed, moved)} to {os.path.realpath(store)}" in ran.out
    assert "project-moved" not in codes(moved)
    assert everything(store, skip=(".engram",)) == before
    assert "fact" in run("list", "--scope", "project", at=context(moved)).out
    assert codes(moved) <= {"index-missing", "hook-missing", "index-behind", "index-uncalibrated"}


def test_nobody_is_linked_without_a_word(sealed: Path, tmp_path: Path) -> None:
    shop = project(tmp_path / "shop")
    with_store(sealed, shop)
    moved = shop.rename(tmp_path / "elsewhere")
    assert run("doctor", "--fix", at=context(moved)).exit == 5
    assert run("doctor", "--fix", "--json", at=context(moved)).exit == 5
    assert not store_of(sealed, moved).exists()


def test_a_project_behind_a_link_has_moved_too(sealed: Path, tmp_path: Path) -> None:
    shop = project(tmp_path / "shop")
    with_store(sealed, shop)
    moved = shop.rename(tmp_path / "elsewhere")
    (tmp_path / "shop").symlink_to(moved)
    assert "project-moved" in codes(tmp_path / "shop")


def test_where_both_places_hold_notes_nothing_is_linked(sealed: Path, tmp_path: Path) -> None:
    shop = project(tmp_path / "shop")
    with_store(sealed, shop)
    moved = shop.rename(tmp_path / "elsewhere")
    make_store(store_of(sealed, moved), {"new.md": FACT})
    found = run("doctor", "--json", at=context(moved)).json["findings"]
    (finding,) = [each for each in found if each["code"] == "project-moved"]
    assert (finding["fix"], "1 note in its place now" in finding["message"]) == (None, True)


def test_a_clone_beside_its_original_has_not_moved(sealed: Path, tmp_path: Path) -> None:
    shop = project(tmp_path / "shop")
    with_store(sealed, shop)
    git(tmp_path, "clone", "-q", "shop", "clone")
    assert "project-moved" not in codes(tmp_path / "clone")


def test_a_project_that_moved_under_one_name_keeps_its_store(sealed: Path, tmp_path: Path) -> None:
    shop = project(tmp_path / "b-c")
    with_store(sealed, shop)
    (tmp_path / "b").mkdir()
    moved = shop.rename(tmp_path / "b" / "c")
    assert not {"project-mixed", "project-replaced", "project-moved"} & codes(moved)
    (record,) = (sealed / ".agent-memory" / ".engram" / "projects").glob("*.json")
    assert json.loads(record.read_text())["main"] == os.path.realpath(moved)


def test_no_link_goes_where_something_stands(tmp_path: Path, sealed: Path) -> None:
    (tmp_path / "place").mkdir()
    (tmp_path / "place" / "a.md").write_text("a")
    with pytest.raises(Exception, match=r"holds a\.md already"):
        identities.link(context(), str(tmp_path / "place"), str(tmp_path))


# -- the machine -------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(sys.platform == "win32", reason="needs a file system that tells case apart")
def test_names_that_differ_in_case_alone(tmp_path: Path) -> None:
    store = make_store(tmp_path / "m", {"a.md": FACT, "A.md": FACT})
    if len(list(store.glob("*.md"))) < 2:
        pytest.skip("this file system takes them for one")
    assert "case-collision" in codes(tmp_path, "--dir", str(store))


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="root reads and writes all")
def test_what_the_system_refuses(tmp_path: Path) -> None:
    store = make_store(tmp_path / "m", {"a.md": FACT, "b/c.md": FACT})
    for path, mode in ((store / "a.md", 0), (store / "b", 0), (store, 0o500)):
        path.chmod(mode)
    try:
        assert {"unreadable-file", "unreadable-folder", "store-read-only"} <= codes(tmp_path, "--dir", str(store))
    finally:
        for path in (store, store / "b", store / "a.md"):
            path.chmod(0o700)


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="such names can't be made there")
def test_names_and_kinds_of_files_that_are_no_notes(tmp_path: Path) -> None:
    store = make_store(tmp_path / "m", {"a.md": FACT})
    os.mkfifo(store / "pipe.md")
    (Path(os.fsdecode(os.fsencode(store) + b"/gr\xfc.md"))).write_bytes(b"x\n")
    assert {"no-regular-file", "name-not-utf8"} <= codes(tmp_path, "--dir", str(store))


def test_a_store_in_a_synced_folder(tmp_path: Path, sealed: Path) -> None:
    store = make_store(tmp_path / "Dropbox" / "m", {"a.md": FACT})
    assert "store-synced" in codes(tmp_path, "--dir", str(store))
    (sealed / ".dropbox").mkdir()
    (sealed / ".dropbox" / "info.json").write_text(json.dumps({"personal": {"path": str(tmp_path / "box")}}))
    other = make_store(tmp_path / "box" / "m", {"a.md": FACT})
    assert "store-synced" in codes(tmp_path, "--dir", str(other))


def test_stores_on_the_windows_side(tmp_path: Path) -> None:
    (tmp_path / "Ada" / ".agent-memory").mkdir(parents=True)
    (tmp_path / "Ada" / ".agent-memory" / "MEMORY.md").write_text("# Memory\n")
    (tmp_path / "Bob" / ".agent-memory").mkdir(parents=True)
    assert list(_windows_stores(str(tmp_path))) == [str(tmp_path / "Ada" / ".agent-memory")]
    assert list(_windows_stores(str(tmp_path / "none"))) == []


def test_a_missing_git_is_a_finding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = make_store(tmp_path / "m", {"a.md": FACT})
    monkeypatch.setattr("engram.store.git._library", _no_git)
    report = examining.examine(context(), folder=str(store))
    assert [each.code for each in report.findings if each.level != "info"] == ["git-missing", "toc-missing"]


def test_a_repository_that_lost_what_it_held_is_a_finding(tmp_path: Path) -> None:
    store = make_store(tmp_path / "m", {"a.md": FACT})
    for path in (store / ".git" / "objects").glob("??/*"):
        path.unlink()
    assert codes(tmp_path, "--dir", str(store)) >= {"git-unusable"}


@pytest.mark.parametrize("target", ["codex", "gemini", "copilot", "opencode", "cursor"])
def test_each_agent_s_hooks_are_told_apart_from_none(sealed: Path, target: str) -> None:
    folder = {
        "codex": ".codex",
        "gemini": ".gemini",
        "copilot": ".copilot",
        "opencode": ".config/opencode",
        "cursor": ".cursor",
    }
    (sealed / folder[target]).mkdir(parents=True)
    here = context()

    def installed() -> dict[str, bool | None]:
        return {hook.host: hook.installed for hook in outlook.hooks(here)}

    assert installed()[target] is False
    assert run("adapt", "--target", target, "--yes").exit == 0
    assert installed()[target] is True


def _no_git() -> object:
    from engram.errors import GitMissing  # noqa: PLC0415

    raise GitMissing("git is not installed, or not on the PATH")

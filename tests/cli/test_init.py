from __future__ import annotations

from pathlib import Path

from tests.lib.cli import context, run
from tests.lib.proposed import add, write
from tests.lib.stores import everything, git, make_store, note


def test_a_new_folder_becomes_a_store_and_can_be_written_to(tmp_path: Path) -> None:
    store = tmp_path / "new store"
    ran = run("init", "--dir", str(store))
    assert ran.exit == 0
    assert git(store, "status", "--porcelain") == ""
    assert (store / ".gitattributes").read_bytes() == b"* -text\n"
    assert run("curate", "apply", write(tmp_path / "c.json", add("a")), "--dir", str(store), answers=["y"]).exit == 0
    assert git(store, "status", "--porcelain") == ""


def test_where_the_project_has_no_store_init_says_how_to_make_it(tmp_path: Path) -> None:
    project = tmp_path / "shop"
    project.mkdir()
    alone = run("init", at=context(project))
    git(project, "init", "-q")
    ran = run("init", at=context(project))
    assert ("--project" in alone.err, "`engram init --project`" in ran.err) == (False, True)
    run("init", "--project", at=context(project))
    assert "--project" not in run("init", at=context(project)).err


def test_twice_is_once(tmp_path: Path) -> None:
    store = tmp_path / "s"
    run("init", "--dir", str(store))
    before = everything(store)
    assert run("init", "--dir", str(store)).exit == 0
    assert everything(store) == before


def test_a_folder_that_exists_is_not_touched_unasked(tmp_path: Path) -> None:
    loose = make_store(tmp_path / "loose", {"a.md": note("a")}, init=False)
    before = everything(loose)
    assert run("init", "--dir", str(loose)).exit == 3
    assert run("init", "--dir", str(loose), "--adopt").exit == 3
    assert run("init", "--dir", str(loose), answers=["n"]).exit == 3
    assert everything(loose) == before


def test_notes_that_stand_there_are_adopted_or_stay_unreviewed(tmp_path: Path) -> None:
    for name, answer, left in (("yes", "y", []), ("no", "n", ["a.md"])):
        loose = make_store(tmp_path / name, {"a.md": note("a")}, init=False)
        assert run("init", "--dir", str(loose), answers=["y", answer]).exit == 0
        assert (loose / "a.md").read_text() == note("a")
        status = run("status", "--dir", str(loose), "--json").json
        assert [path for path in status["unreviewed"] if path != "MEMORY.md"] == left
    verdicts = [one["verdict"] for one in run("audit", "--dir", str(tmp_path / "yes"), "--json").json["commits"]]
    assert verdicts == ["approved"]


def test_inside_another_repository_the_store_gets_one_of_its_own(tmp_path: Path) -> None:
    outer = make_store(tmp_path / "outer", {"readme.md": "x\n", "memory/a.md": note("a")})
    head = git(outer, "rev-parse", "HEAD")
    store = outer / "memory"
    changes = write(tmp_path / "c.json", add("b"))
    ran = run("curate", "apply", changes, "--dir", str(store), answers=["y"])
    assert (ran.exit, "store-enclosed" in ran.err) == (1, True)
    assert run("init", "--dir", str(store), answers=["y", "y"]).exit == 0
    assert run("curate", "apply", changes, "--dir", str(store), answers=["y"]).exit == 0
    assert git(outer, "rev-parse", "HEAD") == head


def test_the_enclosing_repository_only_where_a_person_chose_it(tmp_path: Path) -> None:
    outer = make_store(tmp_path / "outer", {"readme.md": "x\n", "memory/a.md": note("a")})
    store = outer / "memory"
    assert run("init", "--dir", str(store), "--enclosing").exit == 1
    assert run("init", "--dir", str(store), "--enclosing", answers=["y", "y"]).exit == 0
    assert run("curate", "apply", write(tmp_path / "c.json", add("b")), "--dir", str(store), answers=["y"]).exit == 0
    assert "memory/b.md" in git(outer, "show", "--stat", "--format=", "HEAD")
    assert str(store) in run("config", "get", "gate.enclosing").out


def test_the_users_store_has_its_layout(tmp_path: Path, sealed: Path) -> None:
    assert run("init", "--user", at=context(tmp_path)).exit == 0
    home = sealed / ".agent-memory"
    assert (home / "config.json").exists()
    changes = write(
        tmp_path / "c.json", add("a", type="feedback"), add("l", type="lesson"), add("j", type="journal"), scope="user"
    )
    assert run("curate", "apply", changes, at=context(tmp_path), answers=["y"]).exit == 0
    found = {one["path"] for one in run("list", "--json", "--scope", "user", at=context(tmp_path)).json["notes"]}
    assert found == {"memories/feedback/a.md", "lessons/l.md", "journal/2026/2026-11/2026-11-30-j.md"} or found == {
        "memories/feedback/a.md", "lessons/l.md", "journal/2026/2026-11/j.md"}  # fmt: skip


def test_no_identity_is_asked_for_or_named(tmp_path: Path, sealed: Path) -> None:
    (sealed / ".gitconfig").write_text("[user]\n\tuseConfigOnly = true\n")
    store = tmp_path / "s"
    ran = run("init", "--dir", str(store))
    assert (ran.exit, "git-identity-missing" in ran.err) == (1, True)
    assert not store.exists()
    assert run("init", "--dir", str(store), answers=["Ada", "ada@example.com"]).exit == 0
    assert git(store, "log", "-1", "--format=%an <%ae>") == "Ada <ada@example.com>"


def test_what_looks_like_a_secret_is_named_before_it_is_adopted(tmp_path: Path) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6" * 3
    loose = make_store(tmp_path / "loose", {"a.md": note("a"), "token.md": note("token", secret)}, init=False)
    ran = run("init", "--dir", str(loose), answers=["y", "n"])
    assert ran.exit == 0
    assert ran.out.index("! token.md holds text shaped like a secret (github-token)") < ran.out.index("Adopt these")
    assert secret not in ran.out + ran.err
    assert "a.md holds" not in ran.out

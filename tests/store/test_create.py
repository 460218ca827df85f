"""A new store: its first files and its first commit, and nothing of what stood there changed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from engram.errors import (
    EngramError,
    GitDetached,
    GitFailed,
    GitIdentityMissing,
    SigningFailed,
    StoreNotVersioned,
)
from engram.model.plan import Approve
from engram.store import create as creation
from engram.store.create import Created, create
from engram.store.git import Repository
from tests.lib.commits import ADA, NOW, changed, commit, state
from tests.lib.stores import everything, git, make_store

FIRST = {".gitattributes": b"* -text\n", ".gitignore": b".engram/\n*.tmp\n", "MEMORY.md": b"# Memory\n"}


def make(root: Path, **how: Any) -> Created:
    wanted: dict[str, Any] = {
        "user_store": False, "identity": None, "adopt": False, "enclosing": False, "created": "2026-03-04",
    }  # fmt: skip
    return create(str(root), **{**wanted, **how})


def files(root: Path) -> dict[str, bytes]:
    return everything(root, skip=(".git/", ".engram/"))


def test_a_store_in_a_new_folder(tmp_path: Path) -> None:
    root = tmp_path / "new" / "my notes"
    made = make(root, now=NOW, approval=ADA)
    assert made == Created(git(root, "rev-parse", "HEAD"), tuple(sorted(FIRST)))
    assert files(root) == FIRST
    assert changed(root) == set(FIRST)
    assert git(root, "status", "--porcelain") == ""
    assert git(root, "log", "--format=%s|%an|%cI") == "Start the store|Ada Tester|2026-03-04T05:06:07Z".replace(
        "Z", "+00:00"
    )
    assert git(root, "log", "--format=%(trailers)").splitlines() == [
        "Engram-Created: 2026-03-04",
        "Approved-By: Ada Tester <ada@example.com>",
        "Approved-Via: terminal",
    ]
    assert git(root, "symbolic-ref", "HEAD") == "refs/heads/main"
    assert (
        sorted(path.name for path in (root / ".git").iterdir() if path.name in ("hooks", "info", "description")) == []
    )
    assert sorted(path.name for path in (root / ".engram").iterdir()) == [".gitignore", "lock"]


def test_the_user_s_store_has_settings(tmp_path: Path) -> None:
    make(tmp_path / "s", user_store=True)
    assert json.loads((tmp_path / "s" / "config.json").read_bytes()) == {"schema_version": 1}
    assert changed(tmp_path / "s") == {*FIRST, "config.json"}


def test_notes_that_stand_there_stay_unreviewed_unless_they_are_adopted(tmp_path: Path) -> None:
    standing = {"a.md": b"A\r\n", "d/b é.md": b"no end", "code.py": b"x", "MEMORY.md": b"mine\n"}
    root = make_store(tmp_path / "s", standing, init=False)
    make(root)
    assert files(root) == {**FIRST, **standing}
    assert changed(root) == {".gitattributes", ".gitignore"}
    untracked = git(root, "status", "--porcelain", "-z", "-uall").split("\0")[:-1]
    assert untracked == [f"?? {path}" for path in sorted(standing)]


def test_notes_that_are_adopted_are_in_the_first_commit_byte_for_byte(tmp_path: Path) -> None:
    standing = {"a.md": b"A\r\n", "d/b é.md": b"no end", "code.py": b"x", "MEMORY.md": b"mine\n"}
    root = make_store(tmp_path / "s", standing, init=False)
    (tmp_path / "s" / ".engram").mkdir()
    (tmp_path / "s" / ".engram" / "index.md").write_bytes(b"x")
    made = make(root, adopt=True)
    assert made.files == (".gitattributes", ".gitignore", "MEMORY.md", "a.md", "d/b é.md")
    assert git(root, "status", "--porcelain") == "?? code.py"
    assert files(root) == {**FIRST, **standing}
    assert git(root, "log", "--format=%s") == "Start the store; 3 notes adopted as reviewed".replace("3", "2")


@pytest.mark.parametrize("name", [".gitattributes", ".gitignore", "config.json"])
def test_a_file_of_the_user_s_own_stays_as_it_is_and_untracked(tmp_path: Path, name: str) -> None:
    root = make_store(tmp_path / "s", {name: b"{}\n"}, init=False)
    make(root, user_store=True)
    assert (root / name).read_bytes() == b"{}\n"
    assert name not in changed(root)


def test_a_store_can_be_committed_to_at_once(tmp_path: Path) -> None:
    make(tmp_path / "s")
    commit(tmp_path / "s", {"memories/user/n.md": b"N\n"})
    assert git(tmp_path / "s", "status", "--porcelain") == ""


def test_making_it_again_changes_nothing(tmp_path: Path) -> None:
    root = tmp_path / "s"
    first = make(root, user_store=True)
    before = state(root)
    assert make(root, user_store=True) == Created(first.commit, ())
    assert state(root) == before


def test_a_repository_that_has_commits_gets_what_is_missing(tmp_path: Path) -> None:
    root = make_store(tmp_path / "s", {"a.md": b"A\n"})
    assert make(root).files == (".gitignore", "MEMORY.md")
    assert git(root, "log", "--format=%s") == "Start the store\nstart"


# -- identity and signing ---------------------------------------------------------------------------------------------


def test_without_an_identity_nothing_is_made(tmp_path: Path, sealed: Path) -> None:
    (sealed / ".gitconfig").write_text("", encoding="utf-8")
    with pytest.raises(GitIdentityMissing):
        make(tmp_path / "new" / "s")
    assert not (tmp_path / "new").exists()


def test_an_identity_that_is_given_is_kept_in_the_store(tmp_path: Path, sealed: Path) -> None:
    (sealed / ".gitconfig").write_text("", encoding="utf-8")
    make(tmp_path / "s", identity=("Zoë", "zoe@example.com"))
    commit(tmp_path / "s", {"n.md": b"N\n"})
    assert git(tmp_path / "s", "log", "--format=%an <%ae>") == "Zoë <zoe@example.com>\nZoë <zoe@example.com>"
    assert (sealed / ".gitconfig").read_text(encoding="utf-8") == ""


def test_a_signature_that_fails_leaves_the_folder_as_it_was(tmp_path: Path, sealed: Path) -> None:
    git(tmp_path, "config", "--global", "commit.gpgsign", "true")
    git(tmp_path, "config", "--global", "gpg.program", "no-such-gpg")
    root = make_store(tmp_path / "s", {"a.md": b"A\n", "MEMORY.md": b"mine\n"}, init=False)
    with pytest.raises(SigningFailed):
        make(root, adopt=True)
    assert files(root) == {"a.md": b"A\n", "MEMORY.md": b"mine\n"}
    assert not (root / ".git").exists()
    with pytest.raises(SigningFailed):
        make(tmp_path / "new" / "s")
    assert not (tmp_path / "new").exists()


# -- what surrounds it ------------------------------------------------------------------------------------------------


def test_inside_another_repository_it_gets_one_of_its_own(tmp_path: Path) -> None:
    top = make_store(tmp_path / "project", {"code.py": "x\n", "memory/a.md": "A\n"})
    head, index = git(top, "rev-parse", "HEAD"), git(top, "ls-files", "-s", "--debug")
    make(top / "memory", adopt=True)
    assert (git(top, "rev-parse", "HEAD"), git(top, "ls-files", "-s", "--debug")) == (head, index)
    found = Repository.find(str(top / "memory"))
    assert found is not None
    assert found.top == str(top / "memory")
    assert changed(top / "memory") == {*FIRST, "a.md"}


def test_the_repository_around_it_is_committed_to_where_it_was_chosen(tmp_path: Path) -> None:
    top = make_store(tmp_path / "project", {"code.py": "x\n"})
    (top / "code.py").write_bytes(b"staged\n")
    git(top, "add", "code.py")
    config = (top / ".git" / "config").read_bytes()
    made = make(top / "memory", enclosing=True)
    assert made.files == tuple(sorted(FIRST))
    assert changed(top) == {f"memory/{path}" for path in FIRST}
    assert git(top, "status", "--porcelain") == "M  code.py"
    assert (top / ".git" / "config").read_bytes() == config
    assert make(top / "memory", enclosing=True) == Created(made.commit, ())


def test_nothing_encloses_it(tmp_path: Path) -> None:
    with pytest.raises(StoreNotVersioned):
        make(tmp_path / "s", enclosing=True)
    assert not (tmp_path / "s").exists()


def test_a_repository_that_can_t_be_committed_to_is_left_alone(tmp_path: Path) -> None:
    top = make_store(tmp_path / "project", {"code.py": "x\n"})
    git(top, "checkout", "-q", "--detach")
    before = state(top)
    with pytest.raises(GitDetached):
        make(top / "memory", enclosing=True)
    assert state(top) == before


def test_a_repository_that_is_damaged_is_left_alone(tmp_path: Path) -> None:
    root = make_store(tmp_path / "s", {"a.md": "A\n"})
    (root / ".git" / "HEAD").unlink()
    before = everything(root)
    with pytest.raises(GitFailed):
        make(root)
    assert everything(root, skip=(".engram/",)) == before


def test_templates_hooks_and_inherited_variables_have_no_say(
    tmp_path: Path, sealed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = make_store(tmp_path / "other", {"a.md": "A\n"})
    before = state(other)
    hooks = sealed / "template" / "hooks"
    hooks.mkdir(parents=True)
    for hook in ("pre-commit", "reference-transaction", "post-index-change"):
        (hooks / hook).write_text(f"#!/bin/sh\ntouch '{sealed}/ran'\nexit 1\n", encoding="utf-8")
        (hooks / hook).chmod(0o755)
    git(tmp_path, "config", "--global", "init.templateDir", str(sealed / "template"))
    git(tmp_path, "config", "--global", "core.hooksPath", str(hooks))
    monkeypatch.setenv("GIT_TEMPLATE_DIR", str(sealed / "template"))
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other))
    make(tmp_path / "s")
    assert not (sealed / "ran").exists()
    assert not (tmp_path / "s" / ".git" / "hooks").exists()
    assert state(other) == before
    assert changed(tmp_path / "s") == set(FIRST)


def test_a_sha_256_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_DEFAULT_HASH", "sha256")
    assert len(make(tmp_path / "s").commit) == 64


@pytest.mark.skipif(os.name == "nt", reason="making a symlink needs a privilege there")
def test_a_link_in_a_first_file_s_place_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "s").mkdir()
    (tmp_path / "s" / "MEMORY.md").symlink_to(tmp_path / "outside.md")
    make(tmp_path / "s")
    assert not (tmp_path / "outside.md").exists()
    assert changed(tmp_path / "s") == {".gitattributes", ".gitignore"}


# -- killed -----------------------------------------------------------------------------------------------------------

CHILD = """
import os, signal, sys
from engram.store.create import create
def step(name):
    if name == sys.argv[2]:
        os.kill(os.getpid(), signal.SIGKILL) if os.name == "posix" else os._exit(9)
create(sys.argv[1], user_store=True, identity=None, adopt=True, enclosing=sys.argv[3] == "yes", created="2026-03-04",
       step=step)
"""


@pytest.mark.parametrize("enclosing", [False, True])
@pytest.mark.parametrize("step", ["repository", "files", "commit", "ref", "done"])
def test_a_run_that_was_killed_is_finished_by_the_next(tmp_path: Path, step: str, enclosing: bool) -> None:
    top = make_store(tmp_path / "p", {"code.py": "x\n"}) if enclosing else tmp_path
    root = make_store(top / "s", {"a.md": b"A\n"}, init=False)
    words = [sys.executable, "-c", CHILD, str(root), step, "yes" if enclosing else "no"]
    assert subprocess.run(words, check=False).returncode in (-9, 9)
    make(root, user_store=True, adopt=True, enclosing=enclosing)
    prefix = "s/" if enclosing else ""
    assert changed(root) == {f"{prefix}{path}" for path in (*FIRST, "config.json", "a.md")}
    assert git(root, "status", "--porcelain") == ""
    assert git(root, "fsck", "--no-dangling") == ""
    assert sorted(path.name for path in (root / ".engram").iterdir()) == [".gitignore", "lock"]


@pytest.mark.parametrize("left", [[], ["objects"], ["objects", "refs"], ["objects", "refs", "config"]])
def test_a_git_init_that_was_killed_is_finished(tmp_path: Path, left: list[str]) -> None:
    root = make_store(tmp_path / "s", {}, init=False)
    (root / ".engram").mkdir(parents=True)
    (root / ".engram" / "creating").touch()
    (root / ".git").mkdir()
    for name in left:
        (root / ".git" / name).touch() if name == "config" else (root / ".git" / name).mkdir()
    make(root)
    assert changed(root) == set(FIRST)
    assert git(root, "fsck") == ""


def test_a_failure_at_the_last_moment_leaves_the_folder_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise EngramError("no")

    monkeypatch.setattr(creation.plumbing, "move_ref", fails)
    root = make_store(tmp_path / "s", {"a.md": b"A\n"}, init=False)
    with pytest.raises(EngramError):
        make(root, adopt=True, approval=Approve("x", "terminal"))
    assert files(root) == {"a.md": b"A\n"}
    assert not (root / ".git").exists()

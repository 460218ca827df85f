from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from engram.store.git import Repository
from engram.store.ref import blobs_at, head_of, mark_of, object_format
from tests.lib.stores import git, make_store, note

A = {"a.md": note("a"), "d/b.md": note("b"), "MEMORY.md": "# m\n"}


def asked(root: Path) -> tuple[str, str] | None:
    repository = Repository.find(str(root), enclosing_allowed=True)
    return None if repository is None else repository.head()


@pytest.mark.parametrize(
    "how", ["loose", "packed", "both", "detached", "unborn", "sha256", "deep branch", "moved .git"]
)
def test_head_is_what_git_says(tmp_path: Path, how: str) -> None:
    root = tmp_path / "store"
    if how == "sha256":
        make_store(root, A, init=False)
        git(root, "init", "-q", "-b", "main", "--object-format=sha256")
        git(root, "add", "-A")
        git(root, "commit", "-q", "-m", "start")
    else:
        make_store(root, A, commit=how != "unborn")
    if how in ("packed", "both"):
        git(root, "pack-refs", "--all")
    if how == "both":
        git(root, "commit", "-q", "--allow-empty", "-m", "more")
    if how == "detached":
        git(root, "checkout", "-q", "--detach")
    if how == "deep":
        git(root, "checkout", "-q", "-b", "feature/x/y")
    if how == "moved .git":
        git(root, "init", "-q", "--separate-git-dir", str(tmp_path / "elsewhere"))
    assert head_of(str(root)) == asked(root)
    assert object_format(str(root)) == ("sha256" if how == "sha256" else "sha1")


def test_a_packed_ref_is_found_by_its_whole_name(tmp_path: Path) -> None:
    root = make_store(tmp_path / "store", A)
    git(root, "branch", "x/main")
    git(root, "commit", "-q", "--allow-empty", "-m", "more")
    git(root, "pack-refs", "--all")
    assert head_of(str(root)) == asked(root)


def test_a_linked_worktree_has_a_head_of_its_own(tmp_path: Path) -> None:
    root = make_store(tmp_path / "store", A)
    git(root, "worktree", "add", "-q", "-b", "other", str(tmp_path / "linked"))
    git(tmp_path / "linked", "commit", "-q", "--allow-empty", "-m", "there")
    git(root, "pack-refs", "--all")
    assert head_of(str(tmp_path / "linked")) == asked(tmp_path / "linked")
    assert head_of(str(root)) == asked(root)


def test_a_symbolic_branch_is_followed(tmp_path: Path) -> None:
    root = make_store(tmp_path / "store", A)
    git(root, "symbolic-ref", "refs/heads/alias", "refs/heads/main")
    git(root, "symbolic-ref", "HEAD", "refs/heads/alias")
    found = head_of(str(root))
    assert found is not None
    assert found[1] == git(root, "rev-parse", "HEAD")


def test_a_folder_without_a_repository_is_not_versioned(tmp_path: Path) -> None:
    assert head_of(str(make_store(tmp_path / "store", A, init=False))) == ("", "")
    assert mark_of(str(tmp_path / "store")) == ""


def test_a_repository_around_it_counts_only_where_it_may(tmp_path: Path) -> None:
    root = make_store(tmp_path / "outer", {"memory/a.md": note("a"), "b.md": note("b")})
    assert head_of(str(root / "memory")) == ("", "")
    assert head_of(str(root / "memory"), enclosing=True) == asked(root)
    found = blobs_at(str(root / "memory"), "HEAD", os.environ, 10)
    assert found is not None
    assert list(found) == ["a.md"]


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("HEAD", "ref: refs/../../secret\n"), ("HEAD", "nonsense\n"), ("HEAD", ""),
        ("HEAD", "ref: refs/heads/.invalid\n"),
        ("refs/heads/main", "1234\n"), ("refs/heads/main", "ref: refs/heads/main\n"),
    ],
)  # fmt: skip
def test_what_makes_no_sense_tells_nothing(tmp_path: Path, file: str, text: str) -> None:
    root = make_store(tmp_path / "store", A)
    (root / ".git" / file).write_text(text, encoding="utf-8")
    assert head_of(str(root)) is None


@pytest.mark.parametrize("text", ["gitdir: gone\n", "hello\n", ""])
def test_a_git_file_that_leads_nowhere_tells_nothing(tmp_path: Path, text: str) -> None:
    root = make_store(tmp_path / "store", A, init=False)
    (root / ".git").write_text(text, encoding="utf-8")
    assert head_of(str(root)) is None
    assert mark_of(str(root)) is None


def test_where_refs_are_kept_in_tables_their_list_tells_of_a_move(tmp_path: Path) -> None:
    root = make_store(tmp_path / "store", A)
    (root / ".git" / "HEAD").write_text("ref: refs/heads/.invalid\n", encoding="utf-8")
    assert mark_of(str(root)) is None
    (root / ".git" / "reftable").mkdir()
    tables = root / ".git" / "reftable" / "tables.list"
    tables.write_text("0x01-0x02-a.ref\n", encoding="utf-8")
    before = mark_of(str(root))
    tables.write_text("0x01-0x02-a.ref\n0x03-0x03-b.ref\n", encoding="utf-8")
    assert before
    assert mark_of(str(root)) not in (None, "", before)


def test_the_mark_moves_with_the_branch_and_with_its_commit(tmp_path: Path) -> None:
    root = make_store(tmp_path / "store", A)
    marks = [mark_of(str(root))]
    git(root, "commit", "-q", "--allow-empty", "-m", "more")
    marks.append(mark_of(str(root)))
    git(root, "checkout", "-q", "-b", "other")
    marks.append(mark_of(str(root)))
    git(root, "pack-refs", "--all")
    assert len(set(marks)) == 3
    assert mark_of(str(root)) == marks[-1]


def test_the_blobs_are_those_of_the_commit(tmp_path: Path) -> None:
    root = make_store(tmp_path / "store", {**A, "ä ö\tü.md": note("c"), "x.txt": "no note"})
    found = blobs_at(str(root), git(root, "rev-parse", "HEAD"), os.environ, 10)
    assert found is not None
    assert sorted(found) == sorted([*A, "ä ö\tü.md"])
    assert found["a.md"] == git(root, "hash-object", "a.md")


def test_variables_of_another_repository_do_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = make_store(tmp_path / "store", A)
    other = make_store(tmp_path / "other", {"o.md": note("o")})
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other))
    found = blobs_at(str(root), "HEAD", os.environ, 10)
    assert found is not None
    assert "a.md" in found


def test_git_that_fails_or_hangs_gives_nothing_and_leaves_no_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = make_store(tmp_path / "store", A)
    assert blobs_at(str(root), "0" * 40, os.environ, 10) is None
    assert blobs_at(str(root), "HEAD", {"PATH": str(tmp_path)}, 10) is None
    if os.name != "posix":
        return
    slow = tmp_path / "bin" / "git"
    slow.parent.mkdir()
    slow.write_text(f"#!/bin/sh\necho $$ > {tmp_path}/pid\nexec sleep 60\n", encoding="utf-8")
    slow.chmod(0o755)
    monkeypatch.setenv("PATH", f"{slow.parent}:{os.environ['PATH']}")
    assert blobs_at(str(root), "HEAD", os.environ, 1) is None
    number = (tmp_path / "pid").read_text(encoding="utf-8").strip()
    assert subprocess.run(["kill", "-0", number], check=False, capture_output=True).returncode != 0

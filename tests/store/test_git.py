"""The read side of a store's repository, and what of the surroundings counts."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from engram.errors import (
    GitDubiousOwnership,
    GitFailed,
    GitIdentityMissing,
    GitMissing,
    StoreEnclosed,
    StoreNotVersioned,
)
from engram.store.git import Repository, enclosing, identity, scrub, why_unversioned
from engram.store.gitenv import LOCAL_VARIABLES
from tests.lib.stores import git, make_store

ODD = ["a b.md", "-dash.md", "naïve-ключ.md", "quote'\"s.md", "deep/er/x.md", "[brackets].md"]


def found(root: Path, **how: bool) -> Repository:
    repository = Repository.find(str(root), **how)
    assert repository is not None
    return repository


def test_the_table_of_variables_holds_git_s_own_list(tmp_path: Path) -> None:
    assert set(git(tmp_path, "rev-parse", "--local-env-vars").split()) <= set(LOCAL_VARIABLES)


def test_scrub_takes_what_names_a_repository_and_leaves_the_settings() -> None:
    kept = {"GIT_CONFIG_GLOBAL": "a", "GIT_CONFIG_NOSYSTEM": "1", "GIT_SSH_COMMAND": "ssh -v", "PATH": "/bin"}
    environ = {**dict.fromkeys(LOCAL_VARIABLES, "x"), "GIT_QUARANTINE_PATH": "x", **kept}
    scrub(environ)
    assert environ == {**kept, "GIT_NO_REPLACE_OBJECTS": "1"}


def test_a_folder_of_its_own_repository_is_found(tmp_path: Path) -> None:
    root = make_store(tmp_path / "s", {"a.md": "A\n"})
    repository = found(root)
    assert (repository.root, repository.top, repository.prefix, repository.sha) == (str(root), str(root), "", "sha1")
    assert repository.git_dir == repository.common_dir == str(root / ".git")
    assert repository.head() == ("refs/heads/main", git(root, "rev-parse", "HEAD"))


def test_a_symlink_to_a_store_is_the_store(tmp_path: Path) -> None:
    root = make_store(tmp_path / "s", {"a.md": "A\n"})
    (tmp_path / "link").symlink_to(root, target_is_directory=True)
    assert found(tmp_path / "link").root == str(root)


def test_an_unborn_branch_has_no_commit_and_no_notes(tmp_path: Path) -> None:
    repository = found(make_store(tmp_path / "s", {}, commit=False))
    assert repository.head() == ("refs/heads/main", "")
    assert repository.tree("") == {}


def test_a_detached_head_names_no_branch(tmp_path: Path) -> None:
    root = make_store(tmp_path / "s", {"a.md": "A\n"})
    git(root, "checkout", "-q", "--detach")
    assert found(root).head() == ("", git(root, "rev-parse", "HEAD"))


@pytest.mark.parametrize("sha", ["sha1", "sha256"])
def test_tree_and_blobs_hold_every_note_whatever_its_name(tmp_path: Path, sha: str) -> None:
    root = tmp_path / "s"
    root.mkdir()
    git(root, "init", "-q", "-b", "main", f"--object-format={sha}")
    texts = {name: f"{name}\r\n\0 no final line end".encode() for name in ODD}
    make_store(root, {**texts, "picture.png": b"x", "x.md.bak": b"x", ".engram/state.md": b"x"})
    repository = found(root)
    tree = repository.tree(repository.head()[1])
    assert {path: repository.blob_id(data) for path, data in texts.items()} == tree
    assert repository.blobs(tree.values()) == {repository.blob_id(data): data for data in texts.values()}
    assert len(repository.no_object) == len(next(iter(tree.values())))


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such names")
def test_a_name_that_is_no_utf_8_comes_back_as_the_same_bytes(tmp_path: Path) -> None:
    root = make_store(tmp_path / "s", {os.fsdecode(b"caf\xe9.md"): "A\n"})
    repository = found(root)
    (path,) = repository.tree(repository.head()[1])
    assert path.encode("utf-8", "surrogateescape") == b"caf\xe9.md"


@pytest.mark.skipif(os.name == "nt", reason="needs symlinks and modes")
def test_links_and_submodules_are_no_notes(tmp_path: Path) -> None:
    inner = make_store(tmp_path / "inner", {"x.md": "x"})
    root = make_store(tmp_path / "s", {"a.md": "A\n", "run.md": "R\n"}, commit=False)
    (root / "run.md").chmod(0o755)
    (root / "link.md").symlink_to("a.md")
    git(root, "add", "-A")
    git(root, "update-index", "--add", "--cacheinfo", f"160000,{git(inner, 'rev-parse', 'HEAD')},sub.md")
    git(root, "commit", "-qm", "start")
    repository = found(root)
    head = repository.head()[1]
    assert set(repository.tree(head)) == {"a.md", "run.md"}
    modes = {path: entry.mode for path, entry in repository.entries(head).items() if path.endswith(".md")}
    assert modes == {"a.md": "100644", "run.md": "100755", "link.md": "120000", "sub.md": "160000"}


def test_a_blob_that_is_lost_is_left_out(tmp_path: Path) -> None:
    repository = found(make_store(tmp_path / "s", {"a.md": "A\n"}))
    one = repository.blob_id(b"A\n")
    assert repository.blobs([one, "a" * 40]) == {one: b"A\n"}
    assert repository.blobs([]) == {}


def test_entries_of_some_paths_are_asked_for_in_groups(tmp_path: Path) -> None:
    names = [f"{number:03}-{'x' * 150}.md" for number in range(120)]
    root = make_store(tmp_path / "s", dict.fromkeys(names, "A\n"))
    repository = found(root)
    assert set(repository.entries(repository.head()[1], [*names, "gone.md"])) == set(names)
    assert set(repository.index_entries([*names, "gone.md"])) == set(names)


def test_what_merging_left_in_the_index_is_no_entry(tmp_path: Path) -> None:
    root = make_store(tmp_path / "s", {"a.md": "A\n"})
    git(root, "switch", "-qc", "other")
    (root / "a.md").write_bytes(b"B\n")
    git(root, "commit", "-qam", "b")
    git(root, "switch", "-q", "main")
    (root / "a.md").write_bytes(b"C\n")
    git(root, "commit", "-qam", "c")
    git(root, "merge", "-q", "other", check=False)
    assert found(root).index_entries(["a.md"]) == {"a.md": None}


def test_replace_refs_do_not_count(tmp_path: Path) -> None:
    root = make_store(tmp_path / "s", {"a.md": "A\n", "b.md": "B\n"})
    git(root, "replace", git(root, "rev-parse", "HEAD:a.md"), git(root, "rev-parse", "HEAD:b.md"))
    assert git(root, "cat-file", "-p", "HEAD:a.md") == "B"
    repository = found(root)
    blob = repository.tree(repository.head()[1])["a.md"]
    assert repository.blobs([blob]) == {blob: b"A\n"}


@pytest.mark.parametrize("variable", ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY"])
def test_an_inherited_variable_does_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str) -> None:
    root = make_store(tmp_path / "s", {"a.md": "A\n"})
    make_store(tmp_path / "other", {"b.md": "B\n"})
    monkeypatch.setenv(variable, str(tmp_path / "other" / ".git"))
    repository = found(root)
    assert set(repository.tree(repository.head()[1])) == {"a.md"}
    assert set(repository.index_entries(["a.md", "b.md"])) == {"a.md"}


def test_reading_changes_nothing(tmp_path: Path) -> None:
    root = make_store(tmp_path / "s", {"a.md": "A\n"})
    os.utime(root / "a.md", (1, 1))
    before = {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}
    repository = found(root)
    repository.blobs(repository.tree(repository.head()[1]).values())
    repository.index_entries(["a.md"])
    assert {path: path.read_bytes() for path in root.rglob("*") if path.is_file()} == before


# -- no repository to use ---------------------------------------------------------------------------------------------


def test_a_plain_folder_is_not_versioned(tmp_path: Path) -> None:
    assert Repository.find(str(tmp_path)) is None
    assert isinstance(why_unversioned(str(tmp_path)), StoreNotVersioned)
    assert enclosing(str(tmp_path)) == ""


def test_a_repository_around_the_store_counts_only_where_it_was_chosen(tmp_path: Path) -> None:
    top = make_store(tmp_path / "project", {"notes here/a.md": "A\n", "b.md": "B\n"})
    root = top / "notes here"
    assert Repository.find(str(root)) is None
    assert isinstance(why_unversioned(str(root)), StoreEnclosed)
    assert enclosing(str(root)) == str(top)
    assert enclosing(str(top)) == ""
    repository = found(root, enclosing_allowed=True)
    assert (repository.prefix, repository.top) == ("notes here/", str(top))
    assert set(repository.tree(repository.head()[1])) == {"a.md"}
    with pytest.raises(StoreEnclosed):
        Repository.writable(str(root))


def test_a_repository_inside_another_is_its_own(tmp_path: Path) -> None:
    top = make_store(tmp_path / "project", {"b.md": "B\n"})
    root = make_store(top / "notes", {"a.md": "A\n"})
    assert found(root).top == str(root)
    assert enclosing(str(root)) == ""


def test_a_linked_worktree_and_a_submodule_are_stores(tmp_path: Path) -> None:
    root = make_store(tmp_path / "s", {"a.md": "A\n"})
    git(root, "worktree", "add", "-q", str(tmp_path / "w"), "-b", "side")
    linked = found(tmp_path / "w")
    assert linked.head()[0] == "refs/heads/side"
    assert linked.common_dir == str(root / ".git")
    assert linked.git_dir != linked.common_dir
    project = make_store(tmp_path / "p", {"b.md": "B\n"})
    git(project, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(root), "memory")
    assert found(project / "memory").prefix == ""


def test_a_bare_repository_keeps_no_notes(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "--bare", "s")
    assert Repository.find(str(tmp_path / "s")) is None
    assert "bare" in why_unversioned(str(tmp_path / "s")).message


def test_a_damaged_repository_is_named(tmp_path: Path) -> None:
    root = make_store(tmp_path / "s", {"a.md": "A\n"})
    (root / ".git" / "HEAD").unlink()
    assert Repository.find(str(root)) is None
    assert isinstance(why_unversioned(str(root)), GitFailed)


def test_someone_else_s_repository_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = make_store(tmp_path / "s", {"a.md": "A\n"})
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    assert Repository.find(str(root)) is None
    why = why_unversioned(str(root))
    assert isinstance(why, GitDubiousOwnership)
    assert "safe.directory" in why.hint


def test_a_git_that_is_not_there_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(GitMissing):
        Repository.find(str(tmp_path))


def test_a_git_that_does_not_start_is_not_taken_for_none(tmp_path: Path, sealed: Path) -> None:
    (sealed / ".gitconfig").write_text("no settings [\n", encoding="utf-8")
    code = f"from engram.store.git import Repository; Repository.find({str(tmp_path)!r})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "GitFailed: git is installed and doesn't start" in done.stderr


def test_a_folder_that_is_gone_is_never_mistaken_for_the_current_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = make_store(tmp_path / "s", {"a.md": "A\n"})
    monkeypatch.chdir(root)
    assert Repository.find(str(tmp_path / "gone")) is None


# -- identity ---------------------------------------------------------------------------------------------------------


def test_the_identity_is_what_git_was_told(tmp_path: Path) -> None:
    root = make_store(tmp_path / "s", {"a.md": "A\n"})
    assert found(root).identity() == ("Ada Tester", "ada@example.com")
    git(root, "config", "user.name", "Zoë Ö. <3")
    assert found(root).identity()[0] == "Zoë Ö. 3"


def test_no_identity_is_made_up(tmp_path: Path, sealed: Path) -> None:
    root = make_store(tmp_path / "s", {"a.md": "A\n"})
    (sealed / ".gitconfig").write_text("[user]\n\tname = Ada\n", encoding="utf-8")
    with pytest.raises(GitIdentityMissing):
        found(root).identity()
    with pytest.raises(GitIdentityMissing):
        identity(str(tmp_path))


# -- what costs time --------------------------------------------------------------------------------------------------


def test_importing_the_module_imports_no_git(tmp_path: Path) -> None:
    code = "import sys, engram.store.git, engram.store.history; sys.exit('git' in sys.modules)"
    assert subprocess.run([os.sys.executable, "-c", code], check=False).returncode == 0  # type: ignore[attr-defined]

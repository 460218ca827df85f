"""git's surroundings, line by line of docs/git.md: what is there stays as it is, and no commit goes astray."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from engram.curate.commit import apply
from engram.errors import (
    EngramError,
    GitBusy,
    GitDetached,
    GitDubiousOwnership,
    GitFiltered,
    GitIdentityMissing,
    GitLocked,
    NoteStaged,
    SigningFailed,
    StoreEnclosed,
)
from engram.model.plan import Plan
from engram.store import fit
from engram.store.git import Repository, why_unversioned
from tests.lib.commits import ADA, NOW, changed, commit, held, plan_of, repository, state
from tests.lib.stores import git, make_store

NEW = b"---\nname: new\n---\n\nNew.\n"
HOOKS = ["pre-commit", "prepare-commit-msg", "commit-msg", "post-commit", "reference-transaction", "post-index-change",
         "post-checkout", "pre-auto-gc", "post-rewrite", "update"]  # fmt: skip


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return make_store(tmp_path / "s", {"MEMORY.md": "# Memory\n", "a.md": "A\n", "b.md": "B\n", "c.txt": "1\n2\n3\n"})


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fit, "PATIENCE", 0.1)


def refused(root: Path, error: type[EngramError]) -> EngramError:
    """Checks that any plan is refused there, in words, and that nothing changed; returns the error."""
    plan = plan_of(root, {"n.md": NEW, "a.md": b"A2\n"})
    before = state(root)
    with pytest.raises(error) as caught:
        apply(plan, ADA, repository(root), now=NOW)
    assert state(root) == before
    assert caught.value.message
    assert caught.value.hint
    return caught.value


def script(path: Path, line: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{line}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


# -- 17: the user's own files -----------------------------------------------------------------------------------------


def test_staged_dirty_partially_staged_removed_and_untracked_files_stay(store: Path) -> None:
    (store / "c.txt").write_bytes(b"1 staged\n2\n3\n")
    (store / "staged.md").write_bytes(b"staged\n")
    git(store, "add", "c.txt", "staged.md")
    (store / "c.txt").write_bytes(b"1 staged\n2\n3 dirty\n")
    git(store, "rm", "-q", "--cached", "b.md")
    (store / "untracked.md").write_bytes(b"untracked\n")
    (store / "announced.md").write_bytes(b"announced\n")
    git(store, "add", "-N", "announced.md")
    before = git(store, "status", "--porcelain")
    index = git(store, "ls-files", "-s", "--debug", "--", ".", ":!a.md")
    commit(store, {"n.md": NEW, "a.md": b"A2\n"})
    assert changed(store) == {"n.md", "a.md"}
    assert git(store, "status", "--porcelain") == before
    assert git(store, "ls-files", "-s", "--debug", "--", ".", ":!a.md", ":!n.md") == index
    assert (store / "c.txt").read_bytes() == b"1 staged\n2\n3 dirty\n"
    assert git(store, "show", ":c.txt") == "1 staged\n2\n3"


def test_a_staged_version_of_the_note_itself_that_would_be_lost_is_refused(store: Path) -> None:
    (store / "a.md").write_bytes(b"staged\n")
    git(store, "add", "a.md")
    (store / "a.md").write_bytes(b"A\n")
    assert "a.md" in refused(store, NoteStaged).message


def test_a_note_taken_out_of_the_index_is_refused(store: Path) -> None:
    git(store, "rm", "-q", "--cached", "a.md")
    refused(store, NoteStaged)


def test_adopting_what_was_staged_leaves_a_clean_index(store: Path) -> None:
    (store / "a.md").write_bytes(b"mine\n")
    (store / "new.md").write_bytes(b"mine too\n")
    (store / "later.md").write_bytes(b"announced\n")
    git(store, "add", "a.md", "new.md")
    git(store, "add", "-N", "later.md")
    commit(store, {"a.md": b"mine\n", "new.md": b"mine too\n", "later.md": b"announced\n"})
    assert changed(store) == {"a.md", "new.md", "later.md"}
    assert git(store, "status", "--porcelain") == ""


def test_adopting_a_note_that_was_staged_in_part_is_refused(store: Path) -> None:
    (store / "a.md").write_bytes(b"half\n")
    git(store, "add", "a.md")
    (store / "a.md").write_bytes(b"half\nand the rest\n")
    plan = plan_of(store, {"a.md": b"half\nand the rest\n"})
    before = state(store)
    with pytest.raises(NoteStaged):
        apply(plan, ADA, repository(store), now=NOW)
    assert state(store) == before


def test_a_dirty_table_of_contents_that_was_staged_stays_staged(store: Path) -> None:
    (store / "MEMORY.md").write_bytes(b"# Memory\n- dirty\n")
    git(store, "add", "MEMORY.md")
    commit(store, {"n.md": NEW}, lines={"MEMORY.md": b"- [n](n.md)\n"})
    assert git(store, "show", "HEAD:MEMORY.md") == "# Memory\n- [n](n.md)"
    assert git(store, "show", ":MEMORY.md") == "# Memory\n- dirty\n- [n](n.md)"
    assert git(store, "status", "--porcelain") == "M  MEMORY.md"
    assert git(store, "fsck", "--no-dangling") == ""


def test_conflicts_in_the_index_are_refused(store: Path) -> None:
    (store / "a.md").write_bytes(b"stashed\n")
    git(store, "stash", "-q")
    (store / "a.md").write_bytes(b"other\n")
    git(store, "commit", "-qam", "other")
    git(store, "stash", "pop", "-q", check=False)
    refused(store, NoteStaged)


def test_ignored_notes_are_committed_all_the_same(store: Path) -> None:
    (store / ".gitignore").write_bytes(b"*.md\n")
    commit(store, {"n.md": NEW, "a.md": b"A2\n"})
    assert changed(store) == {"n.md", "a.md"}
    assert git(store, "status", "--porcelain") == "?? .gitignore"


# -- 18: signing, hooks, identity -------------------------------------------------------------------------------------


def test_signing_without_a_key_is_refused(store: Path, sealed: Path) -> None:
    git(store, "config", "commit.gpgsign", "true")
    git(store, "config", "gpg.program", str(script(sealed / "gpg", "echo 'gpg: no secret key' >&2; exit 2")))
    error = refused(store, SigningFailed)
    assert "gpg" in error.message


def test_signing_with_a_program_that_is_missing_is_refused(store: Path, sealed: Path) -> None:
    git(store, "config", "commit.gpgsign", "true")
    git(store, "config", "gpg.program", str(sealed / "no-such-gpg"))
    refused(store, SigningFailed)


@pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="needs ssh-keygen")
def test_signing_with_a_key_signs(store: Path, sealed: Path) -> None:
    key = sealed / "key"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(key)], check=True)
    (sealed / "allowed").write_text(f"ada@example.com {key.with_suffix('.pub').read_text()}", encoding="utf-8")
    for name, value in {
        "commit.gpgsign": "true",
        "gpg.format": "ssh",
        "user.signingkey": str(key),
        "gpg.ssh.allowedSignersFile": str(sealed / "allowed"),
    }.items():
        git(store, "config", name, value)
    commit(store, {"n.md": NEW})
    assert git(store, "log", "-1", "--format=%G?") == "G"
    assert changed(store) == {"n.md"}


def test_signing_is_not_started_where_nobody_asked(store: Path, sealed: Path) -> None:
    git(store, "config", "gpg.program", str(script(sealed / "gpg", f"touch {sealed}/ran; exit 1")))
    commit(store, {"n.md": NEW})
    assert not (sealed / "ran").exists()


@pytest.mark.parametrize("place", ["repository", "local", "global"])
def test_no_hook_runs(store: Path, sealed: Path, place: str) -> None:
    folder = store / ".git" / "hooks" if place == "repository" else sealed / "hooks"
    for hook in HOOKS:
        script(folder / hook, f"echo {hook} >> {sealed}/ran; exit 1")
    if place != "repository":
        git(store, "config", f"--{place}", "core.hooksPath", str(folder))
    commit(store, {"n.md": NEW})
    commit(store, {"n.md": None, "a.md": b"A2\n"})
    assert not (sealed / "ran").exists()
    assert changed(store) == {"n.md", "a.md"}


def test_no_hook_of_the_configuration_runs(store: Path, sealed: Path) -> None:
    git(store, "config", "hook.odd name.event", "reference-transaction")
    git(store, "config", "hook.odd name.command", f"touch {sealed}/ran; exit 1")
    commit(store, {"n.md": NEW})
    assert not (sealed / "ran").exists()


def test_no_file_system_monitor_runs(store: Path, sealed: Path) -> None:
    git(store, "config", "core.fsmonitor", str(script(sealed / "monitor", f"touch {sealed}/ran")))
    commit(store, {"n.md": NEW})
    assert not (sealed / "ran").exists()


def test_no_filter_and_no_textconv_runs(store: Path, sealed: Path) -> None:
    (store / ".gitattributes").write_bytes(b"*.txt filter=odd diff=odd\n*.md diff=odd\n")
    for name in ("filter.odd.clean", "filter.odd.smudge", "diff.odd.textconv", "diff.external"):
        git(store, "config", name, str(script(sealed / "program", f"touch {sealed}/ran; cat")))
    commit(store, {"n.md": NEW})
    assert not (sealed / "ran").exists()


@pytest.mark.parametrize("program", ["clean", "process"])
def test_notes_that_go_through_a_filter_are_refused(store: Path, program: str) -> None:
    """What a filter encrypts must not be committed as it stands."""
    (store / ".gitattributes").write_bytes(b"*.md filter=crypt\n")
    git(store, "config", f"filter.crypt.{program}", "false")
    assert "crypt" in refused(store, GitFiltered).message


def test_a_filter_that_nobody_set_up_is_none(store: Path) -> None:
    (store / ".gitattributes").write_bytes(b"*.md filter=crypt\n")
    commit(store, {"n.md": NEW})
    assert changed(store) == {"n.md"}


def test_no_identity_is_refused(store: Path, sealed: Path) -> None:
    (sealed / ".gitconfig").write_text("", encoding="utf-8")
    assert "git config" in refused(store, GitIdentityMissing).hint


def test_an_identity_in_the_environment_counts(store: Path, sealed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (sealed / ".gitconfig").write_text("", encoding="utf-8")
    monkeypatch.setenv("GIT_COMMITTER_NAME", "Cy")
    monkeypatch.setenv("GIT_COMMITTER_EMAIL", "cy@example.com")
    commit(store, {"n.md": NEW})
    assert git(store, "log", "-1", "--format=%an <%ae> %cn <%ce>") == "Cy <cy@example.com> Cy <cy@example.com>"


# -- 19: what a process inherits --------------------------------------------------------------------------------------


def test_from_inside_a_hook_of_another_repository_the_commit_lands_in_the_store(store: Path, tmp_path: Path) -> None:
    other = make_store(tmp_path / "other", {"a.md": "other\n"})
    python = f'"{sys.executable}" -m tests.lib.commit_one "{store}"'
    script(other / ".git" / "hooks" / "pre-commit", f'env > "{tmp_path}/env"; cd "{Path.cwd()}" && {python}')
    (other / "a.md").write_bytes(b"other 2\n")
    git(other, "commit", "-qam", "outer")
    assert "GIT_INDEX_FILE=" in (tmp_path / "env").read_text(encoding="utf-8")
    assert git(other, "log", "--format=%s") == "outer\nstart"
    assert git(store, "log", "--format=%s") == "Add a fact\nstart"
    assert git(other, "status", "--porcelain") == git(store, "status", "--porcelain") == ""


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("GIT_DIR", "{other}/.git"),
        ("GIT_WORK_TREE", "{other}"),
        ("GIT_INDEX_FILE", "{other}/.git/index"),
        ("GIT_OBJECT_DIRECTORY", "{other}/.git/objects"),
        ("GIT_COMMON_DIR", "{other}/.git"),
        ("GIT_NAMESPACE", "ns"),
        ("GIT_QUARANTINE_PATH", "{other}"),
        ("GIT_PREFIX", "d/"),
        ("GIT_CONFIG_PARAMETERS", "'core.bare=true'"),
        ("GIT_CONFIG_COUNT", "nonsense"),
        ("GIT_ICASE_PATHSPECS", "1"),
        ("GIT_AUTHOR_DATE", "nonsense"),
        ("GIT_COMMITTER_DATE", "2001-01-01T00:00:00Z"),
    ],
)
def test_an_inherited_variable_is_ignored(
    store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    other = make_store(tmp_path / "other", {"a.md": "other\n"})
    before = state(other)
    monkeypatch.setenv(name, value.format(other=other))
    plan = plan_of_with_clean_git(store, monkeypatch, name, value.format(other=other))
    apply(plan, ADA, repository(store), now=NOW)
    monkeypatch.delenv(name, raising=False)
    assert changed(store) == {"n.md"}
    assert git(store, "log", "-1", "--format=%at %ct") == f"{int(NOW.timestamp())} {int(NOW.timestamp())}"
    assert git(store, "status", "--porcelain") == ""
    assert state(other) == before


def plan_of_with_clean_git(root: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> Plan:
    """Returns a plan, and puts the variable back that reading scrubbed: the commit has to scrub by itself."""
    plan = plan_of(root, {"n.md": NEW})
    monkeypatch.setenv(name, value)
    return plan


# -- 20: where no commit belongs --------------------------------------------------------------------------------------


def test_a_repository_around_the_store_is_never_committed_to(tmp_path: Path) -> None:
    top = make_store(tmp_path / "project", {"memory/a.md": "A\n", "code.py": "x\n"})
    before = state(top)
    assert Repository.find(str(top / "memory")) is None
    with pytest.raises(StoreEnclosed):
        Repository.writable(str(top / "memory"))
    assert state(top) == before


def test_a_repository_around_the_store_that_was_chosen_gets_the_notes_alone(tmp_path: Path) -> None:
    top = make_store(tmp_path / "project", {"my memory/a.md": "A\n", "code.py": "x\n"})
    (top / "code.py").write_bytes(b"staged\n")
    git(top, "add", "code.py")
    root = top / "my memory"
    commit(root, {"a.md": b"A2\n", "d/-n é.md": NEW})
    assert changed(top) == {"my memory/a.md", "my memory/d/-n é.md"}
    assert git(top, "status", "--porcelain") == "M  code.py"
    commit(root, {"d/-n é.md": None})
    assert git(top, "status", "--porcelain") == "M  code.py"


def test_a_detached_head_is_refused(store: Path) -> None:
    git(store, "checkout", "-q", "--detach")
    refused(store, GitDetached)


@pytest.mark.parametrize("what", ["merge", "rebase", "cherry-pick", "revert", "bisect", "am"])
def test_what_is_under_way_is_refused(store: Path, what: str) -> None:
    git(store, "switch", "-qc", "side")
    (store / "c.txt").write_bytes(b"side\n")
    git(store, "commit", "-qam", "side")
    patch = git(store, "format-patch", "-1", "--stdout").encode() + b"\n"
    git(store, "switch", "-q", "main")
    (store / "c.txt").write_bytes(b"main\n")
    git(store, "commit", "-qam", "main")
    (store / "c.txt").write_bytes(b"later\n")
    git(store, "commit", "-qam", "later")
    commands = {
        "merge": ("merge", "side"),
        "rebase": ("rebase", "side"),
        "cherry-pick": ("cherry-pick", "side"),
        "revert": ("revert", "--no-edit", "HEAD~1"),
        "bisect": ("bisect", "start"),
        "am": ("am", "-3"),
    }
    git(store, *commands[what], data=patch if what == "am" else None, check=False)
    error = refused(store, GitBusy)
    assert {"am": "rebase", "bisect": "bisection"}.get(what, what) in error.message


@pytest.mark.parametrize("lock", [".git/index.lock", ".git/HEAD.lock", ".git/refs/heads/main.lock"])
def test_a_lock_is_refused_named_and_left(store: Path, lock: str) -> None:
    (store / lock).write_bytes(b"")
    error = refused(store, GitLocked)
    assert lock in error.message.replace(os.sep, "/")
    assert (store / lock).exists()


def test_a_lock_that_goes_away_in_a_moment_is_waited_for(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lock = store / ".git" / "index.lock"
    lock.write_bytes(b"")
    monkeypatch.setattr(fit, "PATIENCE", 30.0)
    monkeypatch.setattr(fit.time, "sleep", lambda _: lock.unlink())
    commit(store, {"n.md": NEW})
    assert changed(store) == {"n.md"}


def test_a_branch_that_is_locked_at_the_last_moment(store: Path) -> None:
    plan = plan_of(store, {"n.md": NEW})
    before = state(store)
    lock = store / ".git" / "refs" / "heads" / "main.lock"
    with pytest.raises(GitLocked):
        apply(plan, ADA, repository(store), now=NOW, spend=lambda _: lock.touch())
    lock.unlink()
    assert state(store) == before


def test_an_index_that_is_locked_at_the_last_moment_follows_with_the_next_run(store: Path) -> None:
    lock = store / ".git" / "index.lock"
    plan = plan_of(store, {"n.md": NEW})
    made = apply(plan, ADA, repository(store), now=NOW, spend=lambda _: lock.touch())
    lock.unlink()
    assert (git(store, "rev-parse", "HEAD"), held(store, "n.md")) == (made, NEW)
    commit(store, {"a.md": b"A2\n"})
    assert git(store, "status", "--porcelain") == ""


def test_a_bare_repository_is_refused(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "--bare", "s")
    with pytest.raises(EngramError, match="bare"):
        Repository.writable(str(tmp_path / "s"))


def test_someone_else_s_repository_is_refused(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = plan_of(store, {"n.md": NEW})
    before = state(store)
    found = repository(store)
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    with pytest.raises(GitDubiousOwnership):
        apply(plan, ADA, found, now=NOW)
    assert isinstance(why_unversioned(str(store)), GitDubiousOwnership)
    monkeypatch.delenv("GIT_TEST_ASSUME_DIFFERENT_OWNER")
    assert state(store) == before


# -- 21: no file anywhere else ----------------------------------------------------------------------------------------


def test_no_file_is_made_outside_the_store_and_none_in_git_s_folder_but_its_own_kinds(
    store: Path, sealed: Path, tmp_path: Path
) -> None:
    def everywhere() -> set[str]:
        return {str(path) for top in (tmp_path, sealed) for path in top.rglob("*") if path.is_file()}

    before = everywhere()
    plan = plan_of(store, {"d/n.md": NEW, "a.md": b"A2\n"}, lines={"MEMORY.md": b"- n\n"})
    apply(plan, ADA, repository(store), now=NOW)
    new = {path.removeprefix(f"{store}{os.sep}").replace(os.sep, "/") for path in everywhere() - before}
    assert {path for path in new if not path.startswith(".git/objects/")} == {
        "d/n.md",
        ".engram/.gitignore",
        ".engram/lock",
    }
    assert everywhere() >= before


# -- odd repositories -------------------------------------------------------------------------------------------------


def test_a_sha_256_repository(tmp_path: Path) -> None:
    root = tmp_path / "s"
    root.mkdir()
    git(root, "init", "-q", "-b", "main", "--object-format=sha256")
    make_store(root, {"a.md": "A\n", "staged.md": "x\n"}, commit=False)
    commit(root, {"first.md": b"1\n"})
    git(root, "add", "staged.md")
    commit(root, {"first.md": None, "n é.md": NEW}, lines={"MEMORY.md": b"- n\n"})
    assert len(git(root, "rev-parse", "HEAD")) == 64
    assert changed(root) == {"first.md", "n é.md", "MEMORY.md"}
    assert git(root, "status", "--porcelain") == "A  staged.md\n?? .gitattributes\n?? a.md"
    assert git(root, "fsck", "--no-dangling") == ""


@pytest.mark.parametrize(
    "path",
    ["a b  c.md", " lead.md", "-dash.md", "--all.md", "naïve 日本語 ключ 🎉.md", "quo'te\"s.md", "tab\there.md",
     "line\nend.md", "back\\slash.md", "[a]*?.md", ":(glob)x.md", "!x.md", "#x.md", "deep/ er/-x.md", "e\u0301.md"],
)  # fmt: skip
@pytest.mark.skipif(os.name == "nt", reason="Windows has few of these names")
def test_names_of_all_kinds(store: Path, path: str) -> None:
    commit(store, {path: NEW, "a.md": b"A2\n"})
    assert changed(store) == {path, "a.md"}
    assert held(store, path) == (store / path).read_bytes() == NEW
    commit(store, {path: b"again\n"})
    assert git(store, "status", "--porcelain") == ""
    commit(store, {path: None})
    assert changed(store) == {path}
    assert git(store, "status", "--porcelain") == ""


def test_line_ends_are_kept_whatever_autocrlf_says(store: Path) -> None:
    git(store, "rm", "-q", "--cached", ".gitattributes")
    (store / ".gitattributes").unlink()
    git(store, "commit", "-qm", "no attributes")
    for setting in ("true", "input", "false"):
        git(store, "config", "core.autocrlf", setting)
        for number, text in enumerate((b"lf\n", b"cr\r\nlf\r\n", b"mixed\r\nends\n", b"bin\0ary\r\n")):
            path = f"{setting}-{number}.md"
            commit(store, {path: text})
            assert held(store, path) == (store / path).read_bytes() == text


def test_a_checkout_with_crlf_gets_crlf_where_head_has_lf(tmp_path: Path) -> None:
    root = make_store(tmp_path / "s", {"a.md": "A\nB\n"})
    (root / ".gitattributes").write_bytes(b"")
    git(root, "config", "core.autocrlf", "true")
    (root / "a.md").write_bytes(b"A\r\nB\r\n")
    plan = plan_of(root, {"a.md": b"A\nB2\n"})
    crlf = replace(plan.edits[0], work_after=b"A\r\nB2\r\n")
    apply(replace(plan, edits=(crlf,)), ADA, repository(root), now=NOW)
    assert (held(root, "a.md"), (root / "a.md").read_bytes()) == (b"A\nB2\n", b"A\r\nB2\r\n")
    assert git(root, "status", "--porcelain", "a.md") == ""


@pytest.mark.parametrize(
    "setting",
    [
        "i18n.commitEncoding=ISO-8859-1",
        "core.commentChar=A",
        "trailer.separators==",
        "core.quotePath=true",
        "core.abbrev=4",
        "diff.renames=copies",
        "core.logAllRefUpdates=false",
        "color.ui=always",
        "core.ignoreCase=true",
    ],
)
def test_a_setting_of_the_user_s_changes_no_byte(store: Path, setting: str) -> None:
    git(store, "config", *setting.split("=", 1))
    commit(store, {"ü.md": NEW}, subject="Größe: 日本\n\nA line", trailers=(("Engram-Agent", "ä"),))
    raw = git(store, "cat-file", "commit", "HEAD")
    assert raw.split("\n\n", 1)[1].rstrip("\n") == (
        "Größe: 日本\n\nA line\n\nEngram-Agent: ä\nApproved-By: Ada Tester <ada@example.com>\nApproved-Via: terminal"
    )
    assert "encoding" not in raw.split("\n\n", 1)[0]


def test_replace_refs_are_not_committed(store: Path) -> None:
    git(store, "replace", git(store, "rev-parse", "HEAD:b.md"), git(store, "rev-parse", "HEAD:a.md"))
    git(store, "commit", "-q", "--allow-empty", "-m", "second")
    git(store, "replace", "--graft", "HEAD")
    commit(store, {"n.md": NEW})
    git(store, "replace", "-d", *git(store, "replace", "-l").split())
    assert changed(store) == {"n.md"}
    assert held(store, "b.md") == b"B\n"
    assert git(store, "log", "--format=%s") == "Add a fact\nsecond\nstart"


def test_a_linked_worktree(store: Path, tmp_path: Path) -> None:
    git(store, "worktree", "add", "-q", "-b", "side", str(tmp_path / "w"))
    commit(tmp_path / "w", {"n.md": NEW})
    assert changed(store, "side") == {"n.md"}
    assert git(store, "log", "--format=%s", "main") == "start"
    assert git(tmp_path / "w", "status", "--porcelain") == git(store, "status", "--porcelain") == ""


def test_a_submodule(store: Path, tmp_path: Path) -> None:
    top = make_store(tmp_path / "p", {"x.py": "x"})
    git(top, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(store), "memory")
    git(top, "commit", "-qm", "sub")
    before = git(top, "rev-parse", "HEAD")
    commit(top / "memory", {"n.md": NEW})
    assert changed(top / "memory") == {"n.md"}
    assert git(top, "rev-parse", "HEAD") == before
    assert git(top, "status", "--porcelain") == " M memory"


@pytest.mark.parametrize("kind", ["split", "version 4", "untracked cache", "sparse", "sparse index"])
def test_indexes_of_all_kinds(tmp_path: Path, kind: str) -> None:
    root = make_store(tmp_path / "s", {"a.md": "A\n", "in/x.md": "X\n", "out/y.md": "Y\n", "out/deep/z.txt": "Z\n"})
    match kind:
        case "split":
            git(root, "update-index", "--split-index")
            git(root, "config", "core.splitIndex", "true")
        case "version 4":
            git(root, "config", "index.version", "4")
            git(root, "update-index", "--index-version", "4")
        case "untracked cache":
            git(root, "update-index", "--untracked-cache")
        case _:
            git(root, "sparse-checkout", "set", "--cone", *(["--sparse-index"] if "index" in kind else []), "in")
    tracked = set(git(root, "ls-files").split())
    commit(root, {"in/n.md": NEW, "a.md": b"A2\n", "in/x.md": None})
    assert changed(root) == {"in/n.md", "a.md", "in/x.md"}
    assert git(root, "status", "--porcelain") == ""
    assert set(git(root, "ls-files").split()) == tracked - {"in/x.md"} | {"in/n.md"}
    assert git(root, "fsck", "--no-dangling") == ""


def test_a_packed_branch_and_a_shallow_clone(store: Path, tmp_path: Path) -> None:
    git(store, "pack-refs", "--all")
    commit(store, {"n.md": NEW})
    git(tmp_path, "clone", "-q", "--depth=1", f"file://{store}", "c")
    commit(tmp_path / "c", {"m.md": NEW})
    assert changed(tmp_path / "c") == {"m.md"}


def test_a_branch_with_a_slash_and_odd_letters(store: Path) -> None:
    git(store, "switch", "-qc", "feature/größe")
    commit(store, {"n.md": NEW})
    assert git(store, "log", "-1", "--format=%D") == "HEAD -> feature/größe"


@pytest.mark.skipif(os.name == "nt" or getattr(os, "geteuid", lambda: 1)() != 0, reason="needs to mount a small disk")
@pytest.mark.parametrize("room", [0, 4, 8, 16, 28])
def test_a_disk_that_is_really_full(tmp_path: Path, room: int) -> None:
    small = tmp_path / "small"
    small.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(small)], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("no disk can be mounted here")
    try:
        root = make_store(small / "s", {"a.md": "A\n" * 2000})
        plan = plan_of(root, {"a.md": b"B\n" * 9000, "n.md": os.urandom(12000)})
        with (small / "ballast").open("wb", buffering=0) as file:
            try:
                while True:
                    file.write(bytes(4096))
            except OSError:
                file.truncate(max(0, file.tell() - room * 1024))
        before = state(root)
        with pytest.raises(EngramError) as caught:
            apply(plan, ADA, repository(root), now=NOW)
        assert caught.value.code == "disk-full"
        (small / "ballast").unlink()
        assert state(root) == before
        apply(plan, ADA, repository(root), now=NOW)
        assert changed(root) == {"a.md", "n.md"}
    finally:
        subprocess.run(["umount", "-l", str(small)], check=True)

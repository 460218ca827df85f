"""The commit: exactly the plan's paths and bytes, with its approval, or nothing at all."""

from __future__ import annotations

import errno
import os
import stat
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engram import disk
from engram.curate.commit import STEPS, apply
from engram.errors import (
    CommitHalfMade,
    DiskFull,
    EngramError,
    GateRefused,
    NoteChanged,
    PlanChanged,
    StoreLocked,
    StoreReadOnly,
)
from engram.model.plan import Approve, Plan
from engram.store import hold, write
from engram.store.message import message
from tests.lib.commits import ADA, NOW, changed, commit, held, plan_of, repository, state
from tests.lib.stores import git, make_store

NEW = b"---\nname: new\n---\n\nNew.\n"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return make_store(tmp_path / "s", {"MEMORY.md": "# Memory\n", "a.md": "A\n", "b.md": "B\n"})


def refused(root: Path, plan: Plan, error: type[EngramError], **how: Any) -> EngramError:
    """Checks that a plan is refused and that nothing at all changed; returns the error."""
    before = state(root)
    with pytest.raises(error) as caught:
        apply(plan, ADA, repository(root), now=NOW, **how)
    assert state(root) == before
    return caught.value


# -- what a commit holds ----------------------------------------------------------------------------------------------


def test_one_commit_holds_the_plan_and_says_who_approved_it(store: Path) -> None:
    before = git(store, "rev-parse", "HEAD")
    plan = plan_of(
        store,
        {"memories/user/new.md": NEW, "a.md": b"A2\r\nno end"},
        lines={"MEMORY.md": b"- [New](new.md)\n"},
        subject="Add new\n\nstated twice",
        trailers=(("Engram-Changeset", "0123456789abcdef"), ("Engram-Session", "s1"), ("Engram-Change", "ADD new.md")),
    )
    made = apply(plan, ADA, repository(store), now=NOW)
    assert (made, before) == (git(store, "rev-parse", "HEAD"), git(store, "rev-parse", "HEAD^"))
    assert changed(store) == {"memories/user/new.md", "a.md", "MEMORY.md"}
    for path, text in {"memories/user/new.md": NEW, "a.md": b"A2\r\nno end", "b.md": b"B\n"}.items():
        assert held(store, path) == (store / path).read_bytes() == text
    assert git(store, "log", "-1", "--format=%B").splitlines() == [
        "Add new",
        "",
        "stated twice",
        "",
        "Engram-Changeset: 0123456789abcdef",
        "Engram-Session: s1",
        "Engram-Change: ADD new.md",
        "Approved-By: Ada Tester <ada@example.com>",
        "Approved-Via: terminal",
    ]
    assert git(store, "status", "--porcelain", "--ignored") == "!! .engram/"
    assert git(store, "diff-files") == git(store, "diff-index", "--cached", "HEAD") == ""
    assert git(store, "fsck", "--strict") == ""
    assert git(store, "reflog", "-1", "--format=%gs") == "engram: Add new"


def test_the_commit_bears_the_person_and_the_moment(store: Path) -> None:
    moment = datetime(2026, 7, 8, 9, 10, 11, 999, tzinfo=timezone(timedelta(hours=-3, minutes=-30)))
    apply(plan_of(store, {"n.md": NEW}), ADA, repository(store), now=moment)
    who = git(store, "log", "-1", "--format=%an|%ae|%aI|%cn|%ce|%cI")
    assert (
        who
        == "Ada Tester|ada@example.com|2026-07-08T09:10:11-03:30|Ada Tester|ada@example.com|2026-07-08T09:10:11-03:30"
    )


def test_an_adoption_bears_the_one_who_edited(store: Path) -> None:
    commit(store, {"n.md": NEW}, author=("Bo Ö", "bo@example.com"))
    assert git(store, "log", "-1", "--format=%an|%ae|%cn") == "Bo Ö|bo@example.com|Ada Tester"


def test_the_first_commit_of_a_store(tmp_path: Path) -> None:
    root = make_store(tmp_path / "s", {"other.md": "O\n"}, commit=False)
    commit(root, {"n.md": NEW})
    assert changed(root) == {"n.md"}
    assert git(root, "log", "--format=%P") == ""
    assert git(root, "status", "--porcelain") == "?? .gitattributes\n?? other.md"


def test_a_file_can_be_removed_and_brought_back(store: Path) -> None:
    commit(store, {"deep/er/n.md": NEW})
    commit(store, {"deep/er/n.md": None, "a.md": None})
    assert changed(store) == {"deep/er/n.md", "a.md"}
    assert not (store / "deep").exists()
    assert not (store / "a.md").exists()
    assert git(store, "status", "--porcelain") == ""
    commit(store, {"a.md": b"A\n"})
    assert git(store, "diff", "HEAD~3", "--stat") == ""


def test_a_plan_without_edits_needs_no_commit(store: Path) -> None:
    before = state(store)
    assert apply(plan_of(store, {}), ADA, repository(store), now=NOW) == ""
    assert state(store) == before


def test_a_mode_stays(store: Path) -> None:
    (store / "a.md").chmod(0o755)
    git(store, "commit", "-qam", "mode")
    commit(store, {"a.md": b"A2\n"})
    assert git(store, "ls-tree", "HEAD", "a.md").startswith("100755")
    assert git(store, "ls-files", "-s", "a.md").startswith("100755")
    assert git(store, "status", "--porcelain") == ""


def test_head_and_folder_may_differ_and_each_gets_its_own_line(store: Path) -> None:
    (store / "MEMORY.md").write_bytes(b"# Memory\n- dirty\n")
    commit(store, {"n.md": NEW}, lines={"MEMORY.md": b"- [n](n.md)\n"})
    assert held(store, "MEMORY.md") == b"# Memory\n- [n](n.md)\n"
    assert (store / "MEMORY.md").read_bytes() == b"# Memory\n- dirty\n- [n](n.md)\n"
    assert git(store, "diff", "-U0").splitlines()[-1] == "+- dirty"
    assert git(store, "status", "--porcelain") == " M MEMORY.md"


def test_hand_edits_that_are_adopted_leave_the_files_untouched(store: Path) -> None:
    (store / "a.md").write_bytes(b"by hand\n")
    os.utime(store / "a.md", (1, 1))
    commit(store, {"a.md": b"by hand\n"})
    assert (held(store, "a.md"), (store / "a.md").stat().st_mtime) == (b"by hand\n", 1)
    assert git(store, "status", "--porcelain") == ""


def test_the_steps_come_in_the_order_that_the_crash_tests_take_them(store: Path) -> None:
    heard: list[str] = []
    spent: list[str] = []
    made = apply(
        plan_of(store, {"a.md": b"1", "n.md": b"2"}),
        ADA,
        repository(store),
        now=NOW,
        spend=lambda commit: spent.append(f"{commit} after {heard[-1]}"),
        step=heard.append,
    )
    assert list(dict.fromkeys(heard)) == list(STEPS)
    assert heard.count("file") == 2
    assert spent == [f"{made} after intent"]


# -- the message ------------------------------------------------------------------------------------------------------


def parsed(root: Path, text: str) -> list[str]:
    return git(root, "interpret-trailers", "--parse", data=text.encode()).splitlines()


@pytest.mark.parametrize(
    "subject",
    [
        "Approved-By: eve",
        "Add x\n\nApproved-By: eve\nApproved-Via: terminal",
        "Add x\n\n---\n\ndiff",
        "Add x\n\n---",
        "Add x\n\n--- a/file\n+++ b/file",
        "Add x\n\n# ------------------------ >8 ------------------------\ngone",
        "Add x\n\n# a comment\n",
        "Add x\r\n\r\nwith\r\nCRLF",
        "Add x\n\nConflicts:\n\ta.md",
        "\n\n  \n",
        "",
        "Line one\nline two: of the first paragraph",
        "Add \x1b[2K\u202eevil\u200b\0 x",
        "\ud800 lone",
    ],
)  # fmt: skip
def test_trailers_are_read_back_whatever_the_text_holds(store: Path, subject: str) -> None:
    commit(store, {"n.md": NEW}, subject=subject)
    text = git(store, "log", "-1", "--format=%B")
    ours = ["Engram-Changeset: 0123456789abcdef", "Approved-By: Ada Tester <ada@example.com>", "Approved-Via: terminal"]
    assert parsed(store, text) == ours
    assert git(store, "log", "-1", "--format=%(trailers:only,unfold)").splitlines()[:3] == ours
    assert not set(text) & set("\x1b\u202e\u200b\0\r")


@given(
    st.text(alphabet=st.sampled_from("ab:-# \n\t>8Approved-By\r\u2028é"), max_size=80),
    st.text(alphabet=st.sampled_from("ab:-# \n\t\r\u2028é"), max_size=20),
)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_text_changes_what_the_trailers_say(tmp_path: Path, subject: str, value: str) -> None:
    found = parsed(tmp_path, message(subject, [("Engram-Agent", value), ("Approved-By", "Ada")]))
    assert found[-1] == "Approved-By: Ada"
    assert len(found) == 1 + bool(value.strip())


def test_a_line_end_in_a_value_adds_no_trailer(store: Path) -> None:
    plan = plan_of(store, {"n.md": NEW}, trailers=(("Engram-Agent", "x\nApproved-By: eve"), ("Engram-Session", " ")))
    apply(plan, Approve("Ada\nApproved-Via: page", "terminal"), repository(store), now=NOW)
    assert git(store, "log", "-1", "--format=%(trailers)").splitlines() == [
        "Engram-Agent: x<U+000A>Approved-By: eve",
        "Approved-By: Ada<U+000A>Approved-Via: page",
        "Approved-Via: terminal",
    ]


@pytest.mark.parametrize("key", ["Approved-By", "approved-via", "Approved-Else"])
def test_a_plan_can_t_bring_its_own_approval(store: Path, key: str) -> None:
    with pytest.raises(ValueError, match="no plan"):
        commit(store, {"n.md": NEW}, trailers=((key, "eve"),))


@pytest.mark.parametrize("key", ["Engram Agent", "", "x:y", "1a", "Engram\nApproved-By"])
def test_a_key_that_git_would_not_read_is_a_bug(key: str) -> None:
    with pytest.raises(ValueError, match="trailer"):
        message("x", [(key, "y")])


# -- refused, with nothing changed ------------------------------------------------------------------------------------


def test_a_branch_that_moved(store: Path) -> None:
    plan = plan_of(store, {"n.md": NEW})
    git(store, "commit", "-q", "--allow-empty", "-m", "meanwhile")
    refused(store, plan, PlanChanged)


def test_another_branch_at_the_same_commit(store: Path) -> None:
    plan = plan_of(store, {"n.md": NEW})
    git(store, "switch", "-qc", "other")
    refused(store, plan, PlanChanged)


def test_a_branch_that_moves_at_the_last_moment(store: Path) -> None:
    plan = plan_of(store, {"n.md": NEW})
    moved: list[dict[str, Any]] = []

    def meanwhile(_: str) -> None:
        git(store, "commit", "-q", "--allow-empty", "-m", "meanwhile")
        moved.append(state(store))

    with pytest.raises(PlanChanged):
        apply(plan, ADA, repository(store), now=NOW, spend=meanwhile)
    assert state(store) == {**moved[0], "intent": False}


@pytest.mark.parametrize("now", [b"edited", None])
def test_a_note_that_was_changed_since(store: Path, now: bytes | None) -> None:
    plan = plan_of(store, {"a.md": b"A2\n", "n.md": NEW})
    if now is None:
        (store / "a.md").unlink()
    else:
        (store / "a.md").write_bytes(now)
    refused(store, plan, NoteChanged)


def test_a_file_that_came_up_where_a_note_is_to_be(store: Path) -> None:
    plan = plan_of(store, {"n.md": NEW})
    (store / "n.md").write_bytes(b"mine")
    refused(store, plan, NoteChanged)


def test_a_plan_over_hand_edits(store: Path) -> None:
    refused(store, plan_of(store, {"a.md": b"A2\n"}, hand_edits=("a.md",)), NoteChanged)


def test_a_plan_for_another_store(store: Path, tmp_path: Path) -> None:
    plan = plan_of(store, {"n.md": NEW})
    other = make_store(tmp_path / "other", {"a.md": "A\n"})
    refused(other, plan, PlanChanged)


def test_a_plan_that_misstates_what_head_holds(store: Path) -> None:
    plan = plan_of(store, {"a.md": b"A2\n"})
    wrong = replace(plan, edits=tuple(replace(edit, head_before=b"never") for edit in plan.edits))
    refused(store, wrong, PlanChanged)


def test_a_note_in_the_place_of_a_file_that_would_vanish(store: Path) -> None:
    """git's index would drop a file ``x`` for a new ``x/n.md``; the commit would hold more than was shown."""
    (store / "x").write_bytes(b"mine")
    git(store, "add", "x")
    git(store, "commit", "-qm", "x")
    (store / "x").unlink()
    refused(store, plan_of(store, {"x/n.md": NEW}), PlanChanged)


def test_an_approval_that_can_t_be_used(store: Path) -> None:
    def none(_: str) -> None:
        raise GateRefused("used already")

    refused(store, plan_of(store, {"n.md": NEW}), GateRefused, spend=none)


def test_an_earlier_engram_that_still_writes(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hold, "PATIENCE", 0.1)
    plan = plan_of(store, {"n.md": NEW})
    with hold.hold(str(store)):
        refused(store, plan, StoreLocked)


@pytest.mark.skipif(os.name == "nt", reason="making a symlink needs a privilege there")
def test_a_folder_that_became_a_link(store: Path, tmp_path: Path) -> None:
    plan = plan_of(store, {"d/n.md": NEW})
    (tmp_path / "outside").mkdir()
    (store / "d").symlink_to(tmp_path / "outside")
    refused(store, plan, NoteChanged)
    assert list((tmp_path / "outside").iterdir()) == []


# -- the disk refuses -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", range(5))
def test_a_full_disk_at_any_write(store: Path, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """Every write of engram's own fails in turn; what was replaced by then is put back, the branch too."""
    plan = plan_of(store, {"a.md": b"A2\n", "d/n.md": NEW, "b.md": None}, lines={"MEMORY.md": b"- line\n"})
    before = state(store)
    written = 0
    real = os.write

    def full(descriptor: int, data: bytes) -> int:
        nonlocal written
        written += stat.S_ISREG(os.fstat(descriptor).st_mode)
        if written == number + 1:
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(descriptor, data)

    monkeypatch.setattr(disk.os, "write", full)
    with pytest.raises(DiskFull):
        apply(plan, ADA, repository(store), now=NOW)
    assert state(store) == before
    assert not (store / "d").exists()
    monkeypatch.undo()
    assert written > number, "fewer writes than this test takes for granted"
    apply(plan, ADA, repository(store), now=NOW)
    assert changed(store) == {"a.md", "d/n.md", "b.md", "MEMORY.md"}
    assert git(store, "status", "--porcelain") == ""


def test_a_note_that_is_edited_while_the_files_are_replaced(store: Path) -> None:
    plan = plan_of(store, {"a.md": b"A2\n", "b.md": b"B2\n"})
    head = git(store, "rev-parse", "HEAD")

    def edit(name: str) -> None:
        if name == "file":
            (store / "b.md").write_bytes(b"by hand")

    with pytest.raises(NoteChanged):
        apply(plan, ADA, repository(store), now=NOW, step=edit)
    assert ((store / "a.md").read_bytes(), (store / "b.md").read_bytes()) == (b"A\n", b"by hand")
    assert git(store, "rev-parse", "HEAD") == head
    assert git(store, "status", "--porcelain") == " M b.md"
    assert not (store / ".engram" / "intent.json").exists()


def test_a_note_that_is_staged_while_the_files_are_replaced_stays_staged(store: Path) -> None:
    def stage(name: str) -> None:
        if name == "files":
            (store / "a.md").write_bytes(b"staged just now\n")
            git(store, "add", "a.md")

    apply(plan_of(store, {"a.md": b"A2\n", "n.md": NEW}), ADA, repository(store), now=NOW, step=stage)
    assert git(store, "show", ":a.md") == "staged just now"
    assert git(store, "status", "--porcelain") == "M  a.md"


def test_where_nothing_can_be_put_back_the_next_run_finishes(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = plan_of(store, {"a.md": b"A2\n", "b.md": b"B2\n"})
    real = write.replace

    def fails(root: str, path: str, before: bytes | None, after: bytes | None) -> None:
        if path == "b.md" or after == b"A\n":
            raise DiskFull("no space left")
        real(root, path, before, after)

    monkeypatch.setattr(write, "replace", fails)
    with pytest.raises(CommitHalfMade, match="no space left"):
        apply(plan, ADA, repository(store), now=NOW)
    monkeypatch.undo()
    commit(store, {"n.md": NEW})
    assert [changed(store), changed(store, "HEAD^")] == [{"n.md"}, {"a.md", "b.md"}]
    assert (store / "b.md").read_bytes() == b"B2\n"
    assert git(store, "status", "--porcelain") == ""


@pytest.mark.skipif(os.name == "nt", reason="modes are POSIX")
@pytest.mark.parametrize("closed", [".", ".git/objects", ".git", ".git/refs/heads"])
def test_a_folder_without_write_permission(store: Path, closed: str) -> None:
    plan = plan_of(store, {"d/n.md": NEW})
    (store / closed).chmod(0o555)
    try:
        if os.access(store / closed, os.W_OK):
            pytest.skip("this user may write anywhere")
        refused(store, plan, StoreReadOnly)
    finally:
        (store / closed).chmod(0o755)


def test_a_machine_local_folder_that_can_t_be_made(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = plan_of(store, {"n.md": NEW})

    def refuse(*_: Any, **__: Any) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(disk.os, "makedirs", refuse)
    with pytest.raises(StoreReadOnly):
        apply(plan, ADA, repository(store), now=NOW)


@pytest.mark.parametrize("at", STEPS)
def test_an_interrupt_ends_without_a_commit_or_in_a_whole_one_that_is_told(store: Path, at: str) -> None:
    before = state(store)

    def step(name: str) -> None:
        if name == at:
            raise KeyboardInterrupt

    try:
        new = apply(plan_of(store, {"a.md": b"A2\n", "new.md": NEW}), ADA, repository(store), now=NOW, step=step)
    except KeyboardInterrupt:
        assert state(store) == before
    else:
        assert git(store, "rev-parse", "HEAD") == new
        assert git(store, "status", "--porcelain") == ""
        assert not state(store)["intent"]

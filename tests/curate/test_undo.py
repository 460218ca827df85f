from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram.curate.undo import taken_back, undo
from engram.errors import NoteChanged, NoteProtected, NothingToUndo
from engram.model.change import Change, NewNote
from engram.model.note import base_of
from engram.model.plan import Plan
from tests.lib.changesets import applied, planned, snapshot_of

COMMIT = "c0ffee" * 6 + "abcd"
NOTE = b"---\nname: a\ndescription: about a\ntype: project\n---\n\nText.\n"
BEFORE = {"MEMORY.md": b"# Memory\n\n- [A](a.md): about a\n", "a.md": NOTE}
ADD = Change("ADD", "compatible", 1.0, "r", note=NewNote("b", "Body.", {"description": "about b", "type": "project"}))
INVALIDATE = Change("INVALIDATE", "contradictory", 1.0, "r", target="a", base=base_of(NOTE), by="b")


def taken(plan: Plan, now: dict[str, bytes], work: dict[str, bytes] | None = None, **more: Any) -> Plan:
    """Plans the inverse of a plan that was committed, for a store that holds ``now``."""
    before = {edit.path: edit.head_before for edit in plan.edits}
    after = {edit.path: edit.head_after for edit in plan.edits}
    snapshot = snapshot_of(now if work is None else work, committed=now)
    return undo(COMMIT, plan.subject, before, after, snapshot, **more)


def test_undo_leads_back_to_the_bytes_before() -> None:
    done = planned(snapshot_of(BEFORE), ADD, INVALIDATE)
    after = applied(BEFORE, done)
    back = taken(done, after)
    assert applied(after, back) == BEFORE
    assert applied(after, back, work=True) == BEFORE
    assert back.subject == f"memory: undo add b, invalidate a\n\n- takes back commit {COMMIT}"
    assert back.trailers == (
        ("Engram-Undoes", COMMIT),
        ("Engram-Change", "UNDO b.md"),
        ("Engram-Change", "UNDO a.md"),
    )
    assert [(line.op, line.name, line.rewrites_prose) for line in back.lines] == [
        ("UNDO", "b", True),
        ("UNDO", "a", True),
    ]
    assert back.hand_edits == ()


def test_undo_of_an_undo_is_the_change_again() -> None:
    done = planned(snapshot_of(BEFORE), ADD, INVALIDATE)
    after = applied(BEFORE, done)
    again = taken(taken(done, after), BEFORE)
    assert applied(BEFORE, again) == after


def test_memory_md_goes_back_by_its_lines() -> None:
    done = planned(snapshot_of(BEFORE), ADD, INVALIDATE)
    after = applied(BEFORE, done)
    later = {**after, "MEMORY.md": after["MEMORY.md"].replace(b"# Memory\n", b"# Mine\n") + b"- [C](c.md): later\n"}
    work = {**later, "MEMORY.md": later["MEMORY.md"] + b"- by hand\n"}
    back = taken(done, later, work)
    assert applied(later, back)["MEMORY.md"] == b"# Mine\n\n- [A](a.md): about a\n- [C](c.md): later\n"
    assert applied(work, back, work=True)["MEMORY.md"] == (
        b"# Mine\n\n- [A](a.md): about a\n- [C](c.md): later\n- by hand\n"
    )


def test_notes_that_moved_on_are_named_all_of_them() -> None:
    done = planned(snapshot_of(BEFORE), ADD, INVALIDATE)
    after = applied(BEFORE, done)
    later = {**after, "a.md": after["a.md"] + b"More.\n", "b.md": b"Other.\n"}
    with pytest.raises(NoteChanged) as moved:
        taken(done, later)
    assert moved.value.message == "changed since commit c0ffeec0ffee: b.md, a.md"


def test_a_hand_edit_stands_in_the_way() -> None:
    done = planned(snapshot_of(BEFORE), ADD)
    after = applied(BEFORE, done)
    with pytest.raises(NoteChanged):
        taken(done, after, {**after, "b.md": after["b.md"] + b"By hand.\n"})


def test_memory_md_whose_line_is_gone_stands_in_the_way() -> None:
    done = planned(snapshot_of(BEFORE), ADD)
    after = applied(BEFORE, done)
    with pytest.raises(NoteChanged):
        taken(done, {**after, "MEMORY.md": b"# Memory\n"})


def test_a_file_in_the_place_of_a_removed_one_stands_in_the_way() -> None:
    done = planned(snapshot_of(BEFORE), ADD)
    after = applied(BEFORE, done)
    back = taken(done, after)
    with pytest.raises(NoteChanged):
        taken(back, BEFORE, {**BEFORE, "b.md": b"Untracked.\n"})


def test_protected_notes_stay() -> None:
    done = planned(snapshot_of(BEFORE), replace(INVALIDATE, by=""))
    after = applied(BEFORE, done)
    guarded = {**after, "a.md": after["a.md"].replace(b"type: project", b"protected: true")}
    with pytest.raises(NoteProtected):
        taken(done, guarded)


def test_a_checkout_with_other_line_ends_gets_them_back() -> None:
    done = planned(snapshot_of(BEFORE), replace(INVALIDATE, by=""))
    after = applied(BEFORE, done)
    crlf = {path: data.replace(b"\n", b"\r\n") for path, data in after.items()}
    back = taken(done, after, crlf)
    assert applied(after, back) == BEFORE
    assert applied(crlf, back, work=True) == {path: data.replace(b"\n", b"\r\n") for path, data in BEFORE.items()}


@pytest.mark.parametrize("files", [{}, {"a.md": (b"x", b"x")}, {".gitattributes": (None, b"* -text\n")}])
def test_nothing_to_undo(files: dict[str, tuple[bytes | None, bytes | None]]) -> None:
    before = {path: pair[0] for path, pair in files.items()}
    after = {path: pair[1] for path, pair in files.items()}
    with pytest.raises(NothingToUndo):
        undo(COMMIT, "start", before, after, snapshot_of({}))


texts = st.lists(st.sampled_from([b"a\n", b"b\n", b"c\n", b"\n"]), max_size=6).map(b"".join)


@given(texts, texts)
def test_lines_led_back_where_nothing_moved(before: bytes, after: bytes) -> None:
    assert taken_back(before, after, after) in (before, None)


@given(texts, texts, texts)
def test_lines_led_back_never_invent_a_line(before: bytes, after: bytes, now: bytes) -> None:
    back = taken_back(before, after, now)
    if back is not None:
        assert set(back.split(b"\n")) <= {*before.split(b"\n"), *now.split(b"\n")}

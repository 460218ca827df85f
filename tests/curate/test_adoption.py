from __future__ import annotations

from engram.curate.adoption import adoption
from engram.model.plan import Edit
from tests.lib.changesets import snapshot_of

ADA = ("Ada Tester", "ada@example.com")
COMMITTED = {
    "MEMORY.md": b"# Memory\n",
    "a.md": b"---\nname: a\n---\n\nOld.\n",
    "gone.md": b"Gone.\n",
    "same.md": b"Same.\n",
}
WORK = {
    "MEMORY.md": b"# Memory\nmine\n",
    "a.md": b"---\nname: a\n---\n\nBy hand.\n",
    "new.md": b"New.\n",
    "same.md": b"Same.\n",
}


def test_what_stands_in_the_folder_becomes_what_head_holds() -> None:
    snapshot = snapshot_of(WORK, committed=COMMITTED)
    plan = adoption(snapshot, ["a.md", "new.md", "gone.md", "same.md", "a.md"], person=ADA)
    assert plan.edits == (
        Edit("a.md", COMMITTED["a.md"], WORK["a.md"], WORK["a.md"], WORK["a.md"]),
        Edit("new.md", None, b"New.\n", b"New.\n", b"New.\n"),
        Edit("gone.md", b"Gone.\n", None, None, None),
    )
    assert plan.author == ADA
    assert plan.subject == "memory: adopt a, adopt new, adopt gone\n\n- ADOPT a\n- ADOPT new\n- ADOPT gone"
    assert plan.trailers == tuple(("Engram-Change", f"ADOPT {path}") for path in ("a.md", "new.md", "gone.md"))
    assert (plan.hand_edits, plan.sessions, plan.agent) == ((), (), "")
    assert all(line.rewrites_prose for line in plan.lines)


def test_nothing_edited_by_hand_is_an_empty_plan() -> None:
    snapshot = snapshot_of(COMMITTED)
    assert adoption(snapshot, list(COMMITTED), person=ADA).empty


def test_a_checkouts_line_ends_are_not_adopted() -> None:
    work = {**COMMITTED, "a.md": b"---\r\nname: a\r\n---\r\n\r\nBy hand.\r\n"}
    plan = adoption(snapshot_of(work, committed=COMMITTED), ["a.md", "same.md"], person=ADA)
    assert [(edit.path, edit.head_after) for edit in plan.edits] == [("a.md", b"---\nname: a\n---\n\nBy hand.\n")]
    assert plan.edits[0].work_after == work["a.md"]


def test_line_ends_that_head_has_stay() -> None:
    committed = {"a.md": b"one\r\n"}
    plan = adoption(snapshot_of({"a.md": b"one\r\ntwo\r\n"}, committed=committed), ["a.md"], person=ADA)
    assert plan.edits[0].head_after == b"one\r\ntwo\r\n"

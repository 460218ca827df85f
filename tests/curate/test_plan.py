from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from engram.curate.diff import unified
from engram.curate.message import MOST_SUBJECT, subject
from engram.curate.plan import make_plan
from engram.errors import (
    ChangesetInvalid,
    EngramError,
    FrontmatterBroken,
    NoteAmbiguous,
    NoteChanged,
    NoteNotFound,
    NoteProtected,
)
from engram.model.change import Change, ChangeSet, NewNote, Replace
from engram.model.note import base_of, body_hash
from engram.model.plan import Edit, Line
from engram.model.snapshot import TOC
from engram.store.frontmatter import parse
from tests.lib.changesets import NOW, SETTINGS, applied, planned, snapshot_of
from tests.lib.stores import git, make_store

RUNBOOK = b"---\nname: deploy-runbook\ndescription: how\ntype: project\nupdated: 2025-01-01\n---\n\nBlue.\n"
JENKINS = b"---\nname: uses-jenkins\ndescription: CI\nmetadata:\n  type: project\n---\n\nJenkins.\n"
STORE = {
    TOC: b"# Memory\n\n- [Runbook](deploy-runbook.md): how\n- [CI](uses-jenkins.md): CI\n",
    "deploy-runbook.md": RUNBOOK,
    "uses-jenkins.md": JENKINS,
}


def add(name: str = "prefers-pnpm", body: str = "Use pnpm.", **fields: Any) -> Change:
    note = NewNote(name, body, {"description": "pnpm", "type": "feedback", **fields})
    return Change("ADD", "compatible", 0.9, "said twice", note=note)


def update(target: str = "deploy-runbook", data: bytes = RUNBOOK, **more: Any) -> Change:
    return Change("UPDATE", "subsumes", 0.8, "moved", target=target, base=base_of(data), **more)


def invalidate(target: str = "uses-jenkins", data: bytes = JENKINS, by: str = "") -> Change:
    return Change("INVALIDATE", "contradictory", 0.7, "gone", target=target, base=base_of(data), by=by)


NOOP = Change("NOOP", "subsumed", 1.0, "said already", target="deploy-runbook")


def head_after(plan: Any, path: str) -> bytes:
    return next(edit.head_after for edit in plan.edits if edit.path == path)


# -- ADD --------------------------------------------------------------------------------------------------------------


def test_add_stamps_days_and_origin() -> None:
    plan = planned(snapshot_of(STORE), add(), agent="claude-code", sessions=("s1", "s2"))
    assert head_after(plan, "prefers-pnpm.md") == (
        b"---\nname: prefers-pnpm\ndescription: pnpm\ntype: feedback\ncreated: 2026-01-15\nupdated: 2026-01-15\n"
        b"expires: 2027-01-15\nsource_agent: claude-code\nsessions: [s1, s2]\n---\n\nUse pnpm.\n"
    )
    assert head_after(plan, TOC) == STORE[TOC] + b"- [Prefers pnpm](prefers-pnpm.md): pnpm\n"


@pytest.mark.parametrize(
    ("kind", "expires", "review"),
    [
        ("user", "never", None),
        ("project", "2026-07-14", None),
        ("decision", "never", "2026-07-14"),
        ("preference", "never", "2026-04-15"),
        ("policy", "never", "2027-01-10"),
        ("own_word", "never", None),
    ],
)
def test_add_stamps_by_type(kind: str, expires: str, review: str | None) -> None:
    fields = _fields(planned(snapshot_of(STORE), add(type=kind)), "prefers-pnpm.md")
    assert (fields["expires"], fields.get("review_after")) == (expires, review)
    assert "source_agent" not in fields
    assert "sessions" not in fields
    assert "hash" not in fields


def test_add_with_days_of_its_own_keeps_them() -> None:
    fields = _fields(
        planned(snapshot_of(STORE), add(type="decision", expires="2026-02-01", review_after=None)), "prefers-pnpm.md"
    )
    assert (fields["expires"], fields["review_after"]) == ("2026-02-01", None)


def test_add_takes_spans_from_the_settings() -> None:
    settings = SETTINGS._replace(ttl_defaults={"feedback": "1w"}, review_defaults={"feedback": "1d"})
    plan = make_plan(ChangeSet((add(),)), snapshot_of(STORE), now=NOW, settings=settings)
    fields = _fields(plan, "prefers-pnpm.md")
    assert (fields["expires"], fields["review_after"]) == ("2026-01-22", "2026-01-16")


def test_add_to_the_users_store_goes_by_type_and_has_a_hash() -> None:
    plan = planned(
        snapshot_of({}, scope="user"),
        add(body="Always use pnpm."),
        add("a-lesson", type="lesson"),
        add("a-day", type="journal"),
    )
    assert [edit.path for edit in plan.edits] == [
        "memories/feedback/prefers-pnpm.md",
        "lessons/a-lesson.md",
        "journal/2026/2026-01/a-day.md",
        TOC,
    ]
    assert _fields(plan, "memories/feedback/prefers-pnpm.md")["hash"] == "5856d579d814cc15"
    assert b"## feedback\n\n- [pnpm](memories/feedback/prefers-pnpm.md)\n" in head_after(plan, TOC)


@pytest.mark.parametrize("name", ["deploy-runbook", "notes", "lost"])
def test_add_refuses_names_that_stand_in_any_case(name: str) -> None:
    work = {**STORE, "team/Notes.md": b"Text.\n", "Deploy-Runbook.md": RUNBOOK}
    committed = {**work, "old/LOST.md": b"Removed by hand.\n"}
    with pytest.raises(ChangesetInvalid) as refused:
        planned(snapshot_of(work, committed=committed), add(name))
    assert refused.value.problems[0][0] == "$.changes[0].note.name"


# -- UPDATE -----------------------------------------------------------------------------------------------------------


def test_update_changes_what_it_names_and_the_stamp() -> None:
    plan = planned(
        snapshot_of(STORE), update(set={"importance": 7, "description": "how"}, edits=(Replace("Blue", "Green"),))
    )
    assert plan.edits == (
        Edit("deploy-runbook.md", RUNBOOK, after := head_after(plan, "deploy-runbook.md"), RUNBOOK, after),
    )
    assert after == RUNBOOK.replace(b"2025-01-01", b"2026-01-15").replace(
        b"---\n\nBlue", b"importance: 7\n---\n\nGreen"
    )
    assert plan.lines[0].rewrites_prose


def test_update_of_a_description_changes_its_line_in_memory_md() -> None:
    plan = planned(snapshot_of(STORE), update(set={"description": "how we deploy"}))
    assert head_after(plan, TOC) == STORE[TOC].replace(b": how\n", b": how we deploy\n")


def test_update_of_a_description_adds_a_missing_line_and_no_missing_file() -> None:
    plan = planned(snapshot_of({**STORE, TOC: b"# Memory\n"}), update(set={"description": "new"}))
    assert head_after(plan, TOC) == b"# Memory\n\n- [Deploy runbook](deploy-runbook.md): new\n"
    without = {path: data for path, data in STORE.items() if path != TOC}
    assert [edit.path for edit in planned(snapshot_of(without), update(set={"description": "new"})).edits] == [
        "deploy-runbook.md"
    ]


def test_update_of_a_description_gives_no_line_back_to_a_note_that_holds_no_longer() -> None:
    data = JENKINS.replace(b"---\n", b"---\ninvalidated_by: uses-actions\n", 1)
    change = update("uses-jenkins", data, set={"description": "Builds ran on Jenkins once"})
    plan = planned(snapshot_of({"uses-jenkins.md": data, TOC: b"# Memory\n"}), change)
    assert [edit.path for edit in plan.edits] == ["uses-jenkins.md"]


def test_update_of_a_body_keeps_frontmatter_and_line_ends() -> None:
    data = RUNBOOK.replace(b"\n", b"\r\n")
    plan = planned(snapshot_of({"a.md": data}), update("a", data, body="One.\n\nTwo."))
    assert head_after(plan, "a.md") == data.replace(b"2025-01-01", b"2026-01-15").replace(
        b"Blue.\r\n", b"One.\r\n\r\nTwo.\r\n"
    )


@pytest.mark.parametrize(
    ("stands", "becomes"),
    [
        (b"updated: 2025-01-01\n", b"updated: 2026-01-15\n"),
        (b"updated: 2025-01-01T10:00:00Z\n", b"updated: 2026-01-15T00:00:00Z\n"),
        (b"metadata:\n  modified: 2025-01-01T10:00:00.000Z\n", b"metadata:\n  modified: 2026-01-15T00:00:00.000Z\n"),
        (b"updated: 2026-01-15T07:30:00+01:00\n", b"updated: 2026-01-15T07:30:00+01:00\n"),
        (b"metadata:\n  updated: 2025-01-01\n", b"metadata:\n  updated: 2026-01-15\n"),
        (b"updated: x\nmetadata:\n  modified: y\n", b"updated: 2026-01-15\nmetadata:\n  modified: y\n"),
        (b"modified: 2025-01-01\n", b"modified: 2025-01-01\nupdated: 2026-01-15\n"),
        (b"", b"updated: 2026-01-15\n"),
    ],
)
def test_the_stamp_goes_where_the_note_has_one(stands: bytes, becomes: bytes) -> None:
    data = b"---\nimportance: 3\n" + stands + b"---\nText.\n"
    after = head_after(planned(snapshot_of({"a.md": data}), update("a", data, set={"importance": 4})), "a.md")
    assert after == b"---\nimportance: 4\n" + becomes + b"---\nText.\n"


def test_hash_is_stamped_where_there_is_one() -> None:
    data = b"---\nname: a\nhash: old\n---\n\nText.\n"
    snapshot = snapshot_of({"a.md": data})
    edited = planned(snapshot, update("a", data, edits=(Replace("Text", "Words"),)))
    assert _fields(edited, "a.md")["hash"] == body_hash("\nWords.\n")
    marked = planned(snapshot, invalidate("a", data))
    assert _fields(marked, "a.md")["hash"] == body_hash("\nText.\n")


def test_update_that_says_what_stands_is_refused() -> None:
    data = b"---\nname: a\nimportance: '7'\ntags: [x, y]\nreview_after: null\n---\n\nText.\n"
    same = update("a", data, set={"importance": 7, "tags": ("x", "y"), "review_after": None}, body="Text.\n")
    with pytest.raises(ChangesetInvalid) as refused:
        planned(snapshot_of({"a.md": data}), same)
    assert refused.value.problems == (("$.changes[0]", "says what stands: nothing would change"),)


def test_a_field_that_says_what_stands_keeps_its_line() -> None:
    data = b"---\nname: a\nimportance:   '7'   # high\n---\n\nText.\n"
    after = head_after(
        planned(snapshot_of({"a.md": data}), update("a", data, set={"importance": 7, "tags": ("x",)})), "a.md"
    )
    assert b"importance:   '7'   # high\n" in after


def test_edits_see_the_body_as_it_becomes_in_order() -> None:
    plan = planned(snapshot_of(STORE), update(edits=(Replace("Blue", "Green"), Replace("Green.", "Green and slow."))))
    assert head_after(plan, "deploy-runbook.md").endswith(b"\n\nGreen and slow.\n")


# -- INVALIDATE, NOOP -------------------------------------------------------------------------------------------------


def test_invalidate_marks_keeps_the_text_and_takes_the_line_out() -> None:
    plan = planned(snapshot_of(STORE), add("uses-actions"), invalidate(by="Uses-Actions"))
    assert head_after(plan, "uses-jenkins.md") == (
        b"---\nname: uses-jenkins\ndescription: CI\nmetadata:\n  type: project\n"
        b"invalidated_by: uses-actions\nupdated: 2026-01-15\n---\n\nJenkins.\n"
    )
    assert b"uses-jenkins" not in head_after(plan, TOC)
    assert b"uses-actions" in head_after(plan, TOC)


def test_invalidate_without_by_holds_the_day() -> None:
    assert _fields(planned(snapshot_of(STORE), invalidate()), "uses-jenkins.md")["invalidated_by"] == "2026-01-15"


def test_noops_alone_make_an_empty_plan_that_names_its_sessions() -> None:
    plan = planned(
        snapshot_of(STORE), NOOP, replace(NOOP, target="not-there"), replace(NOOP, target=""), sessions=("s1",)
    )
    assert plan.empty
    assert plan.sessions == ("s1",)
    assert [(line.path, line.name) for line in plan.lines] == [
        ("deploy-runbook.md", "deploy-runbook"),
        ("", "not-there"),
        ("", ""),
    ]


# -- the plan as a whole ----------------------------------------------------------------------------------------------


def test_planning_changes_nothing_and_comes_out_the_same() -> None:
    snapshot = snapshot_of(STORE)
    changes = (add(), update(set={"importance": 7}), invalidate(by="prefers-pnpm"), NOOP)
    one, other = planned(snapshot, *changes), planned(snapshot, *changes)
    assert one == other
    assert one.digest == other.digest
    later = make_plan(ChangeSet(changes), snapshot, now=NOW + timedelta(hours=2, microseconds=7), settings=SETTINGS)
    assert later.digest == one.digest
    assert snapshot.work == STORE
    assert [(line.op, line.path, line.relation, line.confidence, line.reason) for line in one.lines] == [
        ("ADD", "prefers-pnpm.md", "compatible", 0.9, "said twice"),
        ("UPDATE", "deploy-runbook.md", "subsumes", 0.8, "moved"),
        ("INVALIDATE", "uses-jenkins.md", "contradictory", 0.7, "gone"),
        ("NOOP", "deploy-runbook.md", "subsumed", 1.0, "said already"),
    ]


def test_a_dirty_memory_md_changes_by_the_same_lines() -> None:
    work = {**STORE, TOC: STORE[TOC] + b"- [Mine](mine.md): unread\n"}
    plan = planned(snapshot_of(work, committed=STORE), add(), invalidate())
    toc = plan.edits[-1]
    assert (
        toc.head_after == b"# Memory\n\n- [Runbook](deploy-runbook.md): how\n- [Prefers pnpm](prefers-pnpm.md): pnpm\n"
    )
    assert toc.work_after == (
        b"# Memory\n\n- [Runbook](deploy-runbook.md): how\n- [Mine](mine.md): unread\n"
        b"- [Prefers pnpm](prefers-pnpm.md): pnpm\n"
    )
    assert plan.hand_edits == ()
    assert b"mine" not in unified(plan).encode()


def test_an_untracked_memory_md_is_not_swept_in() -> None:
    committed = {path: data for path, data in STORE.items() if path != TOC}
    toc = planned(snapshot_of(STORE, committed=committed), add()).edits[-1]
    assert (toc.head_before, toc.head_after) == (None, b"# Memory\n\n- [Prefers pnpm](prefers-pnpm.md): pnpm\n")
    assert toc.work_after == STORE[TOC] + b"- [Prefers pnpm](prefers-pnpm.md): pnpm\n"


def test_a_checkout_with_other_line_ends_keeps_both() -> None:
    work = {path: data.replace(b"\n", b"\r\n") for path, data in STORE.items()}
    change = update(
        data=work["deploy-runbook.md"], set={"importance": 7, "description": "new"}, edits=(Replace("Blue", "Green"),)
    )
    plan = planned(snapshot_of(work, committed=STORE), change, add())
    assert plan.hand_edits == ()
    for edit in plan.edits[:1] + plan.edits[2:]:
        assert b"\r" not in (edit.head_after or b"")
        assert edit.work_after == (edit.head_after or b"").replace(b"\n", b"\r\n")


def test_hand_edits_are_named_and_shown_as_they_would_be_once_adopted() -> None:
    edited = RUNBOOK.replace(b"Blue.", b"Blue, by hand.")
    snapshot = snapshot_of({**STORE, "deploy-runbook.md": edited}, committed=STORE)
    plan = planned(snapshot, update(data=edited, set={"importance": 7}))
    assert plan.hand_edits == ("deploy-runbook.md",)
    assert plan.edits[0].head_before == edited
    assert "by hand" not in "".join(row for row in unified(plan).splitlines() if row[:1] in "+-")


def test_a_folder_without_git_is_planned_as_it_stands() -> None:
    snapshot = replace(snapshot_of(STORE, committed={}), ref="", head="")
    plan = planned(snapshot, update(set={"description": "new"}))
    assert plan.hand_edits == ()
    assert [edit.head_before for edit in plan.edits] == [RUNBOOK, STORE[TOC]]


def test_paths_behind_a_symlink_are_refused() -> None:
    with pytest.raises(ChangesetInvalid) as refused:
        make_plan(
            ChangeSet((add(), update(set={"importance": 7}))),
            snapshot_of(STORE),
            now=NOW,
            settings=SETTINGS,
            symlinked=lambda path: "linked" if path != TOC else "",
        )
    assert [words for _, words in refused.value.problems] == [
        "prefers-pnpm.md lies behind the symlink linked",
        "deploy-runbook.md lies behind the symlink linked",
    ]


def test_a_memory_md_that_is_a_symlink_is_refused() -> None:
    with pytest.raises(ChangesetInvalid):
        make_plan(
            ChangeSet((add(),)),
            snapshot_of(STORE),
            now=NOW,
            settings=SETTINGS,
            symlinked=lambda path: path if path == TOC else "",
        )


BROKEN = {**STORE, "half.md": b"---\nname: half\n", "kept.md": b"---\nname: kept\nprotected: yes\n---\nText.\n"}
TWINS = {"a/x.md": b"A.\n", "b/x.md": b"B.\n"}


@pytest.mark.parametrize(
    ("change", "error"),
    [
        (update("nowhere", set={"importance": 1}), NoteNotFound),
        (update("../deploy-runbook", set={"importance": 1}), NoteNotFound),
        (update(TOC, set={"importance": 1}), NoteNotFound),
        (update("x", b"A.\n", body="b"), NoteAmbiguous),
        (update("kept", BROKEN["kept.md"], body="b"), NoteProtected),
        (invalidate("kept", BROKEN["kept.md"]), NoteProtected),
        (update(data=b"other", set={"importance": 1}), NoteChanged),
        (update("half", BROKEN["half.md"], body="b"), FrontmatterBroken),
        (invalidate(by="nowhere"), NoteNotFound),
        (invalidate(by="uses-jenkins"), ChangesetInvalid),
        (update(edits=(Replace("e", "x"), Replace("nowhere", "x"))), ChangesetInvalid),
    ],
)
def test_what_can_not_be_planned(change: Change, error: type[EngramError]) -> None:
    with pytest.raises(EngramError) as refused:
        planned(snapshot_of({**BROKEN, **TWINS}), change)
    assert type(refused.value) is error
    assert "$.changes[0]" in refused.value.message


def test_a_target_by_its_path_and_in_any_case() -> None:
    snapshot = snapshot_of({**TWINS, **STORE})
    assert planned(snapshot, update("b/x.md", b"B.\n", body="b")).lines[0].path == "b/x.md"
    assert planned(snapshot, update("DEPLOY-Runbook", set={"importance": 1})).lines[0].path == "deploy-runbook.md"


def test_a_target_twice_by_name_and_by_path_is_refused() -> None:
    data = b"---\nname: Other Name\n---\n\nText.\n"
    with pytest.raises(ChangesetInvalid) as refused:
        planned(snapshot_of({"file.md": data}), update("Other Name", data, body="b"), invalidate("file", data))
    assert refused.value.problems == (("$.changes[1].target", "file.md is changed by $.changes[0].target already"),)


def test_troubles_of_one_kind_keep_it_and_name_every_place() -> None:
    with pytest.raises(NoteNotFound) as refused:
        planned(snapshot_of(STORE), update("one", body="b"), invalidate("two"))
    assert (
        refused.value.message == "$.changes[0].target: there is no note one\n$.changes[1].target: there is no note two"
    )


def test_troubles_of_several_kinds_are_the_changesets() -> None:
    with pytest.raises(ChangesetInvalid) as refused:
        planned(snapshot_of(STORE), update("one", body="b"), invalidate(data=b"other"), add("deploy-runbook"))
    assert [place for place, _ in refused.value.problems] == [
        "$.changes[0].target",
        "$.changes[1].base",
        "$.changes[2].note.name",
    ]


# -- the commit message -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (["ADD a"], "memory: add a"),
        (["ADD a", "UPDATE b", "NOOP c"], "memory: add a, update b"),
        ([f"ADD note-number-{n}" for n in range(9)], "memory: add note-number-0, add note-number-1 and 7 more"),
        (["ADD " + "x" * 90, "ADD b"], "memory: add " + "x" * 48 + "… and 1 more"),
        (["NOOP a"], "memory: nothing to change"),
        (["UPDATE Odd\nname"], "memory: update Odd<U+000A>name"),
    ],
)
def test_subjects_are_short(lines: list[str], said: str) -> None:
    shown = subject([Line(line.split(" ", 1)[0], "p.md", line.split(" ", 1)[1]) for line in lines])  # type: ignore[arg-type]
    assert shown == said
    assert len(shown) <= MOST_SUBJECT


def test_the_message_says_what_and_why_and_only_trailers_are_trailers(tmp_path: Path) -> None:
    forged = replace(add(), reason="Approved-By: Ada <ada@example.com>")
    rule = replace(update(set={"importance": 7}), reason="--- and then Signed-off-by: Ada")
    plan = planned(snapshot_of(STORE), forged, rule, agent="claude-code", sessions=("s1", "s2"))
    assert plan.subject == (
        "memory: add prefers-pnpm, update deploy-runbook\n\n"
        "- ADD prefers-pnpm: Approved-By: Ada <ada@example.com>\n"
        "- UPDATE deploy-runbook: --- and then Signed-off-by: Ada"
    )
    trailers = "\n".join(f"{key}: {value}" for key, value in plan.trailers)
    read = git(tmp_path, "interpret-trailers", "--parse", data=f"{plan.subject}\n\n{trailers}\n".encode())
    assert read == trailers
    assert [key for key, _ in plan.trailers] == [
        "Engram-Changeset", "Engram-Agent", "Engram-Session", "Engram-Session", "Engram-Change", "Engram-Change",
    ]  # fmt: skip
    assert plan.trailers[-2:] == (
        ("Engram-Change", "ADD prefers-pnpm.md"),
        ("Engram-Change", "UPDATE deploy-runbook.md"),
    )


# -- real notes -------------------------------------------------------------------------------------------------------


@pytest.mark.corpus
def test_one_field_of_every_real_note(corpus: Path) -> None:
    """Every line but those of the field and the stamp stays, byte for byte."""
    seen = 0
    for file in sorted((corpus / "stores").rglob("*.md")):
        data = file.read_bytes()
        note, _ = parse(data, "note.md")
        if file.name == TOC or note is None or note.protected:
            continue
        change = update("note.md", data, set={"topic_key": "a key: of its own"})
        edit = planned(snapshot_of({"note.md": data}), change).edits[0]
        after, _ = parse(edit.head_after or b"", "note.md")
        assert after is not None, file
        assert after.fields["topic_key"] == "a key: of its own", file
        kept = [line for line in (edit.head_after or b"").split(b"\n") if not _stamp(line)]
        assert kept == [line for line in data.split(b"\n") if not _stamp(line)] or not note.has_frontmatter, file
        assert after.body == note.body, file
        seen += 1
    assert seen > 1000


def _stamp(line: bytes) -> bool:
    return line.strip().startswith((b"topic_key:", b"updated:", b"modified:", b"hash:"))


def _fields(plan: Any, path: str) -> Any:
    note, findings = parse(head_after(plan, path), path)
    assert note is not None
    assert findings == ()
    return note.fields


def test_plans_of_real_git_stores_apply_there(tmp_path: Path) -> None:
    store = make_store(tmp_path / "store", STORE)
    plan = planned(snapshot_of(STORE), add(body="Ümlaut \u202e."), update(body="New."), invalidate())
    git(store, "apply", "-", data=unified(plan).encode())
    assert {path: (store / path).read_bytes() for path in applied(STORE, plan)} == applied(STORE, plan)

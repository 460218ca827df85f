"""Acts become plans: fields set and taken out, files moved and removed, MEMORY.md by its lines; or a refusal."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from engram.curate.acts import plan_of
from engram.errors import ActImpossible, NoteChanged, NoteNotFound, NoteProtected
from engram.model.act import Act, as_wire, from_wire
from engram.model.note import base_of
from engram.model.snapshot import TOC, Snapshot
from engram.store.frontmatter import parse

NOW = datetime(2026, 3, 1, tzinfo=UTC)
PNPM = b"---\nname: pnpm\ndescription: Use pnpm\ntype: feedback\nexpires: 2026-02-01\n# kept\n---\n\nAlways.\n"
LOCKED = b"---\nname: locked\nprotected: true\n---\n\nMine.\n"
CONTENTS = b"# Memory\n\n- [Pnpm](pnpm.md): Use pnpm\n- [Locked](locked.md): Mine\n"


def snapshot() -> Snapshot:
    work = {"pnpm.md": PNPM, "locked.md": LOCKED, TOC: CONTENTS}
    notes = tuple(note for path in ("pnpm.md", "locked.md") if (note := parse(work[path], path)[0]) is not None)
    return Snapshot("/store", notes=notes, work=work, committed=work, ref="refs/heads/main", head="0" * 40)


def pnpm(verb: str, **more: object) -> Act:
    return Act(verb, "pnpm.md", base_of(PNPM), **more)  # type: ignore[arg-type]


def test_a_field_is_set_and_stamped_and_no_other_line_moves() -> None:
    (edit,) = plan_of([pnpm("PIN", set={"expires": "never"})], snapshot(), now=NOW).edits
    assert edit.work_after == PNPM.replace(b"2026-02-01", b"never").replace(
        b"# kept\n", b"# kept\nupdated: 2026-03-01\n"
    )


def test_an_archived_note_moves_with_its_new_field_and_leaves_the_contents() -> None:
    act = pnpm("ARCHIVE", set={"archived": "2026-03-01"}, to="archive/pnpm.md", lists="remove", stamps=False)
    gone, came, contents = plan_of([act], snapshot(), now=NOW).edits
    assert (gone.path, gone.work_before, gone.work_after) == ("pnpm.md", PNPM, None)
    assert (came.path, came.work_before) == ("archive/pnpm.md", None)
    assert came.work_after == PNPM.replace(b"# kept\n", b"# kept\narchived: 2026-03-01\n")
    assert contents.work_after == CONTENTS.replace(b"- [Pnpm](pnpm.md): Use pnpm\n", b"")


def test_a_field_that_is_dropped_takes_its_line_along() -> None:
    (edit,) = plan_of([pnpm("RESTORE", drop=("expires", "nothing"), stamps=False)], snapshot(), now=NOW).edits
    assert edit.work_after == PNPM.replace(b"expires: 2026-02-01\n", b"")


@pytest.mark.parametrize(
    "act",
    [
        Act("EXPIRE", "locked.md", base_of(LOCKED), set={"expires": "2027-01-01"}),
        Act("ARCHIVE", "locked.md", base_of(LOCKED), to="archive/locked.md"),
        Act("REMOVE", "locked.md", base_of(LOCKED), removes=True),
        Act("REPAIR", "locked.md", base_of(LOCKED), lists="remove"),
        Act("EDIT", "locked.md", base_of(LOCKED), text="x"),
    ],
)
def test_nothing_touches_a_protected_note(act: Act) -> None:
    with pytest.raises(NoteProtected):
        plan_of([act], snapshot(), now=NOW)


def test_the_person_s_unprotect_does() -> None:
    (edit,) = plan_of(
        [Act("UNPROTECT", "locked.md", base_of(LOCKED), drop=("protected",), stamps=False)], snapshot(), now=NOW
    ).edits
    assert edit.work_after == b"---\nname: locked\n---\n\nMine.\n"


@pytest.mark.parametrize(
    ("act", "error"),
    [
        (Act("PIN", "pnpm.md", "0" * 16, set={"expires": "never"}), NoteChanged),
        (Act("PIN", "gone.md", set={"expires": "never"}), NoteNotFound),
        (Act("PIN", "../pnpm.md", set={"expires": "never"}), ActImpossible),
        (Act("ARCHIVE", "pnpm.md", base_of(PNPM), to=".git/pnpm.md"), ActImpossible),
        (Act("PURGE", "pnpm.md", base_of(PNPM), removes=True), ActImpossible),
        (Act("PIN", "pnpm.md", base_of(PNPM)), ActImpossible),
    ],
)
def test_what_can_t_be_is_refused(act: Act, error: type[Exception]) -> None:
    with pytest.raises(error):
        plan_of([act], snapshot(), now=NOW)


def test_a_line_of_the_contents_that_leads_nowhere_goes() -> None:
    standing = snapshot()
    dangling = CONTENTS + b"- [Gone](gone.md): gone\n"
    work = {**standing.work, TOC: dangling}
    found = Snapshot("/store", notes=standing.notes, work=work, committed=work, ref=standing.ref, head=standing.head)
    (edit,) = plan_of([Act("REPAIR", "gone.md", lists="remove")], found, now=NOW).edits
    assert (edit.path, edit.work_after) == (TOC, CONTENTS)


def test_acts_come_back_from_json_as_they_were() -> None:
    acts = (pnpm("PIN", set={"expires": "never", "tags": ("a", "b")}, reason="mine"), Act("PURGE", "archive/x.md"))
    assert from_wire(as_wire(acts)) == acts


@pytest.mark.parametrize("value", [{}, {"verb": "COMMIT", "path": "x.md"}, {"verb": "PIN", "path": "x.md", "odd": 1}])
def test_what_is_no_act_is_refused(value: dict[str, object]) -> None:
    with pytest.raises((TypeError, ValueError, KeyError)):
        from_wire([value])

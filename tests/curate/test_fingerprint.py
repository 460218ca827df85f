from __future__ import annotations

from dataclasses import replace

import pytest

from engram.curate.fingerprint import changeset_id, fingerprint
from engram.model.change import Change, ChangeSet, Evidence, NewNote, Replace

NOTE = NewNote("prefers-pnpm", "Use pnpm.", {"description": "pnpm", "type": "feedback", "tags": ("a", "b")})
ADD = Change("ADD", "compatible", 0.9, "said twice", note=NOTE)
UPDATE = Change(
    "UPDATE",
    "subsumes",
    0.8,
    "moved",
    target="deploy",
    base="0" * 16,
    set={"importance": 7},
    edits=(Replace("a", "b"),),
)
INVALIDATE = Change("INVALIDATE", "contradictory", 0.8, "gone", target="deploy", base="0" * 16, by="other")

SAME = [
    (
        ADD,
        replace(ADD, confidence=0.1, reason="other words", relation="subsumes", evidence=(Evidence("s", "u1", "q"),)),
    ),
    (ADD, replace(ADD, note=replace(NOTE, body="Use pnpm.  \r\n"))),
    (ADD, replace(ADD, note=replace(NOTE, fields={"tags": ("b", "a"), "type": "feedback", "description": "pnpm"}))),
    (UPDATE, replace(UPDATE, base="f" * 16, target="Deploy.md")),
]
OTHER = [
    (ADD, replace(ADD, note=replace(NOTE, body="Use npm."))),
    (ADD, replace(ADD, note=replace(NOTE, name="prefers-npm"))),
    (ADD, replace(ADD, note=replace(NOTE, fields={**NOTE.fields, "importance": 9}))),
    (UPDATE, replace(UPDATE, set={"importance": 8})),
    (UPDATE, replace(UPDATE, edits=(Replace("a", "c"),))),
    (UPDATE, replace(UPDATE, edits=(), body="b")),
    (INVALIDATE, replace(INVALIDATE, by="")),
    (INVALIDATE, replace(INVALIDATE, op="NOOP")),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_same_change_same_fingerprint(one: Change, other: Change) -> None:
    assert fingerprint(one) == fingerprint(other)


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_another_change_another_fingerprint(one: Change, other: Change) -> None:
    assert fingerprint(one) != fingerprint(other)


def test_a_fingerprint_stays_what_it_was() -> None:
    """Rejections are remembered by it: another value would forget them all."""
    assert (fingerprint(ADD), fingerprint(UPDATE)) == ("202a6f812242b0b8", "cdff8e9fd313a681")


def test_a_changeset_is_named_by_all_it_says() -> None:
    whole = ChangeSet((ADD,), agent="claude-code", sessions=("s1",))
    assert changeset_id(whole) == changeset_id(replace(whole))
    assert (
        len({changeset_id(whole), changeset_id(replace(whole, agent="x")), changeset_id(replace(whole, changes=()))})
        == 3
    )

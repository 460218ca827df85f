"""Two writers, one note: what touches different things merges, and nothing of either is lost where it doesn't."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engram.model.note import Note, base_of
from engram.store.frontmatter import parse
from tests.lib.cli import Ran, run
from tests.lib.proposed import SURE, changeset
from tests.lib.stores import everything, git, make_store

THEN = b"""---
name: runbook
description: How to deploy
tags: [deploy, blue]
importance: 5
---

Ask blue first.
Then push the button.
"""


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return make_store(tmp_path / "memory", {"runbook.md": THEN})


def change(op: str = "UPDATE", **more: Any) -> dict[str, Any]:
    """Returns a change that was written for the first version."""
    return {**SURE, "op": op, "target": "runbook", "base": base_of(THEN), "reason": "moved on", **more}


def applied(store: Path, *changes: dict[str, Any], session: str = "s-1") -> Ran:
    text = changeset(*changes, sessions=[session])
    return run("curate", "apply", "-", "--dir", str(store), stdin=text.encode(), answers=["y"])


def read(store: Path, path: str = "runbook.md") -> Note:
    found, _ = parse((store / path).read_bytes(), path)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("first", "second", "fields", "body"),
    [
        ({"set": {"importance": 7}}, {"set": {"description": "Deploying"}},
         {"importance": "7", "description": "Deploying"}, "Ask blue first.\nThen push the button."),
        ({"set": {"tags": ["deploy", "blue", "green"]}}, {"set": {"tags": ["deploy", "blue", "red"]}},
         {"tags": ("deploy", "blue", "green", "red")}, "Ask blue first.\nThen push the button."),
        ({"set": {"tags": ["blue"]}}, {"set": {"tags": ["deploy", "blue", "red"]}},
         {"tags": ("blue", "red")}, "Ask blue first.\nThen push the button."),
        ({"edits": [{"find": "blue", "replace": "green"}]}, {"edits": [{"find": "push", "replace": "press"}]},
         {}, "Ask green first.\nThen press the button."),
        ({"body": "All new."}, {"set": {"importance": 9}}, {"importance": "9"}, "All new."),
        ({"set": {"importance": 9}}, {"set": {"importance": 9, "description": "Both"}},
         {"importance": "9", "description": "Both"}, "Ask blue first.\nThen push the button."),
    ],
)  # fmt: skip
def test_what_touches_different_things_merges(
    store: Path, first: dict[str, Any], second: dict[str, Any], fields: dict[str, Any], body: str
) -> None:
    assert applied(store, change(**first)).exit == 0
    ran = applied(store, change(**second), session="s-2")
    assert ran.exit == 0, ran.err
    assert "the two are merged" in " ".join(ran.out.split())
    note = read(store)
    assert {key: note.fields[key] for key in fields} == fields
    assert note.body.strip() == body
    assert not (store / "conflicts").exists()


@pytest.mark.parametrize(
    ("first", "second", "against"),
    [
        ({"set": {"importance": 7}}, {"set": {"importance": 3, "tags": ["x"]}}, "importance"),
        ({"body": "All new."}, {"body": "All different."}, "body"),
        ({"edits": [{"find": "blue", "replace": "green"}]}, {"edits": [{"find": "blue", "replace": "red"}]}, "body"),
    ],
)
def test_where_they_can_t_both_stand_neither_is_lost(
    store: Path, first: dict[str, Any], second: dict[str, Any], against: str
) -> None:
    assert applied(store, change(**first)).exit == 0
    won = (store / "runbook.md").read_bytes()
    ran = applied(store, change(**second), session="s-2")
    assert ran.exit == 0, ran.err
    shown = " ".join(ran.out.split())
    assert f"runbook has moved on since this was written ({against})" in shown
    path = "conflicts/runbook.20261130T120000Z.claude-code.md"
    assert path in shown
    assert (store / "runbook.md").read_bytes() == won
    lost = read(store, path)
    assert (lost.name, lost.fields["conflict_of"]) == ("runbook.20261130T120000Z.claude-code", "runbook")
    assert all(lost.fields[key] == (str(value) if isinstance(value, int) else tuple(value))
               for key, value in second.get("set", {}).items())  # fmt: skip
    if "body" in second:
        assert lost.body.strip() == second["body"]
    assert f"Engram-Change: CONFLICT {path}" in git(store, "log", "-1", "--format=%B")
    assert run("show", "runbook", "--dir", str(store)).exit == 0  # the name is still one note's alone


def test_a_text_that_history_doesn_t_know_is_refused(store: Path) -> None:
    before = everything(store, skip=(".engram",))
    ran = applied(store, change(base="0" * 16, set={"importance": 7}))
    assert (ran.exit, "note-changed" in ran.err) == (4, True)
    assert everything(store, skip=(".engram",)) == before


def test_an_invalidation_of_another_text_is_refused_and_of_other_tags_is_not(store: Path) -> None:
    assert applied(store, change(set={"tags": ["x"]})).exit == 0
    assert applied(store, change("INVALIDATE", relation="contradictory"), session="s-2").exit == 0
    assert read(store).invalidated_by == "2026-11-30"


def test_an_invalidation_that_was_written_for_another_body_is_refused(store: Path) -> None:
    assert applied(store, change(body="All new.")).exit == 0
    assert "note-changed" in applied(store, change("INVALIDATE", relation="contradictory"), session="s-2").err


def test_what_is_written_for_a_note_that_was_invalidated_since_is_kept_beside_it(store: Path) -> None:
    assert applied(store, change("INVALIDATE")).exit == 0
    said = {"find": "Then push the button.", "replace": "Then press the lever."}
    ran = applied(store, change(edits=[said], set={"importance": 9}), session="s-2")
    assert (ran.exit, "runbook has moved on since this was written (invalidated_by)" in ran.out) == (0, True)
    (kept,) = (store / "conflicts").iterdir()
    assert "Then press the lever." in kept.read_text(encoding="utf-8")
    assert "lever" not in (store / "runbook.md").read_text(encoding="utf-8")


def test_the_same_writer_loses_twice_in_one_second_and_nothing_is_lost(store: Path) -> None:
    assert applied(store, change(body="One.")).exit == 0
    assert applied(store, change(body="Two."), session="s-2").exit == 0
    assert applied(store, change(body="Three."), session="s-3").exit == 0
    kept = sorted((store / "conflicts").iterdir())
    assert [path.name for path in kept] == [
        "runbook.20261130T120000Z.claude-code-2.md", "runbook.20261130T120000Z.claude-code.md",
    ]  # fmt: skip
    assert {path.read_text(encoding="utf-8").splitlines()[-1] for path in kept} == {"Two.", "Three."}

"""What an agent may ask of memory's health: findings without repairs, and notes that are due for another look."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.lib.cli import run
from tests.lib.stores import everything, note
from tests.mcp.server import Here, project, text_of


@pytest.fixture
def place(sealed: Path) -> tuple[Here, Path]:
    notes = {
        "choice.md": note("choice", type="decision", review_after="2026-01-01"),
        "later.md": note("later", type="decision", review_after="2999-01-01"),
        "older.md": note("older", type="config", review_after="2025-01-01"),
        "mine.md": note("mine", type="decision", review_after="2026-01-01", protected="true"),
        "over.md": note("over", type="decision", review_after="2026-01-01", invalidated_by="choice"),
        "MEMORY.md": "- [gone](gone.md): gone\n",
    }
    folder, store = project(sealed, notes)
    return Here(folder), store


def test_the_doctor_tells_what_is_wrong_and_mends_nothing(place: tuple[Here, Path]) -> None:
    here, store = place
    before = everything(store)
    told = here.text("mem_doctor")
    assert "is not healthy" in told
    assert "gone.md" in told
    assert "engram doctor --fix" in told
    assert everything(store) == before


def test_what_is_due_is_listed_the_longest_overdue_first(place: tuple[Here, Path]) -> None:
    here, _ = place
    data = here.data("mem_review", action="list")
    assert [one["id"] for one in data["notes"]] == ["older", "choice", "mine"]
    assert [one["id"] for one in here.data("mem_review", limit=1)["notes"]] == ["older"]


def test_a_look_is_proposed_and_counts_once_the_person_says_yes(place: tuple[Here, Path]) -> None:
    here, store = place
    before = everything(store, skip=(".engram/",))
    data = here.data("mem_review", action="mark_reviewed", observation_id="choice")
    assert data["result"] == "proposed"
    assert everything(store, skip=(".engram/",)) == before
    assert run("review", data["plan"], answers=["y"]).exit == 0
    assert "review_after: 2026-01-01" not in (store / "choice.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"action": "mark_reviewed"}, "argument-invalid"),
        ({"action": "mark_reviewed", "observation_id": "none"}, "note-not-found"),
        ({"action": "mark_reviewed", "observation_id": "mine"}, "note-protected"),
        ({"action": "purge"}, "argument-invalid"),
    ],
)
def test_what_can_t_be_is_refused(place: tuple[Here, Path], given: dict[str, str], code: str) -> None:
    here, _ = place
    result = here("mem_review", **given)
    assert (result.is_error, text_of(result).startswith(f"{code}: ")) == (True, True)


def test_what_the_person_calls_secret_is_masked(place: tuple[Here, Path], sealed: Path) -> None:
    here, store = place
    (sealed / ".agent-memory").mkdir(exist_ok=True)
    settings = '{"redaction_patterns_extra": ["zebra-[0-9]+"]}'
    (sealed / ".agent-memory" / "config.json").write_text(settings, encoding="utf-8")
    (store / "zebra-77.md").write_text(note("zebra-77", type="config", review_after="2025-06-01"), encoding="utf-8")
    for tool in ("mem_review", "mem_doctor"):
        told = here.text(tool)
        assert ("zebra-77" in told, "[secret: " in told) == (False, True), tool

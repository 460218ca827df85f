from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from engram.curate import approvals, records, waiting, waivers
from engram.errors import GateRefused, PlanNotFound
from engram.model.plan import Approve, Edit, Plan

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
PLAN = Plan("/s", "refs/heads/main", "a" * 40, (Edit("a.md", None, b"x", None, b"x"),), "subject", (("K", "v"),))
BY = Approve("Ada <ada@example.com>", "prompt")


def proposal(
    store: str = "/s", sessions: tuple[str, ...] = ("s1",), content: str = "{}", digest: str = "d" * 64
) -> waiting.Waiting:
    number = waiting.identity(store, "changeset", "codex", sessions, content)
    return waiting.Waiting(number, store, "changeset", content, digest, NOW.isoformat(), "codex", sessions)


def test_an_approval_is_spent_once(tmp_path: Path) -> None:
    folder = str(tmp_path)
    approvals.grant(folder, PLAN, BY, NOW)
    approvals.spend(folder, PLAN, "c" * 40, NOW)
    with pytest.raises(GateRefused, match="used already"):
        approvals.spend(folder, PLAN, "e" * 40, NOW)
    assert list(approvals.by_commit(folder)) == ["c" * 40]


@pytest.mark.parametrize("minutes", [15, 60, -16])
def test_an_approval_holds_for_fifteen_minutes_and_not_from_the_future(tmp_path: Path, minutes: int) -> None:
    approvals.grant(str(tmp_path), PLAN, BY, NOW)
    with pytest.raises(GateRefused, match="expired"):
        approvals.standing(str(tmp_path), PLAN.digest, NOW + timedelta(minutes=minutes))


@pytest.mark.parametrize(
    "other",
    [
        replace(PLAN, head="b" * 40), replace(PLAN, ref="refs/heads/x"), replace(PLAN, root="/t"),
        replace(PLAN, subject="t"),
        replace(PLAN, trailers=(("K", "w"),)), replace(PLAN, edits=(Edit("a.md", None, b"y", None, b"x"),)),
        replace(PLAN, edits=(Edit("a.md", None, b"x", None, b"y"),)),
        replace(PLAN, edits=(Edit("a.md", b"", b"x", None, b"x"),)),
        replace(PLAN, edits=(Edit("b.md", None, b"x", None, b"x"),)), replace(PLAN, author=("A", "a@example.com")),
    ],
)  # fmt: skip
def test_an_approval_is_for_exactly_one_plan(tmp_path: Path, other: Plan) -> None:
    approvals.grant(str(tmp_path), PLAN, BY, NOW)
    assert other.digest != PLAN.digest
    with pytest.raises(GateRefused):
        approvals.spend(str(tmp_path), other, "c" * 40, NOW)


def test_parts_of_a_digest_cannot_run_into_each_other() -> None:
    one = replace(PLAN, edits=(Edit("a.md", b"1", b"23", None, b"x"),))
    two = replace(PLAN, edits=(Edit("a.md", b"12", b"3", None, b"x"),))
    assert one.digest != two.digest


@pytest.mark.parametrize("word", ["", "d", "../x", "D" * 64, "*"])
def test_what_is_no_digest_finds_no_approval(tmp_path: Path, word: str) -> None:
    approvals.grant(str(tmp_path), PLAN, BY, NOW)
    with pytest.raises(GateRefused):
        approvals.standing(str(tmp_path), word, NOW)


def test_a_record_under_another_name_does_not_count(tmp_path: Path) -> None:
    approvals.grant(str(tmp_path), PLAN, BY, NOW)
    (tmp_path / f"{PLAN.digest}.json").rename(tmp_path / f"{'0' * 64}.json")
    assert records.every(str(tmp_path), approvals.Approval, "digest") == []


def test_a_proposal_replaces_one_whose_sessions_it_covers(tmp_path: Path) -> None:
    folder = str(tmp_path)
    waiting.keep(folder, proposal(sessions=("s1",)))
    waiting.keep(folder, proposal(sessions=("s3",)))
    waiting.keep(folder, proposal(store="/t", sessions=("s1",)))
    waiting.keep(folder, proposal(sessions=("s1", "s2")))
    kept = [(one.store, tuple(one.sessions)) for one in waiting.every(folder)]
    assert sorted(kept) == [("/s", ("s1", "s2")), ("/s", ("s3",)), ("/t", ("s1",))]


def test_a_proposal_is_found_by_the_first_digits_of_its_id_or_digest(tmp_path: Path) -> None:
    kept = proposal()
    waiting.keep(str(tmp_path), kept)
    for word in (kept.id, kept.id[:4], kept.digest, kept.digest[:12]):
        assert waiting.find(str(tmp_path), word).id == kept.id
    for word in ("", "zz"):
        with pytest.raises(PlanNotFound):
            waiting.find(str(tmp_path), word)


def test_damaged_records_are_passed_over(tmp_path: Path) -> None:
    kept = proposal()
    waiting.keep(str(tmp_path), kept)
    for name, data in (
        ("x.json", b"{"),
        ("y.json", b"\xff"),
        ("z.json", b'{"id": "z", "store": 1}'),
        ("w.json", b"[" * 100_000),
    ):
        (tmp_path / name).write_bytes(data)
    (tmp_path / "folder.json").mkdir()
    assert [one.id for one in waiting.every(str(tmp_path))] == [kept.id]


def test_a_folder_of_records_is_never_tracked(tmp_path: Path) -> None:
    waivers.waive(str(tmp_path / "waived"), "0123456789abcdef", NOW)
    assert (tmp_path / "waived" / ".gitignore").read_text() == "*\n"
    assert waivers.waived(str(tmp_path / "waived")) == {"0123456789abcdef"}
    assert waivers.waived(str(tmp_path / "none")) == frozenset()

"""The record of approvals: what one process spent, another that was approved the same plan can't take away."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from engram.curate import approvals
from engram.errors import GateRefused
from engram.model.plan import Approve, Plan

NOW = datetime(2026, 3, 1, tzinfo=UTC)
PLAN = Plan("/store", "refs/heads/main", "0" * 40, (), "memory: nothing", ())
YES = Approve("Ada <ada@example.org>", "terminal")
COMMIT = "c" * 40


def test_a_second_yes_to_the_same_plan_leaves_the_first_on_record(tmp_path: Path) -> None:
    folder = str(tmp_path / "approvals")
    approvals.grant(folder, PLAN, YES, NOW)
    approvals.spend(folder, PLAN, COMMIT, NOW)
    approvals.grant(folder, PLAN, YES, NOW)
    approvals.withdraw(folder, PLAN.digest)
    assert approvals.by_commit(folder)[COMMIT].digest == PLAN.digest
    assert approvals.commit_of(folder, PLAN.digest) == COMMIT
    assert approvals.unspent(folder) == ()


def test_what_was_withdrawn_or_spent_is_no_approval(tmp_path: Path) -> None:
    folder = str(tmp_path / "approvals")
    approvals.grant(folder, PLAN, YES, NOW)
    approvals.withdraw(folder, PLAN.digest)
    with pytest.raises(GateRefused):
        approvals.spend(folder, PLAN, COMMIT, NOW)
    assert approvals.by_commit(folder) == {}
    approvals.grant(folder, replace(PLAN, subject="other"), YES, NOW)
    with pytest.raises(GateRefused):
        approvals.standing(folder, PLAN.digest, NOW)

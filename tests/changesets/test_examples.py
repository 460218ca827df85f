"""Each folder of changesets/examples: validated, planned, compared with its diff and with the store it leaves."""

from __future__ import annotations

from pathlib import Path

import pytest

from engram import resources
from engram.curate.diff import render, unified
from engram.curate.plan import make_plan
from engram.curate.validate import validate
from tests.lib.changesets import NOW, SETTINGS, applied, folder, snapshot_of
from tests.lib.stores import git, make_store

EXAMPLES = Path(__file__).parents[2] / "changesets" / "examples"
FOLDERS = sorted(path for path in EXAMPLES.iterdir() if path.is_dir())


def plan_of(example: Path):
    changeset = validate((example / "changeset.json").read_bytes(), resources.schema())
    before = folder(example / "before")
    plan = make_plan(changeset, snapshot_of(before, scope=changeset.scope or "project"), now=NOW, settings=SETTINGS)
    return before, plan


@pytest.mark.parametrize("example", FOLDERS, ids=lambda path: path.name)
def test_example(example: Path) -> None:
    before, plan = plan_of(example)
    assert unified(plan).encode("utf-8", "surrogateescape") == (example / "plan.diff").read_bytes()
    assert applied(before, plan) == folder(example / "after")
    assert render(plan, (), ()).endswith(f"\nplan {plan.digest}\n")


@pytest.mark.parametrize("example", FOLDERS, ids=lambda path: path.name)
def test_git_applies_the_diff(example: Path, tmp_path: Path) -> None:
    store = make_store(tmp_path / "store", folder(example / "before"))
    diff = (example / "plan.diff").read_bytes()
    if diff:
        git(store, "apply", "--whitespace=nowarn", "-", data=diff)
    after = {path: data for path, data in folder(store).items() if not path.startswith(".git")}
    assert after == folder(example / "after")


def test_the_examples_show_every_operation() -> None:
    shown = {line.op for example in FOLDERS for line in plan_of(example)[1].lines}
    assert shown == {"ADD", "UPDATE", "INVALIDATE", "NOOP"}
    assert len(FOLDERS) >= 6

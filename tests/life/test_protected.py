"""A protected note: no sequence of commands other than the person's own unprotect changes a byte of it."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.lib.cli import run
from tests.lib.proposed import add, changeset, invalidate, update
from tests.lib.stores import make_store, note

pytestmark = pytest.mark.soak
EXAMPLES = 150 if os.environ.get("ENGRAM_SOAK") else 12

MINE = note("mine", "**Mistake:** x", type="lesson", protected="true", expires="2026-01-01", times_applied="1")


def applied(store: Path, text: str) -> None:
    run("curate", "apply", "-", "--dir", str(store), stdin=text.encode(), answers=["y", "y", "y"])


def on(*words: str) -> Callable[[Path], None]:
    return lambda store: run(*words, "--dir", str(store), answers=["y", "y", "y"], stdin=b"Other words.\n") and None


def undo_the_last(store: Path) -> None:
    run("undo", "--dir", str(store), answers=["y"])


COMMANDS: dict[str, Callable[[Path], object]] = {
    "update": lambda store: applied(store, changeset(update(store, "mine.md", set={"importance": 9}))),
    "rewrite": lambda store: applied(store, changeset(update(store, "mine.md", body="Other."))),
    "invalidate": lambda store: applied(store, changeset(invalidate(store, "mine.md"))),
    "add over": lambda store: applied(store, changeset(add("mine", "Other."))),
    "add the same": on("add", "--type", "lesson", "--name", "mine", "--body-file", "-"),
    "pin": on("pin", "mine"),
    "unpin": on("unpin", "mine"),
    "expire": on("expire", "mine", "--in", "30d"),
    "archive": on("archive", "mine"),
    "restore": on("restore", "mine"),
    "protect": on("protect", "mine"),
    "reviewed": on("reviewed", "mine"),
    "edit": on("edit", "mine", "--body-file", "-"),
    "sweep": on("sweep"),
    "purge": on("purge", "--older-than", "1d"),
    "applied": on("lesson", "applied", "mine"),
    "another": lambda store: applied(store, changeset(add("another", "Words."), sessions=["s-2"])),
    "undo": undo_the_last,
    "review": on("review"),
}


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(st.sampled_from(sorted(COMMANDS)), min_size=1, max_size=6))
def test_no_sequence_of_commands_changes_a_protected_note(names: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = make_store(Path(folder) / "memory", {"mine.md": MINE, "other.md": note("other")})
        for name in names:
            COMMANDS[name](store)
            assert (store / "mine.md").read_bytes() == MINE.encode(), name


@pytest.mark.parametrize("name", sorted({*COMMANDS} - {"another", "undo", "review", "sweep", "purge", "add the same"}))
def test_each_command_would_change_one_that_is_not(name: str, tmp_path: Path) -> None:
    """Of those that could: so that a pass above means protection and not a command that does nothing."""
    loose = MINE.replace("protected: true\n", "")
    store = make_store(tmp_path / "memory", {"mine.md": loose, "other.md": note("other")})
    if name == "unpin":
        run("pin", "mine", "--dir", str(store), answers=["y"])
    if name == "restore":
        run("archive", "mine", "--dir", str(store), answers=["y"])
    before = (store / "mine.md").read_bytes() if (store / "mine.md").exists() else b""
    COMMANDS[name](store)
    if name == "applied":
        COMMANDS["another"](store)
    changed = not (store / "mine.md").exists() or (store / "mine.md").read_bytes() != before
    assert changed == (name not in ("add over", "reviewed"))


def test_the_person_s_unprotect_does(tmp_path: Path) -> None:
    store = make_store(tmp_path / "memory", {"mine.md": MINE})
    assert run("unprotect", "mine", "--dir", str(store)).exit == 3  # nobody sits there
    assert (store / "mine.md").read_bytes() == MINE.encode()
    assert run("unprotect", "mine", "--dir", str(store), answers=["y"]).exit == 0
    assert b"protected" not in (store / "mine.md").read_bytes()

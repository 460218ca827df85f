"""Whole sessions with the command line, each a page to read. ``make flows-update`` writes down what they print now."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.flows.flow import Flow

FLOWS = sorted(Path(__file__).parent.glob("*.md"))


@pytest.mark.parametrize("page", FLOWS, ids=lambda page: page.stem)
def test_flow(page: Path, tmp_path: Path) -> None:
    text = page.read_text(encoding="utf-8")
    played = Flow(text, tmp_path.resolve()).played()
    if os.environ.get("ENGRAM_FLOWS_UPDATE"):
        page.write_text(played, encoding="utf-8", newline="\n")
        return
    assert played == text


def test_there_are_flows_and_a_wrong_one_fails(tmp_path: Path) -> None:
    assert len(FLOWS) >= 3
    wrong = "```console\n$ engram where --nonsense\nall is well\n```\n"
    assert Flow(wrong, tmp_path).played() != wrong

"""What a session's start asks the person about."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engram.app import nearing
from engram.app.context import Context
from engram.app.recalling import Source, opened, places
from tests.lib.cli import context
from tests.lib.stores import make_store, note

TODAY = "2026-11-30"


@pytest.fixture
def here() -> Context:
    return context()


def opened_with(here: Context, files: dict[str, str]) -> list[Source]:
    make_store(Path(here.engram_home), {f"memories/{name}.md": text for name, text in files.items()})
    return list(opened(here, places(here)))


@pytest.fixture
def lines(here: Context) -> Iterator[object]:
    sources: list[Source] = []

    def told(**files: str) -> str:
        sources.extend(opened_with(here, files))
        return nearing.lines(here, sources, lambda text: text.replace("secret", "***"))

    yield told
    for source in sources:
        source.close()


def test_the_three_that_lapse_first_are_named_and_no_more(lines) -> None:
    days = {"a": "2026-12-14", "b": "2026-11-30", "c": "2026-12-03", "d": "2026-12-04", "e": "2026-12-15"}
    told = lines(**{name: note(name, expires=day) for name, day in days.items()})
    assert told.startswith(
        "Notes whose time is nearly over: b (lapses on 2026-11-30); c (lapses on 2026-12-03); d (lapses on 2026-12-04)."
    )


def test_a_protected_one_that_lapsed_is_asked_about_and_another_is_not(lines) -> None:
    told = lines(
        kept=note("kept-secret", expires="2026-01-01", protected="true"),
        gone=note("gone", expires="2026-01-01"),
        over=note("over", expires="2026-12-01", invalidated_by="2026-10-01"),
        never=note("never", expires="never"),
        none=note("none"),
    )
    assert told.startswith("Notes whose time is nearly over: kept-*** (lapsed on 2026-01-01). ")


def test_a_month_that_is_over_and_not_summed_up_is_mentioned(lines) -> None:
    told = lines(
        a=note("2026-10-03-auth", type="journal"),
        b=note("2026-09-03-setup", type="journal"),
        c=note("2026-08-01-start", type="journal"),
        d=note("2026-08-rollup", type="rollup"),
        e=note("2026-11-02-now", type="journal"),
    )
    assert told == "The journal of 2026-10 (and 1 more) has no roll-up yet (`engram journal rollup 2026-10`)."


def test_nothing_is_asked_where_nothing_ends(lines) -> None:
    assert lines(a=note("a", expires="2027-06-01")) == ""

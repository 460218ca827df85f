"""The cheap first look never lets a text through that the scan would find something in."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram.model.secret_signs import may_hold_secret
from engram.model.secrets import scan
from tests.model import test_secrets as known


def texts_in(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ():
        yield from texts_in(inner)


KNOWN = [
    text
    for value in vars(known).values()
    if isinstance(value, dict | list | tuple)
    for text in texts_in(value)
    if scan(text)
]


def test_there_is_something_to_look_at() -> None:
    assert len(KNOWN) > 60


@pytest.mark.parametrize("text", KNOWN)
def test_what_the_scan_finds_has_to_be_scanned(text: str) -> None:
    assert may_hold_secret(text)
    assert may_hold_secret(f"A note about the build.\n\n{text}\n\nAnd its end.")


@given(st.text(max_size=200) | st.text("pasword: tokenk=abAB019-_./@'\" \n", max_size=200))
def test_nothing_that_the_scan_finds_is_let_through(text: str) -> None:
    assert may_hold_secret(text) or not scan(text)


@given(st.sampled_from(KNOWN), st.text("aZ9 \n.:=-\u200b", max_size=12), st.integers(0, 40))
def test_a_known_secret_with_anything_around_or_within_is_not_let_through(text: str, more: str, at: int) -> None:
    changed = text[:at] + more + text[at:]
    assert may_hold_secret(changed) or not scan(changed)


@pytest.mark.parametrize(
    "text",
    [
        "Always pnpm in the web folder, never npm.",
        "The staging host is blue; ask GET /healthz before every deployment.",
        "CI runs on GitHub Actions since 2026-02-03.\n\n**Why:** one place.\n**How to apply:** see [[actions]].",
        "Пользователь предпочитает короткие ответы.",
        "Use `src/app/main.py` and run `make test`.",
    ],
)
def test_a_plain_note_need_not_be_scanned(text: str) -> None:
    assert not may_hold_secret(text)


@pytest.mark.corpus
def test_real_keys_and_notes_are_not_let_through(corpus: Path) -> None:
    found = 0
    cases = json.loads((corpus / "secrets" / "gitleaks" / "rule_cases.json").read_text(encoding="utf-8"))
    notes = [path.read_text(encoding="utf-8", errors="replace") for path in (corpus / "stores").rglob("*.md")]
    for text in [*texts_in(cases), *(line for note in notes for line in note.split("\n"))]:
        if not may_hold_secret(text):
            assert scan(text) == (), text
            found += 1
    assert found > 100

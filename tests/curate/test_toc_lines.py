"""What a note is called in MEMORY.md."""

from __future__ import annotations

import pytest

from engram.curate.toc_lines import title_of


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("prefers-pnpm", "Prefers pnpm"),
        ("snake_case", "Snake case"),
        ("As It Stands-there", "As It Stands-there"),
        ("2026-11-30-auth-flow", "2026-11-30 auth flow"),
        ("2026-10-rollup", "2026-10 rollup"),
        ("2026-plan", "2026 plan"),
        ("---", "---"),
    ],
)
def test_a_title_is_a_name_in_words(name: str, title: str) -> None:
    assert title_of(name) == title

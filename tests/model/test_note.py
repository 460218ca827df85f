"""What a note's fields say, however they were written."""

from __future__ import annotations

import pytest

from engram.store.frontmatter import parse


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("newer", "newer"),
        ("[newer]", "newer"),
        ("[[newer]]", "newer"),
        ("2026-01-05", "2026-01-05"),
        ("[]", ""),
        ("", ""),
    ],
)
def test_what_replaced_a_note_may_be_written_as_a_link(written: str, said: str) -> None:
    note, _ = parse(f"---\nname: a\ninvalidated_by: {written}\n---\n\nOne.\n".encode(), "a.md")
    assert note is not None
    assert note.invalidated_by == said


@pytest.mark.parametrize(
    ("written", "said"), [("false", False), ("no", False), ("", False), ("2026-01-05", True), ("yes", True)]
)
def test_a_note_that_says_it_is_not_archived_is_not(written: str, said: bool) -> None:
    note, _ = parse(f"---\nname: a\narchived: {written}\n---\n\nOne.\n".encode(), "a.md")
    assert note is not None
    assert note.archived is said

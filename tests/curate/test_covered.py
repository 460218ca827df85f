"""A part of a plan is committed without another look only where the look at the whole held all of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engram.curate.covered import covers, with_edits
from engram.model.plan import Edit, Plan

NOTE = Edit("a.md", None, b"A\n", None, b"A\n")
TOC = Edit("MEMORY.md", b"# M\n", b"# M\n- a\n- b\n", b"# M\nmine\n", b"# M\nmine\n- a\n- b\n")
PART_TOC = replace(TOC, head_after=b"# M\n- a\n", work_after=b"# M\nmine\n- a\n")
WHOLE = Plan("/s", "refs/heads/main", "a" * 40, (NOTE, replace(NOTE, path="b.md"), TOC), "subject", ())
PART = replace(WHOLE, edits=(NOTE, PART_TOC))


def test_a_part_of_what_was_shown_is_covered() -> None:
    assert covers(WHOLE, PART)
    assert covers(WHOLE, WHOLE)


@pytest.mark.parametrize(
    "other",
    [
        replace(PART, head="b" * 40), replace(PART, ref="refs/heads/x"), replace(PART, root="/t"),
        replace(PART, edits=(replace(NOTE, head_after=b"B\n"), PART_TOC)),
        replace(PART, edits=(replace(NOTE, work_after=b"B\n"), PART_TOC)),
        replace(PART, edits=(replace(NOTE, path="c.md"), PART_TOC)),
        replace(PART, edits=(NOTE, replace(PART_TOC, head_after=b"# M\n- c\n"))),
        replace(PART, edits=(NOTE, replace(PART_TOC, work_after=b"# M\n- a\n"))),
        replace(PART, edits=(NOTE, replace(PART_TOC, work_before=b"# M\n"))),
    ],
)  # fmt: skip
def test_anything_else_is_not(other: Plan) -> None:
    assert not covers(WHOLE, other)


def test_what_was_shown_again_takes_the_place_of_what_was_shown() -> None:
    again = replace(NOTE, head_after=b"edited\n", work_after=b"edited\n")
    seen = with_edits(WHOLE, [again])
    assert covers(seen, replace(PART, edits=(again, PART_TOC)))
    assert not covers(seen, PART)

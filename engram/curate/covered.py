"""Whether what a person was shown holds all that a part of it would do: a part is planned by itself, and later."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from engram.curate.hunks import hunks
from engram.model.plan import Edit, Plan
from engram.model.snapshot import TOC


def with_edits(plan: Plan, edits: Sequence[Edit]) -> Plan:
    """Returns a plan with these edits in place of its own of the same files."""
    paths = {edit.path for edit in edits}
    return replace(plan, edits=(*(edit for edit in plan.edits if edit.path not in paths), *edits))


def covers(seen: Plan, part: Plan) -> bool:
    """Tells whether a part's plan was made for the same store at the same commit, and each of its edits was seen.

    Of MEMORY.md's lines, which the whole changes together, the part may move some and no others.
    """
    if (seen.root, seen.ref, seen.head) != (part.root, part.ref, part.head):
        return False
    shown = {edit.path: edit for edit in seen.edits}
    return all(_covered(shown.get(edit.path), edit) for edit in part.edits)


def _covered(shown: Edit | None, edit: Edit) -> bool:
    if shown is None or edit.path != TOC:
        return shown == edit
    same = (shown.head_before, shown.work_before) == (edit.head_before, edit.work_before)
    return (
        same
        and _moves(edit.head_before, edit.head_after) <= _moves(shown.head_before, shown.head_after)
        and _moves(edit.work_before, edit.work_after) <= _moves(shown.work_before, shown.work_after)
    )


def _moves(before: bytes | None, after: bytes | None) -> Counter[tuple[str, bytes]]:
    found = hunks(before or b"", after or b"", context=0)
    return Counter((sign, line.rstrip(b"\r\n")) for hunk in found for sign, line in hunk.lines)

"""The diff of a plan: exact for tools, and checked by parsing it again before anyone is shown it.

:func:`unified` is what unidiff, patch and ``git apply`` read: applied to ``before`` it gives ``after``, byte for byte.
:func:`render` is the same for a person's eyes (:mod:`engram.curate.shown`).
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from typing import Any

from engram.curate.headers import NO_END, file_header, hunk_header
from engram.curate.hunks import hunks
from engram.curate.shown import shown_plan
from engram.errors import Bug
from engram.model.lines import lines_of
from engram.model.plan import Concern, Edit, Plan, Said


def unified(plan: Plan) -> str:
    """Returns the plan's unified diff, over the texts that HEAD holds and will hold.

    Bytes that are no UTF-8 stand as surrogate escapes: encode with ``surrogateescape`` to get them back.
    Raises Bug where the diff, parsed by unidiff, doesn't lead from ``before`` to ``after``: none is better than a
    wrong one.
    """
    text = "".join(_of_file(edit) for edit in plan.edits if edit.head_before != edit.head_after)
    _check(text, plan)
    return text


def render(plan: Plan, concerns: Sequence[Concern], said: Sequence[Said], *, width: int = 100) -> str:
    """Returns what a person reads and says yes or no to: the changes in a line each, the diff, the digest.

    ``said`` holds one item per change. Lines are wrapped at ``width`` columns. Raises Bug as :func:`unified`.
    """
    unified(plan)
    return shown_plan(plan, concerns, said, width=width)


def _of_file(edit: Edit) -> str:
    parts = list(file_header(edit))
    for hunk in hunks(edit.head_before or b"", edit.head_after or b""):
        parts.append(hunk_header(hunk))
        for sign, line in hunk.lines:
            text = line.decode("utf-8", "surrogateescape")
            parts.append(f"{sign}{text}" if text.endswith("\n") else f"{sign}{text}\n{NO_END}")
    return "".join(parts)


# -- the check: unidiff reads the diff, and what it read leads from before to after ------------------------------------


def _check(text: str, plan: Plan) -> None:
    from unidiff.errors import UnidiffParseError  # noqa: PLC0415 - loaded where a diff is made alone

    changed = [edit for edit in plan.edits if edit.head_before != edit.head_after]
    try:
        patch = _parsed(text)
    except UnidiffParseError as error:
        raise Bug(f"the diff of plan {plan.digest[:12]} can't be read again: {error}") from error
    if len(patch) != len(changed):
        raise Bug(f"the diff of plan {plan.digest[:12]} shows {len(patch)} files of {len(changed)}")
    for edit, shown in zip(changed, patch, strict=True):
        if _applied(shown, edit.head_before or b"") != (edit.head_after or b""):
            raise Bug(f"the diff of {edit.path} does not lead from what stands to what is planned")


def _parsed(text: str) -> Any:
    from unidiff.patch import PatchSet  # noqa: PLC0415

    return PatchSet(io.StringIO(text, newline="\n"))


def _applied(shown: Any, before: bytes) -> bytes | None:
    """Returns what a parsed file of a diff makes of a text; None where a line of it doesn't fit."""
    lines = lines_of(before)
    made: list[bytes] = []
    place = 0
    for hunk in shown:
        start = hunk.source_start - bool(hunk.source_length)
        made += lines[place:start]
        place = start
        for sign, value in _hunk_lines(hunk):
            if sign != "+":
                if lines[place : place + 1] != [value]:
                    return None
                place += 1
            if sign != "-":
                made.append(value)
    return b"".join((*made, *lines[place:]))


def _hunk_lines(hunk: Any) -> Iterator[tuple[str, bytes]]:
    """Yields a parsed hunk's lines with their signs, without the line end that a marker behind them takes away."""
    for index, line in enumerate(hunk):
        if line.line_type == "\\":
            continue
        value = line.value.encode("utf-8", "surrogateescape")
        unended = index + 1 < len(hunk) and hunk[index + 1].line_type == "\\"
        yield line.line_type, value.removesuffix(b"\n") if unended else value

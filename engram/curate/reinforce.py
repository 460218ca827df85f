"""Lessons' uses as part of a curation's plan: one metadata-only edit per lesson, added by engram itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from engram.errors import FrontmatterBroken
from engram.model.change import SetValue
from engram.model.plan import Edit, Line, Plan
from engram.model.snapshot import TOC, Snapshot
from engram.store.frontmatter import edit

TRAILER = "Engram-Uses"


Counted = Mapping[str, tuple[Mapping[str, SetValue], Sequence[str]]]
"""By a lesson's path: the fields that its uses set, and the ids of these uses."""


def reinforced(plan: Plan, snapshot: Snapshot, counted: Counted) -> Plan:
    """Returns a plan that sets fields of lessons beside what it does already; as it is where none can be set.

    A lesson that is protected, gone, edited by hand, invalidated by this plan, or can't be edited without guessing is
    left out; its uses wait.
    """
    edits = {one.path: one for one in plan.edits}
    lines: list[Line] = []
    ids: list[str] = []
    for path, (wanted, uses) in sorted(counted.items()):
        note = snapshot.by_path.get(path)
        if note is None or note.protected or path in snapshot.unreviewed or _is_over(plan, path):
            continue
        standing = edits.get(path) or _standing(path, snapshot)
        try:
            made = replace(
                standing, head_after=_set(standing.head_after, wanted), work_after=_set(standing.work_after, wanted)
            )
        except FrontmatterBroken:
            continue
        edits[path] = made
        ids += uses
        lines.append(Line("APPLIED", path, note.name, reason=f"applied {wanted['times_applied']} times by now"))
    if not lines:
        return plan
    ordered = sorted(edits.values(), key=lambda one: one.path == TOC)
    trailers = (*plan.trailers, *(("Engram-Change", f"APPLIED {line.path}") for line in lines))
    return replace(
        plan,
        edits=tuple(ordered),
        beside=tuple(lines),
        trailers=(*trailers, (TRAILER, " ".join(ids))),
        subject="\n".join((_subject(plan, lines), *(f"- APPLIED {line.name}: {line.reason}" for line in lines))),
    )


def _subject(plan: Plan, lines: Sequence[Line]) -> str:
    if plan.edits:
        return plan.subject
    many = f"{len(lines)} lessons" if len(lines) > 1 else f"the lesson {lines[0].name}"
    return f"memory: {many} applied"[:72] + "\n"


def _standing(path: str, snapshot: Snapshot) -> Edit:
    work = snapshot.work[path]
    head = snapshot.committed.get(path, work) if snapshot.versioned else work
    return Edit(path, head, head, work, work)


def _set(data: bytes | None, fields: Mapping[str, SetValue]) -> bytes | None:
    return None if data is None else edit(data, fields)


def _is_over(plan: Plan, path: str) -> bool:
    return any(line.path == path and line.op in ("INVALIDATE", "REMOVE", "ARCHIVE") for line in plan.lines)

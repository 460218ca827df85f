"""Folders of notes as snapshots and back, for tests that need no git: what HEAD holds is what stands there."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from engram.config import Settings
from engram.curate.plan import make_plan
from engram.model.change import Change, ChangeSet
from engram.model.plan import Plan
from engram.model.snapshot import TOC, Scope, Snapshot
from engram.store.frontmatter import parse

NOW = datetime(2026, 1, 15, 12, 0, tzinfo=UTC)
SETTINGS = Settings()
HEAD = "a1" * 20


def snapshot_of(
    work: Mapping[str, bytes], *, scope: Scope = "project", committed: Mapping[str, bytes] | None = None, **more: Any
) -> Snapshot:
    """Returns a snapshot of files given as path to bytes; ``committed`` where HEAD holds something else."""
    read = [parse(data, path) for path, data in sorted(work.items()) if path != TOC]
    return Snapshot(
        root="/store",
        scope=scope,
        ref="refs/heads/main",
        head=HEAD,
        notes=tuple(note for note, _ in read if note is not None),
        findings=tuple(finding for _, findings in read for finding in findings),
        work=dict(work),
        committed=dict(work if committed is None else committed),
        **more,
    )


def folder(root: Path) -> dict[str, bytes]:
    """Returns every file below a folder as relative path to bytes."""
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}


def planned(snapshot: Snapshot, *changes: Change, **more: Any) -> Plan:
    """Returns the plan of some changes, made at ``NOW`` with the default settings."""
    return make_plan(ChangeSet(changes=changes, **more), snapshot, now=NOW, settings=SETTINGS)


def applied(files: Mapping[str, bytes], plan: Plan, *, work: bool = False) -> dict[str, bytes]:
    """Returns the files as a plan leaves them: those of HEAD, or with ``work`` those in the folder."""
    after = dict(files)
    for edit in plan.edits:
        data = edit.work_after if work else edit.head_after
        if data is None:
            after.pop(edit.path, None)
        else:
            after[edit.path] = data
    return after

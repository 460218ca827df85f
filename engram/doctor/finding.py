"""A finding of the doctor: what is wrong or worth knowing, where, what to do about it, and what would mend it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from engram.doctor.facts import Facts
from engram.errors import FrontmatterBroken
from engram.model.act import Act
from engram.model.snapshot import TOC
from engram.store.frontmatter import edit
from engram.store.paths import problem_with_path

Level = Literal["error", "warn", "info"]
"""``error``: memory is at risk, or does not work; ``warn``: should be mended; ``info``: worth knowing, all is well."""

Repair = Literal["", "finish-commit", "clear-locks", "clear-leftovers", "ignore-state", "index", "link-project"]
"""What mends derived and machine-local state, which holds no memory."""

_ONCE_GIT_WORKS = "once git works here, `engram doctor --fix` proposes to mend it"

LEVELS: tuple[Level, ...] = ("error", "warn", "info")


@dataclass(frozen=True, slots=True)
class Finding:
    """Is one thing found. ``code`` is kebab-case and stays; the words may change."""

    code: str
    level: Level
    words: str
    path: str = ""
    """Relative to the store, with forward slashes, or absolute where it lies elsewhere; "" for the store as a whole."""
    others: tuple[str, ...] = ()
    """More paths that it is about."""
    line: int = 0
    """1-based; 0 where no line is meant."""
    next: str = ""
    """What to do, where ``--fix`` does not do it."""
    acts: tuple[Act, ...] = ()
    """What ``--fix`` proposes; nothing of it happens before a person said yes."""
    repair: Repair = ""
    """What ``--fix`` does at once."""

    @property
    def mendable(self) -> bool:
        """Tells whether ``--fix`` does something about it."""
        return bool(self.acts or self.repair)


def claimed(finding: Finding, facts: Facts) -> Finding:
    """Returns a finding with its acts where a plan can be made of them; else without, and with what to do instead."""
    if not finding.acts:
        return finding
    if facts.git.why is not None:
        return replace(finding, acts=(), next=finding.next or _ONCE_GIT_WORKS)
    if all(_possible(act, facts) for act in finding.acts):
        return finding
    return replace(finding, acts=(), next=finding.next or "mend it by hand: the file can't be edited without guessing")


def merged(findings: Iterable[Finding]) -> tuple[Act, ...]:
    """Returns the acts of all findings, one for each file: a plan takes no two on the same one."""
    found: dict[str, Act] = {}
    for act in (act for finding in findings for act in finding.acts):
        standing = found.get(act.path)
        found[act.path] = act if standing is None else _both(standing, act)
    return tuple(found[path] for path in sorted(found))


def _both(one: Act, other: Act) -> Act:
    moving = one if one.to else other
    reasons = dict.fromkeys(reason for reason in (one.reason, other.reason) if reason)
    return replace(
        moving,
        set={**one.set, **other.set},
        drop=tuple(dict.fromkeys((*one.drop, *other.drop))),
        lists=moving.lists or one.lists or other.lists,
        stamps=one.stamps or other.stamps,
        reason="; ".join(reasons),
    )


def ordered(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Returns findings with the gravest first; within a level as they were found."""
    return tuple(sorted(findings, key=lambda finding: LEVELS.index(finding.level)))


def _possible(act: Act, facts: Facts) -> bool:
    """Tells whether a plan can take an act: the path may be written to, and the fields can be set and nothing else."""
    if any(path != TOC and problem_with_path(path) for path in (act.path, act.to or act.path)):
        return False
    if not act.set:
        return True
    try:
        edit(facts.snapshot.work[act.path], act.set, drop=act.drop)
    except (FrontmatterBroken, ValueError, KeyError):
        return False
    return True

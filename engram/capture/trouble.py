"""Finds in a session what went wrong, what put it right, and which files changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from engram.model.session import Turn

_REACH = 20
"""A call that puts something right comes within so many calls; after that it is about something else."""
_ALIKE = 0.6
_COMPARED = 300
_REFUSED = "The user doesn't want to proceed"


@dataclass(frozen=True, slots=True)
class Trouble:
    """Is a call that failed, with the later one like it that didn't."""

    call: Turn
    output: str
    again: tuple[str, ...] = ()
    """Refs of earlier calls that failed before the same fix."""
    fix: Turn | None = None
    between: tuple[Turn, ...] = ()
    """What the person said and which files changed between failure and fix."""

    @property
    def refused(self) -> bool:
        """The person didn't let the call happen; what they said instead stands in the output."""
        return self.output.startswith(_REFUSED)


def troubles(turns: Sequence[Turn]) -> tuple[Trouble, ...]:
    """Returns the failures of a session in order; those with one and the same fix count as one."""
    calls = {turn.ref: turn for turn in turns if turn.kind == "tool_call"}
    done = [(at, turn) for at, turn in enumerate(turns) if turn.kind == "tool_result"]
    found: list[Trouble] = []
    for number, (at, result) in enumerate(done):
        if not result.failed:
            continue
        call = calls.get(result.ref, result)
        fixed_at = _fix(call, done[number + 1 : number + 1 + _REACH], calls)
        fix = calls.get(turns[fixed_at].ref) if fixed_at else None
        again: tuple[str, ...] = ()
        if fix is not None and found and found[-1].fix == fix:
            last = found.pop()
            again = (*last.again, last.call.ref)
        between = tuple(_telling(turns[at + 1 : fixed_at], fix)) if fixed_at else ()
        found.append(Trouble(call, result.text, again, fix, between))
    return tuple(found)


def changed_files(turns: Sequence[Turn]) -> Mapping[str, tuple[str, ...]]:
    """Returns each file that a tool changed, with the refs of the calls, in the order of the first change."""
    failed = {turn.ref for turn in turns if turn.kind == "tool_result" and turn.failed}
    found: dict[str, tuple[str, ...]] = {}
    for turn in turns:
        if turn.kind == "tool_call" and turn.path and turn.ref not in failed:
            found[turn.path] = (*found.get(turn.path, ()), turn.ref)
    return found


def _fix(call: Turn, later: Sequence[tuple[int, Turn]], calls: Mapping[str, Turn]) -> int:
    """Returns the place of the first later success of a call like this one; 0 where there is none."""
    for at, result in later:
        other = calls.get(result.ref)
        if other is not None and not result.failed and _like(call, other):
            return at
    return 0


def _like(one: Turn, other: Turn) -> bool:
    if not one.tool or one.tool != other.tool:
        return False
    if one.path or other.path:
        return one.path == other.path
    pair = SequenceMatcher(None, one.text[:_COMPARED], other.text[:_COMPARED], autojunk=False)
    return pair.quick_ratio() >= _ALIKE and pair.ratio() >= _ALIKE


def _telling(turns: Sequence[Turn], fix: Turn | None) -> Iterator[Turn]:
    for turn in turns:
        if turn.kind == "user" or (turn.kind == "tool_call" and turn.path and turn != fix):
            yield turn

"""Where two texts differ, by the line: hunks with the lines around them. Bytes alone; nothing is decoded here.

A last line may have no end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

from engram.model.lines import lines_of

Sign = Literal[" ", "-", "+"]
Run = tuple[int, int, int, int]
"""Lines ``old[a:b]`` became ``new[c:d]``."""

CONTEXT = 3
_MOST_WORK = 4_000_000
"""Pairs of equal lines that are looked at; beyond, the whole middle counts as replaced."""


@dataclass(frozen=True, slots=True)
class Hunk:
    """Is one block of a diff. Starts are 1-based; the number before the block where its side has no lines."""

    old_start: int
    old_length: int
    new_start: int
    new_length: int
    lines: tuple[tuple[Sign, bytes], ...]


def hunks(before: bytes, after: bytes, context: int = CONTEXT) -> tuple[Hunk, ...]:
    """Returns the hunks that lead from one text to another; none where they are equal."""
    old, new = lines_of(before), lines_of(after)
    groups: list[list[Run]] = []
    for run in runs(old, new):
        if groups and run[0] - groups[-1][-1][1] <= 2 * context:
            groups[-1].append(run)
        else:
            groups.append([run])
    return tuple(_hunk(old, new, group, context) for group in groups)


def runs(old: Sequence[bytes], new: Sequence[bytes]) -> list[Run]:
    """Returns the runs of lines that differ, in order. What begins and ends alike is not compared twice."""
    head = 0
    while head < min(len(old), len(new)) and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    old_middle, new_middle = old[head : len(old) - tail], new[head : len(new) - tail]
    if not old_middle and not new_middle:
        return []
    if not old_middle or not new_middle or _work(old_middle, new_middle) > _MOST_WORK:
        return [(head, head + len(old_middle), head, head + len(new_middle))]
    matcher = SequenceMatcher(None, old_middle, new_middle)
    return [(head + a, head + b, head + c, head + d) for tag, a, b, c, d in matcher.get_opcodes() if tag != "equal"]


def _hunk(old: Sequence[bytes], new: Sequence[bytes], group: Sequence[Run], context: int) -> Hunk:
    old_from, new_from = group[0][0], group[0][2]
    lead = min(context, old_from)
    old_to, new_to = group[-1][1], group[-1][3]
    trail = min(context, len(old) - old_to)
    lines: list[tuple[Sign, bytes]] = []
    place = old_from - lead
    for a, b, c, d in group:
        lines += [(" ", line) for line in old[place:a]]
        lines += [("-", line) for line in old[a:b]]
        lines += [("+", line) for line in new[c:d]]
        place = b
    lines += [(" ", line) for line in old[place : old_to + trail]]
    old_length, new_length = old_to + trail - old_from + lead, new_to + trail - new_from + lead
    old_start, new_start = old_from - lead + bool(old_length), new_from - lead + bool(new_length)
    return Hunk(old_start, old_length, new_start, new_length, tuple(lines))


def _work(old: Sequence[bytes], new: Sequence[bytes]) -> int:
    """Returns how many pairs of equal lines there are: what the comparison costs at worst."""
    others = Counter(new)
    return sum(many * others[line] for line, many in Counter(old).items())

"""Dates and spans. Nothing here asks what day it is: time comes in as a value."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, timedelta
from typing import Final

_SPAN = re.compile(r"(\d{1,5})([dwmy])")
_DAYS = {"d": 1, "w": 7, "m": 30, "y": 365}


class Never:
    """Is the life span of what doesn't lapse. Its only instance is ``NEVER``."""

    def __repr__(self) -> str:
        return "NEVER"

    def __str__(self) -> str:
        return "never"


NEVER: Final = Never()

TTL_DEFAULTS: Final[Mapping[str, str]] = {
    "user": "never", "feedback": "365d", "project": "180d", "reference": "180d", "lesson": "365d", "journal": "90d",
    "rollup": "365d",
}  # fmt: skip
"""Life spans by type of note, ``N[dwmy]`` or ``never``; a type that isn't named never lapses."""

REVIEW_DEFAULTS: Final[Mapping[str, str]] = {
    "config": "3m", "preference": "3m", "discovery": "6m", "pattern": "6m", "decision": "6m",
    "architecture": "12m", "bugfix": "12m", "policy": "12m",
}  # fmt: skip
"""Spans after which a note is to be looked at again, by type of note; a type that isn't named has none."""


def as_date(text: str) -> date | None:
    """Returns the day that ``YYYY-MM-DD``, with or without a time behind it, names; None for anything else."""
    try:
        return date.fromisoformat(text.strip()[:10])
    except ValueError:
        return None


def span(text: str) -> timedelta | Never:
    """Returns the length of ``N[dwmy]`` (a month is 30 days, a year 365) or ``NEVER``.

    Raises ValueError for anything else: 0 days is no span.
    """
    if text.strip().lower() == "never":
        return NEVER
    match = _SPAN.fullmatch(text.strip().lower())
    if match is None or int(match[1]) == 0:
        raise ValueError(f"{text!r} is no span: write a number and d, w, m or y, such as 90d, or never")
    return timedelta(days=int(match[1]) * _DAYS[match[2]])


def day_after(start: date, text: str) -> date | Never:
    """Returns the day a span after ``start``; the last day there is where the calendar ends before it."""
    length = span(text)
    if isinstance(length, Never):
        return NEVER
    try:
        return start + length
    except OverflowError:
        return date.max


def day_before(start: date, length: timedelta) -> date:
    """Returns the day a span before ``start``; the first day there is where the calendar begins after it."""
    try:
        return start - length
    except OverflowError:
        return date.min


def expires_by_type(kind: str, today: date, defaults: Mapping[str, str] = TTL_DEFAULTS) -> date | Never:
    """Returns when a new note of this type lapses."""
    return day_after(today, defaults.get(kind, "never"))


def review_by_type(kind: str, today: date, defaults: Mapping[str, str] = REVIEW_DEFAULTS) -> date | None:
    """Returns when a new note of this type is to be looked at again; None where its type asks for no review."""
    after = day_after(today, defaults.get(kind, "never"))
    return None if isinstance(after, Never) else after

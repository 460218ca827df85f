"""How a note stands today: whether recall may bring it, and in which words a reader is told how far to trust it. Pure.

On the hot path of the prompt hook: the standard library alone, and little of it.
"""

from __future__ import annotations

from engram.index.file import ARCHIVED, CONFLICTED, INVALIDATED, PROTECTED

EXCLUDE, MARK, INCLUDE = "exclude", "mark", "include"


class Standing:
    """Is how a note stands. Frozen by custom."""

    __slots__ = ("holds", "reviewed", "words")

    def __init__(self, words: str, *, holds: bool, reviewed: bool) -> None:
        self.words = words
        """``reviewed``, ``unreviewed``, ``protected, lapsed on 2026-01-31``, ``invalidated``, …"""
        self.holds = holds
        """False for what is over: invalidated, archived, in conflict, or lapsed and not protected."""
        self.reviewed = reviewed
        """The note's bytes are those in HEAD; so it counts where there is no HEAD."""

    def served(self, unreviewed: str = EXCLUDE) -> bool:
        """Tells whether recall may bring the note unasked. ``unreviewed``: what the settings say of such notes."""
        return self.holds and (self.reviewed or unreviewed != EXCLUDE)


def standing(
    flags: int,
    expires: str,
    *,
    reviewed: bool,
    versioned: bool,
    today: str,
    review_after: str = "",
    unreviewed: str = EXCLUDE,
) -> Standing:
    """Returns how a note stands. Dates are ISO texts; ``expires`` may be ``never`` or "".

    ``versioned``: its store is under git; where it isn't, nobody reviewed anything, and the words say so.
    """
    lapsed = bool(expires) and expires != "never" and expires[:10] < today
    protected = bool(flags & PROTECTED)
    over = [
        word
        for word, holds in (
            ("invalidated", flags & INVALIDATED),
            ("archived", flags & ARCHIVED),
            ("in conflict", flags & CONFLICTED),
            (f"lapsed on {expires[:10]}", lapsed and not protected),
        )
        if holds
    ]
    checked = "not under git" if not versioned else "reviewed" if reviewed or unreviewed == INCLUDE else "unreviewed"
    marks = [*over, checked]
    if protected:
        marks.append(f"protected, lapsed on {expires[:10]}" if lapsed else "protected")
    if review_after and review_after[:10] <= today:
        marks.append(f"needs_review since {review_after[:10]}")
    return Standing(", ".join(marks), holds=not over, reviewed=reviewed)

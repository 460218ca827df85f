"""Looks a changeset's quotes up in the sessions they name: who said it, if anybody did.

White space and case are forgiven, nothing else: an ellipsis, a paraphrase or a word cut short is no quote.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from engram.model.change import Evidence
from engram.model.plan import Said
from engram.model.session import Session, Turn

LEAST = 8
"""Letters and digits that a quote must have to prove anything, unless it is all that somebody said. Signs that stand
for a syllable or a word (CJK) count twice."""

_UNSPACED = (("\u0e00", "\u0fff"), ("\u1000", "\u109f"), ("\u1780", "\u17ff"))
"""Thai, Lao, Tibetan; Burmese; Khmer."""

_BY_KIND: Mapping[str, Said] = {
    "user": "user",
    "tool_result": "tool",
    "assistant": "agent",
    "tool_call": "agent",
    "summary": "agent",
}
_BEST: tuple[Said, ...] = ("user", "tool", "agent")


def said(evidence: Sequence[Evidence], sessions: Mapping[str, Session]) -> Said:
    """Returns where the evidence of one change was found; the weakest thing that is true of it.

    ``user``: every quote was found, and at least one in the person's own words. ``tool`` and ``agent``: every quote was
    found, the best of them there. ``unverified``: at least one was not found, or is too short to prove anything.
    ``none``: there is no evidence. ``sessions``: by the id that evidence names; those that can't be read are missing.
    """
    if not evidence:
        return "none"
    found = {_place(one, sessions.get(one.session)) for one in evidence}
    if "unverified" in found:
        return "unverified"
    return next(each for each in _BEST if each in found)


def _place(one: Evidence, session: Session | None) -> Said:
    """Returns where one quote stands: in the turn that ``ref`` names, else where it weighs most."""
    quote = _plain(one.quote)
    if session is None or not quote:
        return "unverified"
    return _among(quote, (turn for turn in session.turns if turn.ref == one.ref)) or (
        _among(quote, session.turns) or "unverified"
    )


def _among(quote: str, turns: Iterable[Turn]) -> Said | None:
    enough = _weight(quote) >= LEAST
    found = {_BY_KIND[turn.kind] for turn in turns if _stands(quote, _plain(turn.text), enough=enough)}
    return next((each for each in _BEST if each in found), None)


def _stands(quote: str, text: str, *, enough: bool) -> bool:
    """Tells whether a quote stands in a text as whole words: `able to deploy` is not in `unable to deploy`."""
    if not enough:
        return quote == text
    at = text.find(quote)
    while at >= 0:
        end = at + len(quote)
        if not (_joined(text[at - 1 : at], quote[0]) or _joined(quote[-1], text[end : end + 1])):
            return True
        at = text.find(quote, at + 1)
    return False


def _joined(left: str, right: str) -> bool:
    """Tells whether two neighbouring characters are of one word."""
    return all(char and char.isalnum() and not _is_unspaced(char) for char in (left, right))


def _weight(text: str) -> int:
    return sum(1 + _is_unspaced(char) for char in text if char.isalnum())


def _is_unspaced(char: str) -> bool:
    """Tells whether a character is of a script that puts no spaces between words."""
    return unicodedata.east_asian_width(char) in "WF" or any(first <= char <= last for first, last in _UNSPACED)


@lru_cache(maxsize=4096)
def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).casefold().split())

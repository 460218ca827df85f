"""Relevance, one number a note, and what may reorder notes that are nearly as relevant as each other. Pure.

For each view of the question (the whole, and its sentences where it has several)

    x = cosine + WORDS * sqrt(information) * own * coverage - talk - STRANGE * strange

- *coverage* of rare words, names and identifiers carries a question that has them; a paraphrase or another language
  covers next to nothing, and the *cosine* decides;
- ``sqrt(information)``: covering much information is worth more than covering little as well, but not twice as much
  for twice as many words, since words of one question belong together;
- *own* takes out the words of everyday talk, *talk* what any prompt has in common with it; *strange* is the share of
  its names that no note has: what is asked is about somebody else. All three are the same for every note: they decide
  whether anything is brought, never which note comes first.

Half the best view's x and half the whole's make the note's, and ``1 / (1 + exp(-2 x))`` brings it to 0..1: 0.5 is a
note that the question is as near to as to everyday talk. This is what the floor is compared with.
"""

from __future__ import annotations

from math import exp, log, sqrt

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Protocol

    from engram.index.search import Candidate, View

    class Weights(Protocol):
        """Is what ranking needs of the settings."""

        @property
        def weights(self) -> Mapping[str, float]: ...


WORDS = 0.35
"""What the words count beside the cosine."""

STRANGE = 0.3
"""What a question loses whose names the store has never heard of. Without it a store of facts about people is near to
every question about people, and its floor has to be so high that it keeps out half of what is asked of it."""

BEST = 0.5
"""How much of a long question's relevance is that of its best sentence."""

WITHOUT_VECTORS = 0.35
"""Stands for ``talk - cosine`` where there are no vectors: their usual difference for notes that aren't asked for."""

SAFE_FLOOR = 0.75
"""The floor of a store that isn't calibrated yet."""

RULES = f"1/{WORDS}/{STRANGE}/{BEST}/{WITHOUT_VECTORS}"
"""Changes with the formula: a floor found for another one doesn't hold."""

TERMS = ("importance", "recency", "type", "use", "links")
KINDS = {
    "lesson": 1.0,
    "feedback": 1.0,
    "user": 0.8,
    "preference": 0.8,
    "decision": 0.6,
    "project": 0.5,
    "journal": 0.2,
}
"""What changes how work is done comes before what may be looked up; every other type is a reference: 0.3."""
_REFERENCE = 0.3
_DAYS = 180.0
"""The age at which a note has half the recency of one written today."""
_USES = 8.0


class Ranked:
    """Is a candidate with its place. Frozen by custom."""

    __slots__ = ("candidate", "relevance", "score", "terms")

    def __init__(self, candidate: Candidate, relevance: float, score: float, terms: Mapping[str, float]) -> None:
        self.candidate = candidate
        self.relevance = relevance
        """0 to 1: what the floor is compared with."""
        self.score = score
        """0 to 1: what the order follows."""
        self.terms = terms
        """What the score is made of, by name; they add up to it."""

    @property
    def id(self) -> int:
        return self.candidate.id


def relevance(candidate: Candidate) -> float:
    """Returns how much a note has to do with the question, 0 to 1."""
    return _squashed(_strength(candidate))


def rank(candidates: Iterable[Candidate], now: str, settings: Weights) -> list[Ranked]:
    """Returns the candidates in order, the best first. ``now``: ISO time in UTC.

    The small terms are added to x, each at most its weight: they reorder near ties. They are no part of relevance.
    """
    strengths = {one.id: (one, _strength(one)) for one in candidates}
    weights = settings.weights
    found = []
    for one, strength in strengths.values():
        linked = max((_squashed(strengths[other][1]) for other in one.links if other in strengths), default=0.0)
        small = {
            "importance": (one.importance - 1) / 9,
            "recency": _recency(one.updated, now),
            "type": KINDS.get(one.kind, _REFERENCE),
            "use": min(1.0, log(1 + one.applied) / log(1 + _USES)),
            "links": linked,
        }
        added = {name: weights.get(name, 0.0) * small[name] for name in TERMS}
        found.append(_ranked(one, strength, added))
    found.sort(key=lambda ranked: (-ranked.score, ranked.id))
    return found


def _ranked(candidate: Candidate, strength: float, added: Mapping[str, float]) -> Ranked:
    relevant = _squashed(strength)
    total = sum(added.values())
    score = _squashed(strength + total)
    share = (score - relevant) / total if total else 0.0
    return Ranked(
        candidate, relevant, score, {"relevance": relevant, **{name: at * share for name, at in added.items()}}
    )


def _strength(candidate: Candidate) -> float:
    seen = [_seen(view) for view in candidate.views]
    if len(seen) == 1:
        return seen[0]
    return BEST * max(seen[1:]) + (1 - BEST) * seen[0]


def _seen(view: View) -> float:
    words = WORDS * sqrt(view.information) * view.own * view.coverage
    near = -WITHOUT_VECTORS if view.cosine is None else view.cosine - view.talk
    return near + words - STRANGE * view.strange


def _squashed(strength: float) -> float:
    return 1 / (1 + exp(-2 * max(-20.0, min(20.0, strength))))


def _recency(updated: str, now: str) -> float:
    """Returns 1 for a note of today, half that for one half a year old; 0 where its date is unknown."""
    there, here = _days(updated), _days(now)
    return 0.0 if not there or not here else float(2 ** (-max(0, here - there) / _DAYS))


def _days(written: str) -> int:
    """Returns a day's number in a calendar of even months, near enough for an age; 0 where it is none."""
    parts: Sequence[str] = written[:10].split("-")
    if len(parts) != 3 or not all(part.isdigit() for part in parts):
        return 0
    return int(int(parts[0]) * 365.25 + (int(parts[1]) - 1) * 30.44 + int(parts[2]))

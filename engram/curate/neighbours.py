"""Near duplicates by their words: which standing notes say almost the same as a new text."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from engram.model.note import Note

NEAR = 0.5
"""From this score on two notes are called near duplicates: most of what the rarer words of one say, the other says."""

_WORD = re.compile(r"[^\W_]+")
_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_ENDINGS = ("ations", "ation", "ings", "ing", "edly", "ies", "ers", "ed", "es", "er", "ly", "s")
_COMMON_WORDS = (
    "a an and are as at be but by do does for from has have if in into is it its not no of on or so than that the "
    "their them then there these they this to use used uses using user users was we were what when which who will "
    "with you your always never must should wants want prefers prefer note how apply why и в на не по с для что это "
    "как всегда никогда der die das und ist nicht ein eine el la los las de que y en es un una le les des et est pas "
    "il che non"
)
_COMMON = frozenset(_COMMON_WORDS.split())
_FEW = 100
_LONGEST = 20_000
"""Characters of a note that are compared; what a memory says, it says before."""


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Is the words of every note of a store, weighed: built once, asked as often as there are new notes."""

    notes: tuple[Note, ...]
    bags: tuple[Counter[str], ...]
    holders: dict[str, list[int]]
    weights: dict[str, float]

    @classmethod
    def of(cls, notes: Iterable[Note]) -> Neighbours:
        """Returns the neighbours of a store; takes time linear in its text."""
        kept = tuple(notes)
        bags = tuple(words(text_of(note.name, note.description, note.body)) for note in kept)
        holders: dict[str, list[int]] = {}
        for index, bag in enumerate(bags):
            for word in bag:
                holders.setdefault(word, []).append(index)
        weights = {word: math.log(1 + len(kept) / len(found)) for word, found in holders.items()}
        return cls(kept, bags, holders, weights)

    def near(self, text: str, *, limit: int = 5) -> tuple[tuple[Note, float], ...]:
        """Returns the notes most like a text, the nearest first, each with a score from 0 to 1.

        The score is the cosine of word and word-pair counts, each weighed by how rare it is in the store. 1.0 is the
        same words; :data:`NEAR` tells where the likeness is worth a look.
        """
        bag = words(text)
        rare = math.log(1 + max(1, len(self.notes)))
        size = _size(bag, self.weights, rare)
        if not size:
            return ()
        scored = [(min(1.0, self._shared(bag, index) / size), index) for index in self._sharing(bag)]
        best = sorted(scored, key=lambda pair: (-pair[0], pair[1]))[:limit]
        return tuple((self.notes[index], score) for score, index in best)

    def _sharing(self, bag: Counter[str]) -> set[int]:
        """Returns the notes that share a word with a text: in a large store one that not every tenth note has, since
        without any such word no likeness comes near the mark."""
        most = max(_FEW, len(self.notes) // 10)
        return {index for word in bag for index in self.holders.get(word, ()) if len(self.holders[word]) <= most}

    def _shared(self, bag: Counter[str], index: int) -> float:
        """Returns the weight of what a text and a note share, as a part of all that the note says."""
        other, weights = self.bags[index], self.weights
        both = (word for word in bag if word in other)
        total = sum(_damped(bag[word]) * _damped(other[word]) * weights[word] ** 2 for word in both)
        return total / _size(other, weights)


def near(text: str, notes: Sequence[Note], *, limit: int = 5) -> tuple[tuple[Note, float], ...]:
    """Returns the notes most like a text, ranked, with scores from 0 to 1: see :meth:`Neighbours.near`."""
    return Neighbours.of(notes).near(text, limit=limit)


def text_of(name: str, description: str, body: str) -> str:
    """Returns the text by which a note is compared: what it says in short counts as much as what it says at length."""
    return "\n".join((name.replace("-", " ").replace("_", " "), description, body[:_LONGEST]))


def words(text: str) -> Counter[str]:
    """Returns the words of a text, cut to their stems, and their pairs; scripts without spaces by pairs of signs."""
    stems = [_stem(word) for word in _split(text) if word not in _COMMON]
    found = Counter(stems)
    found.update(f"{one} {two}" for one, two in pairwise(stems))
    return found


def _split(text: str) -> Iterable[str]:
    for match in _WORD.finditer(text.casefold()):
        word = match[0]
        if _WIDE.search(word):
            yield from (word[place : place + 2] for place in range(max(1, len(word) - 1)))
        else:
            yield word


@lru_cache(maxsize=100_000)
def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)]
    return word


def _damped(many: int) -> float:
    return 1.0 if many == 1 else 1.0 + math.log(many)


def _size(bag: Counter[str], weights: dict[str, float], rare: float = 0.0) -> float:
    return math.sqrt(sum((_damped(many) * weights.get(word, rare)) ** 2 for word, many in bag.items()))

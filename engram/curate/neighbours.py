"""Near duplicates by their words: which standing notes say almost the same as a new text.

A text is its stems and the pairs of neighbouring stems, each weighed by how rare it is in the store. A store is cut
into stems once; which notes hold a feature is found for those alone that a question or one of its likely answers has.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, pairwise

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
    "как всегда никогда der die das und ist nicht ein eine el la los las de que y en es un une le les des et est pas "
    "il che non"
)
_COMMON = frozenset(_COMMON_WORDS.split())
_FEW = 100
_LONGEST = 20_000
"""Characters of a note that are compared; what a memory says, it says before."""
_ROUNDING = 1e-9

Feature = str | tuple[str, str]
"""A stem, or two that stand side by side."""


class _Stems(dict[str, str]):
    """Is the stem of each word that was met; "" for a word that every text has."""

    def __missing__(self, word: str) -> str:
        stem = self[word] = "" if word in _COMMON else _stem(word)
        return stem

    def of(self, text: str) -> tuple[str, ...]:
        """Returns the stems of a text in order."""
        return tuple(filter(None, map(self.__getitem__, _words(text))))


class Neighbours:
    """Is the words of every note of a store: cut up once, asked as often as there are new notes. It learns by asking.

    ``texts``: what will be asked about, as far as it is known; any other question looks through the whole store.
    """

    def __init__(self, notes: Iterable[Note], texts: Iterable[str] = ()) -> None:
        self._notes = tuple(notes)
        self._stems = _Stems()
        self._said = tuple(self._stems.of(text_of(note.name, note.description, note.body)) for note in self._notes)
        self._holders: dict[Feature, set[int]] = {}
        bags = [_bag(self._stems.of(text)) for text in texts]
        self._learn(feature for bag in bags for feature in bag)
        asked = [self._weighed(bag) for bag in bags]
        likely = {index for each in asked for index in self._likely(each, NEAR * _size(each))}
        self._learn(feature for index in likely for feature in _bag(self._said[index]))

    def near(self, text: str, *, limit: int = 5, least: float = 0.0) -> tuple[tuple[Note, float], ...]:
        """Returns the notes most like a text, the nearest first, each with a score from ``least`` to 1.

        The score is the cosine of the counts of stems and pairs, each weighed by how rare it is in the store. 1.0 is
        the same words; :data:`NEAR` tells where the likeness is worth a look.
        """
        bag = _bag(self._stems.of(text))
        self._learn(bag)
        asked = self._weighed(bag)
        size = _size(asked)
        likely = self._likely(asked, least * size)
        self._learn(feature for index in likely for feature in _bag(self._said[index]))
        scored = [(self._shared(asked, index) / size, index) for index in likely]
        best = sorted((pair for pair in scored if pair[0] >= least), key=lambda pair: (-pair[0], pair[1]))[:limit]
        return tuple((self._notes[index], min(1.0, score)) for score, index in best)

    def pairs(self, least: float = NEAR) -> Iterator[tuple[Note, Note, float]]:
        """Yields the notes of the store that are like each other from a score on, each pair once, in their order.

        A note is compared with those alone that share one of its rarest features, so many that what is left of it could
        not reach the score by itself; what one note alone says counts, and finds nobody. Features of every tenth note
        find nobody either: see :meth:`near`.
        """
        bags = [_bag(said) for said in self._said]
        held: Counter[Feature] = Counter()
        for bag in bags:
            held.update(bag.keys())
        every = max(1, len(bags))
        rarity = {feature: math.log(1 + every / many) for feature, many in held.items()}
        weighed = [{each: _damped(many) * rarity[each] for each, many in bag.items()} for bag in bags]
        sizes = [_size(each) for each in weighed]
        order = {feature: place for place, (feature, _) in enumerate(reversed(held.most_common()))}
        most = max(_FEW, len(bags) // 10)
        meeting: dict[Feature, list[int]] = {}
        for index, mine in enumerate(weighed):
            met: set[int] = set()
            left = sizes[index] ** 2
            for feature in sorted(mine, key=order.__getitem__):
                if left < (least * sizes[index]) ** 2:
                    break
                left -= mine[feature] ** 2
                if 1 < held[feature] <= most:
                    met.update(meeting.setdefault(feature, []))
                    meeting[feature].append(index)
            for other in sorted(met):
                theirs = weighed[other]
                score = sum(mine[each] * theirs[each] for each in mine.keys() & theirs.keys())
                score = score / sizes[index] / sizes[other]
                if score >= least:
                    yield self._notes[other], self._notes[index], min(1.0, score)

    def _likely(self, asked: Mapping[Feature, float], least: float) -> list[int]:
        """Returns the notes which may share so much with a text.

        They share a feature that not every tenth note of a large store has, since without any such no likeness comes
        near the mark. And no note is more like a text than one that says nothing but what the two share.
        """
        most = max(_FEW, len(self._notes) // 10)
        held = {feature: self._holders[feature] for feature in asked}
        bounds = dict.fromkeys(sorted({index for those in held.values() if len(those) <= most for index in those}), 0.0)
        for feature, those in held.items():
            square = asked[feature] ** 2
            for index in those & bounds.keys():
                bounds[index] += square
        likely = (index for index, bound in bounds.items() if math.sqrt(bound) >= least - _ROUNDING)
        return [index for index in likely if self._at_most(asked, index) >= least - _ROUNDING]

    def _at_most(self, asked: Mapping[Feature, float], index: int) -> float:
        """Returns what :meth:`_shared` can't exceed: all else that the note says counts as if every note said it."""
        bag = _bag(self._said[index])
        both = self._weighed({feature: many for feature, many in bag.items() if feature in asked})
        least_size = math.hypot(_size(both), math.log(2) * math.sqrt(len(bag) - len(both)))
        return sum(asked[feature] * weight for feature, weight in both.items()) / least_size

    def _shared(self, asked: Mapping[Feature, float], index: int) -> float:
        """Returns the weight of what a text and a note share, as a part of all that the note says."""
        other = self._weighed(_bag(self._said[index]))
        return sum(weight * other[feature] for feature, weight in asked.items() if feature in other) / _size(other)

    def _weighed(self, bag: Mapping[Feature, int]) -> dict[Feature, float]:
        """Returns how much each feature counts: its number, damped, by its rarity. No note may hold it at all."""
        every = len(self._notes)
        return {
            feature: _damped(many) * math.log(1 + max(1, every) / (len(self._holders[feature]) or 1))
            for feature, many in bag.items()
        }

    def _learn(self, features: Iterable[Feature]) -> None:
        """Finds which notes hold each feature, in one pass through the store for all that aren't known yet."""
        wanted = frozenset(features) - self._holders.keys()
        if not wanted:
            return
        self._holders.update((feature, set()) for feature in wanted)
        for index, said in enumerate(self._said):
            for feature in wanted.intersection(chain(said, pairwise(said))):
                self._holders[feature].add(index)


def near(text: str, notes: Sequence[Note], *, limit: int = 5) -> tuple[tuple[Note, float], ...]:
    """Returns the notes most like a text, ranked, with scores from 0 to 1: see :meth:`Neighbours.near`."""
    return Neighbours(notes).near(text, limit=limit)


def text_of(name: str, description: str, body: str) -> str:
    """Returns the text by which a note is compared: what it says in short counts as much as what it says at length."""
    return "\n".join((name.replace("-", " ").replace("_", " "), description, body[:_LONGEST]))


def _words(text: str) -> Sequence[str]:
    """Returns the words of a text in order; scripts without spaces by pairs of signs."""
    plain = text.casefold()
    words: list[str] = _WORD.findall(plain)
    if plain.isascii() or not _WIDE.search(plain):
        return words
    return [part for word in words for part in _parts(word)]


def _parts(word: str) -> Iterable[str]:
    if _WIDE.search(word):
        return (word[place : place + 2] for place in range(max(1, len(word) - 1)))
    return (word,)


def _bag(stems: Sequence[str]) -> Counter[Feature]:
    found: Counter[Feature] = Counter(stems)
    found.update(pairwise(stems))
    return found


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)]
    return word


def _damped(many: int) -> float:
    return 1.0 if many == 1 else 1.0 + math.log(many)


def _size(weighed: Mapping[Feature, float]) -> float:
    return math.sqrt(sum(weight**2 for weight in weighed.values()))

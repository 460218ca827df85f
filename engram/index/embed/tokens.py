"""Texts into the model's pieces, token for token as the package's own tokeniser cuts them, without its start-up time.

No piece holds a word's beginning in its middle, and sums of scores are exact in double precision: so the best cut of
a text is the best cuts of its words, each of which is found once.

On the hot path of the prompt hook, behind numpy.
"""

from __future__ import annotations

import numpy as np

from engram.index.embed.files import LONGEST_PIECE, UNKNOWN_COST

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

MULTIPLIER = 0x9E3779B97F4A7C15
UNKNOWN, BEGIN, END = 0, 1, 2
_BLANK = "\u2581"
_BLANKS = {9: " ", 10: " ", 12: " ", 13: " "}
_JOINING = (
    "0300-0304 0306-030C 030F 0311 0313-0314 031B 0323-0328 032D-032E 0330-0331 0338 0340-0343 0345 0653-0655 093C "
    "09BE 09D7 0B3E 0B56-0B57 0BBE 0BD7 0C56 0CC2 0CD5-0CD6 0D3E 0D57 0DCA 0DCF 0DDF 102E 1161-1175 11A8-11C2 1B35 "
    "3099-309A 3133 3135-3136 313A-313F 314F-3163 FF9E-FF9F FFA3 FFA5-FFA6 FFAA-FFAF FFC2-FFC7 FFCA-FFCF FFD2-FFD7 "
    "FFDA-FFDC 110BA 11127 1133E 11357 114B0 114BA 114BD 115AF"
)
"""The characters that stand second or later in a key of the normaliser's trie: only with one of them does what a
character becomes depend on its neighbours."""
_BLOCK = 4096
_MOST_WORDS = 50_000


class Tokeniser:
    """Cuts texts into pieces. ``parts``: the arrays of ``tokens.bin`` by name."""

    def __init__(self, parts: Mapping[str, NDArray[np.generic]]) -> None:
        self._hashes = parts["hashes"]
        self._ids = parts["ids"]
        self._scores = parts["scores"]
        self._units = parts["units"].data
        self._texts = parts["replacements"]
        self._joining: frozenset[str] = frozenset()
        self._known: dict[str, str] = {}
        self._words: dict[str, tuple[int, ...]] = {}

    def cut(self, texts: Sequence[str]) -> list[list[int]]:
        """Returns each text's piece numbers, between those of a beginning and an end."""
        worded = [self._worded(text) for text in texts]
        known = self._words if len(self._words) < _MOST_WORDS else {}
        self._words = known  # other threads go on with the dictionary that they began with
        self._learn({word: None for words in worded for word in words if word not in known}, known)
        cuts = []
        for words in worded:
            numbers = [BEGIN]
            for word in words:
                numbers += known[word]
            if len(numbers) == 1:
                numbers.append(UNKNOWN)
            numbers.append(END)
            cuts.append(numbers)
        return cuts

    def _worded(self, text: str) -> list[str]:
        return [_BLANK + word for word in self.normal(text).split(" ") if word]

    def normal(self, text: str) -> str:
        """Returns a text with compatible characters made one, marks joined, controls dropped, blanks as spaces."""
        if text.isascii():
            return text.translate(_BLANKS)
        self._joining = self._joining or joining()
        characters = set(text)
        if not self._joining.isdisjoint(characters):
            return self._walked(text)
        known = self._known
        for character in characters:
            if character not in known:
                known[character] = self._walked(character)
        return "".join([known[character] for character in text])

    def _walked(self, text: str) -> str:
        """Returns the text with the longest key of the trie at each place replaced by what it stands for."""
        raw = text.encode("utf-8", "surrogatepass")
        units, size = self._units, len(raw)
        root = (units[0] >> 10) << ((units[0] & 0x200) >> 6)
        out = bytearray()
        place = 0
        while place < size:
            node, end, found = root, 0, -1
            for step in range(place, size):
                byte = raw[step]
                node ^= byte
                unit = units[node]
                if (unit & 0x800000FF) != byte:
                    break
                node ^= (unit >> 10) << ((unit & 0x200) >> 6)
                if unit & 0x100:
                    end, found = step + 1, units[node] & 0x7FFFFFFF
            if found < 0 or found >= len(self._texts):
                end = place + 1
                while end < size and (raw[end] & 0xC0) == 0x80:
                    end += 1
                out += raw[place:end]
            else:
                out += self._replacement(found)
            place = end
        return out.decode("utf-8", "surrogatepass")

    def _replacement(self, start: int) -> bytes:
        text = self._texts[start : start + 64].tobytes()
        end = text.find(b"\0")
        return text[:end] if end >= 0 else self._texts[start:].tobytes().split(b"\0", 1)[0]

    def _learn(self, words: Iterable[str], known: dict[str, tuple[int, ...]]) -> None:
        """Finds the best cut of each word and adds it to those that are known."""
        block: list[str] = []
        length = 0
        for word in words:
            block.append(word)
            length += len(word)
            if length >= _BLOCK:
                known.update(self._best(block))
                block, length = [], 0
        if block:
            known.update(self._best(block))

    def _best(self, words: list[str]) -> dict[str, tuple[int, ...]]:
        joined = "".join(words)
        length = len(joined)
        begins, lengths, numbers, scores = self._pieces(joined, min(LONGEST_PIECE, max(map(len, words))))
        best = [0.0] + [-1e38] * length
        start, piece = [0] * (length + 1), [UNKNOWN] * (length + 1)
        count, at = len(begins), 0
        for place in range(length):
            base = best[place]
            single = False
            while at < count and begins[at] == place:
                end = place + lengths[at]
                score = base + scores[at]
                if score > best[end]:
                    best[end], start[end], piece[end] = score, place, numbers[at]
                single = single or lengths[at] == 1
                at += 1
            if not single and base + UNKNOWN_COST > best[place + 1]:
                best[place + 1], start[place + 1], piece[place + 1] = base + UNKNOWN_COST, place, UNKNOWN
        cuts: dict[str, tuple[int, ...]] = {}
        first = 0
        for word in words:
            end = first + len(word)
            cut = []
            place = end
            while place > first:
                cut.append(piece[place])
                place = start[place]
            cuts[word] = tuple(reversed(cut))
            first = end
        return cuts

    def _pieces(self, text: str, longest: int) -> tuple[list[int], list[int], list[int], list[float]]:
        """Returns all pieces that stand in a text: beginnings, lengths, numbers, scores, by beginning and length."""
        codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4").astype(np.uint64) + np.uint64(1)
        begins: list[int] = []
        lengths: list[int] = []
        numbers: list[int] = []
        scores: list[float] = []
        for first in range(0, len(codes), _BLOCK):
            found, where = self._look_up(codes[first : first + _BLOCK + longest - 1], longest)
            place, size = np.nonzero(found[:_BLOCK])
            begins += (place + first).tolist()
            lengths += (size + 1).tolist()
            rows = where[place, size]
            numbers += self._ids[rows].tolist()
            scores += self._scores[rows].tolist()
        return begins, lengths, numbers, scores

    def _look_up(self, codes: NDArray[np.uint64], longest: int) -> tuple[NDArray[np.bool_], NDArray[np.intp]]:
        """Returns, by place and length less one, whether a piece stands there, and its row."""
        size = len(codes)
        longest = min(longest, size)
        hashes = np.zeros((size, longest), np.uint64)
        current = np.zeros(size, np.uint64)
        multiplier = np.uint64(MULTIPLIER)
        for step in range(longest):
            current = current[: size - step] * multiplier + codes[step:]
            hashes[: size - step, step] = current
        where = np.searchsorted(self._hashes, hashes)
        where[where == len(self._hashes)] = 0
        return self._hashes[where] == hashes, where


def joining() -> frozenset[str]:
    """Returns the characters that can join the one before them."""
    found: list[str] = []
    for part in _JOINING.split():
        first, _, last = part.partition("-")
        found += map(chr, range(int(first, 16), int(last or first, 16) + 1))
    return frozenset(found)


def hash_of(piece: str) -> int:
    """Returns a piece's 64-bit hash, as texts are looked up by."""
    value = 0
    for character in piece:
        value = (value * MULTIPLIER + ord(character) + 1) & 0xFFFFFFFFFFFFFFFF
    return value

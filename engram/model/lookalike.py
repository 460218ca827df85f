"""Letters that look like ASCII ones and are none: what a word that mixes scripts may hide.

Plain Russian, Greek, Armenian or Chinese text holds no secret. A word does that mixes Latin with letters which only
look Latin, and a word made of nothing but such letters beside Latin ones (``раураl.com`` with a Cyrillic ``раура``).
The table covers the letters that common fonts draw alike (Unicode TR 39, the single-letter part that concerns ASCII).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

_PAIRS = (
    # Cyrillic
    "аa сc ԁd еe һh іi јj ӏl оo рp ԛq ѕs ԝw хx уy ѵv үy "
    "АA ВB СC ЕE НH ІI ЈJ КK МM ОO РP ԚQ ЅS ТT ԜW ХX УY ҮY Ѵv ӀI ҺH ԌG "
    # Greek
    "αa οo νv ρp ιi κk υu χx γy ϲc ϳj "
    "ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX ϹC ͿJ "
    # Armenian, Hebrew, Georgian, Cherokee, Coptic
    "օo ոn սu հh ցg զq տu յj ѕs ՏS ՕO Սu Լl "
    "ოo ᎪA ᏴB ᏟC ᎠD ᎬE ᎻH ᎫJ ᏦK ᏞL ᎷM ᏢP ᏒR ᏚS ᎢT ᏙV ᎳW ᏃZ "
    "ⲟo ⲥc ⲣp ⲭx ⲁa ⲒI ⲞO ⲤC ⲢP ⲬX ⲎH ⲦT ⲘM ⲚN "
    # Latin that isn't ASCII and looks it, in the fonts of most terminals
    "ɑa ɡg ɩi ʟl"
)
SKELETON = {pair[0]: pair[1] for pair in _PAIRS.split()}
"""Each letter and the ASCII letter that it is taken for."""

_TAKEN_FOR = frozenset(SKELETON.values())
_ESCAPE = re.compile(r"<U\+[0-9A-F]+>")
_TOKEN = re.compile(r"\S+")
_WORD = re.compile(r"[^\W_]+")


def lookalike_places(text: str) -> frozenset[int]:
    """Returns the indexes of the letters in a text that pass for letters of another script in their word."""
    if text.isascii():
        return frozenset()
    text = _ESCAPE.sub(lambda escape: " " * len(escape[0]), text)  # made visible already: engram's letters, not its
    return frozenset(place for token in _TOKEN.finditer(text) for place in _in_token(token))


def lookalikes(text: str) -> tuple[str, ...]:
    """Returns the words of a text that mix scripts so that one passes for the other, once each, in order."""
    places = lookalike_places(text)
    if not places:
        return ()
    found = dict.fromkeys(
        word[0] for word in _WORD.finditer(text) if any(place in places for place in range(*word.span()))
    )
    return tuple(found)


def _in_token(token: re.Match[str]) -> Iterator[int]:
    """Yields the places of look-alikes in one run of text without white space."""
    shown = token[0]
    if shown.isascii():
        return
    latin = sum(char.isascii() and char.isalpha() for char in shown)
    for word in _WORD.finditer(shown):
        start = token.start() + word.start()
        own = sum(char.isascii() and char.isalpha() for char in word[0])
        yield from (start + place for place in _in_word(word[0], latin_beside=latin > own))


def _in_word(word: str, *, latin_beside: bool) -> Iterator[int]:
    """Yields the places of the letters that are out of place in a word: those of the script that is in the minority,
    or all that pose where everything but ASCII does and ASCII words stand beside (one letter alone is a symbol)."""
    if word.isascii():
        return
    latin = [place for place, char in enumerate(word) if _is_latin(char)]
    foreign = [place for place, char in enumerate(word) if char.isalpha() and not _is_latin(char)]
    posing = [place for place, char in enumerate(word) if _poses(char)]
    if not posing:
        return
    if (latin_beside and posing == foreign and len(word) > 1) or (latin and len(latin) >= len(foreign)):
        yield from posing
    elif latin:
        yield from (place for place in latin if word[place] in _TAKEN_FOR)
        yield from (place for place in posing if _compatible(word[place]))


def _is_latin(char: str) -> bool:
    """Tells whether a letter is ASCII, or Latin with a mark of its own that sets it apart."""
    if char.isascii():
        return char.isalpha()
    return char not in SKELETON and not _compatible(char) and unicodedata.name(char, "").startswith("LATIN ")


def _poses(char: str) -> bool:
    return char in SKELETON or _compatible(char)


def _compatible(char: str) -> bool:
    """Tells whether a letter is a styled ASCII one: full-width, mathematical bold, a Roman numeral's."""
    code = ord(char)
    ranges = ((0xFF21, 0xFF5A), (0x1D400, 0x1D7FF), (0x2160, 0x217F), (0x2100, 0x214F))
    if not any(first <= code <= last for first, last in ranges):
        return False
    plain = unicodedata.normalize("NFKC", char)
    return plain.isascii() and plain.isalnum()

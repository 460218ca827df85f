"""Orders dressed as memory: tells text that speaks to the agent from text that tells it something.

A memory may well say "always run the tests first": that is what feedback is. What is looked for is text that would
have the agent set its rules aside, act for somebody else, hide it, forge a turn of the conversation, or get round the
person at the gate. A hit is shown, never refused: the person judges.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from engram.curate.instruction_words import MARKS, SQUASHED, compiled
from engram.curate.unveiled import readings
from engram.model.lookalike import SKELETON

_LIMIT = 100_000
_SPACE = re.compile(r"\s+")
_ACCENTS = re.compile("([A-Za-z])[\u0300-\u036f]+")
_APOSTROPHES = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "´": "'", "`": "'", "“": '"', "”": '"', "…": "..."})
_POSING = str.maketrans({foreign: latin for foreign, latin in SKELETON.items() if latin.isascii()})


def instruction_styled(text: str) -> str:
    """Returns "" or what a text would have its reader do, as words that follow "it": ``tells it to set …``.

    At most the first 100,000 characters are looked at.
    """
    text = text[:_LIMIT]
    return _marked(text) or _worded(text) or _disguised(text)


def _marked(text: str) -> str:
    seen = _without_hidden(text)
    return next((words for words, pattern in _marks() if pattern.search(seen)), "")


def _worded(text: str) -> str:
    folded = _folded(text)
    found = next((words for words, pattern in _patterns() if pattern.search(folded)), "")
    if found or text.isascii():
        return found
    straight = _folded(text.translate(_POSING))
    if straight == folded or not re.search(r"[a-z]{4}", straight):
        return ""
    return next((words for words, pattern in _patterns() if pattern.search(straight)), "")


def _disguised(text: str) -> str:
    for how, reading in readings(text):
        found = _worded(reading) or (_squashed(reading) if how in ("spelt out", "leet", "reversed") else "")
        if found:
            return f"{found} (read as {how})"
    return _squashed(text) and f"{_squashed(text)} (letters set apart)"


def _squashed(text: str) -> str:
    bare = re.sub(r"[\W\d_]+", "", _folded(text))
    return "tells it to set its rules aside" if _squeezed().search(bare) else ""


def _folded(text: str) -> str:
    """Returns a text in lower case, without accents and hidden characters, every white space one space."""
    if not text.isascii():
        text = _ACCENTS.sub(r"\1", unicodedata.normalize("NFKD", _without_hidden(text)))
        text = unicodedata.normalize("NFC", text).translate(_APOSTROPHES)
    return _SPACE.sub(" ", text.casefold()).replace("ß", "ss")


def _without_hidden(text: str) -> str:
    return text if text.isascii() else "".join(char for char in text if unicodedata.category(char) != "Cf")


@lru_cache(maxsize=1)
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return compiled()


@lru_cache(maxsize=1)
def _marks() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((words, re.compile(pattern)) for words, pattern in MARKS)


@lru_cache(maxsize=1)
def _squeezed() -> re.Pattern[str]:
    return re.compile(SQUASHED)

"""The stop words are kept as the stems that the rules make of them."""

from __future__ import annotations

from engram.index import stop_words
from engram.index.stems import stem


def test_the_stems_are_those_of_the_words() -> None:
    assert {stem(word) for word in stop_words._WORDS.split()} == stop_words.STOP_WORDS

"""The terms by which notes and questions meet: stems, identifiers whole and in parts, bigrams where no spaces are.

``src/app_config.py`` gives ``srcappconfigpy`` (the path), ``appconfigpy`` (the file's name) and ``src``, ``app``,
``config``, ``py``: written as one word, so that ``userId``, ``user_id`` and ``user-id`` are the same, and each part
finds it as well. Every term consists of letters, digits and ``_`` alone, so that they can be stored in one text with
spaces between, and no tokenizer cuts them differently.
"""

from __future__ import annotations

import re
import unicodedata

from engram.index.stems import stem
from engram.index.stop_words import STOP_WORDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

LONGEST = 48
"""Letters of a term; what is longer (keys, hashes, base64) is cut there, in notes and in questions alike."""

_UNSPACED = (  # Thai, Lao, Burmese, Khmer; kana, Han, Hangul
    (0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0x3040, 0x30FF), (0x3400, 0x4DBF), (0x4E00, 0x9FFF),
    (0xAC00, 0xD7AF), (0xF900, 0xFAFF), (0x20000, 0x3FFFF),
)  # fmt: skip
"""As numbers, not as a pattern: to compile a set of so many letters costs a hook ten milliseconds."""
_FIRST_UNSPACED = "\u0e00"
_JOINTS = "-./:@#+\\"
_LETTER = "[\\w\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff]"
"""Marks of the scripts without spaces are no ``\\w``."""
_CHUNK = re.compile(rf"{_LETTER}+(?:[-./:@#+\\]+{_LETTER}+)*")
_ELIDED = re.compile(r"\b((?:[cdjlmnst]|qu))['’ʼ](?=\w\w)", re.IGNORECASE)
_APOSTROPHE = re.compile(r"(?<=\w)['’ʼ](?=\w)")
_SEGMENT = re.compile(r"[/:@#\\]+")
_PIECE = re.compile(r"[-./:@#+\\]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_MARK = {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "æ": "ae", "œ": "oe", "ı": "i", "ё": "е", "þ": "th", "ħ": "h"}
_DOTLESS = re.compile(r"[\u0300-\u036f]")
_folds: dict[str, str] = {}
_stems: dict[str, str] = {}


def terms(text: str) -> list[str]:
    """Returns the terms of a text in order, each as often as it occurs."""
    found: list[str] = []
    for chunk in _chunks(_unquoted(plain(text))):
        if chunk[0] >= _FIRST_UNSPACED and _is_unspaced(chunk[0]):
            found.extend(_bigrams(chunk))
        elif chunk.isalpha() and chunk.islower():
            found.append(_stemmed(chunk))
        else:
            found.extend(_compound(chunk))
    return found


def _chunks(text: str) -> Iterator[str]:
    """Yields words, identifiers and paths; runs of a script without spaces by themselves, wherever they stand."""
    for chunk in _CHUNK.findall(text):
        if chunk.isascii() or max(chunk) < _FIRST_UNSPACED:
            yield chunk
            continue
        start = 0
        for at in range(1, len(chunk) + 1):
            if at == len(chunk) or _is_unspaced(chunk[at]) != _is_unspaced(chunk[at - 1]):
                part = chunk[start:at].strip(_JOINTS)
                if part:
                    yield part
                start = at


def _is_unspaced(letter: str) -> bool:
    return letter >= _FIRST_UNSPACED and any(first <= ord(letter) <= last for first, last in _UNSPACED)


def query_terms(text: str) -> list[str]:
    """Returns the distinct terms of a question in order, without words that every text has.

    Where it holds nothing but such words, they are its terms: "to be or not to be" is looked for as well.
    """
    every = dict.fromkeys(terms(text))
    return [term for term in every if term not in STOP_WORDS] or list(every)


def plain(text: str) -> str:
    """Returns a text with compatibility forms resolved and Latin and Greek letters without diacritics; case stays."""
    if text.isascii():
        return text
    text = unicodedata.normalize("NFKC", text)
    for letter in set(text):
        if letter > "\x7f" and letter not in _folds:
            _folds[letter] = _folded(letter)
    return "".join([letter if letter <= "\x7f" else _folds[letter] for letter in text])


def _folded(letter: str) -> str:
    small = letter.lower()
    if small in _MARK:
        return _MARK[small] if letter == small else _MARK[small].upper()
    if letter == "ß":
        return "ss"
    code = ord(letter)
    if code < 0x250 or 0x370 <= code < 0x400 or 0x1E00 <= code < 0x2000:
        return _DOTLESS.sub("", unicodedata.normalize("NFD", letter))
    return "" if 0x300 <= code <= 0x36F or unicodedata.category(letter) == "Cf" else letter


def _unquoted(text: str) -> str:
    """Returns a text with ``l'équipe`` in two words and ``don't`` in one."""
    return _APOSTROPHE.sub("", _ELIDED.sub(r"\1 ", text)) if "'" in text or "’" in text or "ʼ" in text else text


def _bigrams(run: str) -> list[str]:
    return [run[at : at + 2] for at in range(len(run) - 1)] or [run]


def _compound(chunk: str) -> list[str]:
    """Returns what an identifier, path, number or capitalised word is found by: whole, its pieces, its atoms."""
    found: dict[str, None] = {}
    segments = _SEGMENT.split(chunk)
    if len(segments) > 1:
        found[_joined(chunk)] = None
    for segment in segments:
        if _PIECE.search(segment):
            found[_joined(segment)] = None
    for piece in _PIECE.split(chunk):
        cased = _CAMEL.sub("_", piece)
        if "_" not in cased.strip("_"):
            found[_word(piece.strip("_") or piece)] = None
            continue
        found[_joined(piece)] = None
        for atom in cased.split("_"):
            if atom:
                found[_word(atom)] = None
    return list(found)


def _joined(text: str) -> str:
    """Returns an identifier as one term: its letters and digits, with ``_`` only between two digits."""
    parts = [part for part in re.split(r"[\W_]+", text.casefold()) if part]
    whole = ""
    for part in parts:
        whole += f"_{part}" if whole and whole[-1].isdigit() and part[0].isdigit() else part
    return _stemmed(whole)


def _word(text: str) -> str:
    return _stemmed(text.casefold())


def _stemmed(word: str) -> str:
    known = _stems.get(word)
    if known is None:
        if len(_stems) > 200_000:
            _stems.clear()
        known = _stems[word] = stem(word[:LONGEST])
    return known

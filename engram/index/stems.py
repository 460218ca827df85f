"""Stems of words: Porter's rules for Latin letters, a light Snowball for Cyrillic; other scripts stay as they are.

A stem is only compared with another stem, so it need not be a word; it has to be the same for the forms that a note
and a question use.
"""

from __future__ import annotations

# ruff: noqa: E501 - tables of words

_VOWELS = "aeiouy"
_STEP2 = (
    ("ational", "ate"), ("tional", "tion"), ("enci", "ence"), ("anci", "ance"), ("izer", "ize"), ("isation", "ize"),
    ("ization", "ize"), ("ation", "ate"), ("ator", "ate"), ("alism", "al"), ("iveness", "ive"), ("fulness", "ful"),
    ("ousness", "ous"), ("aliti", "al"), ("iviti", "ive"), ("biliti", "ble"), ("bli", "ble"), ("alli", "al"),
    ("entli", "ent"), ("eli", "e"), ("ousli", "ous"), ("fulli", "ful"), ("lessli", "less"),
)  # fmt: skip
_STEP3 = (
    ("icate", "ic"), ("ative", ""), ("alize", "al"), ("alise", "al"), ("iciti", "ic"), ("ical", "ic"), ("ful", ""),
    ("ness", ""),
)  # fmt: skip
_STEP4 = (
    "ement", "ance", "ence", "able", "ible", "ment", "ant", "ent", "ism", "ate", "iti", "ous", "ive", "ize", "ise",
    "ion", "al", "er", "ic",
)  # fmt: skip
_KNOWN = {
    "ran": "run", "sent": "send", "built": "build", "broke": "break", "broken": "break", "wrote": "write",
    "written": "write", "chose": "choos", "chosen": "choos", "kept": "keep", "went": "go", "gone": "go", "made": "make",
    "found": "find", "lost": "lose", "bought": "bui", "children": "child", "men": "man", "women": "woman", "paid": "pai",
    "indices": "index", "indexes": "index", "data": "data", "news": "news", "always": "alwai",
}  # fmt: skip
"""Forms that no rule of endings reaches, by the stem that the rules give their other forms."""

_RU_VOWELS = "аеиоуыэюя"
_RU_GERUND = ("вшись", "ывшись", "ившись", "вши", "ывши", "ивши", "ив", "ыв")
_RU_ADJECTIVE = (
    "ими", "ыми", "его", "ого", "ему", "ому", "ее", "ие", "ые", "ое", "ей", "ий", "ый", "ой", "ем", "им", "ым", "ом",
    "их", "ых", "ую", "юю", "ая", "яя", "ою", "ею",
)  # fmt: skip
_RU_PARTICIPLE = ("ивш", "ывш", "ующ", "емн", "енн", "анн", "янн", "ющ", "вш")
_RU_VERB = (
    "ейте", "уйте", "ите", "йте", "ете", "ешь", "нно", "ила", "ыла", "ена", "или", "ыли", "ило", "ыло", "ено", "ует",
    "уют", "ены", "ить", "ыть", "ишь", "ать", "ять", "еть", "ала", "яла", "ела", "али", "яли", "ели", "ало", "яло",
    "ает", "яет", "ают", "яют", "ую", "ей", "уй", "ил", "ыл", "им", "ым", "ен", "ят", "ит", "ыт", "ал", "ял", "ел",
    "ут", "ют", "ет", "ем",
)  # fmt: skip
_RU_NOUN = (
    "иями", "иях", "иям", "ием", "ией", "ями", "ами", "ях", "ах", "ям", "ам", "ем", "ом", "ов", "ев", "ей", "ой", "ий",
    "ию", "ью", "ия", "ья", "ие", "ье", "ии", "еи", "а", "е", "и", "й", "о", "у", "ы", "ь", "ю", "я",
)  # fmt: skip


def stem(word: str) -> str:
    """Returns the stem of one lowercase word, diacritics already folded."""
    if len(word) < 3:
        return word
    if word.isascii():
        return _latin(word) if word.isalpha() else word
    if "\u0430" <= word[0] <= "\u0451":
        return _russian(word)
    return word


def _latin(word: str) -> str:
    known = _KNOWN.get(word)
    if known is not None:
        return known
    word = _derived(_inflected(word))
    if word.endswith("e"):
        many = _measure(word[:-1])
        if many > 1 or (many == 1 and not _short(word[:-1])):
            word = word[:-1]
    if word.endswith("ll") and _measure(word[:-1]) > 1:
        word = word[:-1]
    return word


def _inflected(word: str) -> str:
    """Returns a word without plural, past and continuous endings, a last y as i."""
    if word.endswith("sses") or (word.endswith("ies") and len(word) > 4):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    if word.endswith("eed"):
        word = word[:-1] if _measure(word[:-3]) else word
    else:
        for ending in ("ed", "ing"):
            if word.endswith(ending) and _voiced(word[: -len(ending)]):
                word = _mended(word[: -len(ending)])
                break
    if word.endswith("y") and len(word) > 2 and word[-2] not in _VOWELS:
        word = word[:-1] + "i"
    return word


def _mended(word: str) -> str:
    """Returns what is left of a word after ``ed`` or ``ing``, with the last letter that its base form has."""
    if word.endswith(("at", "bl", "iz")):
        return word + "e"
    if len(word) > 2 and word[-1] == word[-2] and word[-1] not in "lszaeiouy":
        return word[:-1]
    if _measure(word) == 1 and _short(word):
        return word + "e"
    return word


def _derived(word: str) -> str:
    """Returns a word without the endings that make nouns, adjectives and adverbs of verbs and of each other."""
    for table in (_STEP2, _STEP3):
        for ending, instead in table:
            if word.endswith(ending):
                if _measure(word[: -len(ending)]):
                    word = word[: -len(ending)] + instead
                break
    for ending in _STEP4:
        if word.endswith(ending):
            left = word[: -len(ending)]
            if _measure(left) > 1 and (ending != "ion" or left.endswith(("s", "t"))):
                word = left
            break
    return word


def _consonant(word: str, at: int) -> bool:
    letter = word[at]
    return letter not in _VOWELS or (letter == "y" and (at == 0 or not _consonant(word, at - 1)))


def _measure(word: str) -> int:
    """Returns how often a vowel is followed by a consonant."""
    many, vowel = 0, False
    for at, letter in enumerate(word):
        if letter in "aeiou" or (letter == "y" and at and not vowel):
            vowel = True
        elif vowel:
            many, vowel = many + 1, False
    return many


def _voiced(word: str) -> bool:
    return any(letter in "aeiou" or (letter == "y" and at) for at, letter in enumerate(word))


def _short(word: str) -> bool:
    """Tells whether a word ends in consonant, vowel, consonant, the last no w, x or y."""
    return (
        len(word) > 2
        and word[-1] not in "wxy"
        and _consonant(word, len(word) - 1)
        and not _consonant(word, len(word) - 2)
        and _consonant(word, len(word) - 3)
    )


def _russian(word: str) -> str:
    at = next((place for place, letter in enumerate(word) if letter in _RU_VOWELS), -1) + 1
    if not at:
        return word
    start, rest = word[:at], word[at:]
    cut = _cut(rest, _RU_GERUND)
    if cut == rest:
        for ending in ("ся", "сь"):
            rest = rest.removesuffix(ending)
        cut = _cut(rest, _RU_ADJECTIVE)
        if cut != rest:
            cut = _cut(cut, _RU_PARTICIPLE)
        else:
            cut = _cut(rest, _RU_VERB)
            cut = cut if cut != rest else _cut(rest, _RU_NOUN)
    cut = cut.removesuffix("и")
    cut = cut.removesuffix("ость").removesuffix("ост")
    if cut.endswith("нн"):
        return start + cut[:-1]
    return start + cut.removesuffix("ейше").removesuffix("ейш").removesuffix("ь")


def _cut(word: str, endings: tuple[str, ...]) -> str:
    """Returns a word without the longest of some endings."""
    best = max((ending for ending in endings if word.endswith(ending)), key=len, default="")
    return word[: len(word) - len(best)] if best else word

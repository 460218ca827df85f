"""Counts what a text costs a model, without a model's own table; and cuts a text where it is too long.

On the hot path of the prompt hook: the standard library alone, and little of it.
"""

from __future__ import annotations

_WIDE = "[\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]"
"""Chinese, Japanese and Korean: about a token a character."""
_LATIN = "[\u0080-\u024f]"
_PICTURES = "[\u2600-\u27bf\U0001f000-\U0001faff]"
_OTHER_LETTERS = "[\u0250-\u10ff\u1200-\u1fff]"
"""Greek, Cyrillic, Hebrew, Arabic, Devanagari and their like."""


def tokens_of(text: str) -> int:
    """Returns about how many tokens a text takes: rather too many than too few.

    A token is 3.6 characters of English or code, one and a half of accented Latin, two of Cyrillic or Arabic, one of
    Chinese; an emoji is two tokens. The count of two texts together is never more than the sum of their counts.
    """
    if text.isascii():
        return -(-len(text) * 10 // 36)
    import re  # noqa: PLC0415 - English alone, as most text is, needs none

    wide, pictures = len(re.findall(_WIDE, text)), len(re.findall(_PICTURES, text))
    latin, letters = len(re.findall(_LATIN, text)), len(re.findall(_OTHER_LETTERS, text))
    ascii_chars = len(text.encode("ascii", "ignore"))
    rest = len(text) - wide - pictures - latin - letters - ascii_chars
    tenths = ascii_chars * 10 / 3.6 + wide * 10 + pictures * 20 + latin * 6.7 + letters * 5 + rest * 10
    return int(-(-tenths // 10))


def middle_out(text: str, limit: int) -> str:
    """Returns at most about ``limit`` characters of a text: its beginning and its end, with a mark between."""
    if len(text) <= limit + 40:  # the mark is no shorter
        return text
    mark = f" [… {len(text) - limit:,} characters left out …] "
    head = limit * 2 // 3
    return text[:head].rstrip() + mark + text[len(text) - (limit - head) :].lstrip()

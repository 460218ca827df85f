"""Makes text visible: what a person reads at the gate can hide nothing from them.

The escaped view is for reading; digests and commits are over the true bytes (docs/threat-model.md).
"""

from __future__ import annotations

import re
import unicodedata

from engram.model.lookalike import lookalike_places

_HIDDEN = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))
_BLANK = "\u115f\u1160\u3164\uffa0\u2800\u180e"
"""Characters that print as nothing and are of no hidden category."""
_FORGED = re.compile(r"<(?=U\+)")
_MARKS = frozenset(("Mn", "Me"))
_MOST_MARKS = 3
"""Combining marks on one letter that real writing needs; more of them paint over the lines above and below."""


def visible(text: str, *, keep: str = "\n\t", exact: bool = False) -> str:
    """Returns the text with every control, bidi, zero-width and look-alike character escaped as ``<U+200B>``.

    Look-alikes are the letters that pass for another script's (:mod:`engram.model.lookalike`); plain text of any
    script stays as it is. ``keep`` lists control characters that stay. Emoji sequences lose their joiners to
    ``<U+200D>``: seeing that one is there beats a pretty picture.

    Text that was made visible stays the same when it is made visible again. With ``exact`` it doesn't: where the text
    itself says ``<U+``, that is escaped too, so that nobody can forge an escape, and two texts that differ are never
    shown alike. That is for text straight from its source, once: the view at the gate.
    """
    if text.isascii() and text.isprintable():
        return _FORGED.sub("<U+003C>", text) if exact and "<U+" in text else text
    posing = lookalike_places(text)
    shown: list[str] = []
    marks = _MOST_MARKS  # a mark with no letter before it would sit on what stands to the left of the text
    for place, char in enumerate(text):
        marks = marks + 1 if unicodedata.category(char) in _MARKS else 0
        forged = exact and char == "<" and text.startswith("U+", place + 1)
        if char not in keep and (_is_hidden(char) or place in posing or forged or marks > _MOST_MARKS):
            shown.append(escaped(char))
        else:
            shown.append(char)
        if char == "\n":
            marks = _MOST_MARKS
    return "".join(shown)


def visible_line(text: str, *, exact: bool = False) -> str:
    """Returns untrusted text as one line: line breaks and tabs are escaped too. ``exact``: see :func:`visible`."""
    return visible(text, keep="", exact=exact)


def escaped(char: str) -> str:
    """Returns a character by its number: ``<U+200B>``."""
    return f"<U+{ord(char):04X}>"


def hidden(text: str) -> tuple[str, ...]:
    """Returns the characters of a text that can't be seen, as ``U+200B``, once each in order of appearance.

    New lines, tabs and carriage returns before a new line are no secret; variation selectors behind an emoji neither.
    """
    if text.isascii() and text.isprintable():
        return ()
    found = dict.fromkeys(char for char in text.replace("\r\n", "\n") if char not in "\n\t" and _is_hidden(char))
    return tuple(f"U+{ord(char):04X}" for char in found)


def _is_hidden(char: str) -> bool:
    code = ord(char)
    return (
        unicodedata.category(char) in _HIDDEN
        or char in _BLANK
        or 0xFE00 <= code <= 0xFE0E
        or 0xE0100 <= code <= 0xE01EF
        or (unicodedata.category(char) == "Zs" and char != " ")
    )

"""Scalars: what one line of frontmatter says, and how a text is written so that every YAML reader gets it back.

Reading takes text as text: ``yes``, ``7`` and ``2026-01-31`` stay what was written. Only what can be told from one
line is read here; anything else is :data:`UNCLEAR` and goes to a YAML parser.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import Final

from engram.model.change import SetValue
from engram.store.layout import closing_at

NULLS: Final = frozenset({"", "~", "null", "Null", "NULL"})

ScalarOrList = str | None | tuple[str | None, ...]


class Unclear:
    """Is the answer that one line doesn't tell. Its only instance is ``UNCLEAR``."""


UNCLEAR: Final = Unclear()

_COMMENT = re.compile(r"[ \t]#")
_QUOTED = re.compile(r"""(?:"([^"\\]*)"|'((?:[^']|'')*)')[ \t]*(?:[ \t]#.*)?\Z""", re.DOTALL)
_SPECIAL_START = frozenset("[]{}&*!|>%@`,#\"'")
_FLOW = re.compile(r"\[([^\[\]{}\"'#&*!|>%@`:?\\]*)\][ \t]*(?:[ \t]#.*)?\Z", re.DOTALL)

_ENDS_WORD = re.compile(r":(?:[ \t]|\Z)|[ \t]#")
_UNPRINTABLE = re.compile("[^\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
_STARTS_PLAIN = re.compile(r"""[^\s\-?:,\[\]{}#&*!|>'"%@`]""")
_FLOW_MARK = re.compile(r"[,\[\]{}:?]")
_NUMBER = re.compile(
    r"[+\-]?(?:0b[01_]+|0o?[0-7_]+|0x[0-9a-f_]+|[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?"
    r"|(?:[0-9][0-9_]*(?:\.[0-9_]*)?|\.[0-9_]+)(?:e[+\-]?[0-9]+)?|\.inf)\Z|\.nan\Z",
    re.IGNORECASE,
)
_WORDS = frozenset(["y", "n", "yes", "no", "true", "false", "on", "off", "null", "~", "=", "<<"])
_DATELIKE = re.compile(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt \t].*)?\Z", re.DOTALL)
_DATE = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,6})?(?:Z|[+\-][0-9]{2}:[0-9]{2})?)?\Z"
)
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}
_ESCAPED = re.compile(f'["\\\\]|{_UNPRINTABLE.pattern}')


def read(value: str) -> ScalarOrList | Unclear:
    """Returns what a value that stands on one line says; UNCLEAR where that takes a YAML parser.

    A comment (`` #`` and what follows) is no part of it. An unquoted list of plain words is read too.
    """
    value = value.strip(" \t")
    first = value[:1]
    if first in _SPECIAL_START:
        return _read_special(value, first)
    if first in ("-", "?", ":") and (len(value) == 1 or value[1] in " \t"):
        return UNCLEAR
    if "#" in value:
        value = _without_comment(value)
    if ":" in value and _ENDS_WORD.search(value) is not None:
        return UNCLEAR
    return None if value in NULLS else value


def comment(value: str) -> str:
    """Returns the comment at the end of a one-line value, with the blanks before it; "" where there is none.

    A value of which no YAML reader makes sense has none: all of it is value.
    """
    bare = value.lstrip(" \t")
    if bare[:1] == "#":
        return value
    if bare[:1] in ('"', "'", "[", "{"):
        end = closing_at(bare)
        rest = bare[end:] if end >= 0 else ""
        return rest if rest[:1] in (" ", "\t") and rest.lstrip(" \t")[:1] == "#" else ""
    if "#" not in bare or read(value) is UNCLEAR:
        return ""
    return bare[len(_without_comment(bare)) :] if _COMMENT.search(bare) else ""


def written(value: SetValue, *, quote: str = "") -> str:
    """Returns a value as one line of YAML; a list as ``[a, b]``. Quotes stand only where they are needed.

    ``quote``: the quotes that a text keeps even so (the standing value's). Raises ValueError for a text that UTF-8
    can't hold (a lone surrogate).
    """
    if value is None:
        return "null"
    if isinstance(value, int):
        return str(int(value))
    if isinstance(value, str):
        return text(value, quote=quote)
    return "[" + ", ".join(text(item, flow=True) for item in value) + "]"


def text(value: str, *, flow: bool = False, quote: str = "") -> str:
    """Returns a text as a YAML scalar on one line that reads back as the same text, with YAML 1.1 and 1.2 alike.

    ``flow``: it stands in brackets. A valid date may stay bare, as notes have them.
    """
    if any("\ud800" <= char <= "\udfff" for char in value):
        raise ValueError(f"{value!r} holds half a character and can't be written as UTF-8")
    if not quote and _is_plain(value) and not (flow and _FLOW_MARK.search(value)):
        return value
    if _UNPRINTABLE.search(value) is None and "'" not in value and (quote == "'" or '"' in value or "\\" in value):
        return f"'{value}'"
    return '"' + _ESCAPED.sub(lambda match: _escape(match.group()), value) + '"'


def _is_plain(value: str) -> bool:
    return (
        _STARTS_PLAIN.match(value) is not None
        and not value[-1].isspace()
        and _UNPRINTABLE.search(value) is None
        and _ENDS_WORD.search(value) is None
        and _NUMBER.match(value) is None
        and value.lower() not in _WORDS
        and (_DATELIKE.match(value) is None or _is_date(value))
        and not value.startswith("...")
    )


def _is_date(value: str) -> bool:
    """Tells whether a text is a date that exists; another one would make strict readers refuse the whole note."""
    if _DATE.match(value) is None:
        return False
    try:
        datetime.fromisoformat(value)
    except ValueError:
        return False
    return True


def _escape(char: str) -> str:
    code = ord(char)
    return _ESCAPES.get(char) or (f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}")


def _read_special(value: str, first: str) -> ScalarOrList | Unclear:
    if not first or first == "#":
        return None
    if first in "\"'":
        match = _QUOTED.match(value)
        if match is None:
            return UNCLEAR
        return match[1] if match[1] is not None else match[2].replace("''", "'")
    if first == "[":
        match = _FLOW.match(value)
        if match is not None:
            return _items(match[1])
    return UNCLEAR


def _items(inside: str) -> tuple[str | None, ...] | Unclear:
    items = [item.strip(" \t") for item in inside.split(",")]
    if items[-1] == "":  # a comma may end the list
        items.pop()
    if any(not item or item[0] == "-" for item in items):
        return UNCLEAR
    return tuple(None if item in NULLS else item for item in items)


def _without_comment(value: str) -> str:
    found = _COMMENT.search(value)
    return value if found is None else value[: found.start()].rstrip(" \t")

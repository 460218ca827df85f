"""Lines: a text cut at ``\\n`` and nowhere else. U+2028, form feed and a lone carriage return are part of a line."""

from __future__ import annotations

import re

_LINE = re.compile(rb"[^\n]*\n|[^\n]+")


def lines_of(data: bytes) -> list[bytes]:
    """Returns the lines of a text, each with its end, the last one perhaps without; joined they are the text again."""
    return _LINE.findall(data)

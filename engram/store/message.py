"""A commit's message: what was said, and trailers that git reads back exactly. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable

from engram.model.visible import visible, visible_line

_KEY = re.compile(r"[A-Za-z][A-Za-z0-9-]*")
_DIVIDER = re.compile(r"^(?=---(?:\s|$)|. -{24} >8 -{24})", re.MULTILINE)
"""Lines that make git stop reading a message: a patch's divider, and the scissors of an editor's template."""


def message(subject: str, trailers: Iterable[tuple[str, str]]) -> str:
    """Returns the whole message: the text, an empty line, the trailers one a line.

    ``subject``: the first line and, after an empty line, what else there is to say. Nothing in it can pass for a
    trailer, end the message early or hide: characters that can't be seen are escaped, in values line ends too. A
    trailer without a value is left out. Raises ValueError for a key that git would not read.
    """
    first, *rest = visible(subject.replace("\r\n", "\n")).strip().split("\n")
    text = "\n".join([first.strip() or "Change memory", *(line.rstrip() for line in rest)])
    if rest and rest[0].strip():  # git takes the first paragraph whole as the subject
        text = text.replace("\n", "\n\n", 1)
    lines = [_line(key, value) for key, value in trailers if value.strip()]
    return _DIVIDER.sub(" ", text).strip("\n") + "\n\n" + "\n".join(lines) + "\n"


def _line(key: str, value: str) -> str:
    if not _KEY.fullmatch(key):
        raise ValueError(f"{key!r} can't be the key of a trailer")
    return f"{key}: {visible_line(value).strip()}"

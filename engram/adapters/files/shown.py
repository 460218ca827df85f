"""A change of a settings file, as a person reads it before saying yes: a unified diff with nothing hidden in it."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from engram.model.secrets import masked
from engram.model.visible import visible, visible_line


def diff(path: str, before: bytes | None, after: bytes | None) -> str:
    """Returns a unified diff; "" where nothing differs. Secrets that stand near a change are masked.

    A file that is not there before or after goes by ``/dev/null``. Line ends of CRLF count as line ends.
    """
    if before == after:
        return ""
    name = visible_line(path)
    lines = difflib.unified_diff(
        _lines(before), _lines(after), "/dev/null" if before is None else name, "/dev/null" if after is None else name
    )
    shown = list(_ended(lines))
    return "".join(shown) or f"--- {name}\n+++ {name}\n"


def _lines(data: bytes | None) -> list[str]:
    text = (data or b"").decode("utf-8", "backslashreplace").replace("\r\n", "\n")
    return [visible(line, keep="\n\t", exact=True) for line in masked(text).splitlines(keepends=True)]


def _ended(lines: Iterator[str]) -> Iterator[str]:
    for line in lines:
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"

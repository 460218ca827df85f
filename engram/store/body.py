"""The text below the frontmatter, and how a new one takes its place."""

from __future__ import annotations

from collections.abc import Sequence

from engram.model.change import Replace
from engram.store import layout
from engram.store.layout import BOM


def plain(body: str) -> str:
    """Returns a body as it is given: line ends as ``\\n``, no empty lines around it."""
    return body.replace("\r\n", "\n").strip("\n")


def with_body(text: str, body: str) -> str:
    """Returns a file's text with another body.

    The blank lines before it, the file's line ends and a missing final newline stay.
    """
    found = layout.layout_of(text)
    standing = text.removeprefix(BOM) if found is None else found.body
    head = text[: len(text) - len(standing)]
    bare = standing.lstrip("\r\n")
    lead = standing[: len(standing) - len(bare)]
    newline = found.newline if found is not None else line_end(standing)
    if found is not None and not found.closing.endswith("\n"):
        head += newline  # the closing fence was the file's last line, without an end
    if found is not None and not bare:
        lead = lead or newline
    final = newline if not bare or standing.endswith("\n") else ""
    return head + lead + plain(body).replace("\n", newline) + final


def replaced(body: str, edits: Sequence[Replace]) -> str:
    """Returns a body with its edits made, one after the other. Line ends within an edit count as the body's own.

    Raises ValueError where a ``find`` doesn't stand in the body exactly once.
    """
    for change in edits:
        find = change.find if change.find in body else _in_line_ends(change.find, body)
        times = _times(find, body)
        if times != 1:
            often = {0: "not there", 2: "there twice"}.get(times, f"there {times} times")
            raise ValueError(f"{_short(change.find)} is {often}; it has to stand in the body exactly once")
        body = body.replace(find, _in_line_ends(change.replace, body))
    return body


def line_end(text: str) -> str:
    """Returns the line end that a text's first line has; ``\\n`` where it has none."""
    return "\r\n" if "\r\n" in text and text.partition("\n")[0].endswith("\r") else "\n"


def _in_line_ends(text: str, body: str) -> str:
    plain = text.replace("\r\n", "\n")
    return plain.replace("\n", "\r\n") if "\r\n" in body else plain


def _times(find: str, body: str) -> int:
    """Returns how often a text stands in another, overlapping ones counted; never for the empty text."""
    times = 0
    at = body.find(find) if find else -1
    while at >= 0:
        times += 1
        at = body.find(find, at + 1)
    return times


def _short(text: str) -> str:
    return repr(text if len(text) <= 60 else f"{text[:57]}...")

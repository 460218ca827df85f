"""Lines of engram's in a text of somebody else's, between two marks: put at the end, taken out by the marks."""

from __future__ import annotations

from typing import NamedTuple


class Marks(NamedTuple):
    """Is what engram's lines begin and end with, in the comments of one format."""

    begin: str
    end: str


MARKDOWN = Marks("<!-- engram:begin -->", "<!-- engram:end -->")


class BadlyMarked(ValueError):
    """The marks don't come as one pair."""


def block_of(inner: str, marks: Marks) -> str:
    """Returns lines between their marks, with a line end."""
    return f"{marks.begin}\n{inner.strip(chr(10))}\n{marks.end}\n"


def found(text: str, marks: Marks) -> tuple[int, int] | None:
    """Returns where the marked lines stand, their last line end included; None where there are none.

    Raises BadlyMarked.
    """
    lines = text.splitlines(keepends=True)
    begins = [place for place, line in enumerate(lines) if line.strip() == marks.begin]
    ends = [place for place, line in enumerate(lines) if line.strip() == marks.end]
    if not begins and not ends:
        return None
    if len(begins) != 1 or len(ends) != 1 or begins[0] > ends[0]:
        raise BadlyMarked(f"its marks `{marks.begin}` and `{marks.end}` are no pair")
    return len("".join(lines[: begins[0]])), len("".join(lines[: ends[0] + 1]))


def with_block(text: str, block: str) -> tuple[str, str]:
    """Returns the text with a block at its end, and the line ends that were put before it."""
    newline = "\r\n" if "\r\n" in text else "\n"
    lead = "" if not text else newline if text.endswith("\n") else newline * 2
    return text + lead + block.replace("\n", newline), lead


def without_block(text: str, marks: Marks, lead: str) -> str:
    """Returns the text without its marked lines and the line ends that had been put before them."""
    place = found(text, marks)
    if place is None:
        return text
    return cut(text, place, lead)


def cut(text: str, place: tuple[int, int], lead: str) -> str:
    """Returns the text without what was put at its end, and the line ends before; more may stand behind it now."""
    before, after = text[: place[0]], text[place[1] :]
    newline = "\r\n" if lead.startswith("\r") else "\n"
    if lead and before.endswith(newline * 2):
        whole = len(lead) > len(newline) and not after  # the last line had no end of its own, and needs none now
        before = before[: -len(newline) * (2 if whole else 1)]
    return before + after

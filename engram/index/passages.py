"""What of a note is searched: its head, the whole of it, and passages of a few sentences."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from engram.model.note import Note

SENTENCES = 3
"""Sentences in a passage: one is too little to hold the words of a question, a page is too much to be about it."""

SHORT = 12
"""Characters; a line below that (a heading, a list's label) goes with the next sentence."""

MOST_PASSAGES = 64
MOST_CHARACTERS = 400_000
LONGEST_SENTENCE = 400
"""Bounds for notes of hundreds of kB: beyond 64 passages they grow longer instead of more."""

_END = re.compile(r"(?<=[.!?…])[\"'”’)\]]*\s+|(?<=[。！？])|\n+")
_LINK = r"!?\[([^\[\]]*)\]\(([^()\s]*)[^()]*\)|\[\[([^\[\]|\n]+)(?:\|([^\[\]\n]+))?\]\]"
_RULE = r"(?m)^[\s\-=_*|:]+$"
_MARKUP = r"(?m)^[\s>#*+\-|]+|^\d+[.)]\s+"
"""Compiled when a text needs them: most prompts are one plain line, and the hook pays for each pattern."""


class Parts(NamedTuple):
    """Is a note's text, cut for the index."""

    head: str
    """Name, description (the first sentence where there is none) and tags: what the note says it is about."""
    whole: str
    """Head and body."""
    passages: tuple[str, ...]
    """The body in runs of :data:`SENTENCES` sentences that overlap by one; empty where it is one passage or less."""
    sentences: tuple[str, ...]
    """The first sentences of the body, for the note's vector."""


def parts_of(note: Note) -> Parts:
    """Returns what of a note is searched."""
    body = note.body[:MOST_CHARACTERS].strip()
    pieces = sentences_of(body)
    stem = "" if note.stem.casefold() == note.name.casefold() else note.stem
    says = note.description or (pieces[0] if pieces else "")
    head = "\n".join(part for part in (spoken(note.name), spoken(stem), says, " ".join(note.tags)) if part)
    passages = _passages(pieces)
    return Parts(head, f"{head}\n{body}", passages, tuple(pieces[:MOST_PASSAGES]))


def spoken(name: str) -> str:
    """Returns a note's name as words: hyphens and underscores as spaces."""
    return name.replace("-", " ").replace("_", " ")


def sentences_of(text: str) -> list[str]:
    """Returns the sentences, list items and lines of a markdown text, without its markup."""
    if "[" in text:
        text = re.sub(_LINK, _label, text)
    if "\n" in text or not text[:1].isalpha():
        text = re.sub(_MARKUP, "", re.sub(_RULE, "", text))
    found: list[str] = []
    waiting = ""
    for piece in _END.split(text):
        line = piece.strip()
        if not line:
            continue
        line = f"{waiting} {line}" if waiting else line
        waiting = line if len(line) < SHORT else ""
        if not waiting:
            found.extend(line[at : at + LONGEST_SENTENCE] for at in range(0, len(line), LONGEST_SENTENCE))
    if waiting:
        found.append(waiting)
    return found


def _label(match: re.Match[str]) -> str:
    return " ".join(part for part in match.groups() if part)


def _passages(sentences: list[str]) -> tuple[str, ...]:
    if len(sentences) <= SENTENCES:
        return ()
    step = SENTENCES - 1
    size = SENTENCES
    while len(sentences) > step * MOST_PASSAGES:
        step, size = step * 2, step * 2 + 1
    return tuple(" ".join(sentences[at : at + size]) for at in range(0, max(1, len(sentences) - 1), step))

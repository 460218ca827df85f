"""Files that can't be read as notes, or not as they were meant: what reading found, and what is mended by quoting."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from engram.doctor.facts import Facts
from engram.doctor.finding import Finding, Level
from engram.errors import FrontmatterBroken
from engram.model.act import Act
from engram.model.finding import Finding as Odd
from engram.model.lines import lines_of
from engram.store.frontmatter import edit, parse

_LEVELS: dict[str, Level] = {"unreadable": "error", "warning": "warn", "info": "info"}
_KEY = re.compile(rb"\s*([A-Za-z_][\w-]*)[ \t]*:")
_CURLY = "\u2018\u2019\u201c\u201d"

NEXT = {
    "unreadable-file": "give yourself the right to read it",
    "unreadable-folder": "give yourself the right to read it",
    "name-not-utf8": "give the file a name in UTF-8",
    "symlink": "put the note itself here, in place of the link",
    "no-regular-file": "put a file in its place",
    "too-large": "a note says one fact: keep the rest elsewhere",
    "not-utf8": "save it as UTF-8",
    "not-text": "save it as text",
    "frontmatter-unclosed": "put a line `---` behind the fields",
    "conflict-markers": "finish the merge: keep what holds and take the markers out",
    "yaml-invalid": "put the value in quotes",
    "duplicate-key": "take the lines out that do not hold",
    "stray-line": "take the line out, or indent it below its field",
    "curly-quotes": "use straight quotes",
    "comment-in-value": "put the text in quotes to keep it",
    "nested-toc": "rename it, if it is a note",
    "case-collision": "rename all but one",
}
"""Codes of `engram.store.read` and `engram.store.frontmatter`, each with what to do."""


def told(code: str) -> Callable[[Facts], Iterator[Finding]]:
    """Returns the check that passes on what reading found under a code."""

    def check(facts: Facts) -> Iterator[Finding]:
        for odd in facts.snapshot.findings:
            if odd.code == code:
                level: Level = "error" if code == "conflict-markers" else _LEVELS[odd.level]
                acts = _mended(facts, odd) if code in _MENDERS else ()
                yield Finding(code, level, odd.message, odd.path, line=odd.line, next=NEXT[code], acts=acts)

    return check


def bare(facts: Facts) -> Iterator[Finding]:
    """Yields notes without frontmatter: legal, and known by their file's name alone."""
    paths = [note.path for note in facts.active if not note.has_frontmatter]
    if paths:
        words = "no frontmatter: recall knows it by its file's name and its text alone"
        yield Finding("frontmatter-missing", "info", words, paths[0], tuple(paths[1:]), next="give it a description")


def _mended(facts: Facts, odd: Odd) -> tuple[Act, ...]:
    """Returns the act that writes a field's text as it is read, in quotes; nothing where that would not mend it."""
    note, data = facts.snapshot.by_path.get(odd.path), facts.snapshot.work.get(odd.path, b"")
    lines = lines_of(data)
    match = _KEY.match(lines[odd.line - 1]) if 0 < odd.line <= len(lines) else None
    key = match[1].decode("ascii") if match is not None else ""
    value = note.fields.get(key) if note is not None else None
    if note is None or note.protected or not isinstance(value, str):
        return ()
    new = _MENDERS[odd.code](value)
    try:
        after = data if new == value and odd.code != "yaml-invalid" else _rewritten(data, key, new)
    except (FrontmatterBroken, ValueError):
        return ()
    left = [one for one in parse(after, odd.path)[1] if (one.code, one.line) == (odd.code, odd.line)]
    if after == data or left:
        return ()
    return (Act("REPAIR", odd.path, note.base, set={key: new}, stamps=False, reason=f"quotes `{key}`"),)


def _rewritten(data: bytes, key: str, value: str) -> bytes:
    return edit(data, {key: value})


_MENDERS: dict[str, Callable[[str], str]] = {
    "yaml-invalid": lambda text: text,
    "curly-quotes": lambda text: text.strip(_CURLY),
}

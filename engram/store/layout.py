"""Where a note's frontmatter stands: fences, entries and the lines of each. Text in, positions out.

Lines end at ``\\n`` alone (a ``\\r`` before it belongs to the line's end): U+2028, U+0085, form feed and a lone
carriage return are text. Nothing here reads a value, and nothing that is cut here loses a character.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

BOM = "\ufeff"

_OPEN = re.compile(r"---[ \t]*\r?\n")
_CLOSE = re.compile(r"^(?:---[ \t]*\r?(?:\n|\Z)|\.\.\.[ \t]*\r?(?:\n---[ \t]*\r?(?:\n|\Z)|\n|\Z))", re.MULTILINE)
_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_KEY = re.compile(
    r"""(?: "((?:[^"\\\n]|\\[^\n])*)" [ \t]* : | '((?:[^'\n]|'')*)' [ \t]* :
      | ([^\s\-?:,\[\]{}\#&*!|>'"%@`][^\n:]*(?::(?![ \t\r\n]|\Z)[^\n:]*)*) : )(?=[ \t\r\n]|\Z)""",
    re.VERBOSE,
)
_WORD = re.compile(r"[\w.\-]+\Z")
_BLOCK_SCALAR = re.compile(r"[|>](?:[+\-]?[1-9]?|[1-9][+\-])[ \t]*(?:[ \t]#.*)?\Z", re.DOTALL)
_ANNOUNCES = re.compile(r"[:\-][ \t]+[|>][+\-1-9]{0,2}[ \t]*(?:#.*)?\Z")
_NO_VALUE = re.compile(r"(?:[&!][^\s,\[\]{}]*(?:[ \t]+|\Z))*(?:#.*)?\Z", re.DOTALL)
_ITEM = re.compile(r"-(?:[ \t]|\Z)")
_DELIMITER = re.compile(r"""["'\[\]{}]""")
_QUOTED = re.compile(r""""(?:[^"\\]|\\.)*"|'(?:[^']|'')*'""", re.DOTALL)


class Unclosed(Exception):
    """The text begins with a fence and fields, and no second fence ends them."""


@dataclass(frozen=True, slots=True)
class Entry:
    """Is one key with its lines: ``lines[start:end]`` of the frontmatter it stands in."""

    key: str
    start: int
    end: int
    colon: int
    """The column behind the key's colon, in the line at ``start``."""
    prefix: str = ""
    """The white space before the key: "" at the top, the indentation below ``metadata:``."""


@dataclass(frozen=True)
class Layout:
    """Is a text cut into what stands before, in and behind its frontmatter; joined again it is the same text."""

    opening: str
    """The byte order mark, where there is one, and the opening fence with its line end."""
    lines: tuple[str, ...]
    """The lines between the fences, each with its end."""
    closing: str
    """The closing fence with its line end: ``---``, or YAML's ``...``, or both in a row."""
    body: str

    @cached_property
    def _cut(self) -> tuple[tuple[Entry, ...], tuple[int, ...]]:
        return cut(self.lines)

    @property
    def entries(self) -> tuple[Entry, ...]:
        return self._cut[0]

    @property
    def strays(self) -> tuple[int, ...]:
        """Indexes of lines that belong to no entry and are neither blank nor a comment."""
        return self._cut[1]

    @property
    def newline(self) -> str:
        """The line end that a new line of the frontmatter gets: that of the line before the closing fence."""
        last = self.lines[-1] if self.lines else self.opening
        return "\r\n" if last.endswith("\r\n") else "\n"

    def entry(self, key: str) -> Entry | None:
        """Returns the entry of a key; the last one where it stands twice, since that one counts for YAML readers."""
        return next((entry for entry in reversed(self.entries) if entry.key == key), None)

    def with_lines(self, start: int, end: int, new: tuple[str, ...]) -> str:
        """Returns the text with ``lines[start:end]`` replaced."""
        return self.opening + "".join(self.lines[:start] + new + self.lines[end:]) + self.closing + self.body


def layout_of(text: str) -> Layout | None:
    """Returns where the frontmatter stands; None where the text has none (a leading ``---`` may be a mere rule).

    Between the fences stands at least one line ``word: …``, or nothing but blanks and comments.
    Raises Unclosed where fields follow a fence and no other fence follows them.
    """
    mark = len(BOM) if text.startswith(BOM) else 0
    opened = _OPEN.match(text, mark)
    if opened is None:
        return None
    closed = _CLOSE.search(text, opened.end())
    if closed is None:
        if _begins_with_field(_LINE.findall(text, opened.end())):
            raise Unclosed
        return None
    lines = tuple(_LINE.findall(text, opened.end(), closed.start()))
    if not _holds_fields(lines):
        return None
    return Layout(text[: opened.end()], lines, closed.group(), text[closed.end() :])


def cut(lines: tuple[str, ...], prefix: str = "", offset: int = 0) -> tuple[tuple[Entry, ...], tuple[int, ...]]:
    """Returns the entries of a run of lines, and the indexes of lines that belong to none.

    ``prefix`` is the indentation that all entries share; ``offset`` is added to every index.
    """
    plain = [line.removeprefix(prefix) for line in lines] if prefix else list(lines)
    entries: list[Entry] = []
    strays: list[int] = []
    at = 0
    while at < len(plain):
        match = _KEY.match(plain[at])
        if match is not None:
            end = _end(plain, at, match.end())
            entries.append(Entry(_key(match), offset + at, offset + end, len(prefix) + match.end(), prefix))
            at = end
            continue
        if not is_idle(plain[at]):
            strays.append(offset + at)
        at += 1
    return tuple(entries), tuple(strays)


def children(lines: tuple[str, ...], entry: Entry) -> tuple[tuple[Entry, ...], tuple[int, ...]] | None:
    """Returns the entries below a key whose value is a block mapping, like :func:`cut`; None for any other value."""
    if not has_no_value(content(lines[entry.start])[entry.colon :]):
        return None
    below = lines[entry.start + 1 : entry.end]
    first = next((line for line in below if not is_idle(line)), "")
    prefix = first[: len(first) - len(first.lstrip(" \t"))]
    if not prefix or _KEY.match(first, len(prefix)) is None:
        return None
    return cut(below, prefix, entry.start + 1)


def content(line: str) -> str:
    """Returns a line without its end."""
    return line.removesuffix("\n").removesuffix("\r") if line.endswith("\n") else line


def is_idle(line: str) -> bool:
    """Tells whether a line is blank or a comment."""
    bare = line.strip(" \t\r\n")
    return not bare or bare[0] == "#"


def has_no_value(rest: str) -> bool:
    """Tells whether nothing but an anchor, a tag or a comment stands behind a key's colon."""
    return _NO_VALUE.match(rest.strip(" \t")) is not None


def is_block_scalar(value: str) -> bool:
    """Tells whether a value's first line announces a block scalar (``|``, ``>-``, …)."""
    return value[:1] in ("|", ">") and _BLOCK_SCALAR.match(value) is not None


def is_item(line: str) -> bool:
    """Tells whether a line, indentation taken off, is an item of a block list."""
    return line.startswith("-") and _ITEM.match(content(line)) is not None


def closing_at(text: str) -> int:
    """Returns the index behind the quote or bracket that ends the value ``text`` begins with; -1 where it is open."""
    depth = 0
    at = 0
    while (found := _DELIMITER.search(text, at)) is not None:
        at = found.end()
        char = found.group()
        if char in "\"'":
            if depth and text[found.start() - 1] not in "[{,: \t\n":
                continue  # an apostrophe within a plain word
            quoted = _QUOTED.match(text, found.start())
            if quoted is None:
                return -1
            at = quoted.end()
        else:
            depth += 1 if char in "[{" else -1
        if depth <= 0:
            return at
    return -1


def _key(match: re.Match[str]) -> str:
    double, single, plain = match.groups()
    if single is not None:
        return single.replace("''", "'")
    return double if double is not None else plain.rstrip(" \t")


def _end(lines: list[str], at: int, colon: int) -> int:
    """Returns the index behind the last line of the entry that begins at ``at``."""
    value = content(lines[at])[colon:].strip(" \t")
    if is_block_scalar(value):
        return _block_scalar_end(lines, at, keep="+" in value.split("#")[0])
    if value[:1] in ("[", "{", '"', "'"):
        end = _closed_end(lines, at, colon)
        if end:
            return end
    return _indented_end(lines, at, listing=has_no_value(value))


def _block_scalar_end(lines: list[str], at: int, *, keep: bool) -> int:
    end = after = at + 1
    while after < len(lines) and (lines[after][:1] in (" ", "\t") or not lines[after].strip()):
        after += 1
        if lines[after - 1].strip():
            end = after
    return after if keep else end


def _closed_end(lines: list[str], at: int, colon: int) -> int:
    """Returns where a quoted or bracketed value ends; 0 where it doesn't, or where something follows it.

    It never reaches over a line that is a key at the entry's own column: one forgotten quote must not swallow the
    fields behind it.
    """
    text = lines[at][colon:].lstrip(" \t")
    behind = closing_at(text)
    if behind < 0:
        after = at + 1
        while after < len(lines) and _KEY.match(lines[after]) is None:
            after += 1
        text = "".join([text, *lines[at + 1 : after]])
        behind = closing_at(text)
        if behind < 0:
            return 0
    rest = content(text[behind:].split("\n", 1)[0] + "\n")
    if rest.strip(" \t") and not (rest[0] in " \t" and rest.lstrip(" \t")[0] == "#"):
        return 0
    return at + 1 + text.count("\n", 0, behind)


def _indented_end(lines: list[str], at: int, *, listing: bool) -> int:
    """Returns where the deeper lines end; with ``listing``, ``- `` at the key's own column counts as deeper."""
    end = at + 1
    block = -1  # the indentation of a line that announces a block scalar, in which a `#` is text
    for after in range(at + 1, len(lines)):
        line = lines[after]
        indent = len(line) - len(line.lstrip(" \t"))
        if block >= 0 and line.strip():
            if indent > block:
                end = after + 1
                continue
            block = -1
        if is_idle(line):
            continue
        if not indent and not (listing and is_item(line)):
            break
        if _ANNOUNCES.search(content(line)[-80:]) is not None:
            block = indent
        end = after + 1
    return end


def _begins_with_field(lines: list[str]) -> bool:
    first = next((line for line in lines if not is_idle(line)), "")
    return _is_field(first)


def _holds_fields(lines: tuple[str, ...]) -> bool:
    return any(_is_field(line) for line in lines) or all(is_idle(line) for line in lines)


def _is_field(line: str) -> bool:
    """Tells whether a line is ``word: …``; prose before a colon is no key that would make a rule into a fence."""
    match = _KEY.match(line)
    return match is not None and (match[3] is None or _WORD.match(match[3].rstrip(" \t")) is not None)

"""Fields: what the entries of one frontmatter say. One bad entry never loses the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engram.model.finding import Finding
from engram.model.note import FieldValue
from engram.store import layout, scalars, yaml_text
from engram.store.layout import Entry, Layout

_CURLY = "\u2018\u2019\u201c\u201d"


def fields_of(found: Layout, path: str) -> tuple[dict[str, FieldValue], tuple[Finding, ...]]:
    """Returns the fields at the top, then those below ``metadata:`` that don't stand at the top; and what is odd.

    Findings: ``yaml-invalid``, ``duplicate-key``, ``stray-line``, ``curly-quotes``, ``comment-in-value``.
    """
    reader = _Reader(found, path)
    fields = reader.read(found.entries, found.strays)
    nested = fields.get("metadata")
    if isinstance(nested, Mapping):
        for key, value in nested.items():
            fields.setdefault(key, value)
    return fields, tuple(reader.findings)


class _Reader:
    """Reads one frontmatter; what is odd about it goes to ``findings``."""

    def __init__(self, found: Layout, path: str) -> None:
        self.found = found
        self.path = path
        self.findings: list[Finding] = []

    def read(self, entries: Sequence[Entry], strays: Sequence[int]) -> dict[str, FieldValue]:
        fields: dict[str, FieldValue] = {}
        twice: dict[str, int] = {}
        for entry in entries:
            if entry.key in fields:
                twice.setdefault(entry.key, entry.start)
            fields[entry.key] = self._value(entry)
        for key, index in twice.items():
            self._say("duplicate-key", f"`{key}` stands more than once; the last one counts", index)
        if strays:
            many = "this line" if len(strays) == 1 else f"this and {len(strays) - 1} more lines"
            self._say(
                "stray-line", f"{many} of the frontmatter belong{'s' * (len(strays) == 1)} to no field", strays[0]
            )
        return fields

    def _value(self, entry: Entry) -> FieldValue:
        lines = self.found.lines
        first = layout.content(lines[entry.start])[entry.colon :]
        if entry.end == entry.start + 1:
            said = scalars.read(first)
            if not isinstance(said, scalars.Unclear):
                self._look_at(entry, said, first)
                return said
        elif entry.key == "metadata" and not entry.prefix:
            below = layout.children(lines, entry)
            if below is not None:
                return self.read(*below)
        elif layout.has_no_value(first):
            items = _plain_items(lines[entry.start + 1 : entry.end])
            if items is not None:
                return items
        return self._by_parser(entry, first)

    def _by_parser(self, entry: Entry, first: str) -> FieldValue:
        lines = [line.removeprefix(entry.prefix) for line in self.found.lines[entry.start : entry.end]]
        for attempt in (lines, [_without_tabs(line) for line in lines]):
            try:
                key, value = yaml_text.entry_of("".join(attempt))
            except ValueError:
                continue
            if key == entry.key:
                if attempt != lines:
                    self._say("yaml-invalid", f"`{entry.key}` is indented by tabs", entry.start)
                return value
        self._say(
            "yaml-invalid", f"`{entry.key}` is no valid YAML; it is read as the text that stands there", entry.start
        )
        parts = (first, *(layout.content(line) for line in lines[1:]))
        return " ".join(part for part in (part.strip(" \t\r") for part in parts) if part)

    def _look_at(self, entry: Entry, said: FieldValue, first: str) -> None:
        """Reports what reads well and yet was hardly meant."""
        if isinstance(said, str) and said and said[0] in _CURLY and said[-1] in _CURLY:
            self._say("curly-quotes", f"the quotes around `{entry.key}` are part of its text", entry.start)
        elif entry.key in {"description", "name"} and "#" in first and scalars.comment(first):
            words = f"what follows ` #` in `{entry.key}` is a comment; put the text in quotes to keep it"
            self._say("comment-in-value", words, entry.start)

    def _say(self, code: str, words: str, index: int) -> None:
        self.findings.append(Finding(code, self.path, words, line=index + 2))


def _plain_items(lines: Sequence[str]) -> tuple[FieldValue, ...] | None:
    """Returns the items of a block list of one-line texts; None where a parser has to read it."""
    items: list[FieldValue] = []
    indents: set[int] = set()
    for line in lines:
        if layout.is_idle(line):
            continue
        bare = line.lstrip(" ")
        said = scalars.read(layout.content(bare)[1:]) if layout.is_item(bare) else scalars.UNCLEAR
        if isinstance(said, scalars.Unclear):
            return None
        items.append(said)
        indents.add(len(line) - len(bare))
    return tuple(items) if len(indents) == 1 else None


def _without_tabs(line: str) -> str:
    bare = line.lstrip(" \t")
    return line[: len(line) - len(bare)].replace("\t", "  ") + bare

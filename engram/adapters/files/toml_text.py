"""A TOML file with one table of engram's at its end; comments and all else stay as they are.

The table is known by its command and not by marks: Codex, where it rewrites its settings, moves comments about.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, MutableMapping
from typing import Any

import tomlkit
from tomlkit.exceptions import TOMLKitError

from engram.adapters.files import marked
from engram.adapters.files.ours import is_ours


class NotToml(ValueError):
    """The text is no TOML."""


class ForeignTable(ValueError):
    """A table stands where engram's would, or leaves no place for one. ``place``: its dotted name."""

    def __init__(self, words: str, place: str) -> None:
        super().__init__(words)
        self.place = place


def holds(text: str, keys: tuple[str, ...], value: Mapping[str, object]) -> bool:
    """Tells whether the table stands in the text as it should; more may stand in it. Raises NotToml, ForeignTable."""
    standing = _at(_parsed(text), keys)
    if standing is not None and not is_ours(standing):
        place = ".".join(keys)
        raise ForeignTable(f"[{place}] is there already, and isn't what `engram adapt` writes", place)
    return standing is not None and {key: each for key, each in standing.items() if key in value} == value


def standing_at(text: str, keys: tuple[str, ...]) -> Mapping[str, object]:
    """Returns engram's table as it stands there; {} for none. Raises NotToml."""
    standing = _at(_parsed(text), keys)
    return standing if is_ours(standing) else {}


def with_table(text: str, keys: tuple[str, ...], value: Mapping[str, object]) -> tuple[str, str]:
    """Returns the text with the table at its end, and the line ends before it. Raises NotToml, ForeignTable."""
    before = _parsed(text)
    changed, lead = marked.with_block(text, _rendered(keys, value))
    try:
        after = tomllib.loads(changed)
    except tomllib.TOMLDecodeError:
        after = {}
    if _at(after, keys) != value or _without(after, keys) != _without(before, keys):
        raise ForeignTable(f"{keys[0]} is written in a way that takes no further table", keys[0])
    return changed, lead


def without_table(text: str, keys: tuple[str, ...], lead: str) -> str:
    """Returns the text without the table, where it is engram's. Raises NotToml."""
    before = _parsed(text)
    standing = _at(before, keys)
    if standing is None or not is_ours(standing):
        return text
    rest = _without(before, keys)
    written = _rendered(keys, standing)
    for block in (written, written.replace("\n", "\r\n")):
        start = text.find(block)
        if start >= 0:
            left = marked.cut(text, (start, start + len(block)), lead)
            if _reads(left) == rest:
                return left
    left = _taken_out(text, keys)
    if _reads(left) != rest:
        raise NotToml("engram's table can't be taken out of it without touching others")
    return left


def _taken_out(text: str, keys: tuple[str, ...]) -> str:
    """Returns the text without the table, however it is written."""
    try:
        document = tomlkit.parse(text)
        holder: Any = document
        for key in keys[:-1]:
            holder = holder[key]
        if isinstance(holder, MutableMapping):
            del holder[keys[-1]]
        return tomlkit.dumps(document)
    except (TOMLKitError, KeyError) as error:
        raise NotToml(f"engram's table can't be taken out of it: {error}") from None


def _rendered(keys: tuple[str, ...], value: Mapping[str, object]) -> str:
    table = tomlkit.table()
    for name, each in value.items():
        table.add(name, each)
    for key in reversed(keys):
        outer = tomlkit.table(is_super_table=True)
        outer.add(key, table)
        table = outer
    document = tomlkit.document()
    for name, each in table.items():
        document.add(name, each)
    return tomlkit.dumps(document)


def _parsed(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise NotToml(f"it can't be read as TOML: {error}") from None


def _reads(text: str) -> Mapping[str, object] | None:
    """Returns what a text says without empty tables; None where it is no TOML."""
    try:
        return _without(tomllib.loads(text), ())
    except tomllib.TOMLDecodeError:
        return None


def _at(document: Mapping[str, Any], keys: tuple[str, ...]) -> Any:
    node: Any = document
    for key in keys:
        node = node.get(key) if isinstance(node, Mapping) else None
    return node


def _without(document: Mapping[str, Any], keys: tuple[str, ...]) -> dict[str, Any]:
    """Returns the document without one table, nor the tables around it that hold nothing else."""
    if not keys:
        return {key: value for key, value in document.items() if value != {}}
    kept = dict(document)
    inner = kept.get(keys[0])
    if isinstance(inner, Mapping):
        kept[keys[0]] = (
            {key: value for key, value in inner.items() if key not in keys[1:2]} if len(keys) == 2 else inner
        )
    return {key: value for key, value in kept.items() if value != {}}

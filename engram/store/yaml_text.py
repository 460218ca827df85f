"""YAML as text: what a parser makes of one entry, with every scalar left as it was written.

The only room that knows PyYAML. It takes events alone: no value is retyped, no tag acted on, no alias followed (an
alias reads as ``*name``), and no nesting grows the stack.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from engram.model.note import FieldValue
from engram.store.scalars import NULLS

DEEPEST = 20
"""Levels of nesting within one entry that are read; a deeper one is refused."""

_NOT_FOR_YAML = re.compile(
    "\r(?!\n)|[^\t\n\r\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)
_BELOW = 4
"""Within stream, document, the mapping of the one key, and the mapping that is its value."""
_PRIVATE = range(0xE000, 0xF900)


def entry_of(text: str) -> tuple[str, FieldValue]:
    """Returns the key and the value of a text that is a mapping of one key. Raises ValueError for anything else."""
    plain, stood_for = _stand_ins(text)
    root = _built(plain)
    if not isinstance(root, Mapping) or len(root) != 1:
        raise ValueError("not a mapping of one key")
    key, value = next(iter(root.items()))
    return (key, value) if not stood_for else (key.translate(stood_for), _translated(value, stood_for))


def spans(text: str) -> dict[str, tuple[int, int]]:
    """Returns where the values of the mapping below a text's one key begin and end, by their keys.

    Empty where the text can't be read.
    """
    found: dict[str, tuple[int, int]] = {}
    depth = 0
    start = 0
    key: str | None = None
    try:
        for event in _events(_stand_ins(text)[0]):
            kind = type(event).__name__
            depth -= kind.endswith("EndEvent")
            if depth == _BELOW:  # an event of a key, or the first or last of a value
                if not kind.endswith("EndEvent"):
                    start = event.start_mark.index
                if not kind.endswith("StartEvent"):
                    if key is None:
                        key = str(getattr(event, "value", ""))
                    else:
                        found[key] = (start, event.end_mark.index)
                        key = None
            depth += kind.endswith("StartEvent")
    except ValueError:
        return {}
    return found


def _events(text: str) -> Iterator[Any]:
    import yaml  # noqa: PLC0415  (most notes never need it)

    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    try:
        yield from yaml.parse(text, Loader=loader)
    except yaml.YAMLError as error:
        raise ValueError(str(error)) from error


def _built(text: str) -> FieldValue:
    """Returns the value of the only document in a text. Raises ValueError where there is none, or several."""
    open_nodes: list[list[FieldValue]] = [[]]
    for event in _events(text):
        kind = type(event).__name__
        if kind in ("SequenceStartEvent", "MappingStartEvent"):
            open_nodes.append([])
            if len(open_nodes) > DEEPEST:
                raise ValueError(f"more than {DEEPEST} levels deep")
        elif kind in ("SequenceEndEvent", "MappingEndEvent"):
            items = open_nodes.pop()
            open_nodes[-1].append(tuple(items) if kind == "SequenceEndEvent" else _mapping(items))
        elif kind == "AliasEvent":
            open_nodes[-1].append(f"*{event.anchor}")
        elif kind == "ScalarEvent":
            is_null = event.implicit[0] and not event.tag and event.value in NULLS
            open_nodes[-1].append(None if is_null else event.value)
    if len(open_nodes[0]) != 1:
        raise ValueError("not one document")
    return open_nodes[0][0]


def _mapping(items: list[FieldValue]) -> dict[str, FieldValue]:
    pairs: dict[str, FieldValue] = {}
    for key, value in zip(items[::2], items[1::2], strict=True):
        if not (isinstance(key, str) or key is None):
            raise ValueError("a key that is no text")
        pairs["null" if key is None else key] = value
    return pairs


def _stand_ins(text: str) -> tuple[str, dict[int, str]]:
    """Returns the text with a private character for each that YAML 1.1 refuses or takes for a line's end.

    And the way back, for ``str.translate``. ``\\r\\n`` is a line's end for YAML too, and stays.
    """
    odd = sorted(set(_NOT_FOR_YAML.findall(text)))
    if not odd:
        return text, {}
    free = (chr(code) for code in _PRIVATE if chr(code) not in text)
    there = dict(zip(odd, free, strict=False))
    plain = _NOT_FOR_YAML.sub(lambda match: there[match.group()], text)
    return plain, {ord(stand_in): char for char, stand_in in there.items()}


def _translated(value: FieldValue, stood_for: Mapping[int, str]) -> FieldValue:
    if isinstance(value, str):
        return value.translate(stood_for)
    if isinstance(value, tuple):
        return tuple(_translated(item, stood_for) for item in value)
    if isinstance(value, Mapping):
        return {key.translate(stood_for): _translated(item, stood_for) for key, item in value.items()}
    return value

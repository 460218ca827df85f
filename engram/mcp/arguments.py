"""A tool's arguments: what a client is told of them, and what it sent checked against that. Pure.

What is sent is untrusted; no message repeats it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from engram.errors.agents import ArgumentInvalid

Kind = Literal["line", "text", "flag", "count", "share", "texts", "items"]
LONGEST_LINE = 1000
LONGEST_TEXT = 64 * 1024
MOST_ITEMS = 50
_CONTROLS = frozenset(map(chr, (*range(0x20), *range(0x7F, 0xA0), 0x2028, 0x2029)))


@dataclass(frozen=True, slots=True)
class Argument:
    """Is one argument of a tool."""

    name: str
    words: str
    kind: Kind = "line"
    """One line; text of many; true or false; a whole number; a number from 0 to 1; lines; objects."""
    default: Any = None
    """None: the argument has to be given."""
    choices: tuple[str, ...] = ()
    most: int = 0
    """Characters, items, or the largest number; 0 for what is usual."""
    items: tuple[Argument, ...] = ()
    """Of a list of objects: what each has."""

    @property
    def needed(self) -> bool:
        return self.default is None

    @property
    def limit(self) -> int:
        usual = {"line": LONGEST_LINE, "text": LONGEST_TEXT, "texts": MOST_ITEMS, "items": MOST_ITEMS}
        return self.most or usual.get(self.kind, 0)


def schema(arguments: Sequence[Argument]) -> dict[str, Any]:
    """Returns the JSON schema of a tool's input."""
    whole: dict[str, Any] = {"type": "object", "properties": {one.name: _schema_of(one) for one in arguments}}
    needed = [one.name for one in arguments if one.needed]
    if needed:
        whole["required"] = needed
    return {**whole, "additionalProperties": False}


def taken(arguments: Sequence[Argument], given: Mapping[str, Any]) -> dict[str, Any]:
    """Returns every argument's value; one that is null counts as not given.

    Raises ArgumentInvalid with everything that is wrong.
    """
    values, problems = _looked_at(arguments, given, "")
    if problems:
        raise ArgumentInvalid("; ".join(problems[:10]))
    return values


def _looked_at(arguments: Sequence[Argument], given: Mapping[str, Any], at: str) -> tuple[dict[str, Any], list[str]]:
    known = {one.name: one for one in arguments}
    problems: list[str] = []
    unknown = len(given.keys() - known.keys())
    if unknown:
        many = "an argument" if unknown == 1 else f"{unknown} arguments"
        problems.append(f"{at}{many} that it doesn't have; it has {', '.join(known) or 'none'}")
    values: dict[str, Any] = {}
    for name, one in known.items():
        value = given.get(name)
        if value is None:
            if one.needed:
                problems.append(f"{at}{name} is missing")
            values[name] = one.default
        else:
            values[name] = _plain_number(value) if one.kind == "count" else value
            problems += _problems(one, values[name], f"{at}{name}")
            if one.kind == "items" and not problems:
                values[name] = [_looked_at(one.items, item, "")[0] for item in value]
    return values, problems


def _schema_of(one: Argument) -> dict[str, Any]:
    shown: dict[str, Any]
    match one.kind:
        case "line" | "text":
            shown = {"type": "string", "maxLength": one.limit}
            if one.choices:
                shown = {"type": "string", "enum": list(one.choices)}
        case "flag":
            shown = {"type": "boolean"}
        case "count":
            shown = {"type": "integer", "minimum": 0, "maximum": one.limit}
        case "share":
            shown = {"type": "number", "minimum": 0, "maximum": 1}
        case "texts":
            shown = {"type": "array", "items": {"type": "string", "maxLength": LONGEST_LINE}, "maxItems": one.limit}
        case "items":
            shown = {"type": "array", "items": schema(one.items), "maxItems": one.limit}
    if not one.needed:
        shown["default"] = one.default
    return {"description": one.words, **shown}


def _problems(one: Argument, value: Any, name: str) -> Iterator[str]:
    yield from _CHECKS[one.kind](one, value, name)


def _line(one: Argument, value: Any, name: str) -> Iterator[str]:
    yield from _text(one, value, name)
    if isinstance(value, str):
        if one.choices and value not in one.choices:
            yield f"{name} is one of {', '.join(choice or 'nothing' for choice in one.choices)}"
        elif not _CONTROLS.isdisjoint(value[: one.limit]):
            yield f"{name} is one line, without control characters"


def _text(one: Argument, value: Any, name: str) -> Iterator[str]:
    if not isinstance(value, str):
        yield f"{name} is text"
    elif len(value) > one.limit:
        yield f"{name} has {len(value):,} characters, and at most {one.limit:,} are taken"
    elif "\0" in value or any("\ud800" <= char <= "\udfff" for char in value):
        yield f"{name} holds what is no character of a text"
    elif one.needed and not value.strip():
        yield f"{name} must say something"


def _flag(_one: Argument, value: Any, name: str) -> Iterator[str]:
    if not isinstance(value, bool):
        yield f"{name} is true or false"


def _count(one: Argument, value: Any, name: str) -> Iterator[str]:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= one.limit:
        yield f"{name} is a whole number from 0 to {one.limit:,}"


def _share(_one: Argument, value: Any, name: str) -> Iterator[str]:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        yield f"{name} is a number from 0 to 1"


def _texts(one: Argument, value: Any, name: str) -> Iterator[str]:
    if not isinstance(value, list) or len(value) > one.limit:
        yield f"{name} is a list of at most {one.limit} lines"
        return
    for index, item in enumerate(value):
        yield from _line(Argument("", "", default=""), item, f"{name}[{index}]")


def _items(one: Argument, value: Any, name: str) -> Iterator[str]:
    if not isinstance(value, list) or len(value) > one.limit or not all(isinstance(item, dict) for item in value):
        yield f"{name} is a list of at most {one.limit} objects"
        return
    if one.needed and not value:
        yield f"{name} must hold something"
    for index, item in enumerate(value):
        yield from _looked_at(one.items, item, f"{name}[{index}].")[1]


def _plain_number(value: Any) -> Any:
    """Returns 5 for 5.0, which is what some clients make of it."""
    return int(value) if isinstance(value, float) and value.is_integer() and abs(value) < 1e15 else value


_CHECKS: Mapping[Kind, Callable[[Argument, Any, str], Iterator[str]]] = {
    "line": _line, "text": _text, "flag": _flag, "count": _count, "share": _share, "texts": _texts, "items": _items,
}  # fmt: skip

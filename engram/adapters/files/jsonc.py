"""JSON with comments and trailing commas, as settings files hold it: what stands where, to the character."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from lark import Lark, Token, Transformer
from lark.exceptions import UnexpectedInput

DEEPEST = 200
"""Levels of nesting; no settings file comes near, and what reads them further goes down level by level."""

_GRAMMAR = r"""
start: _value
_value: object | array | scalar
object: OPEN_OBJECT [pair (COMMA pair)* [COMMA]] CLOSE_OBJECT
array: OPEN_ARRAY [_value (COMMA _value)* [COMMA]] CLOSE_ARRAY
pair: STRING ":" _value
scalar: STRING | NUMBER | WORD
OPEN_OBJECT: "{"
CLOSE_OBJECT: "}"
OPEN_ARRAY: "["
CLOSE_ARRAY: "]"
COMMA: ","
STRING: /"(?:[^"\\\x00-\x1f]|\\(?:["\\\/bfnrt]|u[0-9a-fA-F]{4}))*"/
NUMBER: /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/
WORD: "true" | "false" | "null"
COMMENT: /\/\/[^\r\n]*|\/\*(?:[^*]|\*(?!\/))*\*\//
%ignore /[ \t\r\n]+/
%ignore COMMENT
"""


class Node(NamedTuple):
    """Is a value where it stands: ``text[start:end]``. ``inner`` are an object's or array's own, in order."""

    kind: str
    """``object``, ``array`` or ``scalar``."""
    start: int
    end: int
    inner: tuple[Member, ...] = ()
    commas: tuple[int, ...] = ()
    scalar: Any = None
    depth: int = 0

    def get(self, key: str) -> Node | None:
        """Returns the value under a key; the last where several stand there, as every reader of JSON takes it."""
        return next((each.value for each in reversed(self.inner) if each.key == key), None)

    @property
    def value(self) -> Any:
        """The value as Python has it."""
        if self.kind == "object":
            return {each.key: each.value.value for each in self.inner}
        return [each.value.value for each in self.inner] if self.kind == "array" else self.scalar


class Member(NamedTuple):
    """Is a member of an object or, without a key, an item of an array. ``start``: where its key begins."""

    key: str
    start: int
    value: Node

    @property
    def end(self) -> int:
        return self.value.end


class NotJson(ValueError):
    """The text is no JSON, nor JSON with comments."""


def parsed(text: str) -> Node:
    """Returns what a text holds. Raises NotJson with the line and column of what can't be read."""
    try:
        root: object = _grammar().parse(text)
    except UnexpectedInput as error:
        where = f"line {error.line}, column {error.column}" if error.line > 0 else "the end"
        raise NotJson(f"it can't be read as JSON at {where}") from None
    assert isinstance(root, Node)  # noqa: S101 - the grammar's start makes one
    if root.depth > DEEPEST:
        raise NotJson(f"it is nested {root.depth} levels deep")
    return root


@cache
def _grammar() -> Lark:
    return Lark(_GRAMMAR, parser="lalr", transformer=_Nodes(), maybe_placeholders=False)


class _Nodes(Transformer[Token, Node]):
    """Makes a node of each rule as soon as it is read; nothing here calls itself, however deep the text is."""

    def start(self, found: list[Node]) -> Node:
        return found[0]

    def scalar(self, found: list[Token]) -> Node:
        token = found[0]
        # ``strict``: the grammar has refused control characters already
        value = json.loads(token) if len(token) < 4000 or token.type == "STRING" else float(token)
        return Node("scalar", token.start_pos or 0, token.end_pos or 0, scalar=value)

    def pair(self, found: list[Any]) -> Member:
        key, value = found
        return Member(json.loads(key), key.start_pos, value)

    def object(self, found: list[Any]) -> Node:
        return _container("object", found)

    def array(self, found: list[Any]) -> Node:
        return _container("array", found)


def _container(kind: str, found: list[Any]) -> Node:
    inner = tuple(_members(found))
    commas = tuple(each.start_pos or 0 for each in found if isinstance(each, Token) and each.type == "COMMA")
    depth = 1 + max((each.value.depth for each in inner), default=0)
    return Node(kind, found[0].start_pos, found[-1].end_pos, inner, commas, depth=depth)


def _members(found: list[Any]) -> Iterator[Member]:
    for each in found:
        if isinstance(each, Member):
            yield each
        elif isinstance(each, Node):
            yield Member("", each.start, each)

"""A tool's arguments, checked: everything wrong is named at once, and nothing that was sent is repeated."""

from __future__ import annotations

from typing import Any

import pytest

from engram.errors.agents import ArgumentInvalid
from engram.mcp.arguments import Argument, schema, taken

ALL = (
    Argument("title", "A line.", most=10),
    Argument("body", "A text.", "text", default=""),
    Argument("hard", "A flag.", "flag", default=False),
    Argument("limit", "A count.", "count", default=5, most=9),
    Argument("sure", "A share.", "share", default=0.5),
    Argument("files", "Lines.", "texts", default=()),
    Argument("kind", "A choice.", default="a", choices=("a", "b")),
    Argument(
        "pairs", "Objects.", "items", default=(),
        items=(Argument("id", "A line."), Argument("n", "", "flag", default=True)),
    ),
)  # fmt: skip


def test_values_are_taken_and_defaults_are_filled_in() -> None:
    assert taken(ALL, {"title": "x", "limit": 3.0, "pairs": [{"id": "y"}], "kind": None}) == {
        "title": "x", "body": "", "hard": False, "limit": 3, "sure": 0.5, "files": (), "kind": "a",
        "pairs": [{"id": "y", "n": True}],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({}, "title is missing"),
        ({"title": None}, "title is missing"),
        ({"title": 7}, "title is text"),
        ({"title": " "}, "title must say something"),
        ({"title": "a\nb"}, "title is one line, without control characters"),
        ({"title": "a\x1bb"}, "title is one line, without control characters"),
        ({"title": "x" * 11}, "title has 11 characters, and at most 10 are taken"),
        ({"title": "\ud800"}, "title holds what is no character of a text"),
        ({"body": "a\0b"}, "body holds what is no character of a text"),
        ({"hard": 1}, "hard is true or false"),
        ({"limit": True}, "limit is a whole number from 0 to 9"),
        ({"limit": 10}, "limit is a whole number from 0 to 9"),
        ({"limit": 2.5}, "limit is a whole number from 0 to 9"),
        ({"sure": 1.1}, "sure is a number from 0 to 1"),
        ({"files": "x"}, "files is a list of at most 50 lines"),
        ({"files": [7]}, "files[0] is text"),
        ({"kind": "c"}, "kind is one of a, b"),
        ({"pairs": [7]}, "pairs is a list of at most 50 objects"),
        ({"pairs": [{}]}, "pairs[0].id is missing"),
        ({"pairs": [{"id": "x", "z": 1}]}, "pairs[0].an argument that it doesn't have; it has id, n"),
        ({"evil": 1}, "an argument that it doesn't have; it has title, "),
    ],
)
def test_what_is_wrong_is_named(given: dict[str, Any], why: str) -> None:
    with pytest.raises(ArgumentInvalid) as told:
        taken(ALL, {"title": "x", **given} if "title" not in given and given else given)
    assert why in told.value.message


def test_everything_wrong_is_named_at_once_and_nothing_is_repeated() -> None:
    with pytest.raises(ArgumentInvalid) as told:
        taken(ALL, {"title": "secret-value\n", "hard": "secret-value", "secret-value": 1})
    assert told.value.message.count(";") >= 2
    assert "secret-value" not in told.value.message


def test_the_schema_says_the_same() -> None:
    found = schema(ALL)
    assert found["required"] == ["title"]
    assert found["properties"]["limit"] == {
        "description": "A count.", "type": "integer", "minimum": 0, "maximum": 9, "default": 5
    }  # fmt: skip
    assert found["properties"]["kind"] == {
        "description": "A choice.", "type": "string", "enum": ["a", "b"], "default": "a"
    }  # fmt: skip
    assert found["properties"]["pairs"]["items"]["required"] == ["id"]

"""The schema itself: valid, closed, described, and one with the words of the design."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

from engram import resources
from engram.curate.words import NOT_SETTABLE

ROOT = Path(__file__).parents[2] / "changesets"


def _objects(schema: Any, path: str = "$") -> Iterator[tuple[str, dict[str, Any]]]:
    if isinstance(schema, dict):
        if schema.get("type") == "object" and "properties" in schema and "then" not in path:
            yield path, schema
        for key, value in schema.items():
            if key != "if":
                yield from _objects(value, f"{path}.{key}")
    elif isinstance(schema, list):
        for index, value in enumerate(schema):
            yield from _objects(value, f"{path}[{index}]")


def test_is_a_valid_schema() -> None:
    schema = resources.schema()
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    Draft202012Validator.check_schema(schema)


def test_every_object_is_closed_and_every_field_described() -> None:
    objects = [(path, found) for path, found in _objects(resources.schema()) if "then" not in path]
    assert len(objects) == 6
    for path, found in objects:
        assert found["additionalProperties"] is False, path
        for name, field in found["properties"].items():
            assert field.get("description"), f"{path}.{name}"


def test_settable_fields_are_those_of_the_design() -> None:
    definitions = resources.schema()["$defs"]
    days = {"expires", "review_after"}
    lists = {"tags", "links", "relations", "affected_files"}
    fields = {"description", "type", "importance", "topic_key", "scope", *days, *lists}
    assert set(definitions["set"]["properties"]) == {*fields, "source_agent", "sessions"}
    assert set(definitions["note"]["properties"]) == {*fields, "name", "body"}
    assert not set(definitions["set"]["properties"]) & NOT_SETTABLE


def test_the_schema_alone_accepts_the_examples() -> None:
    checker = Draft202012Validator(resources.schema())
    for file in sorted(ROOT.glob("examples/*/changeset.json")):
        assert list(checker.iter_errors(json.loads(file.read_text(encoding="utf-8")))) == []

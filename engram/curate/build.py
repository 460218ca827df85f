"""A validated JSON value as the values of the model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engram.model.change import Change, ChangeSet, Evidence, NewNote, Replace, SetValue


def built(value: Mapping[str, Any]) -> ChangeSet:
    """Returns the changeset that a value holds; it obeys the schema and every rule."""
    return ChangeSet(
        changes=tuple(_change(item) for item in value["changes"]),
        agent=value.get("agent", ""),
        sessions=tuple(value.get("sessions", ())),
        scope=value.get("scope", ""),
        version=int(value["version"]),
    )


def _change(item: Mapping[str, Any]) -> Change:
    return Change(
        op=item["op"],
        relation=item["relation"],
        confidence=float(item["confidence"]),
        reason=item["reason"],
        evidence=tuple(Evidence(**quote) for quote in item.get("evidence", ())),
        note=_note(item["note"]) if "note" in item else None,
        target=item.get("target", ""),
        base=item.get("base", ""),
        set=_fields(item.get("set", {})),
        body=item.get("body"),
        edits=tuple(Replace(**edit) for edit in item.get("edits", ())),
        by=item.get("by", ""),
    )


def _note(item: Mapping[str, Any]) -> NewNote:
    rest = {key: value for key, value in item.items() if key not in ("name", "body")}
    return NewNote(name=item["name"], body=item["body"], fields=_fields(rest))


def _fields(item: Mapping[str, Any]) -> dict[str, SetValue]:
    """Returns fields with lists as tuples and a whole number written as ``7.0`` as 7."""
    return {key: _value(value) for key, value in item.items()}


def _value(value: Any) -> SetValue:
    if isinstance(value, list):
        return tuple(value)
    if isinstance(value, float):
        return int(value)
    text: SetValue = value
    return text

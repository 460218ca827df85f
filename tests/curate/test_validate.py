from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram import resources
from engram.curate.validate import validate
from engram.errors import ChangesetInvalid
from engram.model.change import Change, ChangeSet, Evidence, NewNote, Replace

SCHEMA = resources.schema()
WHOLE = {
    "version": 1,
    "scope": "project",
    "agent": "claude-code",
    "sessions": ["0f3c", "1a2b"],
    "changes": [
        {
            "op": "ADD",
            "relation": "compatible",
            "confidence": 1,
            "reason": "stated twice",
            "evidence": [{"session": "0f3c", "ref": "u12", "quote": "always pnpm"}],
            "note": {
                "name": "prefers-pnpm",
                "description": "pnpm: never npm",
                "type": "feedback",
                "expires": "never",
                "review_after": None,
                "importance": 7.0,
                "tags": ["tooling"],
                "links": ["deploy"],
                "relations": ["requires Deploy Runbook"],
                "affected_files": ["package.json"],
                "topic_key": "tooling/js",
                "scope": "user",
                "body": "Use pnpm.",
            },
        },
        {
            "op": "UPDATE",
            "relation": "subsumes",
            "confidence": 0.5,
            "reason": "moved",
            "target": "deploy",
            "base": "4f2a09c1e8b7d6a5",
            "set": {"tags": [], "sessions": ["0f3c"]},
            "edits": [{"find": "a", "replace": ""}],
        },
        {"op": "INVALIDATE", "relation": "contradictory", "confidence": 0.9, "reason": "gone", "target": "old",
         "base": "0" * 16},
        {"op": "NOOP", "relation": "subsumed", "confidence": 0.9, "reason": "nothing durable"},
    ],
}  # fmt: skip


def test_a_whole_changeset_becomes_values() -> None:
    note = NewNote(
        "prefers-pnpm",
        "Use pnpm.",
        {
            "description": "pnpm: never npm",
            "type": "feedback",
            "expires": "never",
            "review_after": None,
            "importance": 7,
            "tags": ("tooling",),
            "links": ("deploy",),
            "relations": ("requires Deploy Runbook",),
            "affected_files": ("package.json",),
            "topic_key": "tooling/js",
            "scope": "user",
        },
    )
    assert validate(json.dumps(WHOLE), SCHEMA) == ChangeSet(
        changes=(
            Change("ADD", "compatible", 1.0, "stated twice", (Evidence("0f3c", "u12", "always pnpm"),), note),
            Change(
                "UPDATE", "subsumes", 0.5, "moved", target="deploy", base="4f2a09c1e8b7d6a5",
                set={"tags": (), "sessions": ("0f3c",)}, edits=(Replace("a", ""),),
            ),
            Change("INVALIDATE", "contradictory", 0.9, "gone", target="old", base="0" * 16),
            Change("NOOP", "subsumed", 0.9, "nothing durable"),
        ),
        agent="claude-code",
        sessions=("0f3c", "1a2b"),
        scope="project",
    )  # fmt: skip


def test_every_problem_is_told_at_once_in_the_order_of_the_text() -> None:
    broken = {
        "version": 3,
        "agent": "a\nb",
        "changes": [
            {"op": "UPDATE", "relation": "x", "confidence": 2, "reason": "",
             "set": {"name": "x", "expires": "2026-02-30"}},
            {"op": "ADD", "relation": "compatible", "confidence": 1, "reason": "r",
             "note": {"name": "MEMORY", "description": "d", "type": "user", "body": "b", "tags": ["a\tb"]}},
        ],
    }  # fmt: skip
    with pytest.raises(ChangesetInvalid) as refused:
        validate(json.dumps(broken), SCHEMA)
    assert [place for place, _ in refused.value.problems] == [
        "$.agent",
        "$.changes[0]",
        "$.changes[0].confidence",
        "$.changes[0].reason",
        "$.changes[0].relation",
        "$.changes[0].set.expires",
        "$.changes[0].set.name",
        "$.changes[1].note.name",
        "$.changes[1].note.tags[0]",
        "$.version",
    ]
    assert refused.value.problems[1][1].startswith("UPDATE needs target, base and one of set, body, edits")
    assert refused.value.as_json()["error"]["problems"][0] == {
        "path": "$.agent",
        "message": "must be one line, without control characters",
    }


@pytest.mark.parametrize("mark", ["\x00", "\x1b", "\x7f", "\x85", "\n", "\r", "\t", "\u2028", "\u2029"])
@pytest.mark.parametrize("field", ["agent", "session", "reason", "target", "ref", "description", "tag"])
def test_fields_of_one_line_refuse_control_characters(mark: str, field: str) -> None:
    text = f"x{mark}y"
    change = {
        "op": "UPDATE",
        "relation": "compatible",
        "confidence": 1,
        "reason": "r",
        "target": "t",
        "base": "0" * 16,
        "body": "b",
    }
    whole = {"version": 1, "agent": "a", "sessions": ["s"], "changes": [change]}
    if field == "agent":
        whole["agent"] = text
    elif field == "session":
        whole["sessions"] = [text]
    elif field == "ref":
        change["evidence"] = [{"session": "s", "ref": text, "quote": "q"}]
    elif field in ("description", "tag"):
        change["set"] = {"description": text} if field == "description" else {"tags": [text]}
    else:
        change[field] = text
    with pytest.raises(ChangesetInvalid) as refused:
        validate(json.dumps(whole), SCHEMA)
    assert "must be one line, without control characters" in refused.value.message


KEYS = [key for name in ("set", "note", "change") for key in SCHEMA["$defs"][name]["properties"]]
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(
        ["version", "changes", "agent", "sessions", "find", "replace", "x", *KEYS]
    ), inner, max_size=6),
    max_leaves=25,
)  # fmt: skip


@given(json_values)
def test_anything_is_answered_in_words(value: object) -> None:
    for text in (json.dumps(value), json.dumps({"version": 1, "changes": [value]})):
        with pytest.raises(ChangesetInvalid) as refused:
            validate(text, SCHEMA)
        assert refused.value.problems
        assert all(place.startswith("$") and words for place, words in refused.value.problems)


@given(st.binary(max_size=200))
def test_any_bytes_are_answered_in_words(data: bytes) -> None:
    with pytest.raises(ChangesetInvalid):
        validate(data, SCHEMA)

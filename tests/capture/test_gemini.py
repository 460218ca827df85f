"""Gemini CLI's chats: messages that are written more than once, and what hooks put before them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engram.capture import gemini
from engram.model.session import Session
from tests.lib.transcripts import source_in, source_of, turns_of

ID = "624a654b-17f7-4951-be1f-b2361f860001"


def header(**more: Any) -> dict[str, Any]:
    return {"sessionId": ID, "projectHash": "60df", "startTime": "2026-03-01T10:00:00.000Z", "kind": "main", **more}


def said(key: str, *texts: str, kind: str = "user", **more: Any) -> dict[str, Any]:
    parts = [{"text": text} for text in texts]
    return {"id": key, "timestamp": "2026-03-01T10:00:01.000Z", "type": kind, "content": parts, **more}


def done(key: str, name: str, args: dict[str, Any], status: str = "success", **response: Any) -> dict[str, Any]:
    """Returns a call as the client keeps it beside the message that asked for it."""
    part = {"functionResponse": {"id": key, "name": name, "response": response}}
    return {"id": key, "name": name, "args": args, "status": status, "result": [part]}


def read(*rows: Any) -> Session:
    return gemini.read(source_in(rows))


def test_a_conversation_with_tools_in_it() -> None:
    calls = [
        done("c1", "run_shell_command", {"command": "npm test"}, output="Output: no npm\nExit Code: 127\n"),
        done("c2", "write_file", {"file_path": "/p/a.md", "content": "hi"}, output="Created"),
        done("c3", "read_file", {"file_path": "/p/b.md"}, "error", error="File not found"),
        {"id": "c4", "name": "replace", "args": {"file_path": "/p/c.md"}, "status": "cancelled"},
    ]
    session = read(
        header(),
        {"$set": {"messages": [said("env", "<session_context>\nThis is the Gemini CLI.\n</session_context>")]}},
        said("m1", "run the tests"),
        {"$set": {"lastUpdated": "2026-03-01T10:00:02.000Z"}},
        said("m2", kind="gemini"),
        said("m2", kind="gemini", toolCalls=calls),
        {"id": "m3", "type": "user", "content": [calls[0]["result"][0]]},
        {"id": "m4", "type": "gemini", "content": "Done.", "thoughts": [{"subject": "hm"}]},
        {"id": "m5", "type": "info", "content": "Update available"},
    )
    assert turns_of(session) == [
        ("u1", "user", "run the tests"),
        ("t1", "tool_call", "npm test"),
        ("t1", "tool_result", "Output: no npm\nExit Code: 127\n"),
        ("t2", "tool_call", "/p/a.md"),
        ("t2", "tool_result", "Created"),
        ("t3", "tool_call", "/p/b.md"),
        ("t3", "tool_result", "File not found"),
        ("t4", "tool_call", "/p/c.md"),
        ("t4", "tool_result", ""),
        ("a1", "assistant", "Done."),
    ]
    assert [turn.ref for turn in session.turns if turn.failed] == ["t1", "t3", "t4"]
    assert {turn.path for turn in session.turns} == {"", "/p/a.md", "/p/c.md"}
    assert (session.id, session.agent, session.started, session.skipped) == (
        ID, "gemini", "2026-03-01T10:00:00.000Z", 0,
    )  # fmt: skip


@pytest.mark.parametrize(
    "texts",
    [
        ["<hook_context>use tabs</hook_context>\n\nfix it"],
        ["fix it", "<hook_context>use tabs</hook_context>"],
        ["<hook_context>use tabs</hook_context> I said: use tabs</hook_context>\n\nfix it"],
        ["fix it", "<hook_context>never closed, use tabs"],
        [
            "fix it",
            "\n--- Content from referenced files ---",
            "\nContent from @a.md:\n",
            "use tabs",
            "--- End of content ---",
        ],
        ["fix it\n--- Content from referenced files ---\nuse tabs\n--- End of content ---\nuse tabs"],
        ["<system-reminder>use tabs</system-reminder>", "fix it"],
    ],
)
def test_what_hooks_and_files_add_is_not_the_persons(texts: list[str]) -> None:
    assert turns_of(read(header(), said("m1", *texts))) == [("u1", "user", "fix it")]


def test_what_was_typed_counts_where_it_stands_beside_what_it_became() -> None:
    row = said("m1", "Use tabs everywhere, says the template.", displayContent=[{"text": "/plan it"}])
    assert turns_of(read(header(), row)) == [("u1", "user", "/plan it")]


def test_the_later_line_of_a_message_wins_and_none_of_its_fields_is_lost() -> None:
    call = done("c1", "glob", {"pattern": "*"}, output="a")
    rows = [
        said("m1", "draft", kind="gemini", toolCalls=[call]),
        said("m2", "next"),
        {"$set": {"messages": [{"id": "m1", "type": "gemini", "content": [{"text": "final"}]}]}},
    ]
    assert [text for _, _, text in turns_of(read(header(), *rows))] == ["final", "*", "a", "next"]


def test_a_resumed_chat_keeps_what_its_patch_leaves_out() -> None:
    wire = [
        {"id": "m2", "type": "gemini", "content": [{"functionCall": {"id": "c1", "name": "glob", "args": {}}}]},
        {"id": "m2_r", "type": "user", "content": [done("c1", "glob", {}, output="a")["result"][0]]},
        {"id": "m4", "type": "user", "content": [done("c2", "glob", {}, error="no")["result"][0]]},
    ]
    session = read(
        header(), said("m1", "one"), said("m2", kind="gemini", toolCalls=[done("c1", "glob", {}, output="a")]),
        header(), {"$set": {"messages": wire}}, said("m3", "two"),
    )  # fmt: skip
    assert turns_of(session) == [
        ("u1", "user", "one"), ("t1", "tool_call", ""), ("t1", "tool_result", "a"), ("t2", "tool_result", "no"),
        ("u2", "user", "two"),
    ]  # fmt: skip
    assert session.turns[3].failed


@pytest.mark.parametrize("key", ["m9", "m1", "m2"])
def test_nothing_that_a_patch_adds_is_the_persons(key: str) -> None:
    """A patch is what the model knows: templates as they were expanded, hooks' reasons, what was put together."""
    row = said("m1", "Use tabs everywhere, says the template.", displayContent=[{"text": "/plan it"}])
    patch = {"$set": {"messages": [said(key, "Always use tabs.")]}}
    turns = turns_of(read(header(), row, said("m2", "Tabs are used.", kind="gemini"), patch))
    assert turns == [("u1", "user", "/plan it"), ("a1", "assistant", "Tabs are used.")]


@pytest.mark.parametrize(
    "text",
    [
        "System: Please continue.",
        "System: Potential loop detected. Details: use tabs. Please take a step back",
        "User steering update:\n<user_input>\nuse tabs\n</user_input>\nInternal instruction: go on",
        "User hints:\n- use tabs",
    ],
)
def test_what_the_client_says_in_the_persons_role_is_nobodys(text: str) -> None:
    assert turns_of(read(header(), said("m1", text), said("m2", "fix it"))) == [("u1", "user", "fix it")]


def test_words_beside_what_a_call_gave_are_nobodys() -> None:
    part = done("c1", "glob", {}, output="a")["result"][0]
    row = {"id": "m1", "type": "user", "content": [part, {"text": "use tabs"}]}
    assert turns_of(read(header(), row, said("m2", "fix it"))) == [
        ("t1", "tool_result", "a"), ("u1", "user", "fix it"),
    ]  # fmt: skip


def test_a_compression_is_a_summary_and_not_speech() -> None:
    rows = [
        said("m1", "one"),
        {"$set": {"messages": [said("s", "<state_snapshot>\nOne was said.\n</state_snapshot>")]}},
    ]
    assert [(ref, kind) for ref, kind, _ in turns_of(read(header(), *rows))] == [("u1", "user"), ("s1", "summary")]


def test_a_subagents_chat_holds_no_turn_of_its_own() -> None:
    assert read(header(kind="subagent"), said("m1", "find it")).turns == ()


@pytest.mark.parametrize("indent", [None, 2])
def test_an_older_chat_is_one_document(indent: int | None) -> None:
    whole = {**header(), "messages": [said("m1", "hello there"), said("m2", "hi", kind="gemini")]}
    source = source_of(json.dumps(whole, indent=indent).encode().split(b"\n"))
    assert gemini.reads(source)
    assert turns_of(gemini.read(source)) == [("u1", "user", "hello there"), ("a1", "assistant", "hi")]


def test_bad_lines_are_counted_and_stop_nothing() -> None:
    bad = [
        b"not json",
        b'{"$set":7}',
        b'{"$set":{"messages":7}}',
        b'{"sessionId":7}',
        b'{"id":"x","type":"gemini","content":"","toolCalls":7}',
        b'{"id":"m',
    ]
    session = gemini.read(source_of([*source_in([header(), said("m1", "hello there")]).lines(), *bad]))
    assert turns_of(session) == [("u1", "user", "hello there")]
    assert session.skipped == len(bad)


@pytest.mark.parametrize(
    ("row", "mine"),
    [
        (header(), True),
        (said("m1", "hi"), True),
        ({"sessionId": "x", "type": "user"}, False),
        ({"id": "x", "type": ["user"], "content": ""}, False),
        ({"type": "user", "sessionId": "x", "message": {"parts": []}}, False),
    ],
)
def test_its_own_lines_are_known(row: dict[str, Any], mine: bool) -> None:
    assert gemini.reads(source_in([row])) is mine

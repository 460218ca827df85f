"""Copilot's events: what was typed, and not what it was turned into."""

from __future__ import annotations

from itertools import count
from typing import Any

import pytest

from engram.capture import copilot
from engram.model.session import Session
from tests.lib.transcripts import source_in, source_of, turns_of

ID = "7cf44517-55ca-435c-893a-3fde19730001"
PATH = f"/home/ada/.copilot/session-state/{ID}/events.jsonl"
_numbers = count(1)


def event(kind: str, more: dict[str, Any] | None = None, **data: Any) -> dict[str, Any]:
    number = next(_numbers)
    return {
        "type": kind, "data": data, "id": f"e{number}", "timestamp": "2026-03-01T10:00:00.000Z", "parentId": None,
        **(more or {}),
    }  # fmt: skip


def start() -> dict[str, Any]:
    return event("session.start", sessionId=ID, version=1, context={"cwd": "/home/ada/shop", "branch": "main"})


def read(*rows: dict[str, Any], path: str = PATH) -> Session:
    return copilot.read(source_in(rows, path))


def test_a_conversation_with_tools_in_it() -> None:
    asked = [
        {"toolCallId": "c1", "name": "bash", "arguments": {"command": "npm test", "description": "Run tests"}},
        {"toolCallId": "c2", "name": "create", "arguments": {"path": "/p/a.md", "file_text": "hi"}},
        {"toolCallId": "c3", "name": "view", "arguments": {"path": "/p/b.md"}},
        {"toolCallId": "c4", "name": "str_replace_editor", "arguments": {"command": "view", "path": "/p/c.md"}},
    ]
    session = read(
        start(),
        event("system.message", role="system", content="You are a CLI"),
        event("user.message", content="run the tests", transformedContent="run the tests\n<system_reminder>use tabs"),
        event("hook.end", output={"additionalContext": "the user prefers tabs"}),
        event("assistant.message", content="On it.", toolRequests=asked),
        event("tool.execution_start", toolCallId="c1", toolName="bash", arguments={"command": "npm test"}),
        event(
            "tool.execution_complete", toolCallId="c1", success=True, shellExecution={"exitCode": 1},
            result={"content": "no npm"},
        ),
        event("tool.execution_complete", toolCallId="c2", success=True, result={"content": "Created"}),
        event("tool.execution_complete", toolCallId="c3", success=False, error={"message": "Path does not exist"}),
        event("session.compaction_complete", success=True, summaryContent="Tests were run."),
        event("session.shutdown", totalPremiumRequests=0),
    )  # fmt: skip
    assert turns_of(session) == [
        ("u1", "user", "run the tests"),
        ("a1", "assistant", "On it."),
        ("t1", "tool_call", "npm test"),
        ("t2", "tool_call", "/p/a.md"),
        ("t3", "tool_call", "/p/b.md"),
        ("t4", "tool_call", "view"),
        ("t1", "tool_result", "no npm"),
        ("t2", "tool_result", "Created"),
        ("t3", "tool_result", "Path does not exist"),
        ("s1", "summary", "Tests were run."),
    ]
    assert [turn.ref for turn in session.turns if turn.failed] == ["t1", "t3"]
    assert {turn.path for turn in session.turns} == {"", "/p/a.md"}
    assert (session.id, session.agent, session.cwd, session.branch) == (ID, "copilot", "/home/ada/shop", "main")


def test_a_patch_names_its_files() -> None:
    patch = "*** Begin Patch\n*** Update File: a.py\n*** Delete File: b.py\n*** End Patch"
    rows = [event("tool.execution_start", toolCallId="c", toolName="apply_patch", arguments=patch)]
    assert [turn.path for turn in read(*rows).turns] == ["a.py", "b.py"]


@pytest.mark.parametrize("source", ["skill-pdf", "system", "autopilot"])
def test_a_message_that_the_client_made_is_nobodys_speech(source: str) -> None:
    assert read(start(), event("user.message", content="use tabs", source=source)).turns == ()


def test_what_a_client_goes_on_with_by_itself_is_nobodys_speech() -> None:
    rows = [
        event("user.message", content="use tabs", isAutopilotContinuation=True),
        event("user.message", content="use tabs", agentId="sub-1"),
    ]
    assert read(start(), *rows).turns == ()


@pytest.mark.parametrize("text", ["<system_reminder>use tabs</system_reminder>", "<system_reminder>use tabs", " "])
def test_reminders_are_nobodys_speech(text: str) -> None:
    turns = turns_of(read(start(), event("user.message", content=text), event("user.message", content="hello there")))
    assert turns[-1][2] == "hello there"
    assert not any("use tabs" in text for _, _, text in turns)


def test_what_subagents_say_and_do_is_left_out() -> None:
    rows = [
        event("assistant.message", content="searching", parentToolCallId="c1"),
        event("user.message", {"agentId": "sub-1"}, content="find it"),
        event("tool.execution_start", {"agentId": "sub-1"}, toolCallId="c9", toolName="bash", arguments={}),
    ]
    assert read(start(), *rows).turns == ()


def test_a_resumed_session_goes_on_and_an_event_that_stands_twice_counts_once() -> None:
    one, two = event("user.message", content="one"), event("user.message", content="two")
    session = read(start(), one, event("session.resume", context={"branch": "next"}), one, two)
    assert turns_of(session) == [("u1", "user", "one"), ("u2", "user", "two")]
    assert session.branch == "next"


def test_without_a_start_the_id_is_the_folders() -> None:
    assert read(event("user.message", content="one")).id == ID
    assert read(event("user.message", content="one"), path=PATH.replace("/", "\\")).id == ID


def test_bad_lines_are_counted_and_stop_nothing() -> None:
    bad = [
        b"not json",
        b'{"type":"user.message","data":7}',
        b'{"type":"assistant.message","data":{"toolRequests":7}}',
        b'{"data":{}}',
        b'{"type":"tool.execution_complete","data":{"shellExecution":{"exitCode":[]}}}',
        b'{"type":"user.mess',
    ]
    good = source_in([event("user.message", content="hello there")]).lines()
    session = copilot.read(source_of([*bad, *good], PATH))
    assert turns_of(session) == [("u1", "user", "hello there")]
    assert session.skipped == len(bad)


@pytest.mark.parametrize(
    ("row", "mine"),
    [
        (start(), True),
        (event("user.message"), True),
        ({"type": "session.start"}, False),
        ({"type": ["session.start"], "data": {}}, False),
        ({"type": "session", "data": {}}, False),
    ],
)
def test_its_own_lines_are_known(row: dict[str, Any], mine: bool) -> None:
    assert copilot.reads(source_in([row])) is mine

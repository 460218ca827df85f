"""Payloads of every agent's hooks: whose session rests, and which are none of the queue's business."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from engram.capture.classify import event_of
from engram.model.event import Event

AT = "2026-03-01T10:00:00.000000Z"
CLAUDE = {
    "session_id": "9754bf09",
    "transcript_path": "/home/ada/.claude/projects/-home-ada-shop/9754bf09.jsonl",
    "cwd": "/home/ada/shop",
    "prompt_id": "3f84aa94",
    "hook_event_name": "Stop",
    "stop_hook_active": False,
}
CODEX = {
    "session_id": "01a22a75",
    "turn_id": "01a22a76",
    "transcript_path": "/home/ada/.codex/sessions/2026/03/01/rollout-2026-03-01T10-00-00-01a22a75.jsonl",
    "cwd": "/home/ada/shop",
    "hook_event_name": "Stop",
    "model": "some-model",
}
GEMINI = {
    "session_id": "dee03c90",
    "transcript_path": "/home/ada/.gemini/tmp/shop/chats/session-2026-03-01T10-00-dee03c90.jsonl",
    "cwd": "/home/ada/shop",
    "hook_event_name": "AfterAgent",
    "timestamp": AT,
}
COPILOT = {
    "sessionId": "dc9fd500",
    "timestamp": 1772359200000,
    "cwd": "/home/ada/shop",
    "transcriptPath": "/home/ada/.copilot/session-state/dc9fd500/events.jsonl",
    "stopReason": "end_turn",
}
COPILOT_PASCAL = {
    "hook_event_name": "Stop",
    "session_id": "dc9fd500",
    "cwd": "/home/ada/shop",
    "transcript_path": "/home/ada/.copilot/session-state/dc9fd500/events.jsonl",
}
OPENCODE = {"id": "evt_1", "type": "session.idle", "properties": {"sessionID": "ses_dd58"}}
CURSOR = {"conversation_id": "c-1", "cursor_version": "3.7", "hook_event_name": "stop", "workspace_roots": ["/w"]}
VSCODE = {"sessionId": "v-1", "hookEventName": "Stop", "cwd": "/home/ada/shop", "transcript_path": "/x/y.json"}


def of(payload: object, env: Mapping[str, str] | None = None, host: str = "") -> Event | None:
    return event_of(payload, env or {}, AT, host)


@pytest.mark.parametrize(
    ("payload", "agent", "session"),
    [
        (CLAUDE, "claude-code", "9754bf09"),
        (CODEX, "codex", "01a22a75"),
        (GEMINI, "gemini", "dee03c90"),
        (COPILOT, "copilot", "dc9fd500"),
        (COPILOT_PASCAL, "copilot", "dc9fd500"),
        (OPENCODE, "opencode", "ses_dd58"),
        (CURSOR, "cursor", "c-1"),
        (VSCODE, "vscode", "v-1"),
    ],
)
def test_each_agents_stop_is_queued_under_its_name(payload: dict[str, Any], agent: str, session: str) -> None:
    path = payload.get("transcript_path") or payload.get("transcriptPath") or ""
    assert of(payload) == Event(agent, session, path, payload.get("cwd", ""), AT)
    for inherited in ({"CLAUDECODE": "1"}, {"GEMINI_SESSION_ID": "x"}, {"COPILOT_CLI": "1"}):
        found = of(payload, inherited)
        assert found is not None
        assert found.agent == agent


def test_windows_paths_tell_the_agent_too() -> None:
    found = of({"session_id": "x", "transcript_path": "C:\\Users\\Ada\\.codex\\sessions\\rollout.jsonl"})
    assert found is not None
    assert found.agent == "codex"


@pytest.mark.parametrize(
    ("env", "host", "agent"),
    [
        ({"COPILOT_CLI": "1"}, "", "copilot"),
        ({"GEMINI_SESSION_ID": "x"}, "", "gemini"),
        ({"CLAUDECODE": "1"}, "", "claude-code"),
        ({"CLAUDECODE": "1"}, "codex", "codex"),
        ({}, "my-agent", "my-agent"),
        ({}, "my agent\nX: y", "unknown"),
        ({}, "é", "unknown"),
        ({}, "x" * 33, "unknown"),
        ({}, "--", "unknown"),
        ({}, "", "unknown"),
    ],
)
def test_where_the_payload_is_silent_the_command_line_tells_then_the_environment(
    env: dict[str, str], host: str, agent: str
) -> None:
    found = of({"session_id": "x", "hook_event_name": "Stop"}, env, host)
    assert found is not None
    assert found.agent == agent


@pytest.mark.parametrize(
    "name", ["Stop", "SessionEnd", "PreCompact", "StopFailure", "AfterAgent", "agentStop", "sessionEnd"]
)
def test_a_session_rests_after_these(name: str) -> None:
    assert of({**CLAUDE, "hook_event_name": name}) is not None


@pytest.mark.parametrize(
    "name", ["SessionStart", "UserPromptSubmit", "PreToolUse", "Notification", "SubagentStop", "x"]
)
def test_a_session_does_not_rest_after_these(name: str) -> None:
    assert of({**CLAUDE, "hook_event_name": name}) is None


def test_a_stop_that_another_hook_held_up_is_a_stop() -> None:
    assert of({**CLAUDE, "stop_hook_active": True}) == of(CLAUDE)


@pytest.mark.parametrize(
    "fields",
    [
        {"agent_id": "a86f"},
        {"agentId": "a86f"},
        {"hook_event_name": "SubagentStop", "agent_type": ""},
        {"agent_transcript_path": "/x/agent-1.jsonl"},
    ],
)
def test_a_subagent_is_not_queued(fields: dict[str, str]) -> None:
    assert of({**CLAUDE, **fields}) is None


def test_a_session_that_was_started_as_an_agent_of_some_type_is() -> None:
    assert of({**CLAUDE, "agent_type": "reviewer"}) is not None


@pytest.mark.parametrize("env", [{"ENGRAM_DISABLE": "1"}, {"ENGRAM_CURATING": "1"}])
def test_switches_queue_nothing(env: dict[str, str]) -> None:
    assert of(CLAUDE, env) is None
    assert of(CLAUDE, dict.fromkeys(env, "0")) is not None


@pytest.mark.parametrize(
    "payload",
    [None, 7, "x", [], {}, {"session_id": ""}, {"session_id": 7}, {"session_id": ["x"]}, {"session_id": "a\nB: c"},
     {"session_id": "x" * 201}, {"session_id": "x\u202e"}, {"properties": 7}, {"hook_event_name": "Stop"}],
)  # fmt: skip
def test_what_names_no_session_is_not_queued(payload: object) -> None:
    assert of(payload) is None


def test_fields_of_the_wrong_type_count_as_missing() -> None:
    payload = {"session_id": "x", "hook_event_name": 7, "cwd": ["/"], "transcript_path": {"a": 1}, "agent_id": None}
    assert of(payload) == Event("unknown", "x", "", "", AT)


def test_paths_that_no_system_knows_count_as_missing() -> None:
    assert of({"session_id": "x", "cwd": "a\0b", "transcript_path": "x" * 40_000}) == Event("unknown", "x", "", "", AT)

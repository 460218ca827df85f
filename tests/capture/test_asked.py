"""What a hook's payload asks of memory, and what it doesn't."""

from __future__ import annotations

import pytest

from engram.capture.asked import PROMPT, START, asked_of

PAYLOAD = {"session_id": "s-1", "cwd": "/shop", "hook_event_name": "UserPromptSubmit", "prompt": " how? "}


def test_a_prompt_is_asked_about() -> None:
    asked = asked_of(PAYLOAD, {})
    assert asked is not None
    assert (asked.event, asked.session, asked.cwd, asked.prompt, asked.source) == (PROMPT, "s-1", "/shop", "how?", "")


def test_a_session_s_start_is_asked_about() -> None:
    asked = asked_of({**PAYLOAD, "hook_event_name": "SessionStart", "source": "compact"}, {})
    assert asked is not None
    assert (asked.event, asked.prompt, asked.source) == (START, "", "compact")


def test_the_spellings_of_other_agents_are_understood() -> None:
    asked = asked_of({"sessionId": "s", "hookEventName": "userPromptSubmitted", "prompt": "x", "directory": "/d"}, {})
    assert asked is not None
    assert (asked.event, asked.session, asked.cwd) == (PROMPT, "s", "/d")


@pytest.mark.parametrize(
    "payload",
    [
        None, [], "text", {}, {**PAYLOAD, "prompt": ""}, {**PAYLOAD, "prompt": ["x"]},
        {**PAYLOAD, "hook_event_name": "Stop"},
        {**PAYLOAD, "agent_id": "a"}, {**PAYLOAD, "agent_transcript_path": "/x"}, {"prompt": "x"},
    ],
    ids=str,
)  # fmt: skip
def test_nothing_else_is(payload: object) -> None:
    assert asked_of(payload, {}) is None


@pytest.mark.parametrize("name", ["ENGRAM_DISABLE", "ENGRAM_CURATING"])
def test_a_switch_silences_it(name: str) -> None:
    assert asked_of(PAYLOAD, {name: "1"}) is None
    assert asked_of(PAYLOAD, {name: "0"}) is not None


@pytest.mark.parametrize("session", ["", "x" * 300, "two\nlines", 7])
def test_a_session_without_a_usable_id_is_served_without_one(session: object) -> None:
    asked = asked_of({**PAYLOAD, "session_id": session}, {})
    assert asked is not None
    assert asked.session == ""

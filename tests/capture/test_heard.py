"""What a hook's payload reports: of every agent, every event, and what is none of engram's business."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from engram.capture.heard import RESTING, Heard, event_in, heard_of, host_in
from engram.model.event import PROMPT, SESSION_END, START, TOOL, TURN_END, Event
from tests.lib.hooks import ASKED, AT, CALLED, CLAUDE, COPILOT, CURSOR, CWD, STARTED, STOPPED, every, host_of

INHERITED: tuple[Mapping[str, str], ...] = (
    {}, {"CLAUDECODE": "1"}, {"GEMINI_SESSION_ID": "x"}, {"COPILOT_CLI": "1"},
)  # fmt: skip
PLAIN = {"session_id": "x", "hook_event_name": "Stop"}


def of(payload: object, env: Mapping[str, str] | None = None, host: str = "", unnamed: str = "") -> Heard | None:
    return heard_of(payload, env or {}, host, unnamed=unnamed)


def surely(payload: object, env: Mapping[str, str] | None = None, host: str = "", unnamed: str = "") -> Heard:
    found = of(payload, env, host, unnamed)
    assert found is not None
    return found


@pytest.mark.parametrize(("event", "name", "payload"), every(), ids=lambda each: each if isinstance(each, str) else "")
def test_every_event_of_every_agent_is_heard_whatever_surrounds_it(
    event: str, name: str, payload: dict[str, Any]
) -> None:
    for env in INHERITED:
        for host in ("", "claude-code"):
            found = surely(payload, env, host)
            assert (found.host, found.event, found.cwd) == (host_of(name), event, CWD)
            assert found.session.split("-")[-1] in "1234567"


def test_a_prompt_is_heard_with_its_turn() -> None:
    assert {name: surely(payload).turn for name, payload in ASKED.items()} == {
        "claude-code": "p-1", "codex": "t-1", "gemini": "", "copilot": "", "copilot Pascal": "", "vscode": "",
        "opencode": "msg_1", "cursor": "g-1",
    }  # fmt: skip
    assert surely({**ASKED["claude-code"], "prompt": "  how? \n"}).prompt == "how?"


def test_a_start_is_heard_with_its_source() -> None:
    assert surely(STARTED["claude-code"]).source == "startup"
    assert surely({**STARTED["codex"], "source": "compact"}).source == "compact"


def test_a_tool_is_heard_with_what_it_is_called_with() -> None:
    found = surely(CALLED["claude-code"])
    assert (found.tool, found.tool_input["command"], found.tool_use_id) == ("Bash", "make test", "toolu_1")
    assert (surely(CALLED["cursor"]).tool, surely(CALLED["cursor"]).tool_input) == ("Shell", {"command": "make test"})
    written = surely({**CALLED["copilot"], "toolArgs": '{"command": "ls"}'})
    assert written.tool_input == {"command": "ls"}
    assert surely({**CALLED["copilot"], "toolArgs": "rm -r x"}).tool_input == {"command": "rm -r x"}
    assert surely({**CALLED["codex"], "tool_input": [1]}).tool_input == {}


@pytest.mark.parametrize(("value", "attended"), [("1", True), ("0", False), ("", None), ("x", None)])
def test_whether_somebody_sits_there_is_claude_code_s_to_say(value: str, attended: bool | None) -> None:
    env = {"CLAUDE_CODE_SESSION_ATTENDED": value}
    assert surely(ASKED["claude-code"], env).attended is attended
    assert surely(ASKED["codex"], env).attended is None


# -- which of several events of one turn ------------------------------------------------------------------------------


def test_one_event_in_two_spellings_has_one_stamp() -> None:
    for table in (STARTED, ASKED, STOPPED, CALLED):
        assert surely(table["copilot"]).stamp == surely(table["copilot Pascal"]).stamp
    later = {**ASKED["copilot"], "timestamp": 1772359202855}
    assert surely(later).stamp != surely(ASKED["copilot"]).stamp
    assert surely(later).stamp == surely({**ASKED["copilot Pascal"], "timestamp": "2026-03-01T10:00:02.855Z"}).stamp


def test_the_words_and_a_second_stop_have_stamps_of_their_own() -> None:
    stop = STOPPED["claude-code"]
    assert surely({**ASKED["codex"], "prompt": "other"}).stamp != surely(ASKED["codex"]).stamp
    stamps = [
        surely({**stop, **more}).stamp for more in ({}, {"stop_hook_active": True}, {"last_assistant_message": "B"})
    ]
    assert len(set(stamps)) == 3


@pytest.mark.parametrize("at", [True, 1.5, "", "yesterday, at tea", "2026-03-01T10:00:²²Z", [], {}, -5, 10**40])
def test_a_time_that_is_none_hurts_nothing(at: object) -> None:
    assert surely({**ASKED["gemini"], "timestamp": at}).event == PROMPT


# -- whose ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "agent"),
    [
        ("C:\\Users\\Ada\\.codex\\sessions\\rollout-1.jsonl", "codex"),
        ("/srv/codex-home/sessions/2026/03/01/rollout-1.jsonl", "codex"),
        ("C:\\Users\\Ada\\.claude\\projects\\C--shop\\1.jsonl", "claude-code"),
        ("/data/gemini/tmp/shop/chats/session-1.jsonl", "gemini"),
    ],
)
def test_the_place_of_a_transcript_tells_the_agent(path: str, agent: str) -> None:
    assert surely({**PLAIN, "transcript_path": path}).host == agent


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
    assert surely(PLAIN, env, host).host == agent


def test_what_vscode_writes_in_claude_code_s_spelling_is_vscode_s() -> None:
    payload = {"hook_event_name": "SessionStart", "session_id": "v", "timestamp": AT, "transcript_path": "/x/v.json"}
    assert surely(payload, host="claude-code").host == "vscode"
    del payload["transcript_path"]
    assert surely(payload, host="claude-code").host == "copilot"


@pytest.mark.parametrize(
    ("arguments", "host"),
    [([], ""), (["--host", "codex"], "codex"), (["x", "--host=gemini", "y"], "gemini"), (["--host"], "")],
)
def test_the_command_line_names_a_host(arguments: list[str], host: str) -> None:
    assert host_in(arguments) == host


# -- what isn't heard -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "payload",
    [
        None, 7, [], "text", {}, {"prompt": "x"}, {"session_id": "x"}, {"properties": 7},
        {**ASKED["codex"], "prompt": ""}, {**ASKED["codex"], "prompt": ["x"]},
        {**CLAUDE, "hook_event_name": "PostToolUse"}, {**CLAUDE, "hook_event_name": "SubagentStop", "agent_type": ""},
        {**CLAUDE, "hook_event_name": "Notification"}, {**CLAUDE, "hook_event_name": 7},
        {**CALLED["copilot"], "toolResult": {}}, {**CALLED["copilot"], "hookName": "permissionRequest"},
        {**ASKED["copilot"], "transformedPrompt": "x"}, {**STOPPED["copilot"], "agentName": "x"},
        {"sessionId": "x", "error": {}}, {"sessionId": "x"},
    ],
    ids=str,
)  # fmt: skip
def test_nothing_else_is_heard(payload: object) -> None:
    assert of(payload) is None


def test_a_payload_without_an_event_is_what_the_command_says_unless_it_looks_like_another() -> None:
    assert surely({"session_id": "x"}, unnamed=TURN_END).event == TURN_END
    assert surely(ASKED["copilot"], unnamed=TURN_END).event == PROMPT
    assert of({"session_id": "x", "hook_event_name": "other"}, unnamed=TURN_END) is None


@pytest.mark.parametrize("more", [{"agent_id": "a"}, {"agentId": "a"}, {"agent_transcript_path": "/x/agent-1.jsonl"}])
def test_of_a_subagent_only_a_tool_s_call_is_heard(more: dict[str, str]) -> None:
    for event, name, payload in every():
        found = of({**payload, **more})
        assert (found is not None) is (event == TOOL), (event, name)
        assert found is None or found.subagent


def test_of_a_session_that_curates_only_a_tool_s_call_is_heard() -> None:
    for event, name, payload in every():
        found = of(payload, {"ENGRAM_CURATING": "1"})
        assert (found is not None) is (event == TOOL), (event, name)
        assert found is None or found.curating
        assert surely(payload, {"ENGRAM_CURATING": "0"}).curating is False


def test_switched_off_is_deaf() -> None:
    assert [of(payload, {"ENGRAM_DISABLE": "1"}) for _, _, payload in every()] == [None] * len(every())
    assert of(STARTED["codex"], {"ENGRAM_DISABLE": "0"}) is not None


def test_a_session_that_was_started_as_an_agent_of_some_type_is_no_subagent() -> None:
    assert surely({**STOPPED["claude-code"], "agent_type": "reviewer"}).subagent == ""


# -- the queue --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["claude-code", "codex", "gemini", "copilot", "copilot Pascal", "vscode", "cursor"])
def test_what_goes_into_the_queue(name: str) -> None:
    payload = STOPPED[name]
    path = payload.get("transcript_path") or payload.get("transcriptPath") or ""
    session = payload.get("session_id") or payload.get("sessionId") or payload.get("conversation_id")
    assert event_in(surely(payload), AT) == Event(host_of(name), str(session), str(path), CWD, AT)


@pytest.mark.parametrize(
    ("name", "event"), [("StopFailure", SESSION_END), ("Interrupt", SESSION_END), ("session.idle", TURN_END)]
)
def test_a_turn_that_was_broken_off_comes_to_rest_too(name: str, event: str) -> None:
    found = surely({**CLAUDE, "hook_event_name": name})
    assert found.event == event
    assert found.event in RESTING


def test_opencode_s_own_event_comes_to_rest() -> None:
    found = surely({"id": "evt_1", "type": "session.idle", "properties": {"sessionID": "ses_dd58"}})
    assert (found.host, found.session, found.event) == ("opencode", "ses_dd58", TURN_END)


@pytest.mark.parametrize("session", ["", 7, ["x"], "a\nB: c", "x" * 201, "x\u202e"])
def test_what_can_be_no_session_s_id_is_none(session: object) -> None:
    assert surely({**PLAIN, "session_id": session}).session == ""


def test_fields_of_the_wrong_type_count_as_missing() -> None:
    payload = {**PLAIN, "cwd": ["/"], "transcript_path": {"a": 1}, "agent_id": None, "source": 4, "turn_id": "a\nb"}
    found = surely(payload)
    assert (found.cwd, found.transcript, found.source, found.turn) == ("", "", "", "")
    found = surely({**PLAIN, "cwd": "a\0b", "transcript_path": "x" * 40_000, "workspace_roots": [7]})
    assert (found.cwd, found.transcript) == ("", "")
    assert surely({**CURSOR, **PLAIN, "workspace_roots": []}).cwd == ""
    assert surely({**COPILOT, "hook_event_name": "SessionStart"}).event == START

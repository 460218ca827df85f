"""What each agent's hooks write to stdin, made here in the form that the agents use; and what each accepts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

CWD = "/home/ada/shop"
AT = "2026-03-01T10:00:02.854Z"
AT_MS = 1772359202854
CLAUDE = {
    "session_id": "9a54bf09-1",
    "transcript_path": "/home/ada/.claude/projects/-home-ada-shop/9a54bf09-1.jsonl",
    "cwd": CWD,
}
CODEX = {
    "session_id": "01a22a75-2",
    "transcript_path": "/home/ada/.codex/sessions/2026/03/01/rollout-2026-03-01T10-00-00-01a22a75-2.jsonl",
    "cwd": CWD,
    "model": "some-model",
    "permission_mode": "default",
}
GEMINI = {
    "session_id": "dee03c90-3",
    "transcript_path": "/home/ada/.gemini/tmp/shop/chats/session-2026-03-01T10-00-dee03c90.jsonl",
    "cwd": CWD,
    "timestamp": AT,
}
COPILOT = {"session_id": "dc9fd500-4", "timestamp": AT, "cwd": CWD}
COPILOT_CAMEL = {"sessionId": "dc9fd500-4", "timestamp": AT_MS, "cwd": CWD}
EVENTS_PATH = "/home/ada/.copilot/session-state/dc9fd500-4/events.jsonl"
VSCODE = {"sessionId": "v-5", "timestamp": AT, "cwd": CWD, "transcript_path": "/home/ada/.config/Code/chat/v-5.json"}
OPENCODE = {"sessionID": "ses_dd58-6", "cwd": CWD}
CURSOR = {
    "conversation_id": "c-7",
    "generation_id": "g-1",
    "model": "some-model",
    "cursor_version": "3.7.1",
    "workspace_roots": [CWD],
    "user_email": None,
    "transcript_path": None,
}
SAYS = "how do I check the staging host before a deployment?"
RUNS = {"command": "make test", "description": "runs the tests"}

STARTED: dict[str, dict[str, Any]] = {
    "claude-code": {**CLAUDE, "hook_event_name": "SessionStart", "source": "startup"},
    "codex": {**CODEX, "hook_event_name": "SessionStart", "source": "startup"},
    "gemini": {**GEMINI, "hook_event_name": "SessionStart", "source": "startup"},
    "copilot": {**COPILOT_CAMEL, "source": "new", "initialPrompt": SAYS},
    "copilot Pascal": {**COPILOT, "hook_event_name": "SessionStart", "source": "new", "initial_prompt": SAYS},
    "vscode": {**VSCODE, "hookEventName": "SessionStart", "source": "new"},
    "opencode": {**OPENCODE, "hook_event_name": "SessionStart", "source": "startup"},
    "cursor": {**CURSOR, "hook_event_name": "sessionStart", "session_id": "c-7", "composer_mode": "agent"},
}
ASKED: dict[str, dict[str, Any]] = {
    "claude-code": {**CLAUDE, "prompt_id": "p-1", "hook_event_name": "UserPromptSubmit", "prompt": SAYS},
    "codex": {**CODEX, "turn_id": "t-1", "hook_event_name": "UserPromptSubmit", "prompt": SAYS},
    "gemini": {**GEMINI, "hook_event_name": "BeforeAgent", "prompt": SAYS},
    "copilot": {**COPILOT_CAMEL, "prompt": SAYS},
    "copilot Pascal": {**COPILOT, "hook_event_name": "UserPromptSubmit", "prompt": SAYS},
    "vscode": {**VSCODE, "hookEventName": "UserPromptSubmit", "prompt": SAYS},
    "opencode": {**OPENCODE, "hook_event_name": "UserPromptSubmit", "message_id": "msg_1", "prompt": SAYS},
    "cursor": {**CURSOR, "hook_event_name": "beforeSubmitPrompt", "prompt": SAYS, "attachments": []},
}
STOPPED: dict[str, dict[str, Any]] = {
    "claude-code": {
        **CLAUDE, "prompt_id": "p-1", "permission_mode": "default", "effort": {"level": "medium"},
        "hook_event_name": "Stop", "stop_hook_active": False, "last_assistant_message": "Done.",
        "background_tasks": [], "session_crons": [],
    },
    "codex": {
        **CODEX, "turn_id": "t-1", "hook_event_name": "Stop", "stop_hook_active": False,
        "last_assistant_message": "Done.",
    },
    "gemini": {
        **GEMINI, "hook_event_name": "AfterAgent", "prompt": SAYS, "prompt_response": "Done.",
        "stop_hook_active": False,
    },
    "copilot": {
        **COPILOT_CAMEL, "transcriptPath": EVENTS_PATH, "stopReason": "end_turn", "stop_hook_active": False,
    },
    "copilot Pascal": {
        **COPILOT, "hook_event_name": "Stop", "transcript_path": EVENTS_PATH, "stop_reason": "end_turn",
        "stop_hook_active": False,
    },
    "vscode": {**VSCODE, "hookEventName": "Stop", "stop_hook_active": False},
    "opencode": {**OPENCODE, "hook_event_name": "Stop", "message_id": "msg_1"},
    "cursor": {**CURSOR, "hook_event_name": "stop", "status": "completed", "loop_count": 0},
}  # fmt: skip
COMPACTED: dict[str, dict[str, Any]] = {
    "claude-code": {
        **CLAUDE, "prompt_id": "p-1", "hook_event_name": "PreCompact", "trigger": "auto", "custom_instructions": None,
    },
    "codex": {**CODEX, "turn_id": "t-1", "hook_event_name": "PreCompact", "trigger": "auto"},
    "gemini": {**GEMINI, "hook_event_name": "PreCompress", "trigger": "auto"},
    "copilot": {**COPILOT_CAMEL, "trigger": "auto"},
    "copilot Pascal": {**COPILOT, "hook_event_name": "PreCompact", "trigger": "auto"},
    "vscode": {**VSCODE, "hookEventName": "PreCompact", "trigger": "auto"},
    "opencode": {**OPENCODE, "hook_event_name": "PreCompact"},
    "cursor": {**CURSOR, "hook_event_name": "preCompact", "trigger": "auto"},
}  # fmt: skip
ENDED: dict[str, dict[str, Any]] = {
    "claude-code": {**CLAUDE, "prompt_id": "p-1", "hook_event_name": "SessionEnd", "reason": "other"},
    "codex": {key: CODEX[key] for key in ("session_id", "transcript_path", "cwd")}
    | {"hook_event_name": "SessionEnd", "reason": "other"},
    "gemini": {**GEMINI, "hook_event_name": "SessionEnd", "reason": "exit"},
    "copilot": {**COPILOT_CAMEL, "reason": "complete"},
    "copilot Pascal": {**COPILOT, "hook_event_name": "SessionEnd", "reason": "complete"},
    "opencode": {**OPENCODE, "hook_event_name": "SessionEnd"},
    "cursor": {**CURSOR, "hook_event_name": "sessionEnd", "reason": "completed", "duration_ms": 1200},
}
CALLED: dict[str, dict[str, Any]] = {
    "claude-code": {
        **CLAUDE, "prompt_id": "p-1", "permission_mode": "default", "hook_event_name": "PreToolUse",
        "tool_name": "Bash", "tool_input": RUNS, "tool_use_id": "toolu_1",
    },
    "codex": {
        **CODEX, "turn_id": "t-1", "hook_event_name": "PreToolUse", "tool_name": "Bash",
        "tool_input": {"command": "make test"}, "tool_use_id": "call_1",
    },
    "gemini": {
        **GEMINI, "hook_event_name": "BeforeTool", "tool_name": "run_shell_command",
        "tool_input": {"command": "make test"},
    },
    "copilot": {**COPILOT_CAMEL, "toolName": "bash", "toolArgs": RUNS},
    "copilot Pascal": {**COPILOT, "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": RUNS},
    "vscode": {**VSCODE, "hookEventName": "PreToolUse", "tool_name": "runInTerminal", "tool_input": RUNS},
    "opencode": {
        **OPENCODE, "hook_event_name": "PreToolUse", "tool_name": "bash", "tool_input": RUNS, "tool_use_id": "call_1",
    },
    "cursor": {**CURSOR, "hook_event_name": "beforeShellExecution", "command": "make test", "cwd": CWD},
}  # fmt: skip
EVENTS = {
    "SessionStart": STARTED, "UserPromptSubmit": ASKED, "Stop": STOPPED, "PreCompact": COMPACTED, "SessionEnd": ENDED,
    "PreToolUse": CALLED,
}  # fmt: skip


def host_of(name: str) -> str:
    """Returns the host that a payload in these tables comes from."""
    return name.partition(" ")[0]


def every() -> list[tuple[str, str, dict[str, Any]]]:
    """Returns each payload with its event and its name."""
    return [(event, name, payload) for event, table in EVENTS.items() for name, payload in table.items()]


# -- what each accepts -------------------------------------------------------------------------------------------------

OWN_NAMES = {"gemini": {"UserPromptSubmit": "BeforeAgent", "PreToolUse": "BeforeTool"}}
LONGEST = {"claude-code": 10_000, "codex": 10_000}
"""Bytes or characters above which the client cuts."""


def refused(host: str, event: str, out: str) -> str:
    """Returns why a host would not take an answer, by its contract; "" where it does. Strict: no key too many."""
    if not out:
        return ""
    try:
        said = json.loads(out)
    except ValueError:
        return "no JSON"
    if not isinstance(said, dict):
        return "no object"
    check = {"claude-code": _claude, "codex": _codex, "gemini": _gemini, "copilot": _copilot, "vscode": _vscode,
             "opencode": _opencode, "cursor": _cursor}.get(host)  # fmt: skip
    if check is None:
        return "this host is told nothing"
    return check(event, said)


def _keys(said: Mapping[str, Any], *allowed: str) -> str:
    odd = set(said) - set(allowed)
    if odd:
        return f"unknown keys: {sorted(odd)}"
    return "" if all(said.values()) else "an empty value"


def _texts(said: Mapping[str, Any], most: int, *names: str) -> str:
    for name in names:
        if name in said and (not isinstance(said[name], str) or len(said[name].encode()) > most):
            return f"{name} is no text of at most {most}"
    return ""


def _specific(event: str, said: Mapping[str, Any], most: int, *decisions: str, input_too: bool = False) -> str:
    inner = said.get("hookSpecificOutput")
    if inner is None:
        return ""
    if not isinstance(inner, dict) or inner.get("hookEventName") != event:
        return "hookSpecificOutput of another event"
    if event in ("SessionStart", "UserPromptSubmit", "BeforeAgent"):
        return _keys(inner, "hookEventName", "additionalContext") or _texts(inner, most, "additionalContext")
    if event == "PreToolUse":
        more = ("updatedInput",) if input_too else ()
        if inner.get("permissionDecision") not in decisions:
            return "unknown decision"
        return _keys(inner, "hookEventName", "permissionDecision", "permissionDecisionReason", *more)
    if event == "PreSkillShellCommand" and inner.get("permissionDecision") in {"deny", "ask"}:
        return _keys(inner, "hookEventName", "permissionDecision", "permissionDecisionReason")
    return f"hookSpecificOutput on {event}"


def _claude(event: str, said: Mapping[str, Any]) -> str:
    if event in ("PreCompact", "SessionEnd"):
        return "takes nothing"
    return (
        _keys(said, "systemMessage", "hookSpecificOutput")
        or _texts(said, LONGEST["claude-code"], "systemMessage")
        or _specific(event, said, LONGEST["claude-code"], "allow", "deny", "ask", input_too=True)
    )


def _codex(event: str, said: Mapping[str, Any]) -> str:
    if event in ("Stop", "PreCompact", "SessionEnd"):
        return "takes nothing"
    return _keys(said, "hookSpecificOutput") or _specific(event, said, LONGEST["codex"], "deny")


def _gemini(event: str, said: Mapping[str, Any]) -> str:
    if event == "PreToolUse":
        return _keys(said, "decision", "reason") or ("" if said.get("decision") == "deny" else "unknown decision")
    if event in ("Stop", "PreCompact", "SessionEnd"):
        return "has nothing to say"
    own = OWN_NAMES["gemini"].get(event, event)
    return _keys(said, "systemMessage", "hookSpecificOutput") or _specific(own, said, 1 << 20)


def _copilot(event: str, said: Mapping[str, Any]) -> str:
    if event in ("SessionStart", "UserPromptSubmit"):
        return _keys(said, "additionalContext") or _texts(said, 10 << 20, "additionalContext")
    if event == "PreToolUse":
        odd = said.get("permissionDecision") not in ("allow", "deny", "ask")
        return "unknown decision" if odd else _keys(said, "permissionDecision", "permissionDecisionReason")
    return "takes nothing"


def _vscode(event: str, said: Mapping[str, Any]) -> str:
    if event not in ("SessionStart", "PreToolUse"):
        return "takes nothing"
    return _keys(said, "hookSpecificOutput") or _specific(event, said, 1 << 20, "deny")


def _opencode(event: str, said: Mapping[str, Any]) -> str:
    if event == "PreToolUse":
        return _keys(said, "deny") or _texts(said, 1 << 20, "deny")
    if event in ("PreCompact", "SessionEnd"):
        return "takes nothing"
    allowed = ("notice",) if event == "Stop" else ("additionalContext", "notice")
    return _keys(said, *allowed) or _texts(said, 1 << 20, *allowed)


def _cursor(event: str, said: Mapping[str, Any]) -> str:
    if event == "SessionStart":
        return _keys(said, "additional_context") or _texts(said, 1 << 20, "additional_context")
    if event == "PreToolUse":
        odd = said.get("permission") != "deny"
        return "unknown decision" if odd else _keys(said, "permission", "user_message", "agent_message")
    return "takes nothing"

"""Tells from a hook's payload which agent's session came to rest, and whether it should wait for curation.

The payloads of the agents differ in spelling (``session_id``, ``sessionId``, ``sessionID``) and in what they hold.
The payload is believed before the environment: an agent started inside another inherits that one's variables.

On the hot path of every hook: the standard library alone, and little of it.
"""

from __future__ import annotations

from engram.model.event import CURATING, DISABLE, Event, is_set

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_RESTS = frozenset({
    "stop", "stopfailure", "agentstop", "afteragent", "sessionend", "sessionidle", "precompact", "postcompact",
    "precompress", "interrupt",
})  # fmt: skip
"""Events after which a transcript is worth reading, in small letters without the dots."""

_FOLDERS = (
    ("/.codex/", "codex"),
    ("/.copilot/", "copilot"),
    ("/.gemini/", "gemini"),
    ("/.cursor/", "cursor"),
    ("/.claude/projects/", "claude-code"),
)
"""Where the agents keep their transcripts."""

_VARIABLES = (
    ("COPILOT_CLI", "copilot"),
    ("GEMINI_SESSION_ID", "gemini"),
    ("CLAUDECODE", "claude-code"),
)

_LONGEST_ID = 200
_LONGEST_PATH = 32_768


def event_of(payload: object, env: Mapping[str, str], now_iso: str, host: str = "") -> Event | None:
    """Returns the event that a payload reports; None where there is nothing to queue.

    Nothing to queue: ``ENGRAM_DISABLE``, our own marker, a subagent, an event after which no session rests, or no
    session in the payload. A stop with ``stop_hook_active`` is queued as any other: this hook never makes a session go
    on, so there is no recursion to break, and the work done since the first stop belongs to the session.

    ``host`` is the agent that the hook's command line names; it counts where the payload doesn't tell.
    """
    if is_set(env, DISABLE) or is_set(env, CURATING) or not isinstance(payload, dict):
        return None
    inner = payload.get("properties")
    fields: Mapping[object, object] = {**inner, **payload} if isinstance(inner, dict) else payload
    name = text_in(fields, "hook_event_name", "hookEventName", "type")
    if name and "".join(char for char in name.lower() if char.isalnum()) not in _RESTS:
        return None
    session = text_in(fields, "session_id", "sessionId", "sessionID", "conversation_id")
    if text_in(fields, "agent_id", "agentId", "agent_transcript_path") or not id_in(session):
        return None
    transcript = path_in(fields, "transcript_path", "transcriptPath")
    cwd = path_in(fields, "cwd", "directory")
    return Event(_agent(fields, transcript, env, host), session, transcript, cwd, now_iso)


def _agent(fields: Mapping[object, object], transcript: str, env: Mapping[str, str], host: str) -> str:
    if "cursor_version" in fields:
        return "cursor"
    place = transcript.replace("\\", "/")
    for folder, agent in _FOLDERS:
        if folder in place:
            return agent
    return _by_shape(fields) or _known(host) or _by_environment(env) or "unknown"


def _by_shape(fields: Mapping[object, object]) -> str:
    """Returns the agent whose payload has these fields and no other's has; "" where several could."""
    if "sessionID" in fields:
        return "opencode"
    if "hookEventName" in fields:
        return "vscode"
    if "sessionId" in fields:
        return "copilot"
    if fields.get("hook_event_name") in {"AfterAgent", "PreCompress"}:
        return "gemini"
    if "turn_id" in fields:
        return "codex"
    return "claude-code" if "prompt_id" in fields else ""


def _by_environment(env: Mapping[str, str]) -> str:
    return next((agent for name, agent in _VARIABLES if env.get(name)), "")


def _known(host: str) -> str:
    """Returns a host's name as it was given; "" where it is none that could stand in a commit's trailer."""
    plain = host.replace("-", "")
    return host if 0 < len(host) <= 32 and plain.isascii() and plain.isalnum() else ""


def id_in(session: str) -> bool:
    """Tells whether a text can be a session's id: one line, since it will stand in a commit's trailer."""
    return 0 < len(session) <= _LONGEST_ID and session.isprintable()


def text_in(fields: Mapping[object, object], *names: str) -> str:
    """Returns the first text that stands under one of these names, without white space around it; "" for none."""
    for name in names:
        value = fields.get(name)
        if isinstance(value, str) and value.strip():
            return value.strip()
    return ""


def path_in(fields: Mapping[object, object], *names: str) -> str:
    """Returns the first text under one of these names that can be a path; "" for none."""
    for name in names:
        value = fields.get(name)
        if isinstance(value, str) and value and len(value) <= _LONGEST_PATH and "\0" not in value:
            return value
    return ""

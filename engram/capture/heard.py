"""Heard: what an agent's hook reports on stdin, in one form for all agents.

The payloads differ in spelling (``session_id``, ``sessionId``, ``sessionID``) and in what they hold; some name no
event. The payload is believed before the command line, and that before the environment: an agent started inside
another inherits that one's variables, and several agents run hooks that were written for Claude Code.

On the hot path of every hook: the standard library alone, and little of it.
"""

from __future__ import annotations

from binascii import crc32

from engram.model.event import (
    CALLS,
    COMPACTING,
    CURATING,
    DISABLE,
    PROMPT,
    SESSION_END,
    SKILL,
    START,
    TOOL,
    TURN_END,
    Event,
    is_set,
)
from engram.model.wire import parsed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_EVENTS = {
    "sessionstart": START, "sessioncreated": START,
    "userpromptsubmit": PROMPT, "userpromptsubmitted": PROMPT, "beforeagent": PROMPT, "beforesubmitprompt": PROMPT,
    "stop": TURN_END, "agentstop": TURN_END, "afteragent": TURN_END, "sessionidle": TURN_END,
    "precompact": COMPACTING, "precompress": COMPACTING, "postcompact": COMPACTING,
    "sessionend": SESSION_END, "stopfailure": SESSION_END, "interrupt": SESSION_END,
    "pretooluse": TOOL, "beforetool": TOOL, "beforeshellexecution": TOOL, "preskillshellcommand": SKILL,
}  # fmt: skip
"""In small letters without the dots. A turn that was broken off counts as a session's end: it is queued, in silence."""

RESTING = (TURN_END, COMPACTING, SESSION_END)
"""Events after which a transcript is worth reading."""
FORGETTING = ("clear", "compact")
"""Starts after which the client has lost what it was told before."""

_FOLDERS = (
    ("/.codex/", "codex"),
    ("/.copilot/", "copilot"),
    ("/.gemini/", "gemini"),
    ("/.cursor/", "cursor"),
    ("/.claude/projects/", "claude-code"),
    ("/rollout-", "codex"),
    ("/chats/session-", "gemini"),
)
"""Where the agents keep their transcripts."""

_VARIABLES = (
    ("COPILOT_CLI", "copilot"),
    ("GEMINI_SESSION_ID", "gemini"),
    ("CLAUDECODE", "claude-code"),
)

_LONGEST_ID = 200
_LONGEST_PATH = 32_768


class Heard:
    """Is what one hook reports. Frozen by custom: a dataclass would cost the hook time."""

    __slots__ = (
        "attended", "curating", "cwd", "event", "host", "permission_mode", "prompt", "session", "source", "stamp",
        "stop_active", "subagent", "tool", "tool_input", "tool_use_id", "transcript", "turn",
    )  # fmt: skip

    def __init__(
        self,
        host: str,
        event: str,
        session: str,
        *,
        turn: str = "",
        cwd: str = "",
        transcript: str = "",
        prompt: str = "",
        source: str = "",
        tool: str = "",
        tool_input: Mapping[str, object] | None = None,
        tool_use_id: str = "",
        permission_mode: str = "",
        stop_active: bool = False,
        attended: bool | None = None,
        subagent: str = "",
        curating: bool = False,
        stamp: str = "",
    ) -> None:
        self.host = host
        """``claude-code``, ``codex``, …; ``unknown`` where nothing tells."""
        self.event = event
        """By the one name for all agents."""
        self.session = session
        """"" where the payload names none that could be one."""
        self.turn = turn
        """The id that the agent gives a prompt and what follows from it; "" where it gives none."""
        self.cwd = cwd
        self.transcript = transcript
        """The path that the agent gave; "" where it gave none."""
        self.prompt = prompt
        self.source = source
        """Of a session's start: ``startup``, ``resume``, ``clear``, ``compact``, …"""
        self.tool = tool
        self.tool_input: Mapping[str, object] = tool_input or {}
        self.tool_use_id = tool_use_id
        self.permission_mode = permission_mode
        self.stop_active = stop_active
        """Another hook made the agent go on after it had stopped."""
        self.attended = attended
        """Whether a person sits at the session; None where the agent doesn't tell."""
        self.subagent = subagent
        """The id of the subagent that acts; "" for the agent itself. Only a tool's call is heard of a subagent."""
        self.curating = curating
        """Our own marker: a session that was started to curate others. Only a tool's call is heard of it."""
        self.stamp = stamp
        """Tells events of one kind in one turn apart; the same where one event is reported twice."""

    def __repr__(self) -> str:
        return f"Heard({self.host}, {self.event}, {self.session!r}, {self.source or self.tool or len(self.prompt)})"


def heard_of(payload: object, env: Mapping[str, str], host: str = "", *, unnamed: str = "") -> Heard | None:
    """Returns what a payload reports; None where it is none of engram's business.

    That is: ``ENGRAM_DISABLE``, an event that engram doesn't know, a prompt of nothing; and all but a tool's call where
    our own marker is set or a subagent acts. What an agent may do to memory holds for its subagents too.

    ``host`` is the agent that the hook's command line names; it counts where the payload doesn't tell. ``unnamed`` is
    the event of a payload that names none and looks like none.
    """
    if is_set(env, DISABLE) or not isinstance(payload, dict):
        return None
    inner = payload.get("properties")
    fields: Mapping[object, object] = {**inner, **payload} if isinstance(inner, dict) else payload
    event = _event(fields, unnamed)
    subagent = text_in(fields, "agent_id", "agentId", "agent_transcript_path")
    if not event or (event not in CALLS and (subagent or is_set(env, CURATING))):
        return None
    prompt = text_in(fields, "prompt") if event == PROMPT else ""
    if event == PROMPT and not prompt:
        return None
    transcript = path_in(fields, "transcript_path", "transcriptPath")
    agent = _agent(fields, transcript, env, host)
    session = text_in(fields, "session_id", "sessionId", "sessionID", "conversation_id")
    turn = text_in(fields, "prompt_id", "turn_id", "generation_id", "message_id")
    stop_active = fields.get("stop_hook_active") is True
    return Heard(
        agent,
        event,
        session if id_in(session) else "",
        turn=turn if id_in(turn) else "",
        cwd=path_in(fields, "cwd", "directory") or _root(fields),
        transcript=transcript,
        prompt=prompt,
        source=text_in(fields, "source", "trigger"),
        tool=text_in(fields, "tool_name", "toolName") or ("Shell" if event in CALLS else ""),
        tool_input=_tool_input(fields) if event in CALLS else None,
        tool_use_id=text_in(fields, "tool_use_id"),
        permission_mode=text_in(fields, "permission_mode"),
        stop_active=stop_active,
        attended=_attended(env) if agent == "claude-code" else None,
        subagent=subagent,
        curating=is_set(env, CURATING),
        stamp=_stamp(fields, prompt, stop_active),
    )


def event_in(heard: Heard, now_iso: str) -> Event:
    """Returns what goes into the queue of a session that came to rest. ``now_iso``: ISO time in UTC."""
    return Event(heard.host, heard.session, heard.transcript, heard.cwd, now_iso)


def host_in(arguments: Sequence[str]) -> str:
    """Returns what a hook's command line names with ``--host``; "" for nothing. Other words are passed over."""
    for at, word in enumerate(arguments):
        if word == "--host":
            return "".join(arguments[at + 1 : at + 2])
        if word.startswith("--host="):
            return word[7:]
    return ""


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


# -- which event -------------------------------------------------------------------------------------------------------


def _event(fields: Mapping[object, object], unnamed: str) -> str:
    name = text_in(fields, "hook_event_name", "hookEventName", "type")
    if name:
        return _EVENTS.get("".join(char for char in name.lower() if char.isalnum()), "")
    return (_copilot_event(fields) if "sessionId" in fields else "") or unnamed


def _copilot_event(fields: Mapping[object, object]) -> str:
    """Returns the event of a payload of Copilot's own spelling, which names none; "" for one of the others."""
    if "toolName" in fields:
        return "" if "toolResult" in fields or "hookName" in fields else TOOL
    if "agentName" in fields or "transformedPrompt" in fields:
        return ""
    signs = (("stopReason", TURN_END), ("prompt", PROMPT), ("source", START), ("reason", SESSION_END),
             ("trigger", COMPACTING))  # fmt: skip
    return next((event for sign, event in signs if sign in fields), "")


# -- whose -------------------------------------------------------------------------------------------------------------


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
    name = fields.get("hook_event_name")
    if name in {"BeforeAgent", "AfterAgent", "BeforeTool", "PreCompress"}:
        return "gemini"
    if "timestamp" in fields and name in {START, PROMPT, TURN_END, COMPACTING, SESSION_END, TOOL}:
        return "vscode" if text_in(fields, "transcript_path") else "copilot"  # Claude Code and Codex tell no time
    if "turn_id" in fields or (name == START and "permission_mode" in fields):
        return "codex"
    return "claude-code" if "prompt_id" in fields else ""


def _by_environment(env: Mapping[str, str]) -> str:
    return next((agent for name, agent in _VARIABLES if env.get(name)), "")


def _known(host: str) -> str:
    """Returns a host's name as it was given; "" where it is none that could stand in a commit's trailer."""
    plain = host.replace("-", "")
    return host if 0 < len(host) <= 32 and plain.isascii() and plain.isalnum() else ""


# -- the rest ----------------------------------------------------------------------------------------------------------


def _attended(env: Mapping[str, str]) -> bool | None:
    return {"1": True, "0": False}.get(env.get("CLAUDE_CODE_SESSION_ATTENDED", ""))


def _root(fields: Mapping[object, object]) -> str:
    """Returns the first folder that Cursor's window has open."""
    roots = fields.get("workspace_roots")
    return path_in({"root": roots[0]}, "root") if isinstance(roots, list) and roots else ""


def _tool_input(fields: Mapping[object, object]) -> Mapping[str, object]:
    """Returns what a tool is called with: an object, or one that is written as a text."""
    for name in ("tool_input", "toolInput", "toolArgs"):
        value = fields.get(name)
        if isinstance(value, str):
            try:
                value = parsed(value.encode("utf-8", "surrogatepass"))
            except ValueError:
                value = {"command": value}
        if isinstance(value, dict):
            return value
    return {"command": fields["command"]} if isinstance(fields.get("command"), str) else {}


def _stamp(fields: Mapping[object, object], prompt: str, stop_active: bool) -> str:
    """Returns a few characters of when it was and of what was said.

    Of a time it takes what ``1772359202854`` and ``2026-03-01T10:00:02.854Z`` share: the milliseconds of the minute.
    """
    at = fields.get("timestamp")
    if isinstance(at, int) and not isinstance(at, bool):
        moment = f"{at % 60_000}"
    elif isinstance(at, str) and at[17:19].isdecimal() and at[16:17] == ":":
        moment = f"{int(at[17:19]) * 1000 + (int(at[20:23]) if at[20:23].isdecimal() and len(at[20:23]) == 3 else 0)}"
    else:
        moment = ""
    said = prompt or ("" if moment else text_in(fields, "last_assistant_message"))
    return f"{moment}/{crc32(said.encode('utf-8', 'surrogatepass')):x}/{int(stop_active)}"

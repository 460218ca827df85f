"""Tells from a hook's payload what a session asks of memory: something about a prompt, or what it should open with.

On the hot path of the prompt hook: the standard library alone, and little of it.
"""

from __future__ import annotations

from engram.capture.classify import id_in, path_in, text_in
from engram.model.event import CURATING, DISABLE, is_set

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

PROMPT, START = "UserPromptSubmit", "SessionStart"
_EVENTS = {"userpromptsubmit": PROMPT, "userpromptsubmitted": PROMPT, "sessionstart": START}
FORGETTING = ("clear", "compact")
"""Starts after which the client has lost what it was told before."""


class Asked:
    """Is one question to memory. Frozen by custom: a dataclass would cost the hook time."""

    __slots__ = ("cwd", "event", "prompt", "session", "source")

    def __init__(self, event: str, session: str, cwd: str, prompt: str = "", source: str = "") -> None:
        self.event = event
        """``UserPromptSubmit`` or ``SessionStart``."""
        self.session = session
        """"" where the payload names none."""
        self.cwd = cwd
        self.prompt = prompt
        self.source = source
        """Of a session's start: ``startup``, ``resume``, ``clear``, ``compact``, …"""

    def __repr__(self) -> str:
        return f"Asked({self.event}, {self.session!r}, {self.source or len(self.prompt)})"


def asked_of(payload: object, env: Mapping[str, str]) -> Asked | None:
    """Returns what a payload asks; None where memory has nothing to say to it.

    Nothing to say: ``ENGRAM_DISABLE``, our own marker, a subagent, any other event, a prompt of nothing.
    """
    if is_set(env, DISABLE) or is_set(env, CURATING) or not isinstance(payload, dict):
        return None
    name = text_in(payload, "hook_event_name", "hookEventName")
    event = _EVENTS.get("".join(char for char in name.lower() if char.isalnum()))
    if event is None or text_in(payload, "agent_id", "agentId", "agent_transcript_path"):
        return None
    session = text_in(payload, "session_id", "sessionId", "sessionID", "conversation_id")
    prompt = text_in(payload, "prompt") if event == PROMPT else ""
    if event == PROMPT and not prompt:
        return None
    cwd = path_in(payload, "cwd", "directory")
    source = text_in(payload, "source") if event == START else ""
    return Asked(event, session if id_in(session) else "", cwd, prompt, source)

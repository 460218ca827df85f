"""An event: a session came to rest. What a hook says, in the one form that the queue keeps.

On the hot path of every hook: the standard library alone, and little of it.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing costs a hook a tenth of its time
    from collections.abc import Mapping

HOME = "ENGRAM_HOME"
"""Names the user's store; ``~/.agent-memory`` without it."""
DISABLE = "ENGRAM_DISABLE"
"""Silences every hook of engram."""
CURATING = "ENGRAM_CURATING"
"""Our own marker: a session that was started to curate others. It queues nothing, or it would feed on itself."""


START, PROMPT, TURN_END = "SessionStart", "UserPromptSubmit", "Stop"
COMPACTING, SESSION_END, TOOL = "PreCompact", "SessionEnd", "PreToolUse"
SKILL = "PreSkillShellCommand"
"""What hooks report, by one name for all agents."""
CALLS = (TOOL, SKILL)
"""Events of something that is about to run: a tool, or a command in the text of a skill, which no tool's call is."""


class Verdict:
    """Is what engram says to a tool's call before it runs. Frozen by custom, as all of this module."""

    __slots__ = ("decision", "input", "reason")

    def __init__(self, decision: str, reason: str, input: Mapping[str, object] | None = None) -> None:  # noqa: A002
        self.decision = decision
        """``allow``, ``ask`` or ``deny``."""
        self.reason = reason
        self.input = input
        """What the tool is called with in place of what the agent wrote; None for that."""

    def __repr__(self) -> str:
        return f"Verdict({self.decision}, {self.reason[:40]!r})"


class Event:
    """Is one stop of one session. Frozen by custom: a dataclass would cost the hook a third of its time."""

    __slots__ = ("agent", "at", "cwd", "session", "transcript")

    def __init__(self, agent: str, session: str, transcript: str, cwd: str, at: str) -> None:
        self.agent = agent
        """``claude-code``, ``codex``, ``gemini``, ``copilot``, ``opencode``, ``cursor``, ``vscode``, ``unknown``."""
        self.session = session
        self.transcript = transcript
        """The path that the agent gave; "" where it gave none."""
        self.cwd = cwd
        self.at = at
        """ISO time in UTC, to the microsecond."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Event) and all(getattr(self, name) == getattr(other, name) for name in Event.__slots__)

    def __hash__(self) -> int:
        return hash((self.agent, self.session, self.at))

    def __repr__(self) -> str:
        return f"Event({', '.join(f'{name}={getattr(self, name)!r}' for name in Event.__slots__)})"


def is_set(env: Mapping[str, str], name: str) -> bool:
    """Tells whether a switch in the environment is on: there, and none of the words for no."""
    return env.get(name, "").strip().lower() not in {"", "0", "false", "no", "off"}


def engram_home(env: Mapping[str, str], home: str) -> str:
    """Returns the user's store: ``$ENGRAM_HOME``, else ``~/.agent-memory``. ``home``: the home directory.

    ``~`` and a relative path count from the home directory, so that a hook and a terminal agree wherever they run.
    """
    named = env.get(HOME, "").strip() or ".agent-memory"
    if named == "~":
        return home
    if named.startswith(("~/", "~\\")):
        named = named[2:]
    elif named.startswith(("/", "\\")) or named[1:2] == ":":
        return named
    return home.rstrip("/\\") + ("\\" if "\\" in home else "/") + named

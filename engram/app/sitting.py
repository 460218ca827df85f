"""One client's time with the MCP server: who it is, which of its sessions a call belongs to, what it is answered.

Import-light: the server makes one before anything of memory is loaded.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engram.errors.agents import ArgumentInvalid
from engram.model.visible import hidden

_HOSTS = (
    ("claude", "claude-code"), ("codex", "codex"), ("gemini", "gemini"), ("opencode", "opencode"), ("cursor", "cursor"),
    ("github-copilot", "copilot"), ("copilot", "copilot"), ("visual-studio-code", "vscode"), ("vscode", "vscode"),
)  # fmt: skip
_SESSION_OF = ("CLAUDE_CODE_SESSION_ID", "GEMINI_SESSION_ID")
"""Where clients tell their children which session they run in."""
LONGEST_NAME = 60
LONGEST_ID = 150


@dataclass(frozen=True)
class Reply:
    """Is what a tool answers. ``data``: the same for a machine; None where the frame of the text may not get lost."""

    text: str
    data: dict[str, Any] | None = None


class Sitting:
    """Is one run of the server. A client may hold several sessions in it; one that nobody named still has an id."""

    def __init__(self, env: Mapping[str, str]) -> None:
        named = next((env[name] for name in _SESSION_OF if env.get(name)), "")
        self.own = named if _is_plain(named) else f"mcp-{os.urandom(6).hex()}"
        self.agent = "mcp-client"
        self.current = ""
        self._ended: set[str] = set()

    def of_client(self, name: str) -> Sitting:
        """Notes what the client calls itself. Returns the sitting."""
        plain = "".join(char if char.isascii() and (char.isalnum() or char in "._-") else "-" for char in name.strip())
        plain = plain[:LONGEST_NAME].strip("-") or "mcp-client"
        folded = plain.lower()
        self.agent = next((host for start, host in _HOSTS if folded.startswith(start)), plain)
        return self

    def session(self, named: str = "") -> str:
        """Returns the session that a call belongs to: the one it names, the one started last, else the sitting's own.

        Which of several is meant never stands in the way of a save. Raises ArgumentInvalid for what can be no id.
        """
        if named and not _is_plain(named):
            raise ArgumentInvalid("session_id holds what can't be seen, or begins or ends with white space")
        return named or self.current or self.own

    def start(self, named: str) -> tuple[str, bool]:
        """Returns the session that begins, and whether it is new. Raises ArgumentInvalid where it has ended."""
        known = bool(named) and named == self.current
        session = self.session(named) if named else f"{self.own}-{os.urandom(3).hex()}" if self.current else self.own
        if session in self._ended:
            raise ArgumentInvalid("this session has ended", "start another: leave session_id out, or give a new one")
        self.current = session
        return session, not known

    def is_over(self, session: str) -> bool:
        """Tells whether a session has ended in this sitting."""
        return session in self._ended

    def end(self, named: str) -> str:
        """Ends a session and returns it; ending it again changes nothing."""
        session = self.session(named)
        self._ended.add(session)
        if session == self.current:
            self.current = ""
        if session == self.own:
            self.own = f"mcp-{os.urandom(6).hex()}"
        return session


def _is_plain(text: str) -> bool:
    return bool(text) and len(text) <= LONGEST_ID and text == text.strip() and text.isprintable() and not hidden(text)

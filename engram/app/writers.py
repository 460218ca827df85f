"""Who probably wrote what nobody reviewed: the client whose session a note names, or the person."""

from __future__ import annotations

from dataclasses import dataclass

from engram import queue
from engram.app.context import Context
from engram.model.snapshot import TOC, Snapshot
from engram.model.visible import visible_line
from engram.store.frontmatter import parse

_NAMES = {
    "claude-code": "Claude Code", "codex": "Codex", "gemini": "Gemini CLI", "copilot": "Copilot CLI",
    "opencode": "opencode", "cursor": "Cursor", "vscode": "VS Code",
}  # fmt: skip
_SIGN = "originSessionId"
"""What Claude Code's own memory writes into a note, with ``modified``."""


@dataclass(frozen=True, slots=True)
class Writer:
    """Is who probably wrote a file. ``author`` is None for the person."""

    author: tuple[str, str] | None
    why: str


def writer_of(context: Context, snapshot: Snapshot, path: str) -> Writer:
    """Returns who probably wrote a file as it stands, and what says so."""
    if path == TOC:
        return _of_contents(context, snapshot)
    work, head = snapshot.work.get(path), snapshot.committed.get(path)
    if work is None:
        return Writer(None, "the file is gone; nothing says who removed it")
    now, _ = parse(work, path)
    then = parse(head, path)[0] if head is not None else None
    session = now.text(_SIGN) if now is not None else ""
    moved = then is None or now is None or (then.text(_SIGN), then.text("modified")) != (session, now.text("modified"))
    if not session or not moved:
        return Writer(None, "written by hand, or by a tool that leaves no sign")
    agent = _agent_of(context, session)
    name = _NAMES.get(agent, agent)
    return Writer((name, f"{agent}@agents.invalid"), f"by {name} in session {visible_line(session[:60])} ({_SIGN})")


def _of_contents(context: Context, snapshot: Snapshot) -> Writer:
    """Returns who wrote MEMORY.md: whoever wrote all else that nobody reviewed."""
    others = {writer_of(context, snapshot, path).author for path in snapshot.unreviewed if path != TOC}
    if len(others) == 1 and (author := next(iter(others))) is not None:
        return Writer(author, f"by {author[0]}, as the notes beside it")
    return Writer(None, "written by hand, or by a tool that leaves no sign")


def _agent_of(context: Context, session: str) -> str:
    """Returns the agent that queued a session; Claude Code where none did, since the sign is its own."""
    found = [entry.agent for entry in queue.entries(context.folder("queue")) if entry.session == session]
    return found[0] if found and found[0] in _NAMES else "claude-code"

"""Errors of working with agents: the tools that they call, and the clients that are run to curate.

Apart from the others, since a hook loads those and meets none of these.
"""

from __future__ import annotations

from engram.errors import EngramError


class ArgumentInvalid(EngramError):
    """An MCP tool was called with arguments that it doesn't take; nothing was kept."""

    code = "argument-invalid"
    hint = "mend what is named and call it again"


class PromptDeleted(EngramError):
    """A prompt with this inbox id was deleted; the id is spent."""

    code = "prompt-deleted"
    hint = "leave it out, or keep the prompt under another inbox id"


class EngramNotInstalled(EngramError):
    """An agent's hooks couldn't start engram: the interpreter that runs it finds it only from here."""

    code = "engram-not-installed"
    hint = "install it (`pipx install engram-curator`), then run the same command with the installed one"


class McpMissing(EngramError):
    """The extra that brings the MCP SDK is not installed, or too old."""

    code = "mcp-missing"


class AgentMissing(EngramError):
    """The agent that is to curate is not installed, or not on PATH."""

    code = "agent-missing"
    hint = "install it, or name another with --agent"


class AgentLogin(EngramError):
    """The agent that is to curate is not logged in."""

    code = "agent-login"


class AgentFailed(EngramError):
    """The agent that is to curate ended without an answer."""

    code = "agent-failed"
    hint = "the session stays queued; run the agent by hand to see what it lacks"


class AgentTimedOut(EngramError):
    """The agent that is to curate took too long; it was ended with all that it had started."""

    code = "agent-timed-out"
    hint = "the session stays queued; --timeout gives it longer"


class AgentUnusable(EngramError):
    """The agent that is to curate never gave a changeset that can be planned, however often it was told why."""

    code = "agent-unusable"
    hint = "the session stays queued; another --model or --agent may do better"

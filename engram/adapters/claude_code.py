"""Claude Code: what its hooks accept.

Context reaches the model on a session's start and on a prompt, a ``systemMessage`` the person alone. SessionEnd and
PreCompact take nothing: with a hookSpecificOutput the client prints a schema error.
"""

from __future__ import annotations

from engram.model.event import CALLS, COMPACTING, PROMPT, SESSION_END, SKILL, START, TOOL, TURN_END

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from engram.adapters.files.place import Piece, Place
    from engram.model.event import Verdict

TOOLS = "^(Bash|PowerShell|Monitor|REPL|Read|Write|Edit|MultiEdit|NotebookEdit|mcp__.*)$"
"""Tools that run a command or touch a file, as a hook's matcher; those of an MCP server may do either."""
NAME = "claude-code"
TITLE = "Claude Code"
HOSTS = ("claude-code",)
LIMIT = 9_500
"""The client cuts what is longer than 10,000 characters; so does it with a notice."""
NOTICES = (START, PROMPT, TURN_END)
OPENS = START
FORGETS: tuple[str, ...] = ()


def spoken(host: str, event: str, context: str, notice: str, verdict: Verdict | None) -> Mapping[str, object] | None:
    """Returns the JSON that Claude Code accepts; None where it takes none."""
    del host
    said: dict[str, object] = {}
    if notice and event in NOTICES:
        said["systemMessage"] = notice
    if event in CALLS and verdict is not None and not (event == SKILL and verdict.decision == "allow"):
        inner: dict[str, object] = {
            "hookEventName": event,
            "permissionDecision": verdict.decision,
            "permissionDecisionReason": verdict.reason,
        }
        if verdict.input is not None and event == TOOL:
            inner["updatedInput"] = dict(verdict.input)
        said["hookSpecificOutput"] = inner
    elif context and event in {START, PROMPT}:
        said["hookSpecificOutput"] = {"hookEventName": event, "additionalContext": context}
    return said or None


def found(place: Place) -> bool:
    """Tells whether Claude Code is installed here."""
    return place.which("claude") or place.exists(_folder(place))


def pieces(place: Place) -> Sequence[Piece]:
    """Returns the hooks for the settings, and folders of engram's own for the MCP server and the skills.

    The server comes as a plugin in the skills' folder, which the client loads by itself: ``~/.claude.json``, where it
    would go else, is the client's own state, rewritten by every session.
    """
    from engram import __version__  # noqa: PLC0415 - a hook has no time for it
    from engram.adapters.files import place as _place  # noqa: PLC0415 - a hook has no time for it
    from engram.adapters.files.quoting import powershell  # noqa: PLC0415 - a hook has no time for it

    handler: dict[str, object] = {"type": "command", "command": place.command(NAME, powershell)}
    if place.windows:
        handler["shell"] = "powershell"
    handler["timeout"] = _place.TIMEOUT
    events = dict.fromkeys((START, PROMPT, TURN_END, COMPACTING, SESSION_END, SKILL), "")
    skills = place.below(_folder(place), "skills")
    plugin = place.below(skills, "engram")
    command, *arguments = place.server()
    manifest = {"name": "engram", "version": __version__, "description": "Memory that a person has approved"}
    server = {"mcpServers": {"engram": {"command": command, "args": arguments}}}
    return (
        *_place.grouped(_settings(place), {**events, TOOL: TOOLS}, handler),
        _place.json_file(place.below(plugin, ".claude-plugin", "plugin.json"), manifest),
        _place.json_file(place.below(plugin, ".mcp.json"), server),
        *_place.shipped(place, "agents", place.below(plugin, "agents")),
        *_place.shipped(place, "skills", skills),
    )


def remarks(place: Place) -> Sequence[str]:
    """Returns what the person has to know besides."""
    del place
    return (
        "a session that runs already takes the hooks over by itself, the skills and the MCP server at its next start",
    )


def elsewhere(place: Place) -> str:
    """Returns how engram comes to the agent already, by another way than this; "" for none."""
    from engram.adapters.files.plugins import on_in_json  # noqa: PLC0415 - a hook has no time for it

    return "engram's plugin is switched on in Claude Code" if on_in_json(place.read(_settings(place))) else ""


def _folder(place: Place) -> str:
    return place.config("CLAUDE_CONFIG_DIR", ".claude")


def _settings(place: Place) -> str:
    return place.below(_folder(place), "settings.json")

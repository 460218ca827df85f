"""GitHub Copilot: what the hooks of its command line and of VS Code accept.

The command line reads ``additionalContext`` at the top level alone. VS Code reads it as Claude Code does, on a
session's start; on a prompt it takes none. Neither is known to show a notice to the person.
"""

from __future__ import annotations

from engram.model.event import COMPACTING, PROMPT, SESSION_END, START, TOOL, TURN_END

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from engram.adapters.files.place import Piece, Place
    from engram.model.event import COMPACTING, Verdict

NAME = "copilot"
TITLE = "GitHub Copilot CLI and VS Code"
HOSTS = ("copilot", "vscode")
LIMIT = 100_000
"""The command line takes 10 MiB; no memory is that long."""
NOTICES: tuple[str, ...] = ()
OPENS = START
FORGETS: tuple[str, ...] = (COMPACTING,)


def spoken(host: str, event: str, context: str, notice: str, verdict: Verdict | None) -> Mapping[str, object] | None:
    """Returns the JSON that Copilot's command line or VS Code accepts; None where it takes none."""
    del notice
    if event == TOOL:
        if verdict is None or (verdict.decision != "deny" and (host == "vscode" or verdict.input is not None)):
            return None  # neither is known to call a tool with another input
        said = {"permissionDecision": verdict.decision, "permissionDecisionReason": verdict.reason}
        return {"hookSpecificOutput": {"hookEventName": TOOL, **said}} if host == "vscode" else said
    if not context or event not in ({START} if host == "vscode" else {START, PROMPT}):
        return None
    if host == "vscode":
        return {"hookSpecificOutput": {"hookEventName": event, "additionalContext": context}}
    return {"additionalContext": context}


def found(place: Place) -> bool:
    """Tells whether Copilot CLI is installed here, or was used."""
    return place.which("copilot") or place.exists(_folder(place))


def pieces(place: Place) -> Sequence[Piece]:
    """Returns a file of hooks, which VS Code reads too, the MCP server and the skills."""
    from engram.adapters.files import place as _place  # noqa: PLC0415 - a hook has no time for it
    from engram.adapters.files.quoting import powershell, sh  # noqa: PLC0415 - a hook has no time for it

    words = place.hook(NAME)
    handler = {"type": "command", "bash": sh(words), "powershell": powershell(words), "timeoutSec": _place.TIMEOUT}
    events = dict.fromkeys((START, PROMPT, TURN_END, COMPACTING, SESSION_END, TOOL), "")
    command, *arguments = place.server()
    server = {"type": "local", "command": command, "args": arguments, "tools": ["*"]}
    return (
        *_place.flat(place.below(_folder(place), "hooks", "engram.json"), events, handler),
        _place.Piece(place.below(_folder(place), "mcp-config.json"), _place.MEMBER, ("mcpServers", "engram"), server),
        *_place.shipped(place, "skills", place.below(_folder(place), "skills")),
    )


def remarks(place: Place) -> Sequence[str]:
    """Returns what the person has to know besides."""
    del place
    return ("VS Code runs the same hooks; its MCP servers stand in each profile's or workspace's own mcp.json",)


def elsewhere(place: Place) -> str:
    """Returns how engram comes to the agent already, by another way than this; "" for none."""
    from engram.adapters.files.plugins import on_in_json  # noqa: PLC0415 - a hook has no time for it

    settings = place.below(_folder(place), "settings.json")
    return "engram's plugin is switched on in Copilot CLI" if on_in_json(place.read(settings)) else ""


def _folder(place: Place) -> str:
    return place.config("COPILOT_HOME", ".copilot")

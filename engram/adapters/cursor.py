"""Cursor: what its hooks accept. Context on a session's start alone; on a prompt and at a turn's end nothing."""

from __future__ import annotations

from engram.model.event import COMPACTING, START, TOOL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from engram.adapters.files.place import Piece, Place
    from engram.model.event import COMPACTING, Verdict

NAME = "cursor"
TITLE = "Cursor"
HOSTS = ("cursor",)
LIMIT = 9_500
"""No limit is documented; the smallest of the others'."""
NOTICES: tuple[str, ...] = ()
OPENS = START
FORGETS: tuple[str, ...] = (COMPACTING,)


def spoken(host: str, event: str, context: str, notice: str, verdict: Verdict | None) -> Mapping[str, object] | None:
    """Returns the JSON that Cursor accepts; None where it takes none."""
    del host, notice
    if event == TOOL:
        if verdict is None or verdict.decision != "deny":
            return None
        return {"permission": "deny", "user_message": verdict.reason, "agent_message": verdict.reason}
    return {"additional_context": context} if context and event == START else None


def found(place: Place) -> bool:
    """Tells whether Cursor is installed here."""
    return place.which("cursor") or place.which("cursor-agent") or place.exists(place.at(".cursor"))


def pieces(place: Place) -> Sequence[Piece]:
    """Returns the hooks, the MCP server, and a rule that says what the prompt's hook can't bring there."""
    from engram.adapters.files import place as _place  # noqa: PLC0415 - a hook has no time for it

    handler = {"command": place.command(NAME), "timeout": _place.TIMEOUT}
    events = dict.fromkeys(("sessionStart", "beforeSubmitPrompt", "stop", "preCompact", "sessionEnd"), "")
    command, *arguments = place.server()
    rule = f"---\ndescription: Engram, memory across sessions\nalwaysApply: true\n---\n\n{place.told()}"
    return (
        *_place.flat(place.at(".cursor", "hooks.json"), {**events, "preToolUse": "Shell|Write|Delete"}, handler),
        _place.Piece(
            place.at(".cursor", "mcp.json"),
            _place.MEMBER,
            ("mcpServers", "engram"),
            {"command": command, "args": arguments},
        ),
        _place.Piece(place.at(".cursor", "rules", "engram.mdc"), _place.FILE, (), rule.encode()),
        *_place.shipped(place, "skills", place.at(".cursor", "skills")),
    )


def remarks(place: Place) -> Sequence[str]:
    """Returns what the person has to know besides."""
    del place
    return (
        "Cursor takes no context on a prompt, so memory comes at a session's start and when the agent asks for it;"
        " rules in your home folder count in some versions of Cursor alone: copy engram.mdc into a project's"
        " .cursor/rules where yours doesn't show it",
    )


def elsewhere(place: Place) -> str:
    """Returns how engram comes to the agent already, by another way than this; "" for none."""
    del place
    return ""

"""Gemini CLI: what its hooks accept.

JSON alone: plain text would be shown to the person. A ``systemMessage`` is shown to the person, at a session's start.
Context comes with a prompt, where it stands behind what the person typed.
"""

from __future__ import annotations

from engram.model.event import PROMPT, START, TOOL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from engram.adapters.files.place import Piece, Place
    from engram.model.event import Verdict

NAME = "gemini"
TITLE = "Gemini CLI"
HOSTS = ("gemini",)
LIMIT = 100_000
"""The client is known to pass this much on whole."""
NOTICES = (START,)
OPENS = PROMPT
"""What a hook says at a session's start stands before the prompt, and a resumed session lacks such a prompt."""
FORGETS: tuple[str, ...] = ()


def spoken(host: str, event: str, context: str, notice: str, verdict: Verdict | None) -> Mapping[str, object] | None:
    """Returns the JSON that Gemini CLI accepts; None where it takes none."""
    del host
    if event == TOOL:
        return {"decision": "deny", "reason": verdict.reason} if verdict and verdict.decision == "deny" else None
    said: dict[str, object] = {}
    if notice and event in NOTICES:
        said["systemMessage"] = notice
    if context and event == PROMPT:
        said["hookSpecificOutput"] = {"hookEventName": "BeforeAgent", "additionalContext": context}
    return said or None


def found(place: Place) -> bool:
    """Tells whether Gemini CLI is installed here."""
    return place.which("gemini") or place.exists(_folder(place))


def pieces(place: Place) -> Sequence[Piece]:
    """Returns the hooks, the MCP server and the skills. Gemini counts in milliseconds.

    Not PreCompress: the client reports one on every turn, and the session is queued at the turn's end anyway.
    """
    from engram.adapters.files import place as _place  # noqa: PLC0415 - a hook has no time for it
    from engram.adapters.files.quoting import powershell  # noqa: PLC0415 - a hook has no time for it

    settings = place.below(_folder(place), "settings.json")
    handler = {
        "type": "command",
        "name": "engram",
        "command": place.command(NAME, powershell),
        "timeout": _place.TIMEOUT * 1000,
    }
    events = dict.fromkeys(("SessionStart", "BeforeAgent", "AfterAgent", "SessionEnd"), "")
    command, *arguments = place.server()
    return (
        *_place.grouped(settings, {**events, "BeforeTool": "run_shell_command|write_file|replace"}, handler),
        _place.Piece(settings, _place.MEMBER, ("mcpServers", "engram"), {"command": command, "args": arguments}),
        *_place.shipped(place, "skills", place.below(_folder(place), "skills")),
    )


def remarks(place: Place) -> Sequence[str]:
    """Returns what the person has to know besides."""
    del place
    return ("Gemini CLI takes it over at its next start",)


def elsewhere(place: Place) -> str:
    """Returns how engram comes to the agent already, by another way than this; "" for none."""
    there = place.exists(place.below(_folder(place), "extensions", "engram"))
    return "engram's extension is installed in Gemini CLI" if there else ""


def _folder(place: Place) -> str:
    home = place.env.get("GEMINI_CLI_HOME", "").strip()
    return place.below(home or place.home, ".gemini")

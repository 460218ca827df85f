"""opencode: its hooks are functions of a JavaScript plugin, so engram brings a bridge that starts ``engram hook``.

What the bridge writes to stdin, one JSON object::

    {"hook_event_name": "SessionStart" | "UserPromptSubmit" | "Stop" | "PreCompact" | "SessionEnd" | "PreToolUse",
     "sessionID": "ses_…", "cwd": "/the/project",
     "agent_id": "the parent's id",                   where the session is another's child; else left out
     "message_id": "msg_…", "prompt": "…",            UserPromptSubmit; message_id also on Stop: the user's message
     "source": "startup" | "compact",                 SessionStart
     "tool_name": "bash", "tool_input": {…}, "tool_use_id": "call_…"}                              PreToolUse

What it reads from stdout: nothing, or one JSON object with some of these::

    {"additionalContext": "for the model", "notice": "for the person", "deny": "why the tool's call is refused"}
"""

from __future__ import annotations

from engram.model.event import COMPACTING, PROMPT, START, TOOL, TURN_END

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from engram.adapters.files.place import Piece, Place
    from engram.model.event import COMPACTING, Verdict

NAME = "opencode"
TITLE = "opencode"
HOSTS = ("opencode",)
LIMIT = 100_000
"""The bridge adds to the model's own messages; the client cuts nothing."""
NOTICES: tuple[str, ...] = ()
OPENS = START
FORGETS: tuple[str, ...] = (COMPACTING,)


def spoken(host: str, event: str, context: str, notice: str, verdict: Verdict | None) -> Mapping[str, object] | None:
    """Returns the JSON that the bridge reads; None where there is nothing for it to do."""
    del host
    if event == TOOL:
        return {"deny": verdict.reason} if verdict is not None and verdict.decision == "deny" else None
    said: dict[str, object] = {}
    if context and event in {START, PROMPT}:
        said["additionalContext"] = context
    if notice and event in {START, PROMPT, TURN_END}:
        said["notice"] = notice
    return said or None


def found(place: Place) -> bool:
    """Tells whether opencode is installed here."""
    return place.which("opencode") or place.exists(_folder(place))


def pieces(place: Place) -> Sequence[Piece]:
    """Returns the bridge with the interpreter's path in it, the MCP server and the skills."""
    import json  # noqa: PLC0415 - a hook has no time for it

    from engram.adapters.files import place as _place  # noqa: PLC0415 - a hook has no time for it

    config = next((each for each in _configs(place) if place.exists(each)), _configs(place)[0])
    bridge = place.shipped("adapters/opencode.js").get("opencode.js", b"")
    called = f"const COMMAND = {json.dumps(list(place.call))}".encode()
    server = {"type": "local", "command": list(place.server()), "enabled": True}
    return (
        _place.Piece(
            place.below(_folder(place), "plugins", "engram.js"),
            _place.FILE,
            (),
            bridge.replace(b'const COMMAND = ["engram"]', called, 1),
        ),
        _place.Piece(config, _place.MEMBER, ("mcp", "engram"), server),
        *_place.shipped(place, "skills", place.below(_folder(place), "skills")),
    )


def remarks(place: Place) -> Sequence[str]:
    """Returns what the person has to know besides."""
    del place
    return ("opencode takes it over at its next start",)


def _folder(place: Place) -> str:
    named = place.env.get("OPENCODE_CONFIG_DIR", "").strip()
    return named or place.below(place.config("XDG_CONFIG_HOME", ".config"), "opencode")


def _configs(place: Place) -> tuple[str, str]:
    """Returns the settings file's two names; opencode reads both and lays one over the other."""
    return place.below(_folder(place), "opencode.json"), place.below(_folder(place), "opencode.jsonc")


def elsewhere(place: Place) -> str:
    """Returns how engram comes to the agent already, by another way than this; "" for none."""
    del place
    return ""

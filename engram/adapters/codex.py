"""Codex: what its hooks accept.

It is strict: one unknown key anywhere, or anything at all on Stop, and the hook counts as failed. No notice to the
person is known to be shown. A tool's call can be denied; nothing else is said to one.
"""

from __future__ import annotations

from engram.model.event import COMPACTING, PROMPT, SESSION_END, START, TOOL, TURN_END

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from engram.adapters.files.place import Piece, Place
    from engram.model.event import Verdict

NAME = "codex"
TITLE = "Codex"
HOSTS = ("codex",)
LIMIT = 9_500
"""The client cuts the middle out of what is longer than 2,500 tokens, which it counts as 10,000 bytes."""
NOTICES: tuple[str, ...] = ()
OPENS = START
FORGETS: tuple[str, ...] = ()
_PASSED = (
    "ENGRAM_HOME", "ENGRAM_PROJECT", "ENGRAM_PER_WORKTREE", "CLAUDE_CONFIG_DIR", "CLAUDE_CODE_PROJECT_DIR_NAME",
    "CLAUDE_COWORK_MEMORY_PATH_OVERRIDE",
)  # fmt: skip
"""What says where memory lies. Codex hands a server nothing of the environment but what its settings name."""


def spoken(host: str, event: str, context: str, notice: str, verdict: Verdict | None) -> Mapping[str, object] | None:
    """Returns the JSON that Codex accepts; None where it takes none."""
    del host, notice
    if event == TOOL and verdict is not None and verdict.decision == "deny":
        return {
            "hookSpecificOutput": {
                "hookEventName": TOOL,
                "permissionDecision": "deny",
                "permissionDecisionReason": verdict.reason,
            }
        }
    if context and event in {START, PROMPT}:
        return {"hookSpecificOutput": {"hookEventName": event, "additionalContext": context}}
    return None


def found(place: Place) -> bool:
    """Tells whether Codex is installed here."""
    return place.which("codex") or place.exists(_folder(place))


def pieces(place: Place) -> Sequence[Piece]:
    """Returns the hooks, the MCP server and the skills.

    Hooks go behind those of others: Codex ties a person's trust to a hook's place in the list.
    """
    from engram.adapters.files import place as _place  # noqa: PLC0415 - a hook has no time for it
    from engram.adapters.files.quoting import powershell, sh  # noqa: PLC0415 - a hook has no time for it

    words = place.hook(NAME)
    handler: dict[str, object] = {"type": "command", "command": sh(words)}
    if place.windows:
        handler["commandWindows"] = powershell(words)
    handler["timeout"] = _place.TIMEOUT
    events = dict.fromkeys((START, PROMPT, TURN_END, COMPACTING), "")
    command, *arguments = place.server()
    return (
        *_place.grouped(
            place.below(_folder(place), "hooks.json"), {**events, TOOL: "Bash|apply_patch|Edit|Write"}, handler
        ),
        *_place.grouped(place.below(_folder(place), "hooks.json"), {SESSION_END: ""}, {**handler, "timeout": 3}),
        _place.Piece(
            place.below(_folder(place), "config.toml"),
            _place.TABLE,
            ("mcp_servers", "engram"),
            {"command": command, "args": arguments, "env_vars": list(_PASSED)},
        ),
        *_place.shipped(place, "skills", place.below(_folder(place), "skills")),
    )


def remarks(place: Place) -> Sequence[str]:
    """Returns what the person has to know and do besides."""
    del place
    return ("Codex runs no hook that you haven't trusted: start `codex`, type /hooks, and trust engram's",)


def elsewhere(place: Place) -> str:
    """Returns how engram comes to the agent already, by another way than this; "" for none."""
    from engram.adapters.files.plugins import on_in_toml  # noqa: PLC0415 - a hook has no time for it

    config = place.below(_folder(place), "config.toml")
    return "engram's plugin is switched on in Codex" if on_in_toml(place.read(config)) else ""


def _folder(place: Place) -> str:
    return place.config("CODEX_HOME", ".codex")

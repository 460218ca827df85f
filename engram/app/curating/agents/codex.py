"""Codex: `codex exec` in its read-only sandbox, with its tools switched off as far as it has switches.

What is left (apply_patch, request_user_input) is refused: the sandbox is read-only, and nobody approves.
"""

from __future__ import annotations

import re
import tomllib

from engram.app.curating.calls import Answer, Call, Ended, Surroundings, mapping, number, objects, words_of
from engram.errors.agents import AgentFailed

WORD = "codex"
NAME = "codex"
LOGIN = "run `codex login`"

_OFF = (
    "shell_tool", "unified_exec", "view_image", "multi_agent", "goals", "tool_search", "tool_suggest", "skill_search",
    "apps", "plugins", "hooks", "memories",
)  # fmt: skip
_SET = ("approval_policy=never", "web_search=disabled", "notify=[]", "project_doc_max_bytes=0")
"""Values without quotation marks: a launcher that is a batch file would not pass them on."""
_MACHINES = "/etc/codex/config.toml"
"""Settings for everybody on the machine; they are merged under the person's own."""
_NAME = re.compile(r"[A-Za-z0-9_-]+")


def call(around: Surroundings) -> Call:
    """Returns how it is started. The person's settings choose model and provider; their MCP servers are switched off.

    Raises AgentFailed where they can't be.
    """
    settings = around.setting("CODEX_HOME", ".codex", "config.toml")
    servers = {*_servers(settings), *_servers(around.read(_MACHINES) or "")}
    off = [f"mcp_servers.{name}.enabled=false" for name in sorted(servers)]
    switches = [*_SET, *(f"features.{name}=false" for name in _OFF), *off]
    model = ("--model", around.model) if around.model else ()
    return Call((
        "exec", "--json", "--sandbox", "read-only", "--skip-git-repo-check", "--ephemeral", "--color", "never", *model,
        *(word for switch in switches for word in ("-c", switch)), "-",
    ))  # fmt: skip


def answer(ended: Ended) -> Answer:
    """Returns the last message of the agent; its errors count where it left none."""
    text, trouble = "", ""
    tokens: int | None = None
    for event in objects(ended.out):
        item = mapping(event.get("item"))
        if event.get("type") == "item.completed" and item.get("type") == "agent_message":
            text = str(item.get("text") or "")
        elif event.get("type") == "turn.completed":
            usage = mapping(event.get("usage"))
            tokens = (tokens or 0) + number(usage.get("input_tokens")) + number(usage.get("output_tokens"))
        elif event.get("type") in ("error", "turn.failed"):
            trouble = str(event.get("message") or mapping(event.get("error")).get("message") or "it failed")
    if ended.status or not text:
        return Answer("", tokens, trouble or words_of(ended) or "it printed no message")
    return Answer(text, tokens)


def _servers(settings: str) -> list[str]:
    """Returns the names of the MCP servers that a settings file sets up. Raises AgentFailed where that can't be told:
    Codex reads a newer TOML than Python does, and would start them."""
    try:
        servers = mapping(tomllib.loads(settings.removeprefix("\ufeff")).get("mcp_servers"))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise AgentFailed(
            f"codex's config.toml can't be read, so that its MCP servers can't be switched off: {error}"
        ) from None
    odd = [name for name in servers if not _NAME.fullmatch(name)]
    if odd:
        raise AgentFailed(f"codex has an MCP server named {odd[0]!r}, which its command line can't switch off")
    return list(servers)

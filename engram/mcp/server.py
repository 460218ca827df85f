"""The server: tools over stdio, in either era of the protocol. It answers before memory is looked at.

What a tool needs (indexes, git, models) is imported when the first one is called.
"""

from __future__ import annotations

import logging
import os
import traceback
from collections.abc import AsyncIterable
from importlib import import_module
from typing import Any

import anyio
from anyio.streams.memory import MemoryObjectSendStream
from mcp import types
from mcp.server.caching import CacheHint
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage

from engram import __version__
from engram.app.context import Context
from engram.app.seated import seated
from engram.app.sitting import Reply, Sitting
from engram.capture.faults import note_fault
from engram.errors import EngramError
from engram.errors.agents import ArgumentInvalid
from engram.mcp.arguments import taken
from engram.mcp.lines import mended, refusal
from engram.mcp.table import INSTRUCTIONS, TOOLS, Tool
from engram.model.secrets import masked
from engram.model.visible import visible

HOUR_MS = 3_600_000
_HINTS = {
    "note-not-found": "mem_search finds the ids",
    "project-not-found": "give the project's folder, or leave `project` out",
}
"""Where an error's own words are for a command line."""


def serve(context: Context) -> None:
    """Serves until the client closes the standard input. Nothing but the protocol goes to the standard output."""
    logging.basicConfig(level=logging.CRITICAL)  # what the SDK logs of a bad request quotes the request
    anyio.run(_run, server_of(context))


def server_of(context: Context) -> Server[Any]:
    """Returns the server, without a transport."""
    sitting = Sitting(context.env)
    one_at_a_time = anyio.CapacityLimiter(1)

    async def list_tools(
        _ctx: ServerRequestContext[Any], _params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[told(tool) for tool in TOOLS.values()])

    async def call_tool(ctx: ServerRequestContext[Any], params: types.CallToolRequestParams) -> types.CallToolResult:
        client = ctx.session.client_params
        name = client.client_info.name if client is not None else ""
        return await anyio.to_thread.run_sync(
            lambda: answered(seated(context), sitting.of_client(name), params.name, params.arguments or {}),
            abandon_on_cancel=True,
            limiter=one_at_a_time,
        )

    lasting = CacheHint(ttl_ms=HOUR_MS, scope="private")
    return Server(
        "engram",
        version=__version__,
        instructions=INSTRUCTIONS,
        cache_hints={"tools/list": lasting, "server/discover": lasting},
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def told(tool: Tool) -> types.Tool:
    """Returns a tool as clients are told of it."""
    hints = types.ToolAnnotations(
        title=tool.title,
        read_only_hint=tool.reads,
        destructive_hint=tool.destroys,
        idempotent_hint=tool.repeatable,
        open_world_hint=False,
    )
    return types.Tool(
        name=tool.name, title=tool.title, description=tool.words, input_schema=tool.schema, annotations=hints
    )


def answered(context: Context, sitting: Sitting, name: str, given: dict[str, Any]) -> types.CallToolResult:
    """Returns a tool's answer. An error is an answer too, in words that the agent can act on."""
    try:
        tool = _named(name)
        module, _, function = tool.run.partition(".")
        run = getattr(import_module(f"engram.app.{module}"), function)
        reply: Reply = run(context, sitting, **taken(tool.arguments, given))
    except EngramError as error:
        return _refused(error.code, error.message.replace("$.changes[0].", ""), _hint_of(error))
    except OSError as error:
        where = f" ({os.fsdecode(error.filename)})" if isinstance(error.filename, str | bytes) else ""
        return _refused("system", f"the system refused it: {error.strerror or type(error).__name__}{where}", "")
    except Exception as error:  # noqa: BLE001 - whatever else it is, it is our bug, and the next call may do
        where = "; ".join(
            f"{frame.filename}:{frame.lineno}" for frame in traceback.extract_tb(error.__traceback__)[-3:]
        )
        note_fault(context.engram_home, "mcp", masked(f"{name[:40]}: {type(error).__name__}: {where}"))
        return _refused("bug", "this is a bug in engram; nothing was proposed", "its log says more: log/hook.log")
    return _result(reply.text, reply.data)


def _hint_of(error: EngramError) -> str:
    usual = error.hint == type(error).hint
    return _HINTS.get(error.code, error.hint) if usual else error.hint


def _named(name: str) -> Tool:
    if name not in TOOLS:
        raise ArgumentInvalid("there is no such tool", f"there are {', '.join(TOOLS)}")
    return TOOLS[name]


def _result(text: str, data: dict[str, Any] | None = None, *, failed: bool = False) -> types.CallToolResult:
    content: list[types.ContentBlock] = [types.TextContent(type="text", text=visible(text))]
    return types.CallToolResult(content=content, structured_content=_shown(data), is_error=failed)


def _refused(code: str, message: str, hint: str) -> types.CallToolResult:
    return _result(masked(f"{code}: {message}" + (f"\n-> {hint}" if hint else "")), failed=True)


def _shown(value: Any) -> Any:
    """Returns a value in which every text can be seen, and none of it is a secret."""
    if isinstance(value, str):
        return visible(masked(value))
    if isinstance(value, dict):
        return {key: _shown(inner) for key, inner in value.items()}
    return [_shown(inner) for inner in value] if isinstance(value, list | tuple) else value


async def _run(server: Server[Any]) -> None:
    send, receive = anyio.create_memory_object_stream[SessionMessage | Exception]()
    async with stdio_server() as (incoming, outgoing), anyio.create_task_group() as group:
        group.start_soon(_relay, incoming, send, outgoing)
        await server.run(receive, outgoing, server.create_initialization_options())


async def _relay(incoming: AsyncIterable[Any], send: MemoryObjectSendStream[Any], outgoing: Any) -> None:
    """Passes on what comes in. A request that can't be read is mended or refused; the SDK would leave it unanswered."""
    async with send:
        async for one in incoming:
            if not isinstance(one, Exception):
                await send.send(one)
            elif (message := mended(one)) is not None:
                await send.send(SessionMessage(message))
            elif (answer := refusal(one)) is not None:
                await outgoing.send(SessionMessage(answer))

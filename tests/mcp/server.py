"""The real `engram mcp` as a process, driven by the SDK's own client over stdio; and stores for it to work on."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import Any

import anyio
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.types import CallToolResult, Implementation, TextContent

from engram.app.sitting import Sitting
from engram.curate import waiting
from engram.mcp.server import answered
from engram.store.locate import slug
from tests.lib.cli import NOW, context
from tests.lib.stores import make_store, note

ARGUMENTS = ("-m", "engram", "mcp")


@asynccontextmanager
async def connected(cwd: Path, *, mode: str = "auto", name: str = "claude-code", **env: str) -> AsyncIterator[Client]:
    """Gives a client that is connected to a server of its own. ``mode``: ``legacy`` opens with `initialize`."""
    command = StdioServerParameters(
        command=sys.executable, args=list(ARGUMENTS), cwd=str(cwd), env={**os.environ, **env}
    )
    async with Client(stdio_client(command), mode=mode, client_info=Implementation(name=name, version="1")) as client:
        yield client


def served(cwd: Path, what: Callable[[Client], Awaitable[Any]], **how: Any) -> Any:
    """Returns what a piece of work with a connected client returns."""

    async def whole() -> Any:
        async with connected(cwd, **how) as client:
            return await what(client)

    return anyio.run(whole)


def calls(cwd: Path, *wanted: tuple[str, Mapping[str, Any]], **how: Any) -> list[CallToolResult]:
    """Returns the answers to some calls, one after the other, of one server."""

    async def work(client: Client) -> list[CallToolResult]:
        return [await client.call_tool(name, dict(arguments)) for name, arguments in wanted]

    found: list[CallToolResult] = served(cwd, work, **how)
    return found


def text_of(result: CallToolResult) -> str:
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


def data_of(result: CallToolResult) -> dict[str, Any]:
    assert not result.is_error, text_of(result)
    data = result.structured_content
    assert isinstance(data, dict)
    return data


def project(home: Path, notes: Mapping[str, str] | None = None) -> tuple[Path, Path]:
    """Returns a project's folder and its store, where Claude Code keeps it."""
    folder = home / "shop"
    folder.mkdir(exist_ok=True)
    store = make_store(home / ".claude" / "projects" / slug(str(folder.resolve())) / "memory", notes or {})
    return folder, store


def user_store(home: Path, notes: Mapping[str, str] | None = None) -> Path:
    """Returns the user's store. It searches words alone: vectors would cost each test a second."""
    found = notes or {"memories/user/likes-tea.md": note("likes-tea", "Green tea.")}
    return make_store(home / ".agent-memory", {**found, "config.json": '{"recall": {"embedder": "none"}}'})


class Here:
    """Is a sitting in this process, as the server has one: what a tool answers without a client."""

    def __init__(self, cwd: Path, **env: str) -> None:
        seconds = count()
        self.context = context(cwd, now=lambda: NOW + timedelta(seconds=next(seconds)), **env)
        self.sitting = Sitting(self.context.env).of_client("claude-code")

    def __call__(self, tool: str, **arguments: Any) -> CallToolResult:
        return answered(self.context, self.sitting, tool, arguments)

    def text(self, tool: str, **arguments: Any) -> str:
        result = self(tool, **arguments)
        assert not result.is_error, text_of(result)
        return text_of(result)

    def data(self, tool: str, **arguments: Any) -> dict[str, Any]:
        return data_of(self(tool, **arguments))

    def refused(self, tool: str, **arguments: Any) -> str:
        result = self(tool, **arguments)
        assert result.is_error, text_of(result)
        return text_of(result)

    @property
    def queue(self) -> list[dict[str, Any]]:
        """What waits, the oldest first: the one change of each, with the rest of its record."""
        kept = waiting.every(self.context.folder("review"))
        return [{**json.loads(one.content)["changes"][0], "kept": one} for one in kept]

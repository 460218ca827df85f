"""`engram mcp`: memory over the Model Context Protocol."""

from __future__ import annotations

import shlex
import sys

import click

from engram.cli.tree import Run
from engram.errors.agents import McpMissing


@click.command("mcp")
@click.pass_obj
def command(run: Run) -> None:
    """Serve memory to an agent over the Model Context Protocol, on standard input and output.

    Its tools read memory, and propose changes that wait for `engram review`; none can commit. Agents start it by
    themselves: docs/mcp.md says how each is told to. It ends when its standard input does.
    """
    try:
        from engram.mcp.server import serve  # noqa: PLC0415 - an extra, and half a second
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] not in {"mcp", "anyio"}:
            raise
        why = "of another version than 2.3" if error.name not in {"mcp", "anyio"} else "not installed"
        python = shlex.quote(sys.executable)
        raise McpMissing(
            f"the MCP SDK is {why}", f"{python} -m pip install 'engram-curator[mcp]'  (the person runs it)"
        ) from error
    serve(run.context)

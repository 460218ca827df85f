"""The protocol: both eras, the tools, a clean standard output, an end; and that nothing of memory comes first."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from importlib import import_module
from inspect import signature
from pathlib import Path
from typing import Any

import pytest
from mcp.client import Client
from mcp.types import Tool

import engram
from engram.mcp.table import INSTRUCTIONS, READING, TOOLS, WRITING
from tests.lib.stores import note
from tests.mcp.server import calls, data_of, project, served, text_of

SENT = dict[str, Any]
MODERN = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "claude-code", "version": "2"},
}
INITIALIZE: SENT = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "codex-mcp-client", "version": "1"},
    },
}
INITIALIZED: SENT = {"jsonrpc": "2.0", "method": "notifications/initialized"}
LIST: SENT = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}
PINNED = {
    "mem_search": "query* type scope project limit",
    "mem_timeline": "observation_id* before after scope project",
    "mem_get_observation": "id* scope project offset",
    "mem_context": "project",
    "mem_stats": "project",
    "mem_suggest_topic_key": "type* title* scope project",
    "query_knowledge": "question* scope project",
    "mem_doctor": "project",
    "mem_save": "title* type* content* scope topic_key capture_prompt session_id project",
    "mem_update": "id* title type content topic_key reason scope session_id project",
    "mem_delete": "id* hard superseded_by reason scope session_id project",
    "mem_judge": "id* other_id* relation* reason confidence scope session_id project",
    "mem_judge_many": "judgements* scope session_id project",
    "mem_review": "action observation_id limit project",
    "mem_capture_passive": "content* scope session_id project",
    "mem_session_start": "session_id",
    "mem_session_end": "session_id summary scope project",
    "mem_session_summary": "content* scope session_id project",
    "mem_session_finalize": "goal* discoveries accomplished next_steps files scope session_id project",
    "mem_save_prompt": "content* inbox_id session_id",
    "mem_delete_prompt": "prompt_id inbox_id session_id",
}


def spoken(*messages: SENT | bytes, arguments: tuple[str, ...] = ("-m", "engram", "mcp"), **env: str) -> list[SENT]:
    """Returns what a server wrote for some lines. Its input ends once every request among them has its reply."""
    with subprocess.Popen(
        [sys.executable, *arguments],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, **env},
    ) as server:  # fmt: skip
        assert server.stdin is not None
        assert server.stdout is not None
        assert server.stderr is not None
        server.stdin.write(b"".join(line + b"\n" for line in lines_of(messages)))
        server.stdin.flush()
        asked = {one["id"] for one in messages if isinstance(one, dict) and "id" in one}
        found: list[SENT] = []
        while asked - {one.get("id") for one in found}:
            found.append(json.loads(server.stdout.readline()))
        server.stdin.close()
        found += [json.loads(line) for line in server.stdout]
        assert (server.wait(timeout=60), server.stderr.read()) == (0, b"")
    return found


def lines_of(messages: Sequence[SENT | bytes]) -> list[bytes]:
    return [one if isinstance(one, bytes) else json.dumps(one).encode() for one in messages]


def ran(
    *messages: SENT | bytes, arguments: tuple[str, ...] = ("-m", "engram", "mcp"), **env: str
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, *arguments],
        input=b"".join(line + b"\n" for line in lines_of(messages)),
        capture_output=True,
        env={**os.environ, **env},
        check=False,
        timeout=120,
    )


def listed(client: Client) -> Any:
    return client.list_tools()


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_the_sdk_s_client_connects_in_either_era(sealed: Path, mode: str) -> None:
    folder, _ = project(sealed, {"uses-pnpm.md": note("uses-pnpm", "We use pnpm, never npm.")})

    async def look(client: Client) -> tuple[str, Any, list[Tool], str]:
        tools = (await client.list_tools()).tools
        found = await client.call_tool("mem_search", {"query": "pnpm or npm"})
        return client.protocol_version, client.instructions, tools, text_of(found)

    version, instructions, tools, found = served(folder, look, mode=mode)
    assert version == {"legacy": "2025-11-25", "auto": "2026-07-28"}[mode]
    assert instructions == INSTRUCTIONS
    assert [tool.name for tool in tools] == list(PINNED)
    assert "- uses-pnpm (project, project, " in found


def test_the_tools_are_those_of_the_list_with_their_arguments_and_hints(sealed: Path) -> None:
    tools: list[Tool] = served(sealed, listed).tools
    shown = {}
    for tool in tools:
        needed = tool.input_schema.get("required", [])
        shown[tool.name] = " ".join(f"{name}*" if name in needed else name for name in tool.input_schema["properties"])
        assert tool.input_schema["additionalProperties"] is False
        assert tool.description
        assert tool.annotations is not None
        assert tool.annotations.read_only_hint is (tool.name in {one.name for one in READING})
        assert tool.annotations.open_world_hint is False
        assert tool.annotations.destructive_hint is (tool.name == "mem_delete_prompt")
    assert shown == PINNED
    save = next(tool for tool in tools if tool.name == "mem_save").input_schema["properties"]
    assert save["scope"]["enum"] == ["project", "personal", "global"]
    assert save["capture_prompt"]["default"] is True
    assert save["capture_prompt"]["type"] == "boolean"
    assert save["content"]["maxLength"] == 65536


@pytest.mark.parametrize("name", PINNED)
def test_each_tool_s_function_takes_what_the_tool_takes(name: str) -> None:
    module, _, function = TOOLS[name].run.partition(".")
    taken = list(signature(getattr(import_module(f"engram.app.{module}"), function)).parameters)
    assert sorted(taken[2:]) == sorted(one.name for one in TOOLS[name].arguments)


def test_words_keep_to_what_clients_take() -> None:
    assert len(INSTRUCTIONS.encode()) < 2048
    assert [tool.name for tool in (*READING, *WRITING) if len(tool.words) > 500] == []


def test_discover_and_initialize_are_answered_and_the_output_holds_nothing_else() -> None:
    (found,) = spoken({"jsonrpc": "2.0", "id": "probe", "method": "server/discover", "params": {"_meta": MODERN}})
    result = found["result"]
    assert found["id"] == "probe"
    assert result["supportedVersions"] == ["2026-07-28"]
    assert (result["resultType"], result["cacheScope"], result["ttlMs"]) == ("complete", "private", 3_600_000)
    assert result["capabilities"] == {"tools": {"listChanged": False}}
    assert result["_meta"]["io.modelcontextprotocol/serverInfo"] == {"name": "engram", "version": engram.__version__}
    first, second = spoken(INITIALIZE, INITIALIZED, LIST)
    assert first["result"]["protocolVersion"] == "2025-06-18"
    assert first["result"]["serverInfo"] == {"name": "engram", "version": engram.__version__}
    assert [tool["name"] for tool in second["result"]["tools"]] == list(PINNED)


def test_an_enveloped_list_tells_how_long_it_holds() -> None:
    (found,) = spoken({**LIST, "params": {"_meta": MODERN}})
    assert (found["result"]["ttlMs"], found["result"]["cacheScope"]) == (3_600_000, "private")


def test_it_ends_with_its_input_and_says_nothing_then() -> None:
    done = ran()
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_lines_that_are_no_messages_stop_nothing() -> None:
    deep = b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"mem_save","arguments":' + b'{"a":' * 5000
    found = spoken(INITIALIZE, INITIALIZED, b"", b"nonsense", b"\xff\xfe\x00", b"[1, 2]", deep, b"[" * 100_000, LIST)
    assert [one["id"] for one in found if "result" in one] == [1, 2]


def test_the_first_replies_need_nothing_of_memory(tmp_path: Path) -> None:
    kept = tmp_path / "modules"
    watch = (
        "import sys, pathlib\n"
        "started = []\n"
        "starting = ('subprocess.Popen', 'os.fork', 'os.posix_spawn')\n"
        "sys.addaudithook(lambda name, args: started.append(name) if name in starting else None)\n"
        "from engram.__main__ import main\n"
        "status = main(['mcp'])\n"
        f"pathlib.Path({str(kept)!r}).write_text('\\n'.join([*sys.modules, *started]))\n"
        "sys.exit(status)\n"
    )
    spoken(INITIALIZE, INITIALIZED, LIST, arguments=("-c", watch))
    modules = set(kept.read_text(encoding="utf-8").split("\n"))
    ours = {name for name in modules if name.split(".")[0] == "engram"}
    assert {"engram.mcp.server", "engram.app.sitting"} <= ours
    rooms = ("engram.index", "engram.recall", "engram.curate.plan", "engram.curate.check", "engram.capture.transcript")
    assert {name for name in ours if name.startswith(rooms)} == set()
    assert ours & {f"engram.app.{one}" for one in ("observing", "saving", "remembering", "proposals")} == set()
    assert (
        modules & {"numpy", "git", "sqlite3", "yaml", "unidiff", "subprocess.Popen", "os.fork", "os.posix_spawn"}
        == set()
    )


def test_without_the_extra_it_says_how_to_install_it() -> None:
    hide = (
        "import sys\n"
        "class Hidden:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name.split('.')[0] == 'mcp':\n"
        "            raise ModuleNotFoundError(f'No module named {name!r}', name=name)\n"
        "sys.meta_path.insert(0, Hidden())\n"
        "from engram.__main__ import main\n"
        "sys.exit(main(['mcp']))\n"
    )
    done = ran(INITIALIZE, arguments=("-c", hide))
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"engram: mcp-missing: the MCP SDK is not installed" in done.stderr
    assert b"-m pip install 'engram-curator[mcp]'" in done.stderr


def test_two_clients_at_once_lose_nothing(sealed: Path) -> None:
    folder, _ = project(sealed)
    script = (
        "import sys; from pathlib import Path; from tests.mcp.server import calls\n"
        "made = [('mem_save', {'title': f'fact {sys.argv[1]} {n}', 'type': 'discovery', 'content': f'It is {n}.'})"
        " for n in range(4)]\n"
        "both = {'title': 'shared', 'type': 'decision', 'content': 'Both.', 'topic_key': 'decision/both'}\n"
        "same = ('mem_save', both)\n"
        "assert not any(one.is_error for one in calls(Path(sys.argv[2]), *made, same))\n"
    )
    root = str(Path(engram.__file__).parents[1])
    env = {**os.environ, "PYTHONPATH": root}
    both = [subprocess.Popen([sys.executable, "-c", script, one, str(folder)], env=env) for one in "ab"]
    assert [one.wait(timeout=120) for one in both] == [0, 0]
    (found,) = calls(folder, ("mem_stats", {}))
    assert data_of(found)["waiting"] == 9

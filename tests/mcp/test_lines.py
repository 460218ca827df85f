"""A request that the SDK can't read is answered all the same: a client would wait for its answer for ever."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.mcp.server import project
from tests.mcp.test_protocol import spoken

INITIALIZE: dict[str, Any] = {
    "jsonrpc": "2.0", "id": 1, "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "codex", "version": "1"}},
}  # fmt: skip
PING = {"jsonrpc": "2.0", "id": 99, "method": "ping"}
STATS = {"jsonrpc": "2.0", "id": "a", "method": "tools/call", "params": {"name": "mem_stats"}}
"""Is answered behind every call before it: the server takes one at a time."""
NOTE = b'{"title":"Half","type":"decision","content":"An emoji: \\ud83d"}'
CALL = b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"mem_save","arguments":' + NOTE + b"}}"


def answers(sealed: Path, monkeypatch: pytest.MonkeyPatch, *lines: bytes) -> dict[Any, Any]:
    """Returns what a server answers, by id."""
    folder, _ = project(sealed, {"ci.md": "---\nname: ci\ndescription: CI\ntype: project\n---\n\nActions.\n"})
    monkeypatch.chdir(folder)
    found = spoken(INITIALIZE, *lines, PING, STATS)
    return {one.get("id"): one for one in found if one.get("id") in {7, 99}}


def test_half_a_character_costs_no_answer(sealed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = answers(sealed, monkeypatch, CALL)
    assert found[7]["result"]["structuredContent"]["result"] == "proposed", found[7]
    (kept,) = (sealed / ".agent-memory/.engram/review").glob("*.json")
    assert "An emoji: \ufffd" in kept.read_text(encoding="utf-8").replace("\\ufffd", "\ufffd")


@pytest.mark.parametrize(
    "line",
    [
        b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":[]}',
        b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":"x"}',
        b'{"jsonrpc":"1.0","id":7,"method":"tools/list"}',
    ],
)
def test_what_is_no_request_by_its_shape_is_refused_by_its_id(
    sealed: Path, monkeypatch: pytest.MonkeyPatch, line: bytes
) -> None:
    assert answers(sealed, monkeypatch, line)[7]["error"]["code"] == -32600


@pytest.mark.parametrize("line", [b"garbage", b"[]", b"{", b"\xff\xfe", b'"\\ud83d"', b"[" * 100_000])
def test_what_names_no_id_is_passed_over_and_the_next_is_answered(
    sealed: Path, monkeypatch: pytest.MonkeyPatch, line: bytes
) -> None:
    assert set(answers(sealed, monkeypatch, line)) == {99}


def test_what_looks_like_half_a_character_and_is_none_stays() -> None:
    from mcp.types import jsonrpc_message_adapter  # noqa: PLC0415 - the rest of this file needs a process

    from engram.mcp.lines import mended  # noqa: PLC0415

    line = r'{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":"\\ud83d \ud83d\ude00 \ud83d\\ude00 \udc00"}}'
    with pytest.raises(ValueError, match=r"surrogate|hex escape") as caught:
        jsonrpc_message_adapter.validate_json(line, by_name=False)
    message = mended(caught.value)
    assert message is not None
    assert message.params == {"a": "\\ud83d \U0001f600 \ufffd\\ude00 \ufffd"}  # type: ignore[union-attr]

"""Transcripts with damage in them, of every agent: read or refused, and never anything else.

``ENGRAM_SOAK`` is how many per agent; a few in the ordinary run.
"""

from __future__ import annotations

import copy
import json
import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engram.capture import digest, source, transcript
from engram.errors import TranscriptUnreadable
from engram.model.session import Session
from tests.capture import test_codex, test_copilot, test_cursor, test_gemini, test_opencode
from tests.lib.transcripts import Talk, joined, line_of

ROUNDS = int(os.environ.get("ENGRAM_SOAK", "60"))

ODD: list[Any] = [
    None, True, 0, -1, 1e308, 10**400, "", "x" * 300, "\ud83d", "\0", "<system-reminder>", [], [[]], {}, {"type": []},
]  # fmt: skip
DEEP = b"[" * 50_000
DIGITS = b"9" * 5000

PATCH = {"$set": {"messages": [test_gemini.said("m1", "once more")]}}
CALLS = [test_gemini.done("c1", "run_shell_command", {"command": "ls"}, output="a")]
ROWS: dict[str, list[Any]] = {
    "claude-code": Talk().user("one").says("two").calls("c", "Edit", file_path="a").result("c", "no", failed=True).rows,
    "codex": [
        test_codex.meta(),
        test_codex.said("user", "one", kinds=["user.text"]),
        test_codex.item("custom_tool_call", name="apply_patch", input=test_codex.PATCH, call_id="c"),
        test_codex.row("event_msg", type="item_completed", item={"type": "FileChange", "changes": {"a": {}}}),
        test_codex.item("function_call_output", call_id="c", output={"output": "no", "metadata": {"exit_code": 1}}),
        test_codex.row("compacted", message="so far"),
        test_codex.said("assistant", "two"),
    ],
    "gemini": [
        test_gemini.header(), test_gemini.said("m1", "one"),
        test_gemini.said("m2", "two", kind="gemini", toolCalls=CALLS), PATCH,
    ],
    "copilot": [
        test_copilot.start(), test_copilot.event("user.message", content="one"),
        test_copilot.event("assistant.message", content="two", toolRequests=[{"toolCallId": "c", "name": "edit"}]),
        test_copilot.event("tool.execution_start", toolCallId="d", toolName="create", arguments={"path": "a"}),
        test_copilot.event("tool.execution_complete", toolCallId="c", success=False, error={"message": "no"}),
    ],
    "cursor": [
        test_cursor.said("user", "<user_query>one</user_query>"),
        test_cursor.said("assistant", "two", test_cursor.uses("Write", "c", path="a")),
        test_cursor.said("user", {"type": "tool_result", "tool_use_id": "c", "content": "ok"}),
    ],
}  # fmt: skip
DOCUMENTS: dict[str, Any] = {
    "claude-code": {"loglines": ROWS["claude-code"]},
    "gemini": {**test_gemini.header(), "messages": ROWS["gemini"][1:3]},
    "opencode": test_opencode.exported(test_opencode.STORY),
}


def places(value: Any, found: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    """Returns every place in a value that can hold another: the container and the key."""
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        found.append((value, key))
        places(value[key], found)
    return found


def altered(rows: Any, chance: random.Random) -> Any:
    """Returns a copy in which a few values are others."""
    holder = [json.loads(line_of(rows))]
    for _ in range(chance.randint(1, 4)):
        container, key = chance.choice(places(holder, []))
        if isinstance(container, dict) and chance.random() < 0.3:
            del container[key]
        else:
            container[key] = copy.deepcopy(chance.choice(ODD))
    return json.loads(line_of(holder))[0]


def cut(data: bytes, chance: random.Random) -> bytes:
    """Returns bytes that lost a piece, got one, or end early."""
    at, length = chance.randrange(len(data)), chance.randint(1, 40)
    piece = chance.choice([b"", b"\0", b"\xff\xfe", b"\r\n", b"\xef\xbb\xbf", DEEP, b'"', b"{", b"\\ud83d", DIGITS])
    return chance.choice([data[:at], data[:at] + piece + data[at + length :], piece + data])


def read_or_refused(path: Path) -> Session | str:
    """Returns the session, or the reason why there is none."""
    try:
        return transcript.read(str(path), "s-1")
    except TranscriptUnreadable as refusal:
        return refusal.message


def settle(path: Path, data: bytes) -> None:
    """Reads a file; what comes of it can be shown and written, or is a reason."""
    path.write_bytes(data)
    session = read_or_refused(path)
    if isinstance(session, str):
        assert session.startswith(str(path))
        return
    assert len({(turn.ref, turn.kind) for turn in session.turns}) == len(session.turns)
    for turn in session.turns:
        "".join((turn.text, turn.tool, turn.path, turn.at)).encode("utf-8")
    text = digest.digest(session, tokens=2000, mask=lambda text: text)
    assert digest.tokens_of(text) <= 2000
    text.encode("utf-8")


@pytest.mark.parametrize("agent", ROWS)
@pytest.mark.parametrize("how", ["altered", "cut"])
def test_damage_in_lines(tmp_path: Path, agent: str, how: str) -> None:
    chance = random.Random(f"{agent} {how}")
    for number in range(ROUNDS):
        rows = altered(ROWS[agent], chance) if how == "altered" else ROWS[agent]
        data = joined(map(line_of, rows if isinstance(rows, list) else [rows]))
        settle(tmp_path / f"{number}.jsonl", data if how == "altered" else cut(data, chance))


@pytest.mark.parametrize("agent", DOCUMENTS)
def test_damage_in_documents(tmp_path: Path, agent: str) -> None:
    chance = random.Random(agent)
    for number in range(ROUNDS):
        whole = json.dumps(altered(DOCUMENTS[agent], chance), indent=chance.choice([None, 1])).encode()
        settle(tmp_path / f"{number}.json", chance.choice([whole, cut(whole, chance)]))


def test_damage_in_a_database(tmp_path: Path) -> None:
    chance = random.Random("opencode")
    whole = test_opencode.made(tmp_path / "opencode.db").read_bytes()
    for number in range(ROUNDS):
        data = bytearray(whole)
        for _ in range(chance.randint(1, 30)):
            data[chance.randrange(16, len(data))] = chance.randrange(256)
        settle(tmp_path / f"{number}.db", bytes(data[: chance.choice([len(data), chance.randrange(100, len(data))])]))


@pytest.mark.parametrize("agent", ROWS)
def test_each_agents_own_is_read_whole_and_with_other_line_ends(tmp_path: Path, agent: str) -> None:
    lines = list(map(line_of, ROWS[agent]))
    wanted = transcript.read(written(tmp_path / "a.jsonl", joined(lines)), "s-1")
    assert (wanted.agent, wanted.skipped) == (agent, 0)
    assert wanted.turns
    windows = b"\xef\xbb\xbf" + joined(lines).replace(b"\n", b"\r\n") + b'\r\n{"type":"user","mess'
    assert transcript.read(written(tmp_path / "b.jsonl", windows), "s-1").turns == wanted.turns


def written(path: Path, data: bytes) -> str:
    path.write_bytes(data)
    return str(path)


@pytest.mark.parametrize("reads", [reader.reads for reader in transcript.READERS.values()])
def test_no_reader_falls_over_what_is_another_agents(reads: Callable[[source.Source], bool], tmp_path: Path) -> None:
    strange = [{name: odd} for name in ("type", "message", "role", "payload", "data", "info", "id") for odd in ODD]
    assert reads(source.Source("/p/x", [line_of(row) for row in strange], lambda: (), "")) is False

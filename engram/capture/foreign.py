"""Says what a file is that no reader reads: whose transcript it looks like, so that a person knows why."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

NOT_YET = "not read yet"

_Test = Callable[[Mapping[str, Any]], bool]


def _has(*names: str) -> _Test:
    return lambda row: all(name in row for name in names)


def _is(kind: str, *names: str) -> _Test:
    return lambda row: row.get("type") == kind and all(name in row for name in names)


def _nested(outer: str, inner: str) -> _Test:
    return lambda row: isinstance(row.get(outer), dict) and inner in row[outer]


_ROWS: tuple[tuple[str, _Test], ...] = (
    ("Codex's history of prompts", _has("session_id", "ts", "text")),
    ("a Qwen Code session", _nested("message", "parts")),
    ("a DeepSeek session", _is("session", "delegationDepth")),
    ("a Pi, OMP or OpenClaw session", _is("session", "id", "timestamp")),
    ("a Kimi session", _is("metadata", "protocol_version")),
    ("a Grok session", _nested("params", "update")),
    ("an Antigravity session", _has("source", "created_at", "content")),
    ("a Goose session", _has("working_dir", "extension_data")),
)

_DOCUMENTS: tuple[tuple[str, _Test], ...] = (
    ("a Cline session's messages", _has("messages", "sessionId")),
    ("a Cline session's settings", _has("session_id", "messages_path")),
    ("a Roo Code task's summary", _has("task", "workspace")),
    ("a Grok session's summary", _has("session_summary")),
    ("a Kimi session's state", _has("workDir", "agents")),
)


def looks_like(head: Sequence[bytes], path: str) -> str:
    """Returns what a file is, for "PATH is …". ``head``: its first lines."""
    start = b"\n".join(head)
    if not start.strip():
        return "empty"
    if start.startswith(b"SQLite format 3\0"):
        return f"a SQLite database, and none of opencode's (Zed, Goose and Hermes keep such): {NOT_YET}"
    if start.startswith(b"\x28\xb5\x2f\xfd"):
        return f"compressed with zstd, as Codex does with old rollouts: {NOT_YET}"
    if b"\0" in start[:4096]:
        return "no text"
    if start.startswith(b"# aider chat"):
        return f"an Aider chat history: {NOT_YET}"
    rows = [row for line in head if isinstance(row := _json(line), dict)]
    whole = None if len(rows) > 1 else _json(start)
    names = [_named(row, _ROWS) for row in rows[:20]] + [_document(whole, path)]
    name = next(filter(None, names), "")
    return f"{name}: {NOT_YET}" if name else "no transcript of a known agent"


def _document(whole: object, path: str) -> str:
    if isinstance(whole, list) and whole and isinstance(whole[0], dict):
        if "role" in whole[0]:
            return "a Cline or Roo Code conversation"
        return "a list of Cline tasks" if "task" in whole[0] else ""
    if isinstance(whole, dict):
        sessions = [value for value in whole.values() if isinstance(value, dict) and "sessionFile" in value]
        return "an OpenClaw list of sessions" if sessions else _named(whole, _DOCUMENTS)
    return "an SQL script" if path.endswith(".sql") else ""


def _named(row: Mapping[str, Any], table: Sequence[tuple[str, _Test]]) -> str:
    return next((name for name, fits in table if fits(row)), "")


def _json(text: bytes) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None

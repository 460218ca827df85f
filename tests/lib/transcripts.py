"""Builds transcripts for tests: Claude Code's turn by turn, others' row by row, as the clients write them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from typing import Any

from engram.capture.source import Source
from engram.model.session import Session

SESSION = "9d5c1b9e-5a5d-4f0e-9c54-3a7f6f6f0001"


class Talk:
    """Writes a transcript turn by turn; each method adds a line and returns the talk."""

    def __init__(self, session: str = SESSION, cwd: str = "/home/ada/shop", branch: str = "main") -> None:
        self.session = session
        self._common = {"sessionId": session, "cwd": cwd, "gitBranch": branch, "version": "2.1.332"}
        self._numbers = count(1)
        self.rows: list[Any] = []

    def row(self, kind: str, **fields: Any) -> Talk:
        """Adds a line of any kind with the fields that all lines have; those given win."""
        number = next(self._numbers)
        at = f"2026-03-01T10:{number // 60:02}:{number % 60:02}.000Z"
        self.rows.append(
            {"uuid": f"row-{number}", "isSidechain": False, "timestamp": at, **self._common, "type": kind} | fields
        )
        return self

    def user(self, *texts: str, **fields: Any) -> Talk:
        """Adds what the person typed: one text as a string, several as blocks."""
        content: Any = texts[0] if len(texts) == 1 else [{"type": "text", "text": text} for text in texts]
        return self.row("user", message={"role": "user", "content": content}, **fields)

    def says(self, text: str, message: str = "", **fields: Any) -> Talk:
        """Adds a line of the assistant's; lines of one ``message`` belong together."""
        return self._assistant({"type": "text", "text": text}, message, fields)

    def calls(self, key: str, tool: str, message: str = "", **given: Any) -> Talk:
        """Adds a tool call."""
        return self._assistant({"type": "tool_use", "id": key, "name": tool, "input": given}, message, {})

    def result(self, key: str, output: Any, *, failed: bool = False, **fields: Any) -> Talk:
        """Adds what a call gave."""
        block = {"type": "tool_result", "tool_use_id": key, "content": output, "is_error": failed}
        return self.row("user", message={"role": "user", "content": [block]}, toolUseResult=output, **fields)

    def _assistant(self, block: Mapping[str, Any], message: str, fields: Mapping[str, Any]) -> Talk:
        body = {"id": message or f"msg-{len(self.rows)}", "role": "assistant", "content": [block]}
        return self.row("assistant", message=body, **fields)

    def lines(self) -> list[bytes]:
        return [line_of(row) for row in self.rows]

    def data(self) -> bytes:
        return b"".join(line + b"\n" for line in self.lines())


def line_of(row: Any) -> bytes:
    """Returns one line as the client writes it: no spaces, UTF-8 as it is."""
    return json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


def joined(lines: Iterable[bytes]) -> bytes:
    return b"".join(line + b"\n" for line in lines)


def source_of(lines: Sequence[bytes], path: str = "/p/x.jsonl", session: str = "") -> Source:
    """Returns lines as their reader gets them from a file."""
    return Source(path, lines[:200], lambda: lines, session)


def source_in(rows: Iterable[Any], path: str = "/p/x.jsonl", session: str = "") -> Source:
    """Returns rows as their reader gets them from a file with one on each line."""
    return source_of([line_of(row) for row in rows], path, session)


def turns_of(session: Session) -> list[tuple[str, str, str]]:
    """Returns what a session holds: ref, kind and text of each turn."""
    return [(turn.ref, turn.kind, turn.text) for turn in session.turns]

"""What Claude Code's own transcript says of a person's yes: the row of a prompt that was typed, the row of a call that
was allowed in a dialog.

What was typed at a terminal stands as ``promptSource: typed`` and ``origin: human``; a prompt of ``-p`` or of the SDK
says ``sdk``, one that a timer or a task sent says so, and one typed while the agent worked is no row of a user.
A call that was let pass says who decided: ``user_temporary`` is the person in the dialog, ``config`` a rule, ``hook`` a
hook that answered in their place.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

HUMAN = "human"
_PERSON = "user"


def said(text: str) -> str:
    """Returns a prompt in the form in which two are compared: white space and case count for nothing."""
    return " ".join(text.split()).casefold()


def typed(lines: Iterable[bytes], session: str, prompt_id: str) -> str:
    """Returns what a person typed under a prompt's id, as :func:`said` has it; "" where no such row stands."""
    for row in _rows(lines, prompt_id):
        if row.get("type") == "user" and row.get("promptId") == prompt_id and row.get("sessionId") == session:
            message = row.get("message")
            content = message.get("content") if isinstance(message, dict) else None
            if isinstance(content, str) and _is_typed(row):
                return said(content)
    return ""


def allowed(lines: Iterable[bytes], tool_use_id: str) -> bool | None:
    """Tells whether a person let a tool's call pass in the dialog; None where the transcript holds no result of it."""
    for row in _rows(lines, tool_use_id):
        message = row.get("message")
        content = message.get("content") if row.get("type") == "user" and isinstance(message, dict) else None
        blocks = content if isinstance(content, list) else []
        if any(isinstance(block, dict) and block.get("tool_use_id") == tool_use_id for block in blocks):
            decided = row.get("permissionDecision")
            source = decided.get("source") if isinstance(decided, dict) else None
            return isinstance(source, str) and source.startswith(_PERSON)
    return None


def _is_typed(row: Mapping[str, Any]) -> bool:
    origin = row.get("origin")
    return (
        row.get("promptSource") == "typed"
        and isinstance(origin, dict)
        and origin.get("kind") == HUMAN
        and row.get("turnOrigin", HUMAN) == HUMAN
        and row.get("entrypoint") not in {"sdk-cli", "sdk-ts", "sdk-py"}
        and not any(row.get(mark) for mark in ("isMeta", "isSidechain", "isCompactSummary", "agentId"))
    )


def _rows(lines: Iterable[bytes], word: str) -> Iterator[Mapping[str, Any]]:
    """Yields the rows that hold a word; a line that can't be read is passed over."""
    mark = word.encode("utf-8", "surrogatepass")
    for line in lines:
        if not mark or mark not in line:
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(row, dict):
            yield row

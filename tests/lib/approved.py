"""What a client leaves behind of a person's yes: the transcript's rows, as Claude Code 2.1.332 writes them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

SESSION = "9d5c1b9e-5a5d-4f0e-9c54-3a7f6f6f0001"
TURN = "prompt-2"


def typed_row(text: str, turn: str = TURN, session: str = SESSION, **fields: Any) -> dict[str, Any]:
    """Returns the row of a prompt that a person typed at the client's own screen."""
    return {
        "type": "user", "isSidechain": False, "promptId": turn, "sessionId": session, "entrypoint": "cli",
        "message": {"role": "user", "content": text}, "origin": {"kind": "human"}, "promptSource": "typed",
        "turnOrigin": "human", "uuid": f"row-{turn}",
    } | fields  # fmt: skip


def sent_row(text: str, turn: str = TURN, session: str = SESSION) -> dict[str, Any]:
    """Returns the row of a prompt of ``claude -p``."""
    row = typed_row(text, turn, session, promptSource="sdk", turnOrigin="sdk", entrypoint="sdk-cli")
    del row["origin"]
    return row


def let_pass(call: str, source: str = "user_temporary") -> dict[str, Any]:
    """Returns the row of a call's result, with who let the call pass."""
    block = {"type": "tool_result", "tool_use_id": call, "content": "committed", "is_error": False}
    decided = {"decision": "accept", "source": source, "grantScope": "once"}
    message = {"role": "user", "content": [block]}
    return {"type": "user", "sessionId": SESSION, "message": message, "permissionDecision": decided}


def transcript(folder: Path, *rows: dict[str, Any], session: str = SESSION) -> Path:
    """Writes a session's transcript; returns its path."""
    path = folder / f"{session}.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def typed_yes(folder: Path, said: str = "yes kxqrt") -> dict[str, str]:
    """Returns the evidence of a typed yes, and writes the transcript that bears it out."""
    path = transcript(folder, typed_row(said.upper()))
    return {"host": "claude-code", "session": SESSION, "turn": TURN, "said": said, "transcript": str(path)}

"""Lines that the SDK can't read, and leaves unanswered: a client that waits for its answer would wait for ever.

JavaScript writes half an emoji, which a text cut at a fixed length may end in, as a lone ``\\ud83d``; JSON readers that
insist on whole characters refuse the line with all that is in it.
"""

from __future__ import annotations

import re
from typing import Any

from mcp.types import INVALID_REQUEST, ErrorData, JSONRPCError, JSONRPCMessage, jsonrpc_message_adapter

_ESCAPE = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)"
)


def mended(error: Exception) -> JSONRPCMessage | None:
    """Returns the message of a line in which halves of characters stood, each as ``U+FFFD`` now; None for others."""
    line = _line_of(error)
    whole = _ESCAPE.sub(lambda found: r"\ufffd" if found[1] else found[0], line)
    if whole == line:
        return None
    try:
        return jsonrpc_message_adapter.validate_json(whole, by_name=False)
    except ValueError:
        return None


def refusal(error: Exception) -> JSONRPCError | None:
    """Returns the answer to a request that is none by its shape, where it names its id; None where it doesn't."""
    id_ = next((one for one in _ids(error) if isinstance(one, str | int) and not isinstance(one, bool)), None)
    if id_ is None:
        return None
    words = "this is no request: see https://modelcontextprotocol.io"
    return JSONRPCError(jsonrpc="2.0", id=id_, error=ErrorData(code=INVALID_REQUEST, message=words))


def _ids(error: Exception) -> list[Any]:
    inputs = [one["input"] for one in _faults(error)]
    return [one.get("id") for one in inputs if isinstance(one, dict) and "method" in one]


def _line_of(error: Exception) -> str:
    """Returns the line that an error is about, where it could not be read as JSON; "" for others."""
    found = _faults(error)
    line = found[0]["input"] if len(found) == 1 and found[0]["type"] == "json_invalid" else ""
    return line if isinstance(line, str) else ""


def _faults(error: Exception) -> list[Any]:
    """Returns what pydantic found wrong: each with its type and its input."""
    listed = getattr(error, "errors", None)
    return list(listed(include_url=False, include_context=False)) if callable(listed) else []

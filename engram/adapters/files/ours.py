"""What in an agent's settings is engram's: told by the command that stands there, never by its place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

_OURS = re.compile(r"""(?:^|\s)-m engram (?:hook --host [a-z][a-z-]*|mcp)"?$""")

_COMMANDS = ("command", "bash", "powershell", "commandWindows")


def is_ours(value: object) -> bool:
    """Tells whether a hook's handler, or the entry of an MCP server, starts engram as `engram adapt` writes it."""
    return isinstance(value, Mapping) and any(_OURS.search(line) for line in _lines(value))


def is_ours_whole(value: object) -> bool:
    """Tells whether an item of an event's list holds engram's hooks and no other."""
    inner = hooks_within(value)
    return bool(inner) and all(is_ours(each) for each in inner) if inner is not None else is_ours(value)


def hooks_within(value: object) -> list[object] | None:
    """Returns the handlers in a group of hooks; None where the value is no group."""
    inner = value.get("hooks") if isinstance(value, Mapping) else None
    return list(inner) if isinstance(inner, list) else None


def _lines(value: Mapping[str, object]) -> Iterator[str]:
    more = value.get("args")
    arguments = [str(each) for each in more] if isinstance(more, list) else []
    for name in _COMMANDS:
        command = value.get(name)
        if isinstance(command, str):
            yield " ".join([command, *arguments])
        elif isinstance(command, list):
            yield " ".join(str(each) for each in command)

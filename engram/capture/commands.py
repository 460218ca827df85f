"""What a tool of an agent is called with: a command line, or files; and at a glance whether that concerns engram.

On the hot path of every tool's hook: the standard library alone, and little of it.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_FILE_TOOLS = frozenset((
    "write", "edit", "multiedit", "notebookedit", "apply_patch", "write_file", "replace", "create", "str_replace",
    "str_replace_editor", "edit_file", "patch", "create_file", "insert_edit_into_file", "replace_string_in_file",
    "read", "read_file",
))  # fmt: skip
PATHS = ("file_path", "path", "notebook_path", "filePath", "absolute_path", "target_file", "file")
_COMMANDS = ("command", "cmd", "script", "commands")
_HINTS = (
    "engram", "agent-memory", "send-keys", "tmux send", "stuff", "paste", "set-buffer", "dotool", "wtype", "keystroke",
    "sendkeys", "send-text", "write-chars",
)  # fmt: skip
"""Without one of them a command has to do with engram only in a spelling of its own."""


def concerns_engram(tool: str, tool_input: Mapping[str, object]) -> bool:
    """Tells at a glance whether a tool's call could have to do with engram; mostly it is no more than a search."""
    command = command_in(tool_input)
    if command:
        plain = "".join(char for char in command.lower().replace("\\\n", "") if char not in "\"'\\^`")
        return any(hint in plain for hint in _HINTS) or _spelled(command) or _writes_notes(plain)
    if plain_name(tool) not in _FILE_TOOLS:
        return False
    return any(
        ".engram" in path.lower() or path.lower().endswith((".md", "config.json")) for path in paths_in(tool_input)
    )


def plain_name(tool: str) -> str:
    """Returns a tool's own name in small letters, without that of the MCP server which has it."""
    return tool.rpartition("__")[2].lower()


def command_in(tool_input: Mapping[str, object]) -> str:
    """Returns the command line that a tool is called with; "" where it runs none."""
    for name in _COMMANDS:
        value = tool_input.get(name)
        if isinstance(value, str) and value:
            return value
        if isinstance(value, list) and value and all(isinstance(word, str) for word in value):
            return " ".join("'" + word.replace("'", "'\\''") + "'" for word in value)
    return ""


def paths_in(tool_input: Mapping[str, object]) -> list[str]:
    """Returns the files that a tool's call names, a patch's among them."""
    found = [value for name in PATHS if isinstance(value := tool_input.get(name), str)]
    for value in (tool_input.get("patch"), tool_input.get("input"), tool_input.get("patchText")):
        if isinstance(value, str):
            lines = (line for line in value.split("\n") if line.startswith("*** "))
            found += [path.strip() for line in lines for _, sign, path in [line.partition(": ")] if sign]
    return found


def _spelled(command: str) -> bool:
    """Tells whether a command may name engram in a spelling that a search doesn't see."""
    patterned = any(char in command for char in "*?[") and any(start in command for start in (".e", ".[", ".?"))
    pieced = any(char in command for char in "*?[$") and (" hook" in command or "pending add" in command)
    return patterned or pieced or "$'" in command


def _writes_notes(plain: str) -> bool:
    return ".md" in plain and (">" in plain or "tee" in plain)

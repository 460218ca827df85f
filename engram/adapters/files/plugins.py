"""Whether an agent has engram already, as a plugin that a person installed with the agent's own commands."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping

from engram.adapters.files.jsonc import NotJson, parsed

NAME = "engram@"
"""A plugin goes by its own name and its marketplace's."""


def on_in_json(text: str) -> bool:
    """Tells whether settings as Claude Code and Copilot keep them switch it on; settings that can't be read don't."""
    try:
        plugins = parsed(text.removeprefix("\ufeff")).value.get("enabledPlugins")
    except (NotJson, AttributeError):
        return False
    return isinstance(plugins, Mapping) and any(name.startswith(NAME) and on is True for name, on in plugins.items())


def on_in_toml(text: str) -> bool:
    """Tells the same of Codex's settings."""
    try:
        plugins = tomllib.loads(text.removeprefix("\ufeff")).get("plugins")
    except (tomllib.TOMLDecodeError, RecursionError):
        return False
    return isinstance(plugins, Mapping) and any(
        name.startswith(NAME) and isinstance(fields, Mapping) and fields.get("enabled") is not False
        for name, fields in plugins.items()
    )

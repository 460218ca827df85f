"""Where a client sits that starts its servers elsewhere: Copilot runs a plugin's in the plugin's own folder."""

from __future__ import annotations

import json
import os

from engram.app.context import Context
from engram.capture.places import place_of

SESSION = "COPILOT_AGENT_SESSION_ID"
"""Copilot names the session in it; nothing that it passes on names the folder."""
_LONGEST = 1 << 20


def seated(context: Context) -> Context:
    """Returns the context in the folder that the client's session is in; the same where nothing tells of another."""
    session = context.env.get(SESSION, "")
    path = place_of("copilot", session, "", context.env, context.home) if session else ""
    try:
        with open(path, "rb") as file:
            begun = json.loads(file.readline(_LONGEST))
        folder = begun["data"]["context"]["cwd"]
        return context._replace(cwd=folder) if os.path.isabs(folder) and os.path.isdir(folder) else context
    except (OSError, ValueError, KeyError, TypeError):
        return context

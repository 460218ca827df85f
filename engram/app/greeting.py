"""The greeting: once per store of a user, on the first session's start whose agent can show it to the person."""

from __future__ import annotations

import os

from engram.app.once import made
from engram.disk import private_folder

MARKER = "greeted"


def greeting(engram_home: str) -> str:
    """Returns the banner, and marks it as given; "" where it was given before, or that can't be marked."""
    path = os.path.join(engram_home, ".engram", MARKER)
    if os.path.exists(path):
        return ""
    try:
        private_folder(os.path.dirname(path))
        if not made(path):
            return ""
    except Exception:  # noqa: BLE001 - a home that can't be written: a banner that comes each time would be worse
        return ""
    from engram.model.banner import banner  # noqa: PLC0415 - one session's start in a lifetime needs it
    from engram.model.visible import visible  # noqa: PLC0415

    return banner(visible(engram_home))

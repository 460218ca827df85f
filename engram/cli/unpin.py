"""`engram unpin`: the life span of its type for a pinned note."""

from __future__ import annotations

from engram.cli.acting import on_notes
from engram.lifecycle import hold

command = on_notes(
    "unpin",
    "Give a pinned note the life span of its type, from today on.",
    lambda note, around: hold.unpinned(note, around.today, around.settings.ttl_defaults),
)

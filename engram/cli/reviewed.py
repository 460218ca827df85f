"""`engram reviewed`: a note that was looked at."""

from __future__ import annotations

from engram.cli.acting import on_notes
from engram.lifecycle import hold

command = on_notes(
    "reviewed",
    "Say that a note still holds: its review interval starts again.",
    lambda note, around: hold.reviewed(note, around.today, around.settings.review_defaults),
)

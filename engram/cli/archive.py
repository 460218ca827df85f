"""`engram archive`: a note put away."""

from __future__ import annotations

from engram.cli.acting import on_notes
from engram.lifecycle import hold

command = on_notes(
    "archive",
    "Put a note away: it moves to archive/, out of recall; links to it still resolve.",
    lambda note, around: hold.archived(note, around.today, around.taken),
)

"""`engram restore`: a note brought back."""

from __future__ import annotations

from engram.cli.acting import on_notes
from engram.lifecycle import hold

command = on_notes(
    "restore",
    "Bring a note back from the archive to where it was.",
    lambda note, around: hold.restored(note, around.today, around.taken, around.settings.ttl_defaults),
    archived=True,
)

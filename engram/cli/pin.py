"""`engram pin`: a note that never lapses."""

from __future__ import annotations

from engram.cli.acting import on_notes
from engram.lifecycle import hold

command = on_notes(
    "pin",
    "Let a note hold for good: it never lapses.",
    lambda note, _around: hold.pinned(note),
)

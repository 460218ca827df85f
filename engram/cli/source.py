"""Where a changeset's text comes from."""

from __future__ import annotations

import os

from engram.cli.tree import Run
from engram.errors import InputUnreadable

MOST_BYTES = 8 * 1024 * 1024 + 1
"""One more than a changeset may have: enough to be told so."""


def changeset_text(run: Run, file: str) -> bytes:
    """Returns the bytes of a file, or of standard input for ``-``. Raises InputUnreadable."""
    if file == "-":
        source = getattr(run.ui.stdin, "buffer", None)
        if source is None:
            raise InputUnreadable("there is no standard input to read", "name a changeset file", file)
        return bytes(source.read(MOST_BYTES))
    path = os.path.join(run.context.cwd, file)
    try:
        with open(path, "rb") as opened:
            return opened.read(MOST_BYTES)
    except OSError as error:
        raise InputUnreadable(f"{file} can't be read: {error.strerror}", "name a changeset file, or -", file) from None

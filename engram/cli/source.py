"""Where a text comes from that a command is given: a changeset, a note's body."""

from __future__ import annotations

import os

from engram.cli.tree import Run
from engram.errors import InputUnreadable

MOST_BYTES = 8 * 1024 * 1024 + 1
"""One more than a changeset may have: enough to be told so."""


def body_text(run: Run, file: str) -> str:
    """Returns a note's body from a file, or from standard input for ``-``. Raises InputUnreadable."""
    try:
        return changeset_text(run, file, "a text file").decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputUnreadable(f"{file} is not UTF-8 text", "name a text file, or -", file) from None


def changeset_text(run: Run, file: str, wanted: str = "a changeset file") -> bytes:
    """Returns the bytes of a file, or of standard input for ``-``. Raises InputUnreadable."""
    if file == "-":
        source = getattr(run.ui.stdin, "buffer", None)
        if source is None:
            raise InputUnreadable("there is no standard input to read", f"name {wanted}", file)
        return bytes(source.read(MOST_BYTES))
    path = os.path.join(run.context.cwd, file)
    try:
        with open(path, "rb") as opened:
            return opened.read(MOST_BYTES)
    except OSError as error:
        raise InputUnreadable(f"{file} can't be read: {error.strerror}", f"name {wanted}, or -", file) from None

"""Command lines that a host's own shell takes apart into the words that were meant, whatever their paths hold."""

from __future__ import annotations

import re
from collections.abc import Sequence
from shlex import quote

_PLAIN = re.compile(r"[\w./:\\+=@~-]+", re.ASCII)
"""Words that no shell of Windows reads anything into; Windows puts a tilde inside one (``PROGRA~1``)."""


def sh(words: Sequence[str]) -> str:
    """Returns a command line for a POSIX shell."""
    return " ".join(quote(word) for word in words)


def powershell(words: Sequence[str]) -> str:
    """Returns a command line for PowerShell. A program that stands in quotes needs ``&``, or it is a mere text."""
    first, *rest = words
    called = first if _PLAIN.fullmatch(first) else f"& {_single(first)}"
    return " ".join([called, *(word if _PLAIN.fullmatch(word) else _single(word) for word in rest)])


def cmd(words: Sequence[str]) -> str:
    """Returns a command line for cmd.exe. Between its quotes everything but ``%`` stands for itself."""
    return " ".join(word if _PLAIN.fullmatch(word) else f'"{word}"' for word in words)


def any_windows(words: Sequence[str]) -> str:
    """Returns a command line for a host of which it isn't known whether it starts cmd.exe or PowerShell.

    A program in quotes is one thing to cmd and another to PowerShell, so both are given one that needs none,
    ``powershell.exe``, which calls the one that is meant. A ``$`` in a path is beyond it, as it is read twice.
    """
    if all(_PLAIN.fullmatch(word) for word in words):
        return " ".join(words)
    return cmd(("powershell.exe", "-NoProfile", "-NonInteractive", "-Command", powershell(words)))


def _single(word: str) -> str:
    """Returns a word in PowerShell's single quotes, in which it reads typographic ones as its own."""
    return "'" + re.sub("(['\u2018\u2019\u201a\u201b])", r"\1\1", word) + "'"

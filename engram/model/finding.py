"""A finding: something about a file that its owner should know."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Finding:
    """Is one thing found in one place. ``code`` is kebab-case and stays; the words may change."""

    code: str
    path: str
    """Relative to the store, with forward slashes."""
    message: str
    level: Literal["info", "warning", "unreadable"] = "warning"
    """``unreadable``: the file yields no note."""
    line: int = 0
    """1-based; 0 where no line is meant."""

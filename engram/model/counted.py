"""A number with its word: `1 note`, `2 notes`, `1,022 notes`."""

from __future__ import annotations


def counted(count: int, word: str, plural: str = "") -> str:
    """Returns a number with its word; ``plural`` where that is not the word with an s."""
    if count == 1:
        return f"1 {word}"
    return f"{count:,} {plural or word + 's'}"

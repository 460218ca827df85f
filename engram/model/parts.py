"""The parts that a note's body names, by type, each at the start of a line, in bold."""

from __future__ import annotations

from collections.abc import Mapping

PARTS: Mapping[str, tuple[str, ...]] = {
    "feedback": ("Why:", "How to apply:"),
    "lesson": ("Mistake:", "Why it happened:", "How to apply:"),
}


def template(kind: str) -> str:
    """Returns the body that a person starts from; "" for a type that asks for no parts."""
    parts = [f"**{part}** \n" for part in PARTS.get(kind, ())]
    return "".join(parts if kind == "lesson" else ["\n", *parts] if parts else [])

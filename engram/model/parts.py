"""The parts that a note's body names, by type, each at the start of a line, in bold."""

from __future__ import annotations

from collections.abc import Mapping

PARTS: Mapping[str, tuple[str, ...]] = {
    "feedback": ("Why:", "How to apply:"),
    "lesson": ("Mistake:", "Why it happened:", "How to apply:"),
}

ROLLUP_LINES = 15
"""Lines of a month's roll-up at most."""


def too_long_rollup(body: str) -> str:
    """Returns "" or how long a roll-up is."""
    many = sum(1 for line in body.splitlines() if line.strip())
    return f"a roll-up has at most {ROLLUP_LINES} lines; this one has {many}" if many > ROLLUP_LINES else ""


def template(kind: str) -> str:
    """Returns the body that a person starts from; "" for a type that asks for no parts."""
    parts = [f"**{part}** \n" for part in PARTS.get(kind, ())]
    return "".join(parts if kind == "lesson" else ["\n", *parts] if parts else [])

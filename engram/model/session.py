"""A session: what a person and an agent said and did, in one form for every agent's transcript."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["user", "assistant", "tool_call", "tool_result", "summary"]


@dataclass(frozen=True, slots=True)
class Turn:
    """Is one thing said or done. ``ref`` names its place, so that evidence can quote it."""

    ref: str
    """``u12`` (the person's 12th message), ``a3`` (the assistant's), ``t7`` (a tool's call and result), ``s1``."""
    kind: Kind
    text: str
    """What was said; a call's input in short; a result's output."""
    tool: str = ""
    failed: bool = False
    path: str = ""
    """The file that a tool changed."""
    at: str = ""
    """ISO time; "" where the transcript doesn't say."""


@dataclass(frozen=True, slots=True)
class Session:
    """Is one transcript, read. ``skipped`` counts the lines that could not be."""

    id: str
    agent: str
    turns: tuple[Turn, ...] = ()
    cwd: str = ""
    branch: str = ""
    started: str = ""
    ended: str = ""
    skipped: int = 0

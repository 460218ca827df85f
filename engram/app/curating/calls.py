"""What passes between engram and an agent that it asks: how to start it, what came of it, what it said.

Frozen values, and the Protocol that each module of `engram.app.curating.agents` obeys. Pure.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Is what an agent's command line may depend on."""

    env: Mapping[str, str]
    home: str
    read: Callable[[str], str | None]
    """Returns a file's text; None where there is none."""
    model: str = ""
    """The model that the person asks for; "" for the agent's own choice."""

    def setting(self, variable: str, folder: str, name: str) -> str:
        """Returns the text of a settings file in a folder of the home that a variable may move; "" without one."""
        top = self.env.get(variable) or f"{self.home}/{folder}"
        return self.read(f"{top}/{name}") or ""


@dataclass(frozen=True, slots=True)
class Call:
    """Is how an agent is started, in an empty folder. The prompt comes on its standard input."""

    args: tuple[str, ...]
    """Behind the program."""
    env: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    """Put into the folder before it starts: name to text."""
    reads: tuple[str, ...] = ()
    """Files that it leaves there."""


@dataclass(frozen=True, slots=True)
class Ended:
    """Is what a process left when it ended."""

    status: int
    out: str
    err: str
    files: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Answer:
    """Is what an agent said."""

    text: str
    tokens: int | None = None
    """In and out together, as the agent counts them; None where it doesn't say."""
    trouble: str = ""
    """Why there is no answer, in the agent's words."""


class Agent(Protocol):
    """Is one agent's headless mode. A module obeys it by having these names."""

    @property
    def WORD(self) -> str:  # noqa: N802 - a module's constant
        """What ``--agent`` calls it."""
        ...

    @property
    def NAME(self) -> str:  # noqa: N802
        """What a changeset calls it."""
        ...

    @property
    def LOGIN(self) -> str:  # noqa: N802
        """How a person logs in to it."""
        ...

    def call(self, around: Surroundings) -> Call:
        """Returns how it is started so that it answers, and can do nothing else."""
        ...

    def answer(self, ended: Ended) -> Answer:
        """Returns what it said. Never raises for what the output holds."""
        ...


def words_of(ended: Ended) -> str:
    """Returns what a process that failed said last: its errors, else its output. Whole lines: nothing is cut before
    secrets in it are masked."""
    lines = [line.strip() for line in (ended.err.strip() or ended.out.strip()).splitlines() if line.strip()]
    return " | ".join(lines[-3:])


def number(value: object) -> int:
    """Returns a count of an agent's report; 0 where it is none."""
    return int(value) if isinstance(value, int | float) and 0 <= value < 1e15 else 0


def mapping(value: object) -> Mapping[str, Any]:
    """Returns an object of an agent's report; an empty one where it is none."""
    return value if isinstance(value, dict) else {}


def one_object(text: str) -> Mapping[str, Any]:
    """Returns the JSON object that an output holds, lines before it passed over; {} where it holds none."""
    start = text.find("{")
    try:
        return mapping(json.loads(text[start:])) if start >= 0 else {}
    except (ValueError, RecursionError):
        return {}


def objects(text: str) -> Iterator[Mapping[str, Any]]:
    """Yields the objects of an output that has one a line; other lines are passed over."""
    for line in text.split("\n"):
        if line.lstrip().startswith("{") and (found := one_object(line)):
            yield found

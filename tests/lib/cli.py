"""Runs commands: in this process with answers put in, or as a real process at a pseudo-terminal."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from engram.app.context import Context, real_context
from engram.cli import main
from engram.cli.ui import Ui

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


@dataclass(frozen=True)
class Ran:
    """Is a command that ended."""

    exit: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def context(cwd: Path | str | None = None, now: Callable[[], datetime] = lambda: NOW, **env: str) -> Context:
    """Returns the surroundings of the test, with a clock that stands still."""
    real = real_context()
    return real._replace(cwd=str(cwd or real.cwd), now=now, env={**real.env, **env})


def run(*words: str, answers: Sequence[str | None] | None = None, stdin: bytes = b"", at: Context | None = None) -> Ran:
    """Runs a command. ``answers``: a person sits at the terminal and types these.

    None is the end of their input, and so is the end of the list. Without it nobody can be asked.
    """
    at = at or context()
    source = io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8")
    out, err = io.StringIO(), io.StringIO()
    typed = iter(answers or ())
    ui = Ui(at.env, source, out, err, json_asked="--json" in words)
    if answers is not None:
        ui.answer = lambda question: (out.write(question + "\n"), next(typed, None))[1]
    status = main(list(words), context=at, ui=ui)
    return Ran(status, out.getvalue(), err.getvalue())


def command_line(*words: str) -> list[str]:
    """Returns what starts engram as a process of its own."""
    return [sys.executable, "-m", "engram", *words]


def environment(**more: str) -> dict[str, str]:
    """Returns the sealed environment for a child process, which finds the package where this one did."""
    root = str(Path(__file__).resolve().parents[2])
    return {**os.environ, "PYTHONPATH": root, "TERM": "dumb", **more}

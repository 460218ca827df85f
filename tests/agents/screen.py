"""A terminal whose screen a test reads as a person does: tmux holds it, keys go in, what stands there comes out."""

from __future__ import annotations

import re
import shlex
import subprocess
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

SECONDS = 40.0


class Screen:
    """Is one program in one terminal of so many columns and rows."""

    def __init__(
        self, command: Sequence[str], folder: Path, environment: Mapping[str, str], columns: int = 120, rows: int = 60
    ) -> None:
        self._socket = f"engram-{uuid.uuid4().hex[:12]}"
        clean = ["env", "-i", *(f"{name}={value}" for name, value in environment.items()), *command]
        size = ["-x", str(columns), "-y", str(rows)]
        self._tmux("new-session", "-d", *size, "-c", str(folder), shlex.join(clean))
        self._tmux("set-option", "-g", "history-limit", "5000")

    def _tmux(self, *words: str) -> str:
        done = subprocess.run(
            ["tmux", "-L", self._socket, "-f", "/dev/null", *words], capture_output=True, encoding="utf-8", check=False
        )
        if done.returncode:
            raise AssertionError(f"tmux {words[0]}: {done.stderr}")
        return done.stdout

    def text(self) -> str:
        """Returns what stands on the screen."""
        return self._tmux("capture-pane", "-p")

    def scrolled(self) -> str:
        """Returns what stands on the screen and what a person finds by scrolling up."""
        return self._tmux("capture-pane", "-p", "-S", "-")

    def wait(self, pattern: str, seconds: float = SECONDS) -> re.Match[str]:
        """Returns the match once the screen shows a pattern. Raises AssertionError where it doesn't in time."""
        found = self.until(lambda: re.search(pattern, self.text()), f"no {pattern!r}", seconds)
        assert isinstance(found, re.Match)
        return found

    def until(self, holds: Callable[[], object], otherwise: str, seconds: float = SECONDS) -> object:
        """Returns what ``holds`` returns once it is true. Raises AssertionError where it isn't in time."""
        deadline = time.monotonic() + seconds
        while not (found := holds()):
            if time.monotonic() > deadline:
                raise AssertionError(f"{otherwise} on the screen:\n{self.text()}")
            time.sleep(0.1)
        return found

    def keys(self, *names: str) -> None:
        """Presses keys by tmux's names: ``Enter``, ``Escape``, ``Down``."""
        self._tmux("send-keys", *names)

    def type(self, line: str) -> None:
        """Types a line and ends it: the client takes a line end that arrives with the text for pasted text."""
        self._tmux("send-keys", "-l", line)
        time.sleep(0.4)
        self.keys("Enter")

    def close(self) -> None:
        """Ends the terminal and what runs in it."""
        subprocess.run(["tmux", "-L", self._socket, "kill-server"], capture_output=True, check=False)

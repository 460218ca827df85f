"""Runs an agent to its end, or ends it: whole output or none, within a time, and nothing of it left running."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import IO

from engram.app.curating.calls import Ended
from engram.errors.agents import AgentFailed, AgentTimedOut

MOST_BYTES = 32 << 20
"""Of an output; an agent that prints more is ended."""
_GRACE = 2.0
"""Seconds between asking a process to end and ending it."""


def run(
    program: Sequence[str] | str, prompt: str, *, folder: str, env: Mapping[str, str], seconds: float, name: str
) -> Ended:
    """Starts a program in a folder, gives it the prompt and returns what it left.

    Raises AgentTimedOut, and AgentFailed where it can't be started or prints without end. Whatever ends this ends the
    program and everything that it started in its process group.
    """
    try:
        process = _started(program, folder, env)
    except OSError as error:
        raise AgentFailed(f"{name} can't be started: {error.strerror or error}") from error
    out, err = _Drain(process.stdout, process), _Drain(process.stderr, process)
    feed = threading.Thread(target=_feed, args=(process.stdin, prompt), daemon=True)
    try:
        for thread in (out, err, feed):
            thread.start()
        process.wait(timeout=max(seconds, 0.01))
    except subprocess.TimeoutExpired:
        raise AgentTimedOut(f"{name} gave no answer within {seconds:.0f} seconds") from None
    finally:
        end(process)
        for thread in (out, err, feed):
            thread.join(timeout=5)
    if out.flooded or err.flooded:
        raise AgentFailed(f"{name} printed more than {MOST_BYTES >> 20} MB")
    return Ended(process.returncode, out.text, err.text)


def end(process: subprocess.Popen[bytes]) -> None:
    """Ends a process and all of its group: asks first, where there is anything left to ask."""
    if sys.platform == "win32":
        if process.poll() is None:
            subprocess.run(["taskkill", "/T", "/F", "/PID", str(process.pid)], capture_output=True, check=False)
            process.wait()
        return
    try:
        _signal(process, signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            process.wait(timeout=_GRACE)
    finally:  # a second interrupt ends the asking
        _signal(process, signal.SIGKILL)
        process.wait()


def _signal(process: subprocess.Popen[bytes], number: int) -> None:
    if sys.platform != "win32":
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, number)


class _Drain(threading.Thread):
    """Reads a pipe to its end, so that the program never waits for a reader."""

    def __init__(self, pipe: IO[bytes] | None, process: subprocess.Popen[bytes]) -> None:
        super().__init__(daemon=True)
        self._pipe = pipe
        self._process = process
        self._parts: list[bytes] = []
        self.flooded = False

    def run(self) -> None:
        size = 0
        if self._pipe is None:
            return
        with self._pipe, suppress(OSError, ValueError):
            while part := os.read(self._pipe.fileno(), 1 << 16):
                size += len(part)
                if size > MOST_BYTES:
                    self.flooded = True
                    self._parts.clear()
                    end(self._process)
                    return
                self._parts.append(part)

    @property
    def text(self) -> str:
        return b"".join(self._parts).decode("utf-8-sig", "replace").replace("\r\n", "\n")


def _feed(pipe: IO[bytes] | None, prompt: str) -> None:
    with suppress(OSError, ValueError):  # it may end, or close its input, before it has read everything
        if pipe is not None:
            with pipe:
                pipe.write(prompt.encode("utf-8", "replace"))


def _started(program: Sequence[str] | str, folder: str, env: Mapping[str, str]) -> subprocess.Popen[bytes]:
    flags = 0
    if sys.platform == "win32":
        flags = subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW
    return subprocess.Popen(
        program,
        cwd=folder,
        env=dict(env),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=os.name == "posix",  # a group of its own, and no terminal: it can ask nobody
        creationflags=flags,
    )

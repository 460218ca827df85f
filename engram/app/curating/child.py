"""Runs an agent to its end, or ends it: whole output or none, within a time, and nothing of it left running."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import IO

from engram.app.curating.calls import Ended
from engram.errors.agents import AgentFailed, AgentTimedOut

MOST_BYTES = 32 << 20
"""Of an output; an agent that prints more is ended."""
_GRACE = 2.0
"""Seconds between asking a process to end and ending it."""
_LAST_WORDS = 5.0
"""Seconds for what is still in its pipes once it has ended."""


def run(
    program: Sequence[str] | str, prompt: str, *, folder: str, env: Mapping[str, str], seconds: float, name: str
) -> Ended:
    """Starts a program in a folder, gives it the prompt and returns what it left.

    Raises AgentTimedOut, and AgentFailed where it can't be started or prints without end. Whatever ends this ends the
    program and everything that it started in its process group.
    """
    start = _Start(program, folder, env)
    threads: list[threading.Thread] = []
    try:
        start.start()
        process = start.made(name)
        out, err = _Drain(process.stdout, process), _Drain(process.stderr, process)
        feed = threading.Thread(target=_feed, args=(process.stdin, prompt), daemon=True)
        for thread in (out, err, feed):
            thread.start()
            threads.append(thread)
        process.wait(timeout=max(seconds, 0.01))
    except subprocess.TimeoutExpired:
        raise AgentTimedOut(f"{name} gave no answer within {seconds:.0f} seconds") from None
    finally:
        start.ended(pipes=not threads)
        last = time.monotonic() + _LAST_WORDS  # what left the group may hold a pipe open for as long as it likes
        for thread in threads:
            thread.join(timeout=max(last - time.monotonic(), 0.1))
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
                    if self._process.poll() is None:  # its number may be another's by now
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


class _Start(threading.Thread):
    """Starts a program in a thread of its own, which no interrupt reaches: one that came while a process is made would
    lose that process, and nobody could end it."""

    def __init__(self, program: Sequence[str] | str, folder: str, env: Mapping[str, str]) -> None:
        super().__init__(daemon=True)
        self._asked = program, folder, env
        self._process: subprocess.Popen[bytes] | None = None
        self._fault: Exception | None = None

    def run(self) -> None:
        try:
            self._process = _started(*self._asked)
        except (OSError, ValueError) as error:
            self._fault = error

    def made(self, name: str) -> subprocess.Popen[bytes]:
        """Returns the process. Raises AgentFailed where there is none."""
        self.join()
        if self._process is None:
            reason = getattr(self._fault, "strerror", None) or self._fault
            raise AgentFailed(f"{name} can't be started: {reason}") from self._fault
        return self._process

    def ended(self, *, pipes: bool) -> None:
        """Ends what it started, however far that had come. ``pipes``: closes them too, since nobody else does."""
        with suppress(RuntimeError):  # it never began
            self.join()
        if self._process is None:
            return
        try:
            end(self._process)
        finally:
            for pipe in (self._process.stdin, self._process.stdout, self._process.stderr) if pipes else ():
                if pipe is not None:
                    pipe.close()


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

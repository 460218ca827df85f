"""Reads what a hook's host writes, with a deadline: a host may write nothing, write slowly, or never close the pipe.

On the hot path of every hook: the standard library alone, and little of it.
"""

from __future__ import annotations

import os
from _thread import allocate_lock, start_new_thread
from time import monotonic, sleep

from engram.model.wire import parsed

_CHUNK = 1 << 16


class _Pump:
    """Reads a descriptor in a thread of its own. A read that never returns holds up nothing: it ends with the process.

    One way for every platform: Windows can't wait for a pipe with a deadline.
    """

    def __init__(self, descriptor: int) -> None:
        self.chunks: list[bytes] = []
        """What was read, in order; an empty one is the end."""
        self.fault = ""
        self.stopped = False
        self._fresh = allocate_lock()
        self._fresh.acquire()
        start_new_thread(self._run, (descriptor,))

    def next(self, seconds: float) -> bytes | None:
        """Returns the next bytes, b"" at the end, None where none came in time."""
        if not self.chunks and not self._fresh.acquire(timeout=max(seconds, 0.0)):
            return None
        return self.chunks.pop(0) if self.chunks else None

    def _run(self, descriptor: int) -> None:
        while not self.stopped:
            try:
                chunk = os.read(descriptor, _CHUNK)
            except BlockingIOError:  # the host shares a pipe that it made non-blocking
                sleep(0.01)
                continue
            except OSError as error:
                self.fault = f"unreadable ({error.strerror})"
                chunk = b""
            self.chunks.append(chunk)
            if self._fresh.locked():
                self._fresh.release()
            if not chunk:
                return


def read_json(stream_fd: int, seconds: float, limit: int) -> object:
    """Returns the JSON value on a descriptor as soon as it is whole; the end of the stream isn't waited for.

    Takes no longer than ``seconds`` (and the parsing of what came). Of more than ``limit`` bytes nothing is kept; they
    are read off all the same, for a host whose pipe breaks shows an error to its user.
    Raises ValueError, with words, where there is no such value.
    """
    deadline = monotonic() + seconds
    pump = _Pump(stream_fd)
    data = bytearray()
    size = 0
    try:
        while (chunk := _waited(pump, deadline)) is not None:
            size += len(chunk)
            if size > limit:
                data.clear()
                if not chunk:
                    break
                continue
            data += chunk
            if not chunk:
                return parsed(bytes(data)) if not pump.fault else _refuse(pump.fault)
            if _may_end(chunk) and (whole := _attempt(bytes(data))) is not None:
                return whole
    finally:
        pump.stopped = True
    return _refuse(f"more than {limit} bytes" if size > limit else f"nothing whole within {seconds:g} s")


def _waited(pump: _Pump, deadline: float) -> bytes | None:
    """Returns what :meth:`_Pump.next` does, whatever woke it, up to the deadline."""
    while (left := deadline - monotonic()) > 0:
        if (chunk := pump.next(left)) is not None:
            return chunk
    return None


def _may_end(chunk: bytes) -> bool:
    """Tells whether a value may be whole after a chunk; one of white space alone may follow the end of any."""
    last = chunk.rstrip()
    return not last or last.endswith((b"}", b"]"))


def _attempt(data: bytes) -> object | None:
    try:
        return parsed(data)
    except ValueError:
        return None  # a piece that happens to end like a whole


def _refuse(words: str) -> object:
    raise ValueError(words)

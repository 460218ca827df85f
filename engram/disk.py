"""Whole writes and locks. A reader never sees half a file; a killed process never leaves a lock behind.

On the hot path of every hook: the standard library alone, and little of it.
"""

from __future__ import annotations

import errno
import os
import sys
import time

from engram.errors import DiskFull, StoreLocked, StoreReadOnly

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

IGNORE_ALL = b"*\n"


def write_whole(
    path: str, data: bytes, *, mode: int | None = None, last_look: Callable[[], None] = lambda: None
) -> None:
    """Writes a file whole or not at all: a temporary file beside it, synced, then moved over it.

    After a crash the file is the old one or the new one. A leftover ``.engram-*.tmp`` is harmless. An existing
    file's permission bits stay; a symlink's target is written, not the link. ``last_look`` is called right before
    the move; where it raises, the old file stays.
    Raises DiskFull, StoreReadOnly; any other OSError as it is.
    """
    target = os.path.realpath(path)
    temporary = os.path.join(os.path.dirname(target), f".engram-{os.getpid():x}-{time.monotonic_ns():x}.tmp")
    try:
        keep = os.stat(target).st_mode & 0o7777
    except OSError:
        keep = None
    try:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        descriptor = os.open(temporary, flags, keep or mode or 0o600)
        try:
            view = memoryview(data)
            while view:
                view = view[os.write(descriptor, view) :]
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        if keep is not None and os.name == "posix":
            os.chmod(temporary, keep)
        last_look()
        _replace(temporary, target)
    except OSError as error:
        _discard(temporary)
        raise named(error, path) from error
    except BaseException:
        _discard(temporary)
        raise
    sync_folder(os.path.dirname(target))


def read_bytes(path: str) -> bytes | None:
    """Returns a file's bytes; None where there is no such file. Raises any other OSError as it is."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None


def private_folder(path: str) -> str:
    """Makes a folder of derived or machine-local state, with an ignore file that keeps it out of git. Returns it."""
    if not os.path.isdir(path):
        os.makedirs(path, mode=0o700, exist_ok=True)
    ignore = os.path.join(path, ".gitignore")
    if not os.path.exists(ignore):
        write_whole(ignore, IGNORE_ALL)
    return path


def sync_folder(path: str) -> None:
    """Makes a rename in a folder last through a power cut, where the platform can."""
    if os.name != "posix":
        return
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(descriptor)
    except OSError:
        pass  # some network file systems can't; the rename itself is whole all the same
    finally:
        os.close(descriptor)


class lock:  # noqa: N801 - it is used as a function; contextlib would cost every hook a fifth of its time
    """Holds a lock that ends with the process, whatever ends it. The file itself stays; it means nothing.

    ``with`` gives the lock's descriptor: a child process that inherits it holds the lock too.
    Raises StoreLocked where another process holds it for longer than ``seconds``.
    """

    def __init__(self, path: str, *, seconds: float = 10.0) -> None:
        self.path = path
        self.seconds = seconds
        self._descriptor = -1

    def __enter__(self) -> int:
        self._descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600)
        deadline = time.monotonic() + self.seconds
        try:
            while not _try_lock(self._descriptor):
                if time.monotonic() >= deadline:
                    self._give_up()
                time.sleep(0.02)
        except BaseException:
            os.close(self._descriptor)
            raise
        return self._descriptor

    def __exit__(self, *_: object) -> None:
        os.close(self._descriptor)

    def _give_up(self) -> None:
        raise StoreLocked(f"another engram has held {self.path} for {self.seconds:g} seconds", place=self.path)


def append_line(path: str, line: str, limit: int) -> None:
    """Adds a line to a log that stays under twice ``limit`` bytes: a full one becomes ``PATH.old``."""
    try:
        if os.stat(path).st_size >= limit:
            _replace(path, f"{path}.old")
    except FileNotFoundError:
        pass
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0), 0o600)
    try:
        os.write(descriptor, line.encode("utf-8", "backslashreplace") + b"\n")
    finally:
        os.close(descriptor)


def named(error: OSError, path: str) -> Exception:
    """Returns the error a user understands for one the system gave; the same one where there is none."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT if hasattr(errno, "EDQUOT") else errno.ENOSPC):
        return DiskFull(f"no space left to write {path}", place=path)
    if error.errno in (errno.EROFS, errno.EACCES, errno.EPERM):
        return StoreReadOnly(f"{path} can't be written: {error.strerror}", place=path)
    return error


def _replace(temporary: str, target: str) -> None:
    """Moves a file over another; on Windows tries again for a while, since a reader there blocks the move."""
    for attempt in range(20):
        try:
            os.replace(temporary, target)
        except PermissionError:
            if os.name == "posix" or attempt == 19:
                raise
            time.sleep(0.05)
        else:
            return


def _discard(path: str) -> None:
    try:  # noqa: SIM105 - contextlib costs a hook a fifth of its time
        os.unlink(path)
    except OSError:
        pass


if sys.platform == "win32":
    import msvcrt

    def _try_lock(descriptor: int) -> bool:
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
else:
    import fcntl

    def _try_lock(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno in (errno.EWOULDBLOCK, errno.EACCES, errno.EINTR):
                return False
            raise
        return True

"""What a session was served, so that nothing comes twice; and what recall brought lately, for `engram recall --last`.

One small file per session in ``$ENGRAM_HOME/.engram/seen``, appended to; a log of a bounded size. Losing either loses
no memory: at worst a note comes again.

On the hot path of the prompt hook: the standard library alone, and little of it.
"""

from __future__ import annotations

import os
from time import time

from engram.disk import append_line, private_folder
from engram.model.wire import parsed, quoted
from engram.queue import id_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

LOG_LIMIT = 256 << 10
"""Bytes of the log of recalls; with the one before it there are at most twice as many."""
KEPT_DAYS = 14
OPENED = ".opened"
_LARGEST = 1 << 20
_MOST_SWEPT = 200


def folder_in(engram_home: str) -> str:
    """Returns where a home keeps what its sessions were served."""
    return os.path.join(engram_home, ".engram", "seen")


def served(folder: str, session: str) -> dict[str, tuple[str, str]]:
    """Returns what a session was served: a note's key to its version and how it came, ``whole`` or ``stub``.

    A damaged line is passed over. Nothing is known of a session without an id, or where the file can't be read.
    """
    if not session:
        return {}
    try:
        with open(_path(folder, session), "rb") as file:
            data = file.read(_LARGEST)
    except OSError:
        return {}
    found: dict[str, tuple[str, str]] = {}
    for line in data.decode("utf-8", "surrogateescape").split("\n"):
        base, _, rest = line.partition(" ")
        how, _, key = rest.partition(" ")
        if key and how in ("whole", "stub"):
            found[_unfolded(key)] = (base, how)
    return found


def serve(folder: str, session: str, items: Iterable[tuple[str, str, str]]) -> None:
    """Remembers what a session is served: version, how it came, key. One append: two hooks at once lose nothing."""
    lines = "".join(f"{base} {how} {_folded(key)}\n" for base, how, key in items)
    if not session or not lines:
        return
    path = _path(folder, session)
    try:
        _append(path, lines)
    except FileNotFoundError:
        private_folder(folder)
        _append(path, lines)


def forget(folder: str, session: str) -> None:
    """Forgets what a session was served: its client compacted or cleared what it knew."""
    try:  # noqa: SIM105 - contextlib costs a hook a fifth of its time
        os.unlink(_path(folder, session))
    except OSError:
        pass


def opened(folder: str, session: str) -> bool:
    """Tells whether a session was given what it opens with, since it started last. One without an id was."""
    return not session or os.path.exists(_path(folder, session, OPENED))


def open_(folder: str, session: str) -> None:
    """Remembers that a session was given what it opens with. Raises OSError."""
    private_folder(folder)
    os.close(os.open(_path(folder, session, OPENED), os.O_WRONLY | os.O_CREAT, 0o600))


def close(folder: str, session: str) -> None:
    """Has a session that starts given what it opens with."""
    try:  # noqa: SIM105 - contextlib costs a hook a fifth of its time
        os.unlink(_path(folder, session, OPENED))
    except OSError:
        pass


def sweep(folder: str, suffix: str = ".seen", days: float = KEPT_DAYS) -> None:
    """Removes the files that nobody has touched for some days (two weeks for those of sessions); some at a time."""
    oldest = time() - days * 86400
    try:
        with os.scandir(folder) as entries:
            for _, entry in zip(range(_MOST_SWEPT), entries, strict=False):
                if entry.name.endswith(suffix) and entry.stat(follow_symlinks=False).st_mtime < oldest:
                    os.unlink(entry.path)
    except OSError:
        pass


# -- the log of recalls ------------------------------------------------------------------------------------------------


def log_path(engram_home: str) -> str:
    """Returns the log of recalls: one JSON object a line, the newest last."""
    return os.path.join(engram_home, ".engram", "log", "recall.jsonl")


def note_recall(engram_home: str, entry: Mapping[str, object]) -> None:
    """Adds what one hook did to the log. Raises OSError."""
    line = quoted(entry)
    path = log_path(engram_home)
    try:
        append_line(path, line, LOG_LIMIT)
    except FileNotFoundError:
        private_folder(os.path.dirname(path))
        append_line(path, line, LOG_LIMIT)


def recalls(engram_home: str, many: int) -> list[dict[str, object]]:
    """Returns the newest entries of the log, the newest first. A damaged line is passed over."""
    found: list[dict[str, object]] = []
    path = log_path(engram_home)
    for name in (path, f"{path}.old"):
        try:
            with open(name, "rb") as file:
                lines = file.read().split(b"\n")
        except OSError:
            continue
        for line in reversed(lines):
            if len(found) == many:
                return found
            try:
                entry = parsed(line)
            except ValueError:
                continue
            if isinstance(entry, dict):
                found.append(entry)
    return found


def _path(folder: str, session: str, suffix: str = ".seen") -> str:
    return os.path.join(folder, f"{id_of('session', session)}{suffix}")


def _append(path: str, lines: str) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0), 0o600)
    try:
        os.write(descriptor, lines.encode("utf-8", "surrogateescape"))
    finally:
        os.close(descriptor)


def _folded(key: str) -> str:
    return key.replace("\\", "\\\\").replace("\n", "\\n")


def _unfolded(key: str) -> str:
    return key.replace("\\\\", "\0").replace("\\n", "\n").replace("\0", "\\")

"""What has to be read again, and what is gone: the files that the index knows against those that stand there. Pure."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

UNSURE = -1
"""Stands for a time of change that tells nothing: the file was written as it was read, or read as it was written."""

_FINE, _COARSE = 100_000_000, 2_100_000_000
"""Nanoseconds within which a file system may give two writes one time: those that count finely, and FAT's 2 seconds."""


class Differences:
    """Is what a refresh has to do. ``read``: paths to read, in order; ``gone``: paths that stand there no more."""

    __slots__ = ("gone", "read")

    def __init__(self, read: tuple[str, ...], gone: tuple[str, ...]) -> None:
        self.read = read
        self.gone = gone

    def __bool__(self) -> bool:
        return bool(self.read or self.gone)


def differences(
    known: Mapping[str, tuple[int, int, str]], found: Mapping[str, tuple[int, int]], unreadable: Collection[str]
) -> Differences:
    """Returns what to read and what to drop.

    ``known``: path to size, time of change (ns) and base, "" for a file whose text was not taken in. ``found``: path to
    size and time of change. ``unreadable``: files and folders that are there and could not be looked at ("." for the
    store as a whole); what is known below them stays. The newest are read first, so that a budget serves what somebody
    works on.
    """
    read = [path for path, seen in found.items() if path not in known or known[path][:2] != seen or not known[path][2]]
    gone = [path for path in known if path not in found and not (unreadable and is_below(path, unreadable))]
    read.sort(key=lambda path: (-found[path][1], path))
    return Differences(tuple(read), tuple(sorted(gone)))


def is_below(path: str, folders: Collection[str]) -> bool:
    """Tells whether a path is one of these, or lies below one of them."""
    if "." in folders or path in folders:
        return True
    at = path.find("/")
    while at >= 0:
        if path[:at] in folders:
            return True
        at = path.find("/", at + 1)
    return False


def settled(mtime_ns: int, looked_ns: int) -> bool:
    """Tells whether a write after the look at ``looked_ns`` would show in the file's time of change.

    As git does it: a file that was changed so shortly before the look that the next write could carry the same time is
    read again the next time. A time in whole milliseconds may come from a file system that counts no finer.
    """
    return looked_ns - mtime_ns > (_FINE if mtime_ns % 1_000_000 else _COARSE)

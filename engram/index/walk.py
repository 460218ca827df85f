"""The look at a folder of notes: which files stand there, and whether anything changed. Nothing is opened.

On the hot path: ten thousand files are one system call each, and as little as possible besides.
"""

from __future__ import annotations

import os
import stat
from array import array

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    Listing = tuple[str, bytes]

_CLOSED = (".git", ".engram")
_TOC = "memory.md"
_TOC_LENGTH = len(_TOC)
_JUNCTION = getattr(stat, "IO_REPARSE_TAG_MOUNT_POINT", -1)
_WINDOWS = os.name == "nt"
_WITHIN = (os.O_RDONLY | os.O_DIRECTORY | getattr(os, "O_CLOEXEC", 0)) if os.scandir in os.supports_fd else 0
"""How a folder is opened to be listed from within; 0 where the platform lists by path alone. (POSIX: O_RDONLY is 0.)"""
_REGULAR, _FOLDER, _KIND = stat.S_IFREG, stat.S_IFDIR, 0o170000


class Seen:
    """Is what a walk saw. ``listings``: folder ("" is the top) to what changes whenever a note in it does."""

    __slots__ = ("listings", "unreadable")

    def __init__(self, listings: dict[str, Listing], unreadable: set[str]) -> None:
        self.listings = listings
        """The names in a folder, one a line; their sizes and times of change (ns) in turn, as signed 64 bit numbers."""
        self.unreadable = unreadable
        """Files and folders that are there and could not be looked at."""

    def found(self) -> dict[str, tuple[int, int]]:
        """Returns every file as path to size and time of change (ns)."""
        files: dict[str, tuple[int, int]] = {}
        for folder, (names, numbers) in self.listings.items():
            below = f"{folder}/" if folder else ""
            values = iter(array("q", numbers))
            for name, size, mtime in zip(names.split("\n"), values, values, strict=False):
                files[below + name.replace("/", "\n")] = (size, mtime)
        return files


def look(root: str) -> Seen:
    """Returns what stands below a folder, at any depth; ``.git`` and ``.engram`` are left out, no link is followed.

    Raises FileNotFoundError or NotADirectoryError where the root is no folder (any more).
    """
    listings: dict[str, Listing] = {}
    unreadable: set[str] = set()
    waiting = [""]
    while waiting:
        folder = waiting.pop()
        below = f"{folder}/" if folder else ""
        try:
            listings[folder] = _listing(os.path.join(root, folder) if folder else root, below, waiting, unreadable)
        except OSError as error:
            if not folder and isinstance(error, FileNotFoundError | NotADirectoryError):
                raise
            unreadable.add(folder or ".")
            listings[folder] = (f"/{error.errno}", b"")
    return Seen(listings, unreadable)


def same(seen: Seen, known: Iterable[tuple[str, str, bytes]]) -> bool:
    """Tells whether nothing changed since the listings in ``known`` were kept; in doubt it did."""
    return seen.listings == {folder: (names, numbers) for folder, names, numbers in known}


def _listing(path: str, below: str, waiting: list[str], unreadable: set[str]) -> Listing:
    """Returns a folder's listing. Where it can, it asks from within: the way there is gone once, not for each file."""
    if not _WITHIN:
        return _listed(path, below, waiting, unreadable)
    descriptor = os.open(path, _WITHIN)
    try:
        return _listed(descriptor, below, waiting, unreadable)
    finally:
        os.close(descriptor)


def _listed(folder: str | int, below: str, waiting: list[str], unreadable: set[str]) -> Listing:
    names: list[str] = []
    numbers: list[int] = []
    with os.scandir(folder) as entries:
        for entry in entries:
            name = entry.name
            if name[-3:] == ".md":
                try:
                    known = entry.stat(follow_symlinks=False)
                except OSError:
                    unreadable.add(below + name)
                    continue
                if known.st_mode & _KIND == _REGULAR:
                    names.append(name)
                    numbers.append(known.st_size)
                    numbers.append(known.st_mtime_ns)
                    if len(name) == _TOC_LENGTH and name.casefold() == _TOC:
                        names.pop()
                        del numbers[-2:]
                    continue
            if entry.is_dir(follow_symlinks=False) and _is_open(entry):
                waiting.append(below + name)
    text = "\n".join(names)
    if text.count("\n") >= max(1, len(names)) or not _is_utf8(text):
        return _odd(names, numbers)
    return text, array("q", numbers).tobytes()


def _odd(names: list[str], numbers: list[int]) -> Listing:
    """Returns the listing of a folder with names of several lines, or that are no text; those are left out."""
    kept = [place for place, name in enumerate(names) if _is_utf8(name)]
    values = [number for place in kept for number in numbers[2 * place : 2 * place + 2]]
    return "\n".join(names[place].replace("\n", "/") for place in kept), array("q", values).tobytes()


def _is_open(folder: os.DirEntry[str]) -> bool:
    return folder.name.casefold() not in _CLOSED and not _is_junction(folder) and _is_utf8(folder.name)


def _is_utf8(name: str) -> bool:
    if name.isascii():
        return True
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _is_junction(entry: os.DirEntry[str]) -> bool:
    """Tells whether an entry is a junction of Windows, which leads elsewhere as a link does."""
    return _WINDOWS and getattr(entry.stat(follow_symlinks=False), "st_reparse_tag", 0) == _JUNCTION

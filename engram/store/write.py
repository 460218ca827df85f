"""The one hand that changes a note's file. Only ``curate/commit.py`` and ``store/create.py`` may use it."""

from __future__ import annotations

import os

from engram import disk
from engram.errors import NoteChanged
from engram.store.read import symlinked_part

_RESERVED = (".git", ".engram")


def current(root: str, path: str) -> bytes | None:
    """Returns the bytes of a file in a store; None where there is none.

    Raises NoteChanged where the path leads out of the store, through a link, or to something that is no file.
    """
    target = _contained(root, path)
    if link := symlinked_part(root, path):
        raise NoteChanged(f"{link} is a link, and notes are never written through one", place=path)
    try:
        return disk.read_bytes(target)
    except NotADirectoryError:
        return None
    except IsADirectoryError as error:
        raise NoteChanged(f"{path} is a folder", place=path) from error
    except OSError as error:
        raise disk.named(error, target) from error


def replace(root: str, path: str, before: bytes | None, after: bytes | None) -> None:
    """Replaces a file of a store whole, or makes or removes it (None), if it still is what it was.

    The last look is right before the move: what was written to the file earlier is never lost. Folders are made as
    needed, and removed with the last file in them. Raises NoteChanged, DiskFull, StoreReadOnly.
    """

    def look() -> None:
        if current(root, path) != before:
            raise NoteChanged(f"{path} was changed meanwhile; it was left as it is", place=path)

    look()
    target = _contained(root, path)
    try:
        if after is None:
            if before is not None:
                os.unlink(target)
        else:
            os.makedirs(os.path.dirname(target), exist_ok=True)
            disk.write_whole(target, after, mode=0o666, last_look=look)
    except OSError as error:
        raise disk.named(error, target) from error
    finally:
        _prune(root, path)


def inside(path: str) -> bool:
    """Tells whether a path stays in the store, and out of git's folder and engram's own.

    Plans are held to stricter rules (``store/paths.py``); this is what even a forged one can't pass.
    """
    parts = path.split("/")
    odd = any(part in ("", ".", "..") or part.casefold() in _RESERVED for part in parts) or "\0" in path
    return not odd and not (os.name == "nt" and set(path) & set("\\:"))


def sweep(root: str, paths: tuple[str, ...], pid: int) -> None:
    """Removes temporary files that a killed process left beside these paths."""
    for folder in {os.path.dirname(path) for path in paths}:
        if symlinked_part(root, folder):
            continue
        try:
            names = os.listdir(os.path.join(root, folder))
        except OSError:
            continue
        for name in names:
            if name.startswith(f".engram-{pid:x}-") and name.endswith(".tmp"):
                os.unlink(os.path.join(root, folder, name))


def _contained(root: str, path: str) -> str:
    """Returns where a path of a store leads. Raises NoteChanged for one that leads elsewhere."""
    if not inside(path):
        raise NoteChanged(f"{path!r} is no path inside the store", place=path)
    return os.path.join(root, *path.split("/"))


def _prune(root: str, path: str) -> None:
    """Removes the folders above a path that are empty."""
    folder = os.path.dirname(path)
    while folder:
        try:
            os.rmdir(os.path.join(root, *folder.split("/")))
        except OSError:
            return
        folder = os.path.dirname(folder)

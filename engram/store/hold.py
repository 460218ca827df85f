"""The lock of a store, and the machine-local folder it stands in."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from engram import disk
from engram.errors import StoreReadOnly

PATIENCE = 10.0
"""Seconds to wait for another engram that writes to the store."""


def folder_of(root: str) -> str:
    """Returns where a store keeps its machine-local state; the folder need not be there."""
    return os.path.join(root, ".engram")


@contextmanager
def hold(root: str) -> Iterator[int]:
    """Holds a store's lock and gives its descriptor; makes the machine-local folder where it is missing.

    Raises StoreLocked, StoreReadOnly, DiskFull.
    """
    folder = folder_of(root)
    _check_own(folder)
    try:
        disk.private_folder(folder)
        held = disk.lock(os.path.join(folder, "lock"), seconds=PATIENCE)
        descriptor = held.__enter__()
    except OSError as error:
        raise disk.named(error, folder) from error
    try:
        yield descriptor
    finally:
        held.__exit__(None, None, None)


def _check_own(folder: str) -> None:
    """Raises StoreReadOnly where the machine-local folder, or what stands in it, is a link.

    A store that came from elsewhere can bring one: what engram writes and clears away there would be somebody else's.
    """
    try:
        with os.scandir(folder) as found:
            links = [entry.path for entry in found if entry.is_symlink()]
    except OSError:
        links = []
    link = folder if os.path.islink(folder) else next(iter(links), "")
    if link:
        words = f"{link} is a link, and engram writes through none"
        raise StoreReadOnly(words, "remove the link, then try again", link)

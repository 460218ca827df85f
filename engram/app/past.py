"""Memory as it stood: a store at an earlier commit, laid out in a folder of its own; the present stays as it is."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, date, datetime, time

from engram.app.context import Context
from engram.app.recalling import Place
from engram.errors import CommandLine, StoreNotFound
from engram.store import git, history
from engram.store.git import Repository

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
"""How a day begins; an id of a commit may be digits alone, and a tag may hold hyphens."""


class Past:
    """Is some stores as they stood at one moment."""

    def __init__(self, places: Sequence[tuple[Place, Place]], now: datetime) -> None:
        self.places = [then for _, then in places]
        self.now = now
        """The moment, which is what lapsed and overdue are counted from."""
        self._present = {then.root: present for present, then in places}

    def present(self, place: Place) -> Place:
        """Returns the store that a place of the past was."""
        return self._present[place.root]


@contextmanager
def as_it_stood(context: Context, places: Sequence[Place], when: str) -> Iterator[Past]:
    """Gives the stores as they stood on a day (``YYYY-MM-DD``, its end), at a time (ISO 8601), or at a commit.

    Raises StoreNotFound where none of them has a history that far back.
    """
    moment = _moment(when)
    with tempfile.TemporaryDirectory(prefix="engram-") as made:
        laid: list[tuple[Place, Place]] = []
        at = moment
        for number, place in enumerate(places):
            repository = git.Repository.find(place.root, enclosing_allowed=context.encloses(place.root))
            entry = _entry(repository, when, moment) if repository is not None else None
            if repository is None or entry is None:
                continue
            at = at or datetime.fromisoformat(entry.at)
            folder = os.path.realpath(os.path.join(made, str(number)))
            _lay(repository, entry.commit, folder)
            laid.append((place, Place(folder, place.scope)))
        if not laid or at is None:
            missing = f"a commit of {when} or before" if moment else f"the commit {when!r}"
            raise StoreNotFound(f"no store here has {missing}", "`engram log` shows the commits")
        yield Past(laid, min(at, context.now()))


def _moment(when: str) -> datetime | None:
    """Returns the moment that a text names; None for what is no date, and so a commit. Raises CommandLine."""
    if not _DAY.match(when):
        return None
    try:
        if len(when) == len("YYYY-MM-DD"):
            return datetime.combine(date.fromisoformat(when), time(23, 59, 59), UTC)
        found = datetime.fromisoformat(when)
    except ValueError:
        raise CommandLine(f"--at: {when!r} is no day (YYYY-MM-DD), no time and no commit") from None
    return found if found.tzinfo is not None else found.replace(tzinfo=UTC)


def _entry(repository: Repository, when: str, moment: datetime | None) -> history.Entry | None:
    if moment is None:
        commit = repository.commit_of(when)
        return history.entry(repository, commit) if commit else None
    entries = history.log(repository)
    return next((one for one in entries if datetime.fromisoformat(one.at) <= moment), None)


def _lay(repository: Repository, commit: str, folder: str) -> None:
    """Writes the notes of a commit into a folder."""
    os.makedirs(folder)
    tree = repository.tree(commit)
    blobs = repository.blobs(tree.values())
    for path, blob in tree.items():
        parts = path.split("/")
        if blob not in blobs or any(part in ("", ".", "..") for part in parts):
            continue
        target = os.path.join(folder, *parts)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, "wb") as file:
            file.write(blobs[blob])

"""What was committed, and why: the commits of a store with their messages, trailers and paths."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice

from engram.errors import NothingToUndo
from engram.store.git import Repository

SESSION = "Engram-Session"
FAR_BACK = 500
"""Commits of one note that are searched for an older version of it."""

_FIELDS = (
    "%H",
    "%P",
    "%an",
    "%ae",
    "%cI",
    "%s",
    "%b",
    "%(trailers:only=true,unfold=true,separator=%x1e,key_value_separator=%x1f)",
)
_LOG = (
    "log", "-z", "--raw", "--no-abbrev", "--no-renames", "--diff-merges=first-parent", "--root", "--no-ext-diff",
    "--no-textconv", "--no-color", "--no-decorate", "--no-show-signature", "--no-notes", "--encoding=UTF-8",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Entry:
    """Is one commit of a store."""

    commit: str
    parents: tuple[str, ...]
    author: str
    email: str
    at: str
    """When it was committed, ISO 8601 with its offset."""
    subject: str
    body: str
    """What the message says after its first paragraph, trailers included."""
    trailers: tuple[tuple[str, str], ...]
    paths: tuple[str, ...]
    """What it changed, relative to the store, against its first parent; only paths inside the store."""

    def values(self, key: str) -> tuple[str, ...]:
        """Returns the values of a trailer, whatever the case of its key, in order."""
        return tuple(value for name, value in self.trailers if name.casefold() == key.casefold())


def log(repository: Repository, path: str | None = None, limit: int | None = None) -> tuple[Entry, ...]:
    """Returns the commits of a store, newest first; those that changed ``path`` alone. Renames are not followed."""
    _, head = repository.head()
    if not head:
        return ()
    return _entries(repository, head, path, limit)


def entry(repository: Repository, commit: str) -> Entry:
    """Returns the one commit that an id, or the beginning of one, names. Raises NothingToUndo where none does."""
    full = repository.commit_of(commit) if commit and not commit.startswith("-") else ""
    if not full:
        raise NothingToUndo(f"this store has no commit {commit!r}", hint="`engram log` shows the commits")
    found = _entries(repository, full, None, 1, whole=True)
    return found[0]


def contains(repository: Repository, commit: str) -> bool:
    """Tells whether a commit is part of the branch that HEAD names."""
    return descends(repository, repository.head()[1], commit)


def descends(repository: Repository, later: str, earlier: str) -> bool:
    """Tells whether one commit is another, or comes after it. An unknown or empty id never does."""
    if not later or not earlier:
        return False
    known = repository.commit_of(earlier)
    answer = repository.run("rev-list", "-1", known, "--not", later) if known else b"x"
    return not answer.strip()


def texts(repository: Repository, commit: str, paths: Iterable[str]) -> Mapping[str, bytes | None]:
    """Returns what a commit ("": nothing) holds of each path; None where there is no such file."""
    wanted = tuple(paths)
    entries = repository.entries(commit, wanted)
    data = repository.blobs(entry.id for entry in entries.values())
    return {path: data.get(entries[path].id) if path in entries else None for path in wanted}


def version(repository: Repository, path: str, fits: Callable[[bytes], bool]) -> bytes | None:
    """Returns the newest version of a path that fits, of those that the last ``FAR_BACK`` commits of it hold."""
    commits = [entry.commit for entry in log(repository, path, FAR_BACK)]
    if not commits or "\n" in path:
        return None
    found = repository.blobs(f"{commit}:{repository.at_top(path)}" for commit in commits)
    return next((data for data in found.values() if fits(data)), None)


def sessions_in(repository: Repository, since_iso: str = "") -> Mapping[str, str]:
    """Returns each session that a commit's trailers name, and when the newest such commit was written: its author's
    date, which is when it was proposed.

    Times are ``YYYY-MM-DDTHH:MM:SSZ``: git keeps whole seconds. ``since_iso`` leaves out older commits.
    """
    _, head = repository.head()
    if not head:
        return {}
    form = f"--format=%at%x1f%(trailers:key={SESSION},valueonly=true,unfold=true,separator=%x1f)"
    since = [f"--since={since_iso}"] if since_iso else []
    scope = ["--", repository.prefix] if repository.prefix else []
    out = repository.run("log", "-z", "--no-color", "--no-show-signature", form, *since, head, *scope)
    newest: dict[str, int] = {}
    for record in out.decode("utf-8", "replace").split("\0"):
        seconds, *sessions = record.split("\x1f")
        for session in filter(None, sessions):
            newest[session] = max(int(seconds), newest.get(session, 0))
    return {session: datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ") for session, at in newest.items()}


def _entries(
    repository: Repository, start: str, path: str | None, limit: int | None, *, whole: bool = False
) -> tuple[Entry, ...]:
    count = [] if limit is None else [f"-{limit}"]
    scope = repository.prefix if path is None else repository.at_top(path)
    under = ["--", scope] if scope and not whole else []
    form = "--format=" + "%x00".join(_FIELDS)
    # --full-diff: a commit found by one path still shows all that it changed
    out = repository.run(*_LOG, "--full-diff", *count, form, start, *under)
    return tuple(_parsed(out, repository.prefix))


def _parsed(out: bytes, prefix: str) -> Iterator[Entry]:
    """Yields an entry for each commit in the answer: the fields, then a ``:modes ids letter`` and a path in turn.

    Read in order, since no mark is one that a message or a file's name could not hold too; neither holds a NUL.
    """
    parts = iter(out.decode("utf-8", "surrogateescape").split("\0"))
    commit = next(parts, "")
    while commit:
        parents, author, email, at, subject, body, trailers = islice(parts, len(_FIELDS) - 1)
        paths = []
        following = next(parts, "")
        while following.startswith((":", "\n:")):
            paths.append(next(parts))
            following = next(parts, "")
        inside = tuple(path.removeprefix(prefix) for path in paths if path.startswith(prefix))
        named = tuple(_pairs(trailers))
        yield Entry(commit, tuple(parents.split()), author, email, at, subject, body.rstrip("\n"), named, inside)
        commit = following


def _pairs(trailers: str) -> Iterator[tuple[str, str]]:
    for line in trailers.split("\x1e"):
        key, found, value = line.partition("\x1f")
        if found:
            yield key.strip(), value.strip()

"""Sessions that wait for curation: one small file each, in ``$ENGRAM_HOME/.engram/queue``.

A file is written whole and replaced whole, so that no reader meets half an entry and no lock is needed. Appending never
lists the folder: it costs the same with one entry and with a thousand.

On the hot path of every hook: the standard library alone, and little of it.
"""

from __future__ import annotations

import os

from engram.disk import private_folder, write_whole
from engram.errors import SessionNotQueued
from engram.model.wire import parsed, written

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from datetime import datetime

    from engram.model.event import Event

_FIELDS = ("agent", "session", "transcript", "cwd", "queued_at")
_SUFFIX = ".json"
_LARGEST = 1 << 20


class Entry:
    """Is one session that waits."""

    __slots__ = ("agent", "cwd", "id", "path", "queued_at", "session", "transcript")

    def __init__(self, path: str, *, agent: str, session: str, transcript: str, cwd: str, queued_at: str) -> None:
        self.id = id_of(agent, session)
        """12 hex digits, the same each time the session stops."""
        self.path = path
        """The entry's own file."""
        self.agent = agent
        self.session = session
        self.transcript = transcript
        self.cwd = cwd
        self.queued_at = queued_at
        """ISO time, UTC: when the session last stopped."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Entry) and all(getattr(self, name) == getattr(other, name) for name in Entry.__slots__)

    def __hash__(self) -> int:
        return hash((self.id, self.queued_at))

    def __repr__(self) -> str:
        return f"Entry({self.id}, {self.agent}, {self.session!r}, {self.queued_at})"


def folder_in(engram_home: str) -> str:
    """Returns where a home keeps its queue."""
    return os.path.join(engram_home, ".engram", "queue")


def id_of(agent: str, session: str) -> str:
    """Returns the id of a session's entry: 12 hex digits (FNV-1a) that any file system can hold."""
    total = 0xCBF29CE484222325
    for byte in f"{agent}\0{session}".encode("utf-8", "surrogatepass"):
        total = ((total ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return f"{total ^ total >> 40:016x}"[4:]


def append(folder: str, event: Event) -> None:
    """Puts a session into the queue, in place of its older entry. The folder is made where it is missing.

    Raises DiskFull, StoreReadOnly; any other OSError as it is. After a crash the old entry or the new one is there.
    """
    path = os.path.join(folder, id_of(event.agent, event.session) + _SUFFIX)
    values = (event.agent, event.session, event.transcript, event.cwd, event.at)
    data = written(dict(zip(_FIELDS, values, strict=True)))
    try:
        write_whole(path, data)
    except FileNotFoundError:
        private_folder(folder)
        write_whole(path, data)


def entries(folder: str) -> tuple[Entry, ...]:
    """Returns what waits, oldest first. A damaged file stops none of the others; :func:`damaged` names it."""
    found = [entry for entry, _ in _files(folder) if entry is not None]
    return tuple(sorted(found, key=lambda entry: (entry.queued_at, entry.id)))


def damaged(folder: str) -> tuple[tuple[str, str], ...]:
    """Returns the files in the queue that are no entries: path and reason."""
    return tuple(fault for entry, fault in _files(folder) if entry is None)


def find(folder: str, id: str) -> Entry:  # noqa: A002 - the word the user types
    """Returns the entry that an id, a session's id or the start of either reaches.

    Raises SessionNotQueued where it is none, or more than one.
    """
    waiting = entries(folder)
    reached = [entry for entry in waiting if id in (entry.id, entry.session)] or [
        entry for entry in waiting if id and (entry.id.startswith(id) or entry.session.startswith(id))
    ]
    if len(reached) == 1:
        return reached[0]
    if reached:
        raise SessionNotQueued(f"{id!r} fits {len(reached)} queued sessions: write more of it")
    raise SessionNotQueued(f"no queued session has the id {id!r}")


def remove(entries: Iterable[Entry]) -> int:
    """Takes entries out of the queue, and returns how many. A session that stopped again since then stays.

    Raises OSError where a file is there and can't be removed.
    """
    return sum(_remove(entry) for entry in entries)


def released(entries: Iterable[Entry], committed: Mapping[str, str]) -> tuple[Entry, ...]:
    """Returns the entries whose session has a commit from when they were queued, or later.

    ``committed``: session to the ISO time of its newest commit. Git's times have whole seconds: a commit counts from
    the second on in which the session stopped.
    """
    return tuple(
        entry
        for entry in entries
        if (made := committed.get(entry.session)) and _moment(made) >= _moment(entry.queued_at)
    )


def oldest(entries: Iterable[Entry]) -> str:
    """Returns when the first of some entries was queued: ISO time in UTC, whole seconds. Raises ValueError for none."""
    import datetime as dates  # noqa: PLC0415 - the hook needs none

    first = min(_moment(entry.queued_at) for entry in entries)
    return dates.datetime.fromtimestamp(first, dates.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def until(entries: Iterable[Entry], moment: str) -> tuple[Entry, ...]:
    """Returns the entries whose session has not stopped again after a moment (ISO time; without a zone it is UTC)."""
    import datetime as dates  # noqa: PLC0415 - the hook needs none

    last = _in_utc(dates.datetime.fromisoformat(moment))
    return tuple(entry for entry in entries if _in_utc(dates.datetime.fromisoformat(entry.queued_at)) <= last)


def _files(folder: str) -> Iterator[tuple[Entry | None, tuple[str, str]]]:
    """Yields an entry, or None with the path and the reason, for each file of the queue."""
    try:
        names = sorted(os.listdir(folder))
    except (FileNotFoundError, NotADirectoryError):
        return
    for name in names:
        if name.startswith(".") or not name.endswith(_SUFFIX):
            continue
        path = os.path.join(folder, name)
        try:
            yield _entry(path), (path, "")
        except FileNotFoundError:
            continue  # it left the queue a moment ago
        except (OSError, ValueError) as error:
            yield None, (path, str(error))


def _entry(path: str) -> Entry:
    """Returns the entry that a file holds. Raises ValueError with the reason where it holds none; OSError."""
    with open(path, "rb") as file:
        data = file.read(_LARGEST + 1)
    if len(data) > _LARGEST:
        raise ValueError("larger than an entry can be")
    fields = parsed(data)
    values = fields if isinstance(fields, dict) else {}
    known = {name: values[name] for name in _FIELDS if isinstance(values.get(name), str)}
    if len(known) < len(_FIELDS) or not known["session"]:
        raise ValueError("not an entry: it must hold " + ", ".join(_FIELDS))
    _moment(known["queued_at"])
    return Entry(path, **known)


def _remove(entry: Entry) -> bool:
    """Takes one file away first and looks at it then, so that no newer entry is lost between look and removal."""
    aside = f"{entry.path[: -len(_SUFFIX)]}.{os.getpid():x}.gone"
    try:
        os.replace(entry.path, aside)
    except FileNotFoundError:
        return False
    try:
        same = _entry(aside).queued_at == entry.queued_at
    except ValueError:
        same = False
    if not same:
        _put_back(aside, entry.path)
        return False
    os.unlink(aside)
    return True


def _put_back(aside: str, path: str) -> None:
    """Gives a file its name again unless a newer one has it by now."""
    try:
        if os.name == "posix":
            os.link(aside, path)
            os.unlink(aside)
        else:
            os.rename(aside, path)
    except FileExistsError:
        os.unlink(aside)


def _moment(iso: str) -> int:
    """Returns an ISO time in whole seconds since 1970; without a zone it is UTC. Raises ValueError."""
    import datetime as dates  # noqa: PLC0415 - the hook needs none

    return int(_in_utc(dates.datetime.fromisoformat(iso)).timestamp())


def _in_utc(at: datetime) -> datetime:
    import datetime as dates  # noqa: PLC0415

    return at if at.tzinfo else at.replace(tzinfo=dates.UTC)

"""Brings a store's index up to date: looks, reads what changed, takes it in, within a time if one is given.

On the hot path of the prompt hook, where nothing changed as a rule: what reading a note needs is imported when one is
read. Nothing here writes outside of ``.engram``.
"""

from __future__ import annotations

import os
import time

from engram.disk import private_folder
from engram.errors import EngramError, StoreNotFound
from engram.index import file, walk
from engram.index.file import Index, Trouble
from engram.store.ref import blobs_at, mark_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    from engram.index.fill import Embedder

SECONDS_FOR_GIT = 0.5
"""What the one git process may take in a hook."""

SECONDS_FOR_CLI = 60.0

HOOK_PATIENCE, PATIENCE = 0.25, 60.0
"""Seconds to wait for another process that writes to the index, in a hook and elsewhere."""

RETRY_SECONDS = 300
"""Where git couldn't tell what HEAD holds, a hook asks again after that, or when HEAD moves."""


class Refreshed:
    """Is what a refresh came to."""

    __slots__ = ("gone", "index", "left", "read", "unread", "waiting")

    def __init__(self, index: Index) -> None:
        self.index = index
        """Open; the caller closes it."""
        self.read = 0
        """Files that were taken in."""
        self.gone = 0
        self.left = 0
        """Files that have yet to be read."""
        self.unread: list[str] = []
        """Files that are there and can't be read."""
        self.waiting = 0
        """Notes that have no vector yet, of the embedder that was given."""


class Vectors:
    """Is the embedder of an index: ``id`` is known without loading it, ``load`` is called when a vector is missing."""

    __slots__ = ("id", "load")

    def __init__(self, id: str, load: Callable[[], Embedder | None]) -> None:  # noqa: A002 - it is one
        self.id = id
        self.load = load


class Limits:
    """Is what a refresh may take, and whom it tells. ``seconds`` None: whatever it takes."""

    __slots__ = ("log", "seconds", "spread", "tell")

    def __init__(
        self,
        seconds: float | None = None,
        *,
        log: Callable[[str], None] | None = None,
        tell: Callable[[str, int, int], None] | None = None,
        spread: Callable[..., Iterable[Any]] = map,
    ) -> None:
        self.seconds = seconds
        self.log = log or _nobody
        """Gets one line about what was wrong with an index and mended."""
        self.tell = tell or _nobody
        """Gets ``notes`` or ``vectors``, how many more are done, and of how many."""
        self.spread = spread


def refresh(
    root: str,
    state: str,
    env: Mapping[str, str],
    *,
    vectors: Vectors | None = None,
    enclosing: bool = False,
    rebuild: bool = False,
    limits: Limits | None = None,
) -> Refreshed:
    """Returns a store's index, open and as fresh as the time allows.

    ``state``: ``$ENGRAM_HOME/.engram``, where the index of a store that can't be written to is kept. ``vectors``: makes
    those that are missing; without it those that are there stay as they are. Words go first. An index that is
    damaged is made anew, once; one that can't be written (a full disk, another process) is used as it is, and a store
    for which there is none gets one in memory. Raises StoreNotFound where the folder is gone.
    """
    limits = limits or Limits()
    started = time.monotonic()
    until = None if limits.seconds is None else started + limits.seconds
    patience = PATIENCE if limits.seconds is None else HOOK_PATIENCE
    index = opened(root, state, limits.log, rebuild=rebuild, seconds=patience)
    for attempt in (1, 2):
        try:
            return _refreshed(index, root, env, vectors, enclosing, until, limits)
        except (Trouble, EngramError, OSError, TypeError, ValueError, LookupError) as error:
            if isinstance(error, StoreNotFound):
                index.close()
                raise
            if attempt == 2 or not file.is_damage(error):
                limits.log(f"{index.path}: not refreshed: {_words(error)}")
                return Refreshed(index)
            index = mended(index, error, limits.log)
    raise AssertionError("unreachable")


def opened(
    root: str, state: str, log: Callable[[str], None], *, rebuild: bool = False, seconds: float = HOOK_PATIENCE
) -> Index:
    """Returns the index of a store, made where there was none; in memory where none can be written or opened."""
    path = place_of(root, state)
    try:
        stood = os.path.exists(path)
        if not stood and not path.startswith(os.path.join(root, "")):
            private_folder(state)
        found = (
            file.anew(path, damaged=os.stat(path).st_ino, seconds=seconds)
            if rebuild and stood
            else file.open_index(path, seconds=seconds)
        )
        if stood and not rebuild and found is not None and found.new:
            log(f"{path}: damaged or of another version; made anew")
    except (OSError, Trouble, EngramError) as error:
        log(f"{path}: can't be used: {_words(error)}; indexing in memory")
        found = None
    return found or file.in_memory()


def mended(index: Index, error: BaseException, log: Callable[[str], None]) -> Index:
    """Returns a new and empty index in the place of one that showed damage while it was read or written."""
    log(f"{index.path}: damaged ({_words(error)}); made anew")
    index.close()
    try:
        found = file.anew(index.path, damaged=index.inode, seconds=index.patience) if index.path else None
    except (OSError, Trouble, EngramError) as again:
        log(f"{index.path}: can't be made anew: {_words(again)}; indexing in memory")
        found = None
    return found or file.in_memory()


def place_of(root: str, state: str) -> str:
    """Returns where a store's index stands: in the store, or under the user's own state where that can't be written.

    A link in the place of a store's ``.engram`` may come from whoever made the store; nothing is written through it.
    """
    own = os.path.join(root, ".engram")
    if not os.path.islink(own) and os.access(own if os.path.isdir(own) else root, os.W_OK | os.X_OK):
        return os.path.join(own, "index.db")
    from hashlib import sha256  # noqa: PLC0415 - for a store that is read-only

    name = sha256(os.path.realpath(root).encode("utf-8", "surrogateescape")).hexdigest()[:16]
    return os.path.join(state, "index", f"{name}.db")


def _refreshed(
    index: Index,
    root: str,
    env: Mapping[str, str],
    vectors: Vectors | None,
    enclosing: bool,
    until: float | None,
    limits: Limits,
) -> Refreshed:
    done = Refreshed(index)
    looked = time.time_ns()
    try:
        seen = walk.look(root)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise StoreNotFound(f"there is no folder {root}", place=root) from error
    _look_at_head(index, root, env, enclosing, until, limits)
    if not walk.same(seen, index.db.execute("SELECT path, names, numbers FROM folders")):
        _take_in(done, root, seen, looked, until, limits)
    if vectors is not None and not index.meta(f"complete/{vectors.id}", 0):
        _embed(done, vectors, until, limits)
    return done


def _look_at_head(
    index: Index, root: str, env: Mapping[str, str], enclosing: bool, until: float | None, limits: Limits
) -> None:
    """Marks what HEAD holds, where HEAD has moved since the index saw it. Where git can't tell, the flags stay."""
    mark = mark_of(root, enclosing=enclosing)
    versioned = bool(index.meta("versioned", 0))
    if mark == index.meta("mark") and versioned == bool(mark):
        return
    from engram.index import fill  # noqa: PLC0415 - where something changed

    if mark == "":
        fill.review(index, None, mark="")
        return
    tried, _, when = str(index.meta("git_failed")).rpartition(" ")
    if until is not None and tried == str(mark) and abs(time.time() - float(when)) < RETRY_SECONDS:
        return
    last = (mark or "HEAD").rpartition(" ")[2]
    commit = last if len(last) in (40, 64) else "HEAD"
    if mark is not None and mark.startswith("refs/") and " " not in mark:
        blobs: dict[str, str] | None = {}  # before the first commit
    else:
        left = SECONDS_FOR_CLI if until is None else min(SECONDS_FOR_GIT, until - time.monotonic())
        blobs = blobs_at(root, commit, env, left) if left > 0 else None
    if blobs is not None:
        fill.review(index, blobs, mark=mark or "?")
        return
    limits.log(f"{root}: git did not tell what {commit[:12]} holds; notes that it may hold count as unreviewed")
    if not versioned:
        fill.review(index, {}, mark="")
    index.set_meta("git_failed", f"{mark} {time.time():.0f}")


def _take_in(done: Refreshed, root: str, seen: walk.Seen, looked: int, until: float | None, limits: Limits) -> None:
    """Reads what changed and drops what is gone; remembers what the walk saw where all of it is taken in."""
    from engram.app.reading import Reading  # noqa: PLC0415 - where something changed
    from engram.index import fill, sync  # noqa: PLC0415 - where something changed

    index = done.index
    found = seen.found()
    known = {row[0]: row[1:] for row in index.db.execute("SELECT path, size, mtime_ns, base FROM files")}
    todo = sync.differences(known, found, seen.unreadable)
    reading = Reading(root, found, looked)
    of = len(todo.read)

    def left(taken: int) -> int:
        return of - taken - len(reading.unread) - reading.missing

    def listings(taken: int) -> dict[str, tuple[str, bytes]] | None:
        again = {path.rpartition("/")[0] for path in reading.again}
        return None if left(taken) else {name: one for name, one in seen.listings.items() if name not in again}

    if todo:
        tell, faulty = limits.tell, list[str]()
        done.read = fill.put(
            index,
            reading.files(todo.read),
            todo.gone,
            until=until,
            tell=lambda more: tell("notes", more, of),
            faulty=faulty,
            listings=listings,
        )
        for path in faulty:
            limits.log(f"{path}: can't be indexed; please report it")
        done.gone, done.unread, done.left = len(todo.gone), reading.unread, left(done.read)
    else:
        fill.keep_listings(index, seen.listings)


def _embed(done: Refreshed, vectors: Vectors, until: float | None, limits: Limits) -> None:
    from engram.index import fill  # noqa: PLC0415 - where something changed
    from engram.index.vectors import waiting  # noqa: PLC0415 - where something changed

    ids = waiting(done.index, vectors.id)
    done.waiting = of = len(ids)
    if until is not None and time.monotonic() >= until:
        return
    embedder = vectors.load()
    if embedder is not None:
        tell = limits.tell
        try:
            done.waiting = fill.embed(
                done.index,
                embedder,
                ids=ids,
                until=until,
                tell=lambda more: tell("vectors", more, of),
                spread=limits.spread,
            )
        except fill.Unembedded as error:
            limits.log(f"{done.index.path}: no vectors: {_words(error)}")


def _nobody(*_: object) -> None:
    """Tells nobody."""


def _words(error: BaseException) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"

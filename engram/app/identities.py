"""Which project a store belongs to, as it was recorded: one small file for each store, on this machine alone.

A store's folder is named for the project's path, and two paths may come to one name; a project that moves leaves its
store behind. What a project is known by (its repository's beginning, and where it comes from) tells them apart.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256

from engram.app.context import Context
from engram.curate import records
from engram.doctor.facts import Identity, Known, Projects
from engram.errors import EngramError, StoreReadOnly
from engram.index import walk
from engram.model.wire import parsed
from engram.store import git, locate
from engram.store.checkout import checkout

_FOLDER = "projects"
_SEEN_SESSIONS, _SEEN_BYTES = 20, 1 << 16
_CWD = re.compile(rb'"cwd":\s*"((?:[^"\\]|\\.)*)"')
_URL = re.compile(r"(?:[a-z+]+://)?(?:[^@/]+@)?(.+?)(?:\.git)?/*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Recorded:
    """Is one record. ``id`` is made of the store's path."""

    id: str
    store: str
    main: str
    common: str
    remote: str
    roots: Sequence[str]
    at: str


def identity(context: Context, cwd: str = "") -> Identity:
    """Returns what the project of a folder is known by. Outside of git it is its folder."""
    folder = context.probe.realpath(cwd or context.cwd)
    _, main, kind = checkout(folder, context.probe)
    if kind in ("", "foreign"):
        return Identity(main)
    with suppress(EngramError):
        words = git.git(folder, "rev-parse", "--git-common-dir", "--is-shallow-repository", ok=(0, 128))
        common, shallow, *_ = [*words.decode("utf-8", "surrogateescape").splitlines(), "", ""]
        remote = git.git(folder, "config", "--get", "remote.origin.url", ok=(0, 1)).decode("utf-8", "replace").strip()
        first = b"" if shallow == "true" else git.git(folder, "rev-list", "--max-parents=0", "HEAD", ok=(0, 128))
        common = context.probe.realpath(os.path.join(folder, common)) if common else ""
        return Identity(main, common, plain_url(remote), tuple(sorted(first.decode("ascii", "replace").split())))
    return Identity(main)


def plain_url(url: str) -> str:
    """Returns where a repository comes from, without scheme, user and password: ``example.com/ada/shop``."""
    match = _URL.fullmatch(url.strip())
    plain = match[1] if match is not None else url
    return re.sub(r"^([^/:]+):(?!\d+/|[\\/])", r"\1/", plain) if not os.path.isabs(plain) else plain


def remember(context: Context, root: str, *, anew: bool = False) -> None:
    """Records which project a store belongs to: at once where nothing is on record, else with ``anew`` alone.

    Nothing happens where the store is not that of this place's project, or the record can't be written.
    """
    located = context.project_store()
    if located is None or context.probe.realpath(located.path) != root:
        return
    if not anew and _one(context, root) is not None:
        return
    known = identity(context)
    now = records.moment(context.now())
    made = Recorded(_id(root), root, known.main, known.common, known.remote, known.roots, now)
    with suppress(EngramError, OSError):
        records.put(context.prepared(_FOLDER), made.id, made)


def projects(context: Context) -> Projects:
    """Returns what is known of the project of this place and of its store."""
    located = context.project_store()
    if located is None:
        return Projects()
    here = identity(context)
    root = context.probe.realpath(located.path)
    every = [_known(context, one, here) for one in records.every(context.folder(_FOLDER), Recorded, "id")]
    return Projects(
        here=here,
        place=located.path,
        root=root,
        notes=_notes(root),
        recorded=next((known for known in every if known.store == root), None),
        others=tuple(known for known in every if known.store != root and os.path.isdir(known.store)),
        seen=tuple(_sharing(context, here, located)),
    )


def link(context: Context, place: str, store: str) -> None:
    """Makes a link from where a project's store would be to the store that it had. Raises StoreReadOnly.

    What stands there may hold nothing but engram's own derived state.
    """
    left = [name for name in (os.listdir(place) if os.path.isdir(place) else []) if name != ".engram"]
    if left or os.path.islink(place):
        raise StoreReadOnly(f"{place} holds {', '.join(left[:3]) or 'a link'} already", place=place)
    try:
        os.makedirs(os.path.dirname(place), exist_ok=True)
        if os.path.isdir(place):
            os.replace(place, f"{place}.empty-{context.now():%Y%m%d%H%M%S}")
        _link(place, store)
    except OSError as error:
        raise StoreReadOnly(f"{place} can't be linked to {store}: {error.strerror}", place=place) from error


if sys.platform == "win32":
    import _winapi

    def _link(place: str, store: str) -> None:
        _winapi.CreateJunction(store, place)
else:

    def _link(place: str, store: str) -> None:
        os.symlink(store, place, target_is_directory=True)


def _id(root: str) -> str:
    return sha256(root.encode("utf-8", "surrogateescape")).hexdigest()[:16]


def _one(context: Context, root: str) -> Recorded | None:
    return records.one(context.folder(_FOLDER), _id(root), Recorded, "id")


def _known(context: Context, one: Recorded, here: Identity) -> Known:
    """Returns a record with how things stand now. A folder that is a link to this project's is no other one."""
    main = one.main
    stands = os.path.isdir(main) and context.probe.realpath(main) != here.main
    stands = stands or main == here.main
    return Known(one.store, Identity(main, one.common, one.remote, tuple(one.roots)), stands, _notes(one.store))


def _notes(root: str) -> int:
    try:
        return len(walk.look(root).found())
    except OSError:
        return 0


def _sharing(context: Context, here: Identity, located: locate.Located) -> Iterator[str]:
    """Yields the other projects' folders, there now, whose sessions lie beside the store: the client names both alike.

    A session's own folder counts by its main checkout, as the client's rule has it.
    """
    beside = os.path.dirname(located.path)
    if os.path.basename(located.path) != "memory" or os.path.basename(beside) != locate.slug(here.main):
        return
    told: set[str] = {here.main}
    for cwd in _worked_in(beside):
        if not os.path.isdir(cwd):
            continue
        main = locate.main_root(cwd, context.probe)
        if main not in told and locate.slug(main) == os.path.basename(beside):
            told.add(main)
            yield main


def _worked_in(folder: str) -> Iterator[str]:
    """Yields the working folders that the newest sessions of a project folder name."""
    try:
        with os.scandir(folder) as entries:
            found = sorted((entry.stat().st_mtime, entry.path) for entry in entries if entry.name.endswith(".jsonl"))
    except OSError:
        return
    for _, path in found[-_SEEN_SESSIONS:]:
        with suppress(OSError, ValueError), open(path, "rb") as file:
            match = _CWD.search(file.read(_SEEN_BYTES))
            if match is not None:
                yield str(parsed(b'"%s"' % match[1]))

"""What an examination is told of a store itself: git, machine-local state, the index. Nothing here writes."""

from __future__ import annotations

import os
from collections.abc import Iterator

from engram.app import indexing
from engram.app.context import Context
from engram.curate import intent
from engram.doctor.facts import IndexState, Left, State, Versioning
from engram.errors import EngramError, GitFailed, GitFiltered
from engram.index import embed, file, floor
from engram.model.snapshot import Snapshot
from engram.store import fit, git, staged
from engram.store.hold import folder_of

_DEEPEST = 8


def versioning(context: Context, root: str, repository: git.Repository | None, snapshot: Snapshot) -> Versioning:
    """Returns what git says of a store; where it fails, why."""
    try:
        if repository is not None:
            return _versioning(context, repository, snapshot)
        why = git.why_unversioned(root)
    except EngramError as error:
        why = error
    return Versioning(why=(why.code, why.message, why.hint))


def _versioning(context: Context, repository: git.Repository, snapshot: Snapshot) -> Versioning:
    if (
        snapshot.ref
        and not snapshot.head
        and repository.run("rev-parse", "-q", "--verify", snapshot.ref, ok=(0, 1, 128))
    ):
        words = f"{snapshot.ref} names a commit that the repository no longer holds"
        raise GitFailed(words, "`git fsck` in the store says what is lost; a copy of the repository may still have it")
    return Versioning(
        detached=not snapshot.ref and bool(snapshot.head),
        under_way=next(
            (what for name, what in fit.UNDER_WAY.items() if os.path.lexists(os.path.join(repository.git_dir, name))),
            "",
        ),
        nobody=_nobody(repository),
        filtered=_filtered(repository, snapshot),
        locks=tuple(_locks(context, repository, snapshot.ref)),
        tracked_state=_tracked_state(repository),
    )


def state(context: Context, root: str) -> State:
    """Returns how the machine-local state of a store stands."""
    own = folder_of(root)
    record = intent.path_in(own)
    link = own if os.path.islink(own) else next((one.path for one in _entries(own) if one.is_symlink()), "")
    ignored = os.path.isfile(os.path.join(own, ".gitignore")) or _ignores(os.path.join(root, ".gitignore"))
    return State(
        half_made=record if os.path.lexists(record) else "",
        damaged_intent=f"{record}.damaged" if os.path.lexists(f"{record}.damaged") else "",
        link=link,
        unignored="" if link or ignored or not os.path.isdir(own) else own,
        leftovers=tuple(_leftovers(context, root)),
    )


def index_state(context: Context, root: str, snapshot: Snapshot) -> IndexState:
    """Returns how the index stands that recall searches."""
    path = indexing.place_of(root, context.state)
    try:
        standing = file.state_of(path)
        index = file.open_index(path, write=False) if standing == "fine" else None
    except (OSError, file.Trouble):
        return IndexState("damaged", path)
    if index is None:
        return IndexState(standing if standing != "fine" else "damaged", path)
    with index:
        try:
            known = dict(index.db.execute("SELECT path, base FROM files"))
            now = {note.path: note.base for note in snapshot.notes}
            behind = sum(known.get(path) != base for path, base in now.items())
            gone = sum(path not in snapshot.work for path in known)
            return IndexState("fine", path, behind + gone, _calibrated(context, index))
        except Exception as error:
            if not file.is_damage(error):
                raise
            return IndexState("damaged", path)


def _ignores(path: str) -> bool:
    """Tells whether a store's own ignore file names the folder of its state."""
    try:
        with open(path, "rb") as file:
            return any(line.strip().strip(b"/") == b".engram" for line in file.read(1 << 16).split(b"\n"))
    except OSError:
        return False


def left(context: Context, path: str) -> Left | None:
    """Returns a file that was left behind, with its age; None where it is gone."""
    try:
        at = os.lstat(path).st_mtime
    except OSError:
        return None
    return Left(path, context.now().timestamp() - at, at)


def _nobody(repository: git.Repository) -> tuple[str, str] | None:
    try:
        repository.identity()
    except EngramError as error:
        return error.message, error.hint
    return None


def _filtered(repository: git.Repository, snapshot: Snapshot) -> str:
    if not repository.filters:
        return ""
    try:
        staged.check_unfiltered(repository, sorted(snapshot.work))
    except GitFiltered as error:
        return error.message
    return ""


def _locks(context: Context, repository: git.Repository, ref: str) -> Iterator[Left]:
    names = [os.path.join(repository.git_dir, name) for name in ("index.lock", "HEAD.lock")]
    names += [os.path.join(repository.common_dir, *f"{ref}.lock".split("/"))] if ref else []
    names.append(os.path.join(repository.common_dir, "packed-refs.lock"))
    yield from filter(None, (left(context, path) for path in names))


def _tracked_state(repository: git.Repository) -> tuple[str, ...]:
    out = repository.run("ls-files", "-z", "--", repository.at_top(".engram"))
    return tuple(name.decode("utf-8", "replace").removeprefix(repository.prefix) for name in out.split(b"\0")[:-1])


def _calibrated(context: Context, index: file.Index) -> bool:
    try:
        wanted = context.settings().embedder
    except EngramError:
        wanted = "auto"
    embedder, _ = embed.choose(context.folder("models"), wanted, context.env, hook=True)
    return floor.kept(index, embedder.id if embedder is not None else "") is not None


def _leftovers(context: Context, root: str) -> Iterator[Left]:
    """Yields what killed runs left: temporary files of whole writes, the record of a store that was being made."""
    for folder in dict.fromkeys((*_folders(root), folder_of(root), context.state, *_state_folders(context))):
        for entry in _entries(folder):
            name = entry.name
            ours = name.startswith(".engram-") and name.endswith(".tmp")
            own = folder == folder_of(root) and name in ("creating", "index.db.tmp")
            if (ours or own) and entry.is_file(follow_symlinks=False) and (found := left(context, entry.path)):
                yield found


def _state_folders(context: Context) -> Iterator[str]:
    for entry in _entries(context.state):
        if entry.is_dir(follow_symlinks=False):
            yield entry.path


def _folders(root: str, deep: int = 0) -> Iterator[str]:
    """Yields a store's folder and those below it, git's and engram's own left out; no link is followed."""
    yield root
    for entry in _entries(root) if deep < _DEEPEST else ():
        if entry.is_dir(follow_symlinks=False) and entry.name.casefold() not in (".git", ".engram"):
            yield from _folders(entry.path, deep + 1)


def _entries(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as found:
            return sorted(found, key=lambda entry: entry.name)
    except OSError:
        return []

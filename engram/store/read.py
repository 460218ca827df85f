"""Reads a store: every note in a folder, and what HEAD holds of them. Nothing here writes a byte.

Total: what can't be read is a finding with its path, and stops nothing else. A finding never means that a note is
gone: a file or folder that can't be read is left out of both sides of a snapshot.
"""

from __future__ import annotations

import gc
import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from engram.errors import StoreNotFound
from engram.model.finding import Finding
from engram.model.note import Note
from engram.model.snapshot import TOC, Scope, Snapshot
from engram.store.frontmatter import parse
from engram.store.paths import twins

if TYPE_CHECKING:
    from engram.store.git import Repository

Level = Literal["info", "warning", "unreadable"]

SIZE_LIMIT = 2 * 1024 * 1024
"""Bytes; a larger file is no note."""

_CLOSED = frozenset((".git", ".engram"))
_OPEN = (
    os.O_RDONLY
    | getattr(os, "O_BINARY", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
)


@dataclass(frozen=True, slots=True)
class Folder:
    """Is a store's folder as it stands on disk; everything sorted by path."""

    work: Mapping[str, bytes] = field(default_factory=dict)
    """Every ``*.md`` file that could be read, MEMORY.md and files that yield no note included."""
    notes: tuple[Note, ...] = ()
    findings: tuple[Finding, ...] = ()
    unread: frozenset[str] = frozenset()
    """Paths of files and folders that are there and were not read: whoever compares must not take them for gone."""


def read_folder(root: str) -> Folder:
    """Returns every note below a folder, ``.git`` and ``.engram`` left out at any depth.

    No symlink below the root is followed. Raises StoreNotFound where the root is no folder, and nothing else.
    """
    if not os.path.isdir(root):
        raise StoreNotFound(f"there is no folder {root}", place=root)
    with _uncollected():
        return _read(root)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Keeps the garbage collector off: in a large store it takes a third of the time, and notes hold no cycles."""
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()


def _read(root: str) -> Folder:
    walk = _Walk(root)
    notes: list[Note] = []
    for path in sorted(walk.work):
        if not _is_toc(path):
            note, findings = parse(walk.work[path], path)
            walk.findings.extend(findings)
            if note is not None:
                notes.append(note)
        elif path != TOC:
            words = f"is no note: only the {TOC} at the top of the store is its table of contents"
            walk.say("nested-toc", path, words, "info")
    for group in twins(walk.work):
        for path in group:
            others = ", ".join(other for other in group if other != path)
            walk.say("case-collision", path, f"is the same file as {others} where case doesn't count")
    findings = tuple(sorted(walk.findings, key=lambda finding: (finding.path, finding.line, finding.code)))
    return Folder({path: walk.work[path] for path in sorted(walk.work)}, tuple(notes), findings, frozenset(walk.unread))


def take_snapshot(root: str, scope: Scope, repository: Repository | None) -> Snapshot:
    """Returns a store at this moment: its folder, and the same files as HEAD holds them.

    A blob that equals the file in the folder is not fetched; the others come in one go. What is there and can't be read
    is on neither side. Raises StoreNotFound, and what git's errors raise.
    """
    root = os.path.realpath(root)
    ref, head = repository.head() if repository is not None else ("", "")
    folder = read_folder(root)
    committed = _committed(repository, head, folder) if repository is not None and head else {}
    return Snapshot(root, scope, ref, head, folder.notes, folder.findings, folder.work, committed)


def symlinked_part(root: str, path: str) -> str:
    """Returns the first part of ``root/path`` below the root that is a symlink or a junction; "" where none is.

    ``path`` is relative, with forward slashes; the answer is too. A part that isn't there is no link.
    """
    parts = [part for part in path.split("/") if part not in ("", ".")]
    for many in range(1, len(parts) + 1):
        leading = "/".join(parts[:many])
        try:
            found = os.lstat(os.path.join(root, *parts[:many]))
        except (OSError, ValueError):
            return ""
        if _is_link(found):
            return leading
    return ""


class _Walk:
    """Reads every ``*.md`` file below a root into ``work``; what it left out is in ``unread`` and ``findings``."""

    def __init__(self, root: str) -> None:
        self.root = root
        self.work: dict[str, bytes] = {}
        self.findings: list[Finding] = []
        self.unread: set[str] = set()
        waiting = [""]
        while waiting:
            waiting.extend(self._look_into(waiting.pop()))

    def say(self, code: str, path: str, words: str, level: Level = "warning") -> None:
        shown = path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
        self.findings.append(Finding(code, shown, words, level))

    def _look_into(self, below: str) -> Iterator[str]:
        """Reads one folder's files, and yields the folders in it."""
        try:
            with os.scandir(os.path.join(self.root, below) if below else self.root) as entries:
                found = sorted(entries, key=lambda entry: entry.name)
        except OSError as error:
            self._leave_out("unreadable-folder", below or ".", f"can't be read: {_words(error)}")
            return
        for entry in found:
            path = f"{below}/{entry.name}" if below else entry.name
            try:
                known = entry.stat(follow_symlinks=False)
            except OSError as error:
                if entry.name.endswith(".md"):
                    self._leave_out("unreadable-file", path, f"can't be read: {_words(error)}")
                continue
            if _is_link(known):
                self._meet_link(path)
            elif stat.S_ISDIR(known.st_mode):
                if entry.name.casefold() not in _CLOSED:
                    yield path
            elif entry.name.endswith(".md"):
                self._take(path, known)

    def _meet_link(self, path: str) -> None:
        """Leaves a symlink out; it is worth a word where it looks like a note or leads to a folder."""
        if path.endswith(".md"):
            self._leave_out("symlink", path, "is a link and is not followed; put the note itself here")
        elif os.path.isdir(os.path.join(self.root, path)):
            self.unread.add(path)
            self.say("symlink", path, "is a link to a folder and is not followed", "info")

    def _take(self, path: str, known: os.stat_result) -> None:
        if not _is_utf8(path):
            self._leave_out("name-not-utf8", path, "has a name that is not UTF-8")
        elif not stat.S_ISREG(known.st_mode):
            self._leave_out("no-regular-file", path, "is no regular file")
        elif known.st_size > SIZE_LIMIT:
            self._leave_out("too-large", path, f"has {known.st_size:,} bytes; a note has at most {SIZE_LIMIT:,}")
        else:
            try:
                data = bytes_of(os.path.join(self.root, path))
            except OSError as error:
                self._leave_out("unreadable-file", path, f"can't be read: {_words(error)}")
                return
            if len(data) > SIZE_LIMIT:  # it grew meanwhile
                self._leave_out("too-large", path, f"has more than the {SIZE_LIMIT:,} bytes of a note")
            else:
                self.work[path] = data

    def _leave_out(self, code: str, path: str, words: str) -> None:
        self.unread.add(path)
        self.say(code, path, words, "unreadable")


def bytes_of(path: str) -> bytes:
    """Returns a regular file's bytes, at most one more than the limit. A pipe put in its place doesn't block."""
    with os.fdopen(os.open(path, _OPEN), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError("no regular file")
        return file.read(SIZE_LIMIT + 1)


def _committed(repository: Repository, commit: str, folder: Folder) -> dict[str, bytes]:
    """Returns the files of a commit, without those that are there in the folder and could not be read."""
    committed: dict[str, bytes] = {}
    wanted: dict[str, str] = {}
    for path, blob in repository.tree(commit).items():
        if not path.endswith(".md") or not _is_utf8(path) or _is_below(path, folder.unread):
            continue
        standing = folder.work.get(path)
        if standing is not None and repository.blob_id(standing) == blob:
            committed[path] = standing
        else:
            wanted[path] = blob
    blobs = repository.blobs(set(wanted.values())) if wanted else {}
    committed.update((path, blobs[blob]) for path, blob in wanted.items() if blob in blobs)
    return dict(sorted(committed.items()))


def _is_below(path: str, unread: frozenset[str]) -> bool:
    if not unread:
        return False
    parts = path.split("/")
    return "." in unread or any("/".join(parts[: many + 1]) in unread for many in range(len(parts)))


def _is_toc(path: str) -> bool:
    return path.rsplit("/", 1)[-1].casefold() == TOC.casefold()


def _is_link(found: os.stat_result) -> bool:
    """Tells whether a file is a symlink, or on Windows a junction, which leads elsewhere just as well."""
    return stat.S_ISLNK(found.st_mode) or (
        getattr(found, "st_reparse_tag", 0) == getattr(stat, "IO_REPARSE_TAG_MOUNT_POINT", -1)
    )


def _is_utf8(path: str) -> bool:
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _words(error: OSError) -> str:
    return error.strerror or str(error)

"""The index file, ``<store>/.engram/index.db``: opened, made anew where it can't be trusted, and what stands in it.

It is derived and disposable: a file that is missing, damaged, of another schema, made by other term rules, or brought
here from another place is made anew. On the hot path: the standard library alone, and little of it.

The schema. Every id below is ``files.id``; a note has the id of its file, and ids stay while a path stays.

``meta(key, value)``
    ``made`` (:data:`MADE`), ``inode`` (this file's own), ``mark`` (`store.ref.mark_of` as the reviewed flags know it),
    ``versioned`` (1 or 0), ``notes`` (how many), ``floor/EMBEDDER`` (the
    calibrated floor, ``floor/words`` without an embedder). Values are text or numbers.
``files(id, path, size, mtime_ns, base, blob, other, said)``
    Every ``*.md`` file that was read, also those that yield no note. ``blob``, ``other``: git's id of the bytes, and of
    the same text with the other line ends. ``base``: 16 hex. ``said``: a hash of the words its vector was made of.
``heads(path, blob)``
    What HEAD held when its ``mark`` was last seen.
``folders(path, names, numbers)``
    What the walk saw of each folder when all in it was taken in (`walk.Seen.listings`); equal: nothing changed.
``notes(id, path, name, type, description, created, updated, expires, importance, applied, flags, reviewed, base,
tokens)``
    ``created``, ``updated``: ISO, "" where unknown (``updated``: of ``updated``, ``modified``, ``created``, else the
    file's own time). ``expires``: ISO date, ``never`` or "". ``importance`` 1 to 10. ``applied``: times_applied.
    ``flags``: INVALIDATED | ARCHIVED | PROTECTED | CONFLICTED. ``reviewed``: 1 where the bytes are those in HEAD, and
    for every note of a store that is not versioned. ``tokens``: estimate for the body.
``texts(id, fields, body)``
    ``fields``: the frontmatter as JSON (`Note.fields`). ``body``: as it stands.
``words`` (FTS5: ``head``, ``whole``; rowid = id) and ``passages`` (FTS5: ``text``; rowid = id * 1024 + number)
    Terms of `terms.terms`, joined by spaces. The tokenizer is ``ascii`` with ``_``: letters, digits, ``_`` and all that
    is beyond ASCII make up a token. In a query put each term in double quotes. ``bm25(words, 1.0, 0.0)`` weighs head
    and whole.
    ``words_rows(term, doc, cnt)`` and ``passages_rows``: fts5vocab tables, how many rows hold a term.
``names(key, id)``
    `key_of` a note's name, its file's stem: what links may call it.
``edges(source, kind, target)``
    ``kind``: ``link`` or a relation's kind; ``target``: `key_of` what is linked. Join with ``names``.
``embedders(number, id, dim)`` and ``vectors(slot, scales, rows)``
    Note ``id`` of embedder ``number`` has row ``id % 256`` of slot ``number * 2**24 + id // 256``: ``scales`` holds 256
    little-endian float32, ``rows`` 256 * dim int8; vector = row * scale, scale 0: no vector (yet). Read them through
    `engram.index.vectors`, which gives cosines.
"""

from __future__ import annotations

import os
import sqlite3

from engram.disk import lock, private_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal

SCHEMA = 2
TERMS = 2
"""Raised whenever `terms.py`, `passages.py` or `rows.py` give other rows for a note: every index is made anew."""

MADE = f"{SCHEMA}/{TERMS}"
APPLICATION = 0x456E6772
"""Stands in the file's header: an index of ours, and no other program's database."""

INVALIDATED, ARCHIVED, PROTECTED, CONFLICTED = 1, 2, 4, 8
PASSAGES = 1024
"""Passages of note ``id`` have the row ids from ``id * PASSAGES`` on."""

Trouble = sqlite3.Error
"""What SQLite raises, wherever the index is read or written; see :func:`is_damage`."""

_SCHEMA = """
CREATE TABLE meta(key TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE files(id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, size INTEGER, mtime_ns INTEGER, base TEXT,
    blob TEXT, other TEXT, said TEXT);
CREATE INDEX files_said ON files(said);
CREATE TABLE heads(path TEXT PRIMARY KEY, blob TEXT) WITHOUT ROWID;
CREATE TABLE folders(path TEXT PRIMARY KEY, names TEXT, numbers BLOB);
CREATE TABLE notes(id INTEGER PRIMARY KEY, path TEXT, name TEXT, type TEXT, description TEXT, created TEXT,
    updated TEXT, expires TEXT, importance INTEGER, applied INTEGER, flags INTEGER, reviewed INTEGER, base TEXT,
    tokens INTEGER);
CREATE TABLE texts(id INTEGER PRIMARY KEY, fields TEXT, body TEXT);
CREATE VIRTUAL TABLE words USING fts5(head, whole, tokenize="ascii tokenchars '_'");
CREATE VIRTUAL TABLE passages USING fts5(text, tokenize="ascii tokenchars '_'");
CREATE VIRTUAL TABLE words_rows USING fts5vocab(words, row);
CREATE VIRTUAL TABLE passages_rows USING fts5vocab(passages, row);
CREATE TABLE names(key TEXT, id INTEGER, PRIMARY KEY(key, id)) WITHOUT ROWID;
CREATE INDEX names_id ON names(id);
CREATE TABLE edges(source INTEGER, kind TEXT, target TEXT, PRIMARY KEY(source, kind, target)) WITHOUT ROWID;
CREATE INDEX edges_target ON edges(target, source);
CREATE TABLE embedders(number INTEGER PRIMARY KEY, id TEXT UNIQUE, dim INTEGER);
CREATE TABLE vectors(slot INTEGER PRIMARY KEY, scales BLOB, rows BLOB);
"""


class Index:
    """Is an open index. ``db`` is SQLite's connection; transactions begin and end where they are written."""

    __slots__ = ("db", "inode", "new", "path", "patience", "writable")

    def __init__(self, db: sqlite3.Connection, path: str, inode: int, *, writable: bool) -> None:
        self.db = db
        self.path = path
        """"" for an index in memory."""
        self.inode = inode
        self.patience = 0.25
        """Seconds to wait for another process that writes."""
        self.new = False
        """Whether it was made, empty, as it was opened."""
        self.writable = writable

    def meta(self, key: str, default: Any = "") -> Any:
        """Returns a value of the index as a whole."""
        row = self.db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return default if row is None else row[0]

    def set_meta(self, key: str, value: str | float | bytes) -> None:
        """Sets a value of the index as a whole, within the caller's transaction if there is one."""
        self.db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))

    def hold(self) -> None:
        """Begins to read: until `close`, all that is asked sees the index as it is now, whoever writes meanwhile."""
        if not self.db.in_transaction:
            self.db.execute("BEGIN")
            self.db.execute("SELECT 1 FROM meta").fetchone()

    def close(self) -> None:
        """Closes the file; twice does no harm."""
        self.db.close()

    def __enter__(self) -> Index:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class writing:  # noqa: N801 - it is used as a function; contextlib would cost a hook a fifth of its time
    """Changes an index in one transaction: all of what its block does, or nothing.

    One process writes at a time; another waits for the index's ``patience``. Raises StoreLocked, and :data:`Trouble`:
    full, read-only, locked by a reader, or made anew by another process since it was opened (`is_damage`: open again).
    """

    def __init__(self, index: Index) -> None:
        self.index = index
        self._lock = lock(lock_of(index.path), seconds=index.patience) if index.path else None

    def __enter__(self) -> sqlite3.Connection:
        if self._lock is not None:
            self._lock.__enter__()
        try:
            self._check()
            if self.index.db.in_transaction:  # it was held for reading
                self.index.db.execute("COMMIT")
            self.index.db.execute("BEGIN IMMEDIATE")
        except BaseException:
            self._release()
            raise
        return self.index.db

    def _check(self) -> None:
        if self.index.path and _inode(self.index.path) != self.index.inode:
            raise sqlite3.DatabaseError("the index was made anew meanwhile")

    def __exit__(self, kind: object, *_: object) -> None:
        try:
            if kind is None:
                try:
                    self.index.db.execute("COMMIT")
                except sqlite3.Error:
                    self._back()
                    raise
            else:
                self._back()
        finally:
            self._release()

    def _back(self) -> None:
        try:
            if self.index.db.in_transaction:
                self.index.db.execute("ROLLBACK")
        except sqlite3.Error:
            pass  # SQLite went back by itself, or the next one to open the file will

    def _release(self) -> None:
        if self._lock is not None:
            self._lock.__exit__()


def open_index(path: str, *, write: bool = True, seconds: float = 0.25) -> Index | None:
    """Opens an index; None where there is none that can be trusted.

    With ``write`` one that isn't there, or can't be trusted, is made anew and empty, in a folder that ignores itself.
    ``seconds``: how long it waits for another process, now and later. Raises OSError, StoreLocked and :data:`Trouble`
    where the file can't be made (a read-only folder, a full disk) or another process keeps it locked.
    """
    found = _opened(path, write=write, seconds=seconds) if os.path.isfile(path) else None
    if found is not None or not write:
        return found
    return anew(path, seconds=seconds)


def anew(path: str, *, damaged: int = 0, seconds: float = 0.25) -> Index | None:
    """Makes an index anew and empty, and opens it; where another process just did so, opens that one.

    ``damaged``: the inode of a file that showed its damage late; it goes, whatever its head says.
    """
    private_folder(os.path.dirname(path))
    with lock(lock_of(path), seconds=seconds):
        if os.path.isfile(path) and not (damaged and _inode(path) == damaged):
            found = _opened(path, write=True, seconds=seconds)
            if found is not None:
                return found
        temporary = f"{path}.tmp"
        discard(temporary)
        try:
            _made(temporary, path).close()
            discard(path)
            os.replace(temporary, path)
        except BaseException:
            discard(temporary)
            raise
        found = _opened(path, write=True, seconds=seconds)
    if found is not None:
        found.new = True
    return found


def in_memory() -> Index:
    """Returns an empty index that lives as long as the process: for a store where nothing can be written."""
    return _made(":memory:", "")


def discard(path: str) -> None:
    """Removes an index that can't be trusted, with what a killed process left of its last transaction."""
    for name in (f"{path}-journal", f"{path}-wal", f"{path}-shm", path):
        _unlink(name)


def state_of(path: str) -> Literal["missing", "old", "damaged", "fine"]:
    """Returns how the file of an index stands; ``old``: of another version, or brought here from another place.

    All of it is read, and nothing is written.
    """
    if not os.path.isfile(path):
        return "missing"
    db = sqlite3.connect(_uri(path, "ro"), 1.0, uri=True, isolation_level=None)
    try:
        _prepare(db)
        ours = db.execute("PRAGMA application_id").fetchone()[0] == APPLICATION
        made = dict(db.execute("SELECT key, value FROM meta WHERE key IN ('made', 'inode')")) if ours else {}
        if ours and (made.get("made"), made.get("inode")) != (MADE, _inode(path)):
            return "old"
        whole = ours and db.execute("PRAGMA quick_check(1)").fetchone()[0] == "ok"
    except (sqlite3.Error, TypeError, ValueError) as error:
        whole = not is_damage(error)
    finally:
        db.close()
    return "fine" if whole else "damaged"


def is_damage(error: BaseException) -> bool:
    """Tells whether an error means that the file is damaged, not that it is busy, full or out of reach.

    A damaged file may show itself as a missing table, as text that is no UTF-8, or as a value of another type.
    """
    if not isinstance(error, sqlite3.Error):
        return isinstance(error, TypeError | ValueError | LookupError | ArithmeticError)
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
    return code not in _PASSING


_PASSING = {
    sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_AUTH, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_INTERRUPT, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR,
}  # fmt: skip


def _opened(path: str, *, write: bool, seconds: float) -> Index | None:
    """Returns an index whose head says that it is ours and was made here; None for any other file."""
    db = sqlite3.connect(_uri(path, "rw" if write else "ro"), seconds, uri=True, isolation_level=None)
    try:
        _prepare(db)
        kind = db.execute("PRAGMA application_id").fetchone()[0]
        made = kind == APPLICATION and dict(db.execute("SELECT key, value FROM meta WHERE key IN ('made', 'inode')"))
        inode = _inode(path)
        if made and made.get("made") == MADE and made.get("inode") == inode:
            index = Index(db, path, inode, writable=write)
            index.patience = seconds
            return index
    except (sqlite3.Error, TypeError, ValueError) as error:  # a damaged schema is quoted in an error that is no UTF-8
        db.close()
        if is_damage(error):
            return None
        raise
    db.close()
    return None


def _made(file: str, path: str) -> Index:
    """Returns a new and empty index in a file."""
    db = sqlite3.connect(_uri(file, "rwc") if path else file, uri=bool(path), isolation_level=None)
    try:
        _prepare(db)
        db.execute("PRAGMA page_size = 8192")
        db.execute(f"PRAGMA application_id = {APPLICATION}")
        db.executescript(f"BEGIN;{_SCHEMA}")
        inode = _inode(file) if path else 0
        values = {
            "made": MADE,
            "inode": inode,
            "mark": "",
            "versioned": 0,
            "notes": 0,
        }
        db.executemany("INSERT INTO meta VALUES (?, ?)", values.items())
        db.execute("COMMIT")
    except BaseException:
        db.close()
        raise
    return Index(db, path, inode, writable=True)


def _prepare(db: sqlite3.Connection) -> None:
    """Sets a connection up: nothing that a file's own schema smuggles in may run; readers wait as little as can be."""
    db.execute("PRAGMA trusted_schema = OFF")
    db.execute("PRAGMA cell_size_check = ON")
    db.execute("PRAGMA synchronous = NORMAL")
    db.execute("PRAGMA cache_spill = OFF")


def _uri(path: str, mode: str) -> str:
    plain = path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    if os.name == "nt":
        plain = "/" + plain.replace("\\", "/")
    return f"file:{plain}?mode={mode}"


def lock_of(path: str) -> str:
    """Returns the file whose lock a process holds while it writes to an index."""
    return f"{path.removesuffix('.db')}.lock"


def _inode(path: str) -> int:
    """Returns what a file is known by in its file system; 0 where it is gone."""
    try:
        return os.stat(path).st_ino & 0x7FFFFFFFFFFFFFFF
    except OSError:
        return 0


def _unlink(path: str) -> None:
    try:  # noqa: SIM105 - contextlib costs a hook a fifth of its time
        os.unlink(path)
    except FileNotFoundError:
        pass

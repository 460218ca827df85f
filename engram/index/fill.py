"""Fills the index: words, edges and flags of the notes that were read, vectors of those that have none.

Notes come and go in transactions of a few hundred: a process that is killed, or whose time is up, leaves a smaller
index and no broken one, and the next one goes on from there.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from hashlib import blake2b
from itertools import islice
from json import loads
from typing import TYPE_CHECKING, Any, Protocol

from engram.index import vectors
from engram.index.file import PASSAGES, Index, writing
from engram.index.passages import Parts, parts_of
from engram.index.rows import Indexed, edges_of, names_of, note_row, text_row
from engram.index.terms import terms
from engram.model.note import Note

if TYPE_CHECKING:
    import sqlite3

AT_ONCE = 256
"""Notes in a transaction: readers wait for as long as one takes."""

TEXTS_AT_ONCE = 1024
"""Texts that are embedded before a transaction keeps their vectors: some seconds' work."""

CUT = 256
"""Texts given to an embedder in one go: enough to share what they have in common, few enough to spread."""

HEAD, WHOLE, SENTENCE = 1.0, 1.0, 0.35
"""What a note's vector is made of; the sum is brought to length 1."""

MOST_CHARACTERS, MOST_SENTENCES = 2_000, 12
"""Of the whole, and of its sentences: what stands further down hardly turns a long note's vector, at the same cost."""

_REVIEWED = """((SELECT value = 0 FROM meta WHERE key = 'versioned') OR EXISTS (
    SELECT 1 FROM files f JOIN heads h USING (path) WHERE f.id = notes.id AND h.blob IN (f.blob, f.other)))"""

Listings = Mapping[str, tuple[str, bytes]]
Clock = Callable[[], float]
Tell = Callable[[int], None]
"""Is told how many more notes are done."""


def _nobody(_: int) -> None:
    """Tells nobody."""


def _no_listings(_: int) -> None:
    """Knows of none."""


class Unembedded(Exception):
    """The embedder failed: words remain, and the index is as whole as it was."""


class Embedder(Protocol):
    """Is what filling needs of an embedder."""

    id: str
    dim: int

    def encode(self, texts: list[str]) -> Any:
        """Returns float32 (n, dim), each row of length 1."""
        ...


def put(
    index: Index,
    files: Iterable[Indexed],
    gone: Iterable[str] = (),
    *,
    until: float | None = None,
    clock: Clock = time.monotonic,
    tell: Tell = _nobody,
    faulty: list[str] | None = None,
    listings: Callable[[int], Listings | None] = _no_listings,
) -> int:
    """Takes files in, and drops those that are gone. Returns how many were taken in before ``until`` of ``clock``.

    The rows of a file change together. What another file said in the same words lends its vector, so that a note that
    was moved isn't embedded again. ``faulty`` gets the paths of notes that could not be cut into terms.
    ``listings`` is asked at the end, with how many were taken in, for what `keep_listings` is to remember.
    Raises what `writing` raises; what was taken in before stays.
    """
    source = iter(files)
    going = list(gone)
    faulty = [] if faulty is None else faulty
    done = 0
    while True:
        many = 0
        with writing(index) as db:
            for file in islice(source, AT_ONCE):
                _take(index, db, file, faulty)
                many += 1
                if until is not None and clock() >= until:
                    break
            for path in going:
                _drop(index, db, path)
            going = []
            index.set_meta("notes", db.execute("SELECT count(*) FROM notes").fetchone()[0])
            seen = listings(done + many) if many < AT_ONCE else None
            if seen is not None:
                _keep(db, *_news(index, seen))
        done += many
        tell(many)
        if many < AT_ONCE:
            return done


def keep_listings(index: Index, listings: Listings) -> None:
    """Remembers what the walk saw of the folders whose files are all taken in, and of no other."""
    news = _news(index, listings)
    if any(news):
        with writing(index) as db:
            _keep(db, *news)


def _news(index: Index, listings: Listings) -> tuple[list[str], list[tuple[str, str, bytes]]]:
    """Returns the folders to forget, and the rows to write."""
    known = {path: seen for path, *seen in index.db.execute("SELECT path, names, numbers FROM folders")}
    forgotten = [path for path in known if path not in listings]
    return forgotten, [(path, *seen) for path, seen in listings.items() if known.get(path) != list(seen)]


def _keep(db: sqlite3.Connection, forgotten: list[str], rows: list[tuple[str, str, bytes]]) -> None:
    db.executemany("DELETE FROM folders WHERE path = ?", ((path,) for path in forgotten))
    db.executemany("INSERT OR REPLACE INTO folders VALUES (?, ?, ?)", rows)


def review(index: Index, blobs: Mapping[str, str] | None, *, mark: str) -> None:
    """Marks what HEAD holds: ``blobs`` is its path to blob id, None for a store that is not versioned."""
    with writing(index) as db:
        db.execute("DELETE FROM heads")
        db.executemany("INSERT INTO heads VALUES (?, ?)", (blobs or {}).items())
        length = len(next(iter(blobs.values()))) if blobs else 0
        if length and db.execute("SELECT 1 FROM files WHERE length(blob) NOT IN (0, ?)", (length,)).fetchone():
            db.execute("UPDATE files SET base = ''")  # ids of another object format: all is read again
            db.execute("DELETE FROM folders")
        index.set_meta("versioned", int(blobs is not None))
        index.set_meta("mark", mark)
        db.execute(f"UPDATE notes SET reviewed = {_REVIEWED} WHERE reviewed != {_REVIEWED}")  # noqa: S608 - SQL of ours


def embed(
    index: Index,
    embedder: Embedder,
    *,
    until: float | None = None,
    clock: Clock = time.monotonic,
    tell: Tell = _nobody,
    spread: Callable[[Callable[[list[str]], Any], Iterable[list[str]]], Iterable[Any]] = map,
    ids: list[int] | None = None,
) -> int:
    """Makes the vectors that are missing. Returns how many still are when ``until`` of ``clock`` is over.

    Vectors of another embedder go first: two kinds never meet. ``spread``: runs ``encode`` over lists of texts, in
    order; a pool's ``map`` uses more than one processor. ``ids``: what `vectors.waiting` just said. Raises what
    `writing` raises, and Unembedded where the embedder fails; what was made before stays.
    """
    number = vectors.number_of(index, embedder.id, embedder.dim)
    if not number:
        with writing(index):
            number = vectors.register(index, embedder.id, embedder.dim)
        ids = None
    ids = vectors.waiting(index, embedder.id) if ids is None else ids
    left = len(ids)
    if not left:
        with writing(index):
            _complete(index, embedder)
    for group in _groups(index, ids, until is not None):
        if until is not None and clock() >= until:
            break
        try:
            made = _note_vectors(embedder, [parts for _, parts in group], spread)
        except Exception as error:
            raise Unembedded(f"{type(error).__name__}: {error}") from error
        with writing(index) as db:
            if vectors.number_of(index, embedder.id) != number:
                break  # another process works with another embedder
            # a note may have changed or gone since its text was read; its row tells
            now = {id_ for id_, parts in group if _said(db, id_) == said_of(parts)}
            chosen = [place for place, (id_, _) in enumerate(group) if id_ in now]
            vectors.keep(index, number, embedder.dim, [group[place][0] for place in chosen], made[chosen])
            left -= len(group)
            if not left:
                _complete(index, embedder)
        tell(len(group))
    return left


def _complete(index: Index, embedder: Embedder) -> None:
    if not vectors.waiting(index, embedder.id):
        index.set_meta(f"complete/{embedder.id}", 1)


def said_of(parts: Parts) -> str:
    """Returns a hash of all the words that a note's vector is made of."""
    return blake2b(f"{parts.head}\0{parts.whole}".encode("utf-8", "replace"), digest_size=8).hexdigest()


class _Rows:
    """Is a note's rows, all but their id; made before the first is written: a fault in a note costs that note alone."""

    __slots__ = ("edges", "names", "note", "passages", "said", "text", "words")

    def __init__(self, file: Indexed, note: Note) -> None:
        parts = parts_of(note)
        self.note = note_row(file, note)
        self.text = text_row(note)
        self.words = (" ".join(terms(parts.head)), " ".join(terms(parts.whole)))
        self.passages = [" ".join(terms(text)) for text in parts.passages[:PASSAGES]]
        self.names = names_of(note)
        self.edges = list(edges_of(note))
        self.said = said_of(parts)


def _rows_of(file: Indexed, faulty: list[str]) -> _Rows | None:
    if file.note is None:
        return None
    try:
        return _Rows(file, file.note)
    except Exception:  # noqa: BLE001 - one note that can't be cut into terms must not stop the rest
        faulty.append(file.path)
        return None


def _take(index: Index, db: sqlite3.Connection, file: Indexed, faulty: list[str]) -> None:
    known = db.execute("SELECT id, base, said FROM files WHERE path = ?", (file.path,)).fetchone()
    seen = (file.size, file.mtime_ns, file.base, *file.blobs)
    if known is not None and known[1] == file.base:
        db.execute("UPDATE files SET size=?, mtime_ns=?, base=?, blob=?, other=? WHERE id=?", (*seen, known[0]))
        db.execute(f"UPDATE notes SET reviewed = {_REVIEWED} WHERE id = ?", (known[0],))  # noqa: S608 - SQL of ours
        return
    rows = _rows_of(file, faulty)
    if known is None:
        row = db.execute(
            "INSERT INTO files(size, mtime_ns, base, blob, other, path, said) VALUES (?,?,?,?,?,?,'') RETURNING id",
            (*seen, file.path),
        ).fetchone()
        id_, said = row[0], ""
    else:
        id_, said = known[0], known[2]
        db.execute("UPDATE files SET size=?, mtime_ns=?, base=?, blob=?, other=? WHERE id=?", (*seen, id_))
        _clear(db, id_)
    if rows is not None:
        _write(db, id_, rows)
    says = "" if rows is None else rows.said
    if says != said:
        _lend(index, db, id_, says, had=bool(said))


def _lend(index: Index, db: sqlite3.Connection, id_: int, says: str, *, had: bool) -> None:
    """Takes away the vector of a note that says something else now; one that says the same lends its own."""
    db.execute("DELETE FROM meta WHERE key GLOB 'complete/*'")
    if had:
        vectors.drop(index, id_)
    twin = says and db.execute("SELECT id FROM files WHERE said = ? LIMIT 1", (says,)).fetchone()
    if twin:
        vectors.copy(index, twin[0], id_)
    db.execute("UPDATE files SET said = ? WHERE id = ?", (says, id_))


def _write(db: sqlite3.Connection, id_: int, rows: _Rows) -> None:
    places = ", ".join("?" * (1 + len(rows.note)))
    db.execute(f"INSERT INTO notes VALUES ({places})", (id_, *rows.note))  # noqa: S608 - question marks alone
    db.execute(f"UPDATE notes SET reviewed = {_REVIEWED} WHERE id = ?", (id_,))  # noqa: S608 - SQL of ours
    db.execute("INSERT INTO texts VALUES (?, ?, ?)", (id_, *rows.text))
    db.execute("INSERT INTO words(rowid, head, whole) VALUES (?, ?, ?)", (id_, *rows.words))
    db.executemany(
        "INSERT INTO passages(rowid, text) VALUES (?, ?)",
        ((id_ * PASSAGES + place, text) for place, text in enumerate(rows.passages)),
    )
    db.executemany("INSERT INTO names VALUES (?, ?)", ((key, id_) for key in rows.names))
    db.executemany("INSERT INTO edges VALUES (?, ?, ?)", ((id_, kind, target) for kind, target in rows.edges))


def _clear(db: sqlite3.Connection, id_: int) -> None:
    """Takes a note's rows away, all but its file's."""
    for table in ("notes", "texts", "names"):
        db.execute(f"DELETE FROM {table} WHERE id = ?", (id_,))  # noqa: S608 - a name of ours
    db.execute("DELETE FROM edges WHERE source = ?", (id_,))
    db.execute("DELETE FROM words WHERE rowid = ?", (id_,))
    db.execute("DELETE FROM passages WHERE rowid BETWEEN ? AND ?", (id_ * PASSAGES, id_ * PASSAGES + PASSAGES - 1))


def _drop(index: Index, db: sqlite3.Connection, path: str) -> None:
    known = db.execute("SELECT id FROM files WHERE path = ?", (path,)).fetchone()
    if known is not None:
        _clear(db, known[0])
        vectors.drop(index, known[0])
        db.execute("DELETE FROM files WHERE id = ?", (known[0],))


def _said(db: sqlite3.Connection, id_: int) -> str:
    row = db.execute("SELECT said FROM files WHERE id = ?", (id_,)).fetchone()
    return "" if row is None else row[0]


def _groups(index: Index, ids: list[int], small: bool) -> Iterator[list[tuple[int, Parts]]]:
    """Yields notes with their texts, in groups that an embedder takes in one go: small ones where time is short."""
    most = TEXTS_AT_ONCE // 32 if small else TEXTS_AT_ONCE
    group: list[tuple[int, Parts]] = []
    size = 0
    for id_ in ids:
        row = index.db.execute(
            "SELECT path, name, fields, body FROM notes JOIN texts USING (id) WHERE id = ?", (id_,)
        ).fetchone()
        if row is None:
            continue
        parts = parts_of(Note(path=row[0], name=row[1], fields=_fields(row[2]), body=row[3]))
        group.append((id_, parts))
        size += 2 + len(parts.sentences[:MOST_SENTENCES])
        if size >= most:
            yield group
            group, size = [], 0
    if group:
        yield group


def _fields(written: str) -> Mapping[str, Any]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in loads(written).items()}


def _note_vectors(embedder: Embedder, notes: list[Parts], spread: Any) -> Any:
    """Returns the vectors of notes, float32 (n, dim): head, whole and sentences, weighed and summed."""
    import numpy as np  # noqa: PLC0415 - words alone do without it

    texts: list[str] = []
    weights: list[float] = []
    starts: list[int] = []
    for parts in notes:
        starts.append(len(texts))
        sentences = parts.sentences[:MOST_SENTENCES]
        own = [(HEAD, parts.head), (WHOLE, parts.whole[:MOST_CHARACTERS]), *((SENTENCE, text) for text in sentences)]
        texts.extend(text for _, text in own)
        weights.extend(weight for weight, _ in own)
    cut = [texts[at : at + CUT] for at in range(0, len(texts), CUT)]
    encoded = np.concatenate(list(spread(embedder.encode, cut)))
    summed = np.add.reduceat(encoded * np.array(weights, np.float32)[:, None], starts)
    return summed / np.maximum(np.linalg.norm(summed, axis=1, keepdims=True), 1e-9)

"""Vectors in the index: eight bits a number and a scale a note, in blocks that are read one by one.

Reading is on the hot path. numpy is imported where vectors are compared or made, and nowhere else: words alone must do
without it.
"""

from __future__ import annotations

from struct import pack, unpack

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from engram.index.file import Index

BLOCK = 256
"""Notes in a block: 128 KiB of 512 numbers, large enough to be read fast and small enough to be held."""

_SLOTS = 1 << 24
"""Blocks an embedder may have."""


def number_of(index: Index, embedder_id: str, dim: int = 0) -> int:
    """Returns the number of an embedder in an index; 0 where the index holds no vectors of it, or not of that size."""
    row = index.db.execute("SELECT number, dim FROM embedders WHERE id = ?", (embedder_id,)).fetchone()
    return 0 if row is None or (dim and row[1] != dim) else int(row[0])


def cosines(index: Index, embedder_id: str, queries: Any) -> tuple[Any, Any]:
    """Returns the ids of all notes with a vector, and their cosines to each query.

    ``queries``: float32 (k, dim), normalised. The ids are int64 (n,), ascending; the cosines float32 (n, k). One block
    at a time is in memory. Raises ValueError where the queries have another dimension than the index's vectors.
    """
    import numpy as np  # noqa: PLC0415 - words alone do without it

    number = number_of(index, embedder_id)
    ids: list[Any] = []
    found: list[Any] = []
    wanted = np.ascontiguousarray(queries.T)
    rows = index.db.execute(
        "SELECT slot, scales, rows FROM vectors WHERE slot >= ? AND slot < ? ORDER BY slot",
        (number * _SLOTS, (number + 1) * _SLOTS),
    )
    for slot, scales, block in rows if number else ():
        scale = np.frombuffer(scales, "<f4")
        kept = np.flatnonzero(scale)
        if kept.size:
            values = np.frombuffer(block, np.int8).reshape(BLOCK, -1).astype(np.float32)
            ids.append(kept + (slot - number * _SLOTS) * BLOCK)
            found.append((values @ wanted)[kept] * scale[kept, None])
    if not ids:
        return np.empty(0, np.int64), np.empty((0, queries.shape[0]), np.float32)
    return np.concatenate(ids), np.concatenate(found)


def vectors_of(index: Index, embedder_id: str, ids: list[int]) -> Any:
    """Returns the vectors of some notes, float32 (n, dim) in their order; zeros for a note that has none (yet)."""
    import numpy as np  # noqa: PLC0415 - words alone do without it

    number, dim = index.db.execute("SELECT number, dim FROM embedders WHERE id = ?", (embedder_id,)).fetchone() or (
        0,
        1,
    )
    out = np.zeros((len(ids), dim), np.float32)
    for place, id_ in enumerate(ids):
        scale, values = _row(index, number, dim, id_)
        if scale:
            out[place] = np.frombuffer(values, np.int8).astype(np.float32) * scale
    return out


def waiting(index: Index, embedder_id: str) -> list[int]:
    """Returns the notes that have no vector of an embedder yet, the last changed first."""
    from array import array  # noqa: PLC0415 - where something changed

    number = number_of(index, embedder_id)
    have: set[int] = set()
    rows = index.db.execute(
        "SELECT slot, scales FROM vectors WHERE slot >= ? AND slot < ?", (number * _SLOTS, (number + 1) * _SLOTS)
    )
    for slot, scales in rows if number else ():
        first = (slot - number * _SLOTS) * BLOCK
        have.update(first + place for place, scale in enumerate(array("f", scales)) if scale)
    return [id_ for (id_,) in index.db.execute("SELECT id FROM notes ORDER BY updated DESC, id") if id_ not in have]


def register(index: Index, embedder_id: str, dim: int) -> int:
    """Returns the number of an embedder, entered where it is new. Every other embedder's vectors go with its entry.

    Within the caller's transaction.
    """
    known = index.db.execute("SELECT number, dim FROM embedders WHERE id = ?", (embedder_id,)).fetchone()
    if known is not None and known[1] == dim:
        return int(known[0])
    index.db.execute("DELETE FROM vectors")
    index.db.execute("DELETE FROM embedders")
    index.db.execute("DELETE FROM meta WHERE key GLOB 'complete/*'")
    row = index.db.execute(
        "INSERT INTO embedders(id, dim) VALUES (?, ?) RETURNING number", (embedder_id, dim)
    ).fetchone()
    return int(row[0])


def keep(index: Index, number: int, dim: int, ids: list[int], vectors: Any) -> None:
    """Writes vectors, float32 (n, dim), within the caller's transaction. Raises ValueError for another shape."""
    import numpy as np  # noqa: PLC0415 - words alone do without it

    if vectors.shape != (len(ids), dim):
        raise ValueError(f"{vectors.shape} vectors for {len(ids)} notes of {dim} numbers")
    scales = np.abs(vectors).max(axis=1, initial=0.0) / 127 + 1e-30  # a text of nothing has a vector as well, of zeros
    rows = np.rint(vectors / scales[:, None]).astype(np.int8)
    for id_, scale, row in zip(ids, scales.astype("<f4"), rows, strict=True):
        _write(index, number, dim, id_, scale.tobytes(), row.tobytes())


def drop(index: Index, id_: int) -> None:
    """Takes a note's vectors away, within the caller's transaction."""
    for number, dim in index.db.execute("SELECT number, dim FROM embedders").fetchall():
        if _row(index, number, dim, id_)[0]:
            _write(index, number, dim, id_, b"\0\0\0\0", None)


def copy(index: Index, source: int, target: int) -> None:
    """Gives a note the vectors of another that says the same, within the caller's transaction."""
    for number, dim in index.db.execute("SELECT number, dim FROM embedders").fetchall():
        scale, values = _row(index, number, dim, source)
        if scale:
            _write(index, number, dim, target, pack("<f", scale), values)


def _row(index: Index, number: int, dim: int, id_: int) -> tuple[float, bytes]:
    slot, place = number * _SLOTS + id_ // BLOCK, id_ % BLOCK
    found = index.db.execute(
        "SELECT substr(scales, ?, 4), substr(rows, ?, ?) FROM vectors WHERE slot = ?",
        (place * 4 + 1, place * dim + 1, dim, slot),
    ).fetchone()
    return (0.0, b"") if found is None else (unpack("<f", found[0])[0], found[1])


def _write(index: Index, number: int, dim: int, id_: int, scale: bytes, row: bytes | None) -> None:
    slot, place = number * _SLOTS + id_ // BLOCK, id_ % BLOCK
    index.db.execute(
        "INSERT OR IGNORE INTO vectors VALUES (?, zeroblob(?), zeroblob(?))", (slot, BLOCK * 4, BLOCK * dim)
    )
    with index.db.blobopen("vectors", "scales", slot) as blob:
        blob[place * 4 : place * 4 + 4] = scale  # type: ignore[assignment]
    if row is not None:
        with index.db.blobopen("vectors", "rows", slot) as blob:
            blob[place * dim : (place + 1) * dim] = row  # type: ignore[assignment]

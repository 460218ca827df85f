"""What the recall benchmarks share: a store of a set as an index, questions put to it, and the baselines beside it."""

from __future__ import annotations

import hashlib
import math
import os
import re
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.sets import Bench, Store
from engram.index import embed, fill
from engram.index.file import Index, in_memory
from engram.index.passages import parts_of
from engram.index.rows import Indexed
from engram.index.search import Candidate, Query, candidates
from engram.index.terms import terms
from engram.recall import rank

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from engram.index.embed import Embedder

Ranking = Callable[[str], list[str]]
"""Gives the paths of a store's notes for a question, the best first."""


class NoWeights:
    """Is settings under which relevance alone ranks: a set's notes have no dates, types or uses that mean anything."""

    def __init__(self) -> None:
        self.weights: dict[str, float] = {}


class Remembering:
    """Is an embedder that keeps what it was asked, in ``ENGRAM_BENCH_CACHE`` from run to run where that is set."""

    def __init__(self, embedder: Embedder) -> None:
        self.id, self.name, self.dim = embedder.id, embedder.name, embedder.dim
        self._embedder = embedder
        self._known: dict[bytes, NDArray[np.float32]] = {}
        folder = os.environ.get("ENGRAM_BENCH_CACHE", "")
        self._file = Path(folder) / f"{embedder.id}.vectors" if folder else None
        self._fresh = 0
        if self._file is not None and self._file.exists():
            self._read(self._file)

    def encode(self, texts: Sequence[str], *, query: bool = False) -> NDArray[np.float32]:
        """Returns the texts' vectors."""
        import numpy as np  # noqa: PLC0415

        keys = [hashlib.blake2b(f"{query}{text}".encode("utf-8", "replace"), digest_size=16).digest() for text in texts]
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in self._known}
        if new:
            self._known.update(zip(new, self._embedder.encode(list(new.values()), query=query), strict=True))
            self._fresh += len(new)
        return np.array([self._known[key] for key in keys], np.float32)

    def keep(self) -> None:
        """Writes what is new to the file, if there is one."""
        import numpy as np  # noqa: PLC0415

        if self._file is not None and self._fresh:
            data = b"".join(key + vector.astype(np.float32).tobytes() for key, vector in self._known.items())
            self._file.parent.mkdir(parents=True, exist_ok=True)
            self._file.write_bytes(data)

    def _read(self, file: Path) -> None:
        import numpy as np  # noqa: PLC0415

        size = 16 + 4 * self.dim
        rows = np.frombuffer(file.read_bytes(), np.uint8).reshape(-1, size)
        for row in rows:
            self._known[row[:16].tobytes()] = row[16:].copy().view(np.float32)


def embedder(name: str = "use") -> Remembering | None:
    """Returns an embedder of engram's by its name; None, said on stderr, where it can't be had."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    folder = os.environ.get("ENGRAM_BENCH_CACHE", "") or os.path.join(tempfile.gettempdir(), "engram-bench-models")
    found, why = embed.choose(folder, name, os.environ, hook=False)
    if found is None:
        import sys  # noqa: PLC0415

        print(f"NOT MEASURED with {name}: {why}", file=sys.stderr)
        return None
    return Remembering(found)


def index_of(store: Store, model: Remembering | None) -> tuple[Index, dict[int, str]]:
    """Returns a store's index, in memory, and its notes' paths by their ids."""
    index = in_memory()
    fill.put(index, (Indexed(one.path, 0, 0, _base(one.path, one.body), one) for one in store.notes))
    if model is not None:
        fill.embed(index, model)
    return index, dict(index.db.execute("SELECT id, path FROM notes"))


def found(index: Index, text: str, model: Remembering | None, without: int = -1) -> list[rank.Ranked]:
    """Returns what recall ranks for a question, the note with the id ``without`` left out."""
    near: Iterable[Candidate] = candidates(index, Query(text), model)
    return rank.rank([one for one in near if one.id != without], "2026-01-01", NoWeights())


# -- baselines --------------------------------------------------------------------------------------------------------


def grep(store: Store) -> Ranking:
    """Returns a ranking by how many of a question's words of three letters or more a note holds as written."""
    texts = [(one.path, _text(one).casefold()) for one in store.notes]

    def ranked(question: str) -> list[str]:
        words = {word for word in re.findall(r"\w+", question.casefold()) if len(word) > 2}
        scored = [(sum(word in text for word in words), path) for path, text in texts]
        return [path for score, path in sorted(scored, key=lambda pair: -pair[0]) if score]

    return ranked


def fts5(store: Store) -> Ranking:
    """Returns SQLite's own ranking, with its Porter stemmer: the words of a question joined by OR."""
    db = sqlite3.connect(":memory:")
    db.execute("CREATE VIRTUAL TABLE t USING fts5(path UNINDEXED, text, tokenize='porter unicode61')")
    db.executemany("INSERT INTO t VALUES (?, ?)", [(one.path, _text(one)) for one in store.notes])

    def ranked(question: str) -> list[str]:
        match = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", question))
        return (
            [row[0] for row in db.execute("SELECT path FROM t WHERE t MATCH ? ORDER BY rank", (match,))]
            if match
            else []
        )

    return ranked


def bm25(store: Store) -> Ranking:
    """Returns textbook BM25 (k1 1.2, b 0.75) over whole notes, with the stems of engram's terms, stop words left in."""
    bags = [Counter(terms(_text(one))) for one in store.notes]
    sizes = [sum(bag.values()) for bag in bags]
    mean = sum(sizes) / max(1, len(sizes)) or 1
    holders: dict[str, list[int]] = {}
    for at, bag in enumerate(bags):
        for term in bag:
            holders.setdefault(term, []).append(at)

    def ranked(question: str) -> list[str]:
        scores: dict[int, float] = {}
        for term in dict.fromkeys(terms(question)):
            some = holders.get(term, [])
            idf = math.log(1 + (len(bags) - len(some) + 0.5) / (len(some) + 0.5))
            for at in some:
                times = bags[at][term]
                scores[at] = scores.get(at, 0.0) + idf * times * 2.2 / (times + 1.2 * (0.25 + 0.75 * sizes[at] / mean))
        return [store.notes[at].path for at, _ in sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))]

    return ranked


def engram(store: Store, model: Remembering | None) -> Callable[[str, str], list[str]]:
    """Returns engram's own ranking: question and left-out path to paths."""
    index, paths = index_of(store, model)
    ids = {path: id_ for id_, path in paths.items()}
    return lambda question, without: [paths[one.id] for one in found(index, question, model, ids.get(without, -1))]


# -- measures ---------------------------------------------------------------------------------------------------------


def measured(bench: Bench, ranking: Callable[[Store], Callable[[str, str], list[str]]]) -> dict[str, float]:
    """Returns recall@1, @5, @10 (of a question's notes, averaged) and MRR over the questions that have an answer."""
    rows = []
    for store in bench.stores:
        if not any(question.gold for question in store.questions):
            continue
        ask = ranking(store)
        for question in store.questions:
            if question.gold:
                order = [path for path in ask(question.text, question.without) if path != question.without]
                at = [order.index(path) if path in order else math.inf for path in question.gold]
                rows.append([*(sum(place < k for place in at) / len(at) for k in (1, 5, 10)), 1 / (1 + min(at))])
    sums = [sum(column) / len(rows) for column in zip(*rows, strict=True)]
    return dict(zip(("@1", "@5", "@10", "mrr"), sums, strict=True)) | {"questions": len(rows)}


def plainly(ranking: Callable[[Store], Ranking]) -> Callable[[Store], Callable[[str, str], list[str]]]:
    """Returns a baseline as something that is told what is left out; it ranks all the same, and loses that place."""

    def made(store: Store) -> Callable[[str, str], list[str]]:
        ask = ranking(store)
        return lambda question, _without: ask(question)

    return made


def auc(on: Sequence[float], off: Sequence[float]) -> float:
    """Returns how often a score of ``on`` beats one of ``off``."""
    wins = sum((a > b) + 0.5 * (a == b) for a in on for b in off)
    return wins / max(1, len(on) * len(off))


@lru_cache(maxsize=100_000)
def _base(path: str, body: str) -> str:
    return hashlib.blake2b(f"{path}\0{body}".encode("utf-8", "replace"), digest_size=8).hexdigest()


def _text(one: object) -> str:
    return parts_of(one).whole  # type: ignore[arg-type]

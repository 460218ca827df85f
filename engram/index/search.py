"""Finds the notes that may have to do with a text: by words (FTS5), by vectors, and each candidate scored exactly.

A text is looked at whole and, where it has several, sentence by sentence; each such view measures

- *coverage*: BM25 of the note over the most that any note could reach for these words, 0 to 1; a word that no note has
  counts as the rarest of all. Notes of several passages are measured by head, whole and best passage;
- *information*: the summed rarity (idf) of the words, in nats: one common word tells little, well covered or not;
- *own*: the share of that which everyday talk doesn't consist of, 0 to 1;
- *strange*: the share of the names in it that the store has never heard of;
- *cosine* of the view and the note, and *talk*: that of the view and the nearest everyday prompts.

What they are worth together is `engram.recall.rank`'s to say. On the hot path of the prompt hook: the standard library
alone, and numpy only where there are vectors.
"""

from __future__ import annotations

import re
from math import log

from engram.index.file import PASSAGES
from engram.index.passages import sentences_of
from engram.index.stop_words import STOP_WORDS
from engram.index.talk import nearest, share_of_talk
from engram.index.terms import query_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from engram.index.embed import Embedder
    from engram.index.file import Index

K1, B = 0.6, 0.6
"""BM25: how fast a repeated word stops counting, how much a long note has to say it more often. Notes are short and say
a thing once, so both lie below what suits long documents (1.2, 0.75)."""

HEAD, PASSAGE = 0.1, 0.3
"""What head and best passage count beside the whole in notes of several passages; in short ones they are the whole."""

PREFIX = 0.6
"""What a word that only begins like the word asked for counts."""

BY_WORDS, BY_VECTORS = 60, 40
"""Candidates by each way, before they are scored exactly."""

LAST_SENTENCES = 10
LONGEST_TEXT, LONGEST_SENTENCE = 2000, 400
MOST_TERMS = 48
VISITS = 6000
"""Notes that the words of one view may make FTS5 look at, the rarest words first: a word that half of a large store has
finds no candidates, and counts all the same where another word or a vector found one."""

_EXPANSIONS = 6
_NAME = re.compile(r"(?<![.!?:\n])[^\S\n]([A-Z][a-z]{2,}|[А-ЯЁ][а-яё]{2,})\b")
"""A word with a capital that doesn't begin a sentence."""
_GERMAN = re.compile(r"\b(?:der|die|das|den|dem|ein|eine|einen|ich|ist|und|wie|wir|nicht|auf|mit|von|im)\b")
"""There every noun has a capital, and none can be told from a name."""
_SCALES = {"use": (0.0, 1.0), "e5": (0.8, 5.0), "bge": (0.3, 1.3)}
"""Where an embedder's cosines begin to mean something, and by how much to stretch them to measure as the first."""


class Query:
    """Is what is asked. Frozen by custom."""

    __slots__ = ("text", "texts")

    def __init__(self, text: str) -> None:
        self.text = text[-LONGEST_TEXT:].strip()
        """The end of a very long text: there the question is."""
        parts = [part[:LONGEST_SENTENCE] for part in sentences_of(self.text)[-LAST_SENTENCES:]]
        self.texts: tuple[str, ...] = (self.text, *parts) if len(parts) > 1 else (self.text,)
        """The views: the whole first, then its sentences where it has several."""

    @property
    def terms(self) -> list[str]:
        return query_terms(self.text)


class View:
    """Is one candidate as one view of the question sees it."""

    __slots__ = ("cosine", "coverage", "information", "own", "strange", "talk")

    def __init__(
        self, cosine: float | None, coverage: float, information: float, own: float, talk: float, strange: float = 0.0
    ) -> None:
        self.cosine = cosine
        """None where there is no embedder; 0.0 for a note that has no vector yet."""
        self.coverage = coverage
        self.information = information
        self.own = own
        self.talk = talk
        self.strange = strange


class Candidate:
    """Is a note that may have to do with the question."""

    __slots__ = ("applied", "id", "importance", "kind", "links", "updated", "views")

    def __init__(self, id_: int, views: tuple[View, ...]) -> None:
        self.id = id_
        self.views = views
        """The whole text's first, then its sentences'."""
        self.kind = ""
        self.importance = 5
        self.updated = ""
        self.applied = 0
        self.links: tuple[int, ...] = ()
        """Other candidates that it links to or that link to it."""


def candidates(index: Index, query: Query, embedder: Embedder | None = None) -> list[Candidate]:
    """Returns the notes that may have to do with a question, in no order.

    Raises what SQLite raises for a file that can't be read, and what the embedder raises.
    """
    lexicon = _Lexicon(index, query.texts)
    ids: dict[int, None] = {}
    for asked in lexicon.views:
        ids.update(dict.fromkeys(lexicon.found(asked, BY_WORDS if asked is lexicon.views[0] else BY_WORDS // 4)))
    cosines: dict[int, Sequence[float]] = {}
    talks: Sequence[float] = [0.0] * len(query.texts)
    if embedder is not None and query.text:
        cosines, near, talks = _by_vectors(index, query.texts, embedder, ids)
        ids.update(dict.fromkeys(near))
    coverages = lexicon.coverages(list(ids))
    found = {}
    for id_ in ids:
        own = cosines.get(id_)
        views = tuple(
            View(
                None if embedder is None else 0.0 if own is None else float(own[at]),
                coverages[id_][at],
                asked.information,
                asked.own,
                talks[at],
                asked.strange,
            )
            for at, asked in enumerate(lexicon.views)
        )
        found[id_] = Candidate(id_, views)
    _describe(index, found)
    return list(found.values())


class _Asked:
    """Is one view's words."""

    __slots__ = ("idf", "information", "own", "spelled", "strange", "terms")

    def __init__(self, terms: list[str], idf: list[float], spelled: list[tuple[tuple[str, ...], float]]) -> None:
        self.terms = terms
        self.idf = idf
        self.spelled = spelled
        """For each term the terms of the index that stand for it, and what they count."""
        self.information = sum(idf)
        self.own = 1.0 - share_of_talk(terms, idf)
        self.strange = 0.0


class _Lexicon:
    """Is what the index knows of the words of a question."""

    def __init__(self, index: Index, texts: Sequence[str]) -> None:
        self.db = index.db
        self.notes = max(1, int(index.meta("notes", 0)))
        self.lengths = _averages(index, "words", 2) or (8.0, 80.0)
        (self.passage_length,) = _averages(index, "passages", 1) or (40.0,)
        wanted = [query_terms(text)[:MOST_TERMS] for text in texts]
        self.rows = self._rows({term for terms in wanted for term in terms})
        self.longer: dict[str, tuple[str, ...]] = {}
        self.views = [self._asked(terms) for terms in wanted]
        for asked, text in zip(self.views, texts, strict=True):
            asked.strange = self._strange(text)

    def found(self, asked: _Asked, most: int) -> list[int]:
        """Returns the notes that FTS5 ranks highest for a view."""
        visits = 0
        terms: list[str] = []
        for term, (spellings, _) in sorted(
            zip(asked.terms, asked.spelled, strict=True), key=lambda pair: self.rows.get(pair[0], 0)
        ):
            visits += self.rows.get(term, 0)
            if visits > VISITS and terms:
                break
            terms.extend(spellings)
        if not terms:
            return []
        match = "whole: (" + " OR ".join(f'"{term}"' for term in dict.fromkeys(terms)) + ")"
        rows = self.db.execute("SELECT rowid FROM words WHERE words MATCH ? ORDER BY rank LIMIT ?", (match, most))
        return [row[0] for row in rows]

    def coverages(self, ids: list[int]) -> dict[int, list[float]]:
        """Returns each note's coverage of each view, scored exactly."""
        out = {id_: [0.0] * len(self.views) for id_ in ids}
        if not any(asked.information for asked in self.views):
            return out
        for part in _slices(ids):
            marks = ", ".join("?" * len(part))
            sql = f"SELECT rowid, head, whole FROM words WHERE rowid IN ({marks})"  # noqa: S608 - question marks alone
            for id_, head, whole in self.db.execute(sql, part).fetchall():
                covered = [_bm25(asked, whole, self.lengths[1]) for asked in self.views]
                passages = self._passages(id_) if any(covered) else []
                if len(passages) > 1:
                    covered = [
                        self._by_field(asked, so_far, head, passages) if so_far else 0.0
                        for asked, so_far in zip(self.views, covered, strict=True)
                    ]
                out[id_] = [
                    so_far / asked.information if so_far else 0.0
                    for asked, so_far in zip(self.views, covered, strict=True)
                ]
        return out

    def _by_field(self, asked: _Asked, whole: float, head: str, passages: Sequence[str]) -> float:
        best = max(_bm25(asked, passage, self.passage_length) for passage in passages)
        return (whole + HEAD * _bm25(asked, head, self.lengths[0]) + PASSAGE * best) / (1 + HEAD + PASSAGE)

    def _passages(self, id_: int) -> list[str]:
        span = (id_ * PASSAGES, id_ * PASSAGES + PASSAGES - 1)
        return [text for (text,) in self.db.execute("SELECT text FROM passages WHERE rowid BETWEEN ? AND ?", span)]

    def _asked(self, terms: list[str]) -> _Asked:
        spelled = [self._spellings(term) for term in terms]
        return _Asked(terms, [self._idf(self.rows.get(term, 0)) for term in terms], spelled)

    def _strange(self, text: str) -> float:
        found = [] if _GERMAN.search(text) else [query_terms(name)[0] for name in _NAME.findall(text)]
        names = [name for name in found if name not in STOP_WORDS]
        return sum(not self.rows.get(name) for name in names) / len(names) if names else 0.0

    def _idf(self, rows: int) -> float:
        return log(1 + (self.notes - min(rows, self.notes) + 0.5) / (rows + 0.5))

    def _spellings(self, term: str) -> tuple[tuple[str, ...], float]:
        """Returns what in the index stands for a term: itself, else the words that begin with it."""
        if self.rows.get(term):
            return (term,), 1.0
        if len(term) < 4:
            return (), 0.0
        if term not in self.longer:
            rows = self.db.execute(
                "SELECT term FROM words_rows WHERE term > ? AND term < ? LIMIT ?",
                (term, term + "\U0010ffff", _EXPANSIONS),
            )
            self.longer[term] = tuple(row[0] for row in rows)
        return self.longer[term], PREFIX

    def _rows(self, terms: Iterable[str]) -> dict[str, int]:
        """Returns how many notes hold each term."""
        found: dict[str, int] = {}
        for term in terms:
            row = self.db.execute("SELECT doc FROM words_rows WHERE term = ?", (term,)).fetchone()
            if row is not None:
                found[term] = row[0]
        return found


def _bm25(asked: _Asked, text: str, average: float) -> float:
    """Returns the words of a view that a text of terms covers, each up to its idf."""
    spaced = f" {text.replace(' ', '  ')} "
    norm = K1 * (1 - B + B * (text.count(" ") + 1) / average)
    total = 0.0
    for weight, (spellings, worth) in zip(asked.idf, asked.spelled, strict=True):
        times = 0
        for spelling in spellings:
            times += spaced.count(f" {spelling} ")
        if times:
            total += weight * worth * times / (times + norm)
    return total


def _by_vectors(
    index: Index, texts: Sequence[str], embedder: Embedder, known: Iterable[int]
) -> tuple[dict[int, Sequence[float]], list[int], list[float]]:
    """Returns the cosines of the notes that are near or known, the near ones, and how like talk each text is."""
    import numpy as np  # noqa: PLC0415 - words alone do without it

    from engram.index.vectors import cosines  # noqa: PLC0415

    zero, stretch = _SCALES.get(embedder.name, (0.0, 1.0))
    asked = embedder.encode(list(texts), query=True)
    ids, found = cosines(index, embedder.id, asked)
    talks = [(value - zero) * stretch if value else 0.0 for value in nearest(index, embedder.id, asked)]
    near: set[int] = set()
    for view in range(len(texts) if len(ids) else 0):
        most = BY_VECTORS if view == 0 else BY_VECTORS // 4
        column = found[:, view]
        places = np.argpartition(-column, most)[:most] if len(column) > most else np.arange(len(column))
        near.update(int(ids[place]) for place in places)
    wanted = sorted(near.union(known))
    places = np.searchsorted(ids, np.array(wanted, np.int64)) if wanted else np.empty(0, np.int64)
    kept: dict[int, Any] = {}
    for id_, place in zip(wanted, places.tolist(), strict=True):
        if place < len(ids) and ids[place] == id_:
            kept[id_] = ((found[place] - zero) * stretch).tolist()
    return kept, sorted(near), talks


def _describe(index: Index, found: dict[int, Candidate]) -> None:
    """Adds to the candidates what ranks near ties: type, importance, date, use, links among them."""
    for part in _slices(list(found)):
        marks = ", ".join("?" * len(part))
        sql = f"SELECT id, type, importance, updated, applied FROM notes WHERE id IN ({marks})"  # noqa: S608
        for id_, kind, importance, updated, applied in index.db.execute(sql, part):
            one = found[id_]
            one.kind, one.importance, one.updated, one.applied = kind, importance, updated, applied
        sql = (
            f"SELECT DISTINCT e.source, n.id FROM edges e JOIN names n ON n.key = e.target WHERE e.source IN ({marks})"  # noqa: S608
        )
        for source, target in index.db.execute(sql, part).fetchall():
            if target in found and target != source:
                found[source].links = (*found[source].links, target)
                found[target].links = (*found[target].links, source)


def _averages(index: Index, table: str, columns: int) -> tuple[float, ...] | None:
    """Returns the mean number of terms in each column of an FTS5 table, from its own totals; None where it has none.

    https://sqlite.org/fts5.html#fts5_data_structures: row 1 of ``_data`` has the number of rows, then the totals.
    """
    row = index.db.execute(f"SELECT block FROM {table}_data WHERE id = 1").fetchone()  # noqa: S608 - a name of ours
    numbers: list[int] = []
    value = 0
    for byte in row[0] if row else b"":
        value = value << 7 | byte & 0x7F
        if not byte & 0x80:
            numbers.append(value)
            value = 0
    if len(numbers) <= columns or not numbers[0]:
        return None
    return tuple(max(1.0, total / numbers[0]) for total in numbers[1 : columns + 1])


def _slices(ids: list[int]) -> Iterable[list[int]]:
    return [ids[at : at + 400] for at in range(0, len(ids), 400)]

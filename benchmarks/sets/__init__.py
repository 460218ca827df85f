"""The sets on which recall is measured, in one shape: stores of notes, and questions with the notes that answer them.

Real ones are read from ``ENGRAM_CORPUS``; small ones, for what no public set asks, are written here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from engram.model.note import Note


@dataclass(frozen=True)
class Question:
    """Is one prompt, the paths of the notes that answer it (none: silence is right), and what kind it is of."""

    text: str
    gold: frozenset[str]
    kind: str = ""
    without: str = ""
    """The path of a note that is left out of the ranking: the one from which the question was taken."""


@dataclass(frozen=True)
class Store:
    """Is a store of notes and what is asked of it."""

    name: str
    notes: tuple[Note, ...]
    questions: tuple[Question, ...]


@dataclass(frozen=True)
class Bench:
    """Is one set: recall is taken over the questions of all its stores together."""

    name: str
    stores: tuple[Store, ...] = field(default_factory=tuple)
    says: str = ""


def note(path: str, *, name: str = "", description: str = "", body: str = "", links: Iterable[str] = ()) -> Note:
    """Returns a note of a set."""
    fields = {"description": description} if description else {}
    return Note(path=path, name=name or path.removesuffix(".md"), fields=fields, body=body, links=tuple(links))


def load(corpus: Path | None, *, quick: bool = False) -> list[Bench]:
    """Returns every set; without a corpus only those that are written here."""
    from benchmarks.sets import own  # noqa: PLC0415
    from benchmarks.sets.facts import facts  # noqa: PLC0415
    from benchmarks.sets.linked import linked  # noqa: PLC0415
    from benchmarks.sets.locomo import locomo  # noqa: PLC0415
    from benchmarks.sets.longmemeval import longmemeval  # noqa: PLC0415
    from benchmarks.sets.paraphrase import paraphrase  # noqa: PLC0415

    real: tuple[Callable[[Path, bool], list[Bench]], ...] = (paraphrase, locomo, longmemeval, facts, linked)
    found = [bench for read in real for bench in read(corpus, quick)] if corpus is not None else []
    return found + own.sets()

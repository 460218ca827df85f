"""What each constant of ranking is worth: recall@5 as it moves, everything else as it is.

Run as ``python -m benchmarks.sensitivity [--all] [--json]``. A constant that stands on a plateau may be kept; one on a
slope was fitted to these sets. ``--all`` adds LoCoMo's turns, the LongMemEval slice and the linked notes.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from types import ModuleType

from benchmarks.recalled import Remembering, embedder, found, index_of
from benchmarks.sets import Bench, Store, load
from benchmarks.table import Row, corpus, shown
from engram.index import search, talk
from engram.index.file import Index
from engram.recall import rank

CONSTANTS: tuple[tuple[ModuleType, str, tuple[float, ...]], ...] = (
    (rank, "WORDS", (0.0, 0.2, 0.3, 0.35, 0.4, 0.5, 1.0)),
    (rank, "STRANGE", (0.0, 0.15, 0.3, 0.5)),
    (rank, "BEST", (0.0, 0.25, 0.5, 0.75)),
    (search, "K1", (0.3, 0.6, 0.8, 1.2, 2.0)),
    (search, "B", (0.3, 0.5, 0.6, 0.75, 1.0)),
    (search, "HEAD", (0.0, 0.1, 0.25, 0.5)),
    (search, "PASSAGE", (0.0, 0.3, 0.6, 1.0)),
    (search, "PREFIX", (0.0, 0.6, 1.0)),
    (search, "BY_WORDS", (20, 60, 120)),
    (search, "BY_VECTORS", (10, 40, 80)),
    (talk, "NEAREST", (1, 3, 6)),
)
QUICK = (
    "paraphrase-60",
    "exact keywords",
    "six languages, partial",
    "12 among 112",
    "confusable neighbours",
    "negation",
)
ALL = (*QUICK[:3], "locomo facts", "locomo turns", "longmemeval slice", "linked notes")

Built = list[tuple[Store, Index, dict[str, int]]]


def main(argv: Sequence[str] | None = None) -> int:
    """Prints the table."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    names = ALL if "--all" in arguments else QUICK
    model = embedder()
    benches = [bench for bench in load(corpus()) if bench.name in names]
    built = {bench.name: _built(bench, model) for bench in benches}
    rows: list[Row] = []
    for module, name, values in CONSTANTS:
        stands = getattr(module, name)
        for value in values:
            setattr(module, name, value)
            mark = "*" if value == stands else ""
            scores = {each: _recall(stores, model) for each, stores in built.items()}
            rows.append({"constant": f"{name}{mark}", "value": float(value), **scores})
        setattr(module, name, stands)
    if model is not None:
        model.keep()
    print(json.dumps(rows, indent=2) if "--json" in arguments else shown(rows))
    return 0


def _built(bench: Bench, model: Remembering | None) -> Built:
    some = []
    for store in bench.stores:
        if any(question.gold for question in store.questions):
            index, paths = index_of(store, model)
            some.append((store, index, {path: id_ for id_, path in paths.items()}))
    return some


def _recall(stores: Built, model: Remembering | None) -> float:
    shares = []
    for store, index, ids in stores:
        for question in store.questions:
            if question.gold:
                near = found(index, question.text, model, ids.get(question.without, -1))[:5]
                shares.append(
                    len({one.id for one in near} & {ids[path] for path in question.gold}) / len(question.gold)
                )
    return sum(shares) / max(1, len(shares))


if __name__ == "__main__":
    sys.exit(main())

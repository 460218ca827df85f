"""How often the note that answers a question is among the first five, on every set, beside grep, FTS5 and BM25.

Run as ``python -m benchmarks.quality [--all] [--embedder use|e5|none] [--json]``; ``ENGRAM_CORPUS`` names the folder
of real data, without which only the sets that are written here are measured. ``--all`` adds the large sets; vectors are
kept in ``ENGRAM_BENCH_CACHE`` from run to run where that is set. Recall is that of relevance alone: a set's notes have
no dates, uses or types that could rank them.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Sequence

from benchmarks.recalled import Remembering, auc, bm25, embedder, engram, found, fts5, grep, index_of, measured, plainly
from benchmarks.sets import Bench, Store, load
from benchmarks.table import Row, corpus, shown

QUICK = {"locomo turns", "longmemeval slice", "linked notes", "linked notes, named", "linked keyword rows"}
"""Sets that a quick run leaves out."""


def main(argv: Sequence[str] | None = None) -> int:
    """Prints one table; returns 1 where a set is answered worse than by BM25."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    every = "--all" in arguments
    name = arguments[arguments.index("--embedder") + 1] if "--embedder" in arguments else "use"
    model = embedder(name) if name != "none" else None
    benches = [bench for bench in load(corpus(), quick=not every) if every or bench.name not in QUICK]
    rows = [_row(bench, model) for bench in benches]
    extra = [row for bench in benches if bench.name == "paraphrase-60" for row in _paraphrase(bench, model)]
    if model is not None:
        model.keep()
    if "--json" in arguments:
        print(json.dumps({"embedder": model.id if model else None, "sets": rows, "paraphrase": extra}, indent=2))
    else:
        print(shown(rows))
        if extra:
            print()
            print(shown(extra))
    return 0 if all(float(row["engram @5"]) >= float(row["bm25 @5"]) - 1e-9 for row in rows) else 1


def _row(bench: Bench, model: Remembering | None) -> Row:
    start = time.monotonic()
    ours = measured(bench, lambda store: engram(store, model))
    words = measured(bench, lambda store: engram(store, None))
    theirs = {name: measured(bench, plainly(how)) for name, how in (("grep", grep), ("fts5", fts5), ("bm25", bm25))}
    return {
        "set": bench.name,
        "questions": ours["questions"],
        **{f"{name} @5": values["@5"] for name, values in theirs.items()},
        "words @5": words["@5"],
        "engram @5": ours["@5"],
        "over bm25": ours["@5"] - theirs["bm25"]["@5"],
        "bm25 @1": theirs["bm25"]["@1"],
        "engram @1": ours["@1"],
        "mrr": ours["mrr"],
        "s": round(time.monotonic() - start, 1),
    }


def _paraphrase(bench: Bench, model: Remembering | None) -> list[Row]:
    """Returns recall by pair of languages, and how well the best note's relevance tells on-topic from off-topic."""
    (store,) = bench.stores
    rows: list[Row] = []
    for kind in ("en-en", "ru-en", "en-ru", "ru-ru"):
        some = tuple(question for question in store.questions if question.kind == kind)
        part = Bench(kind, (Store(store.name, store.notes, some),))
        rows.append(
            {"paraphrase-60": f"{kind} recall@5", "value": measured(part, lambda one: engram(one, model))["@5"]}
        )
    index, _ = index_of(store, model)
    tops = [
        (max((hit.relevance for hit in found(index, one.text, model)), default=0.0), bool(one.gold))
        for one in store.questions
    ]
    on, off = [top for top, is_on in tops if is_on], [top for top, is_on in tops if not is_on]
    rows.append({"paraphrase-60": "off-topic AUC", "value": auc(on, off)})
    return rows


if __name__ == "__main__":
    sys.exit(main())

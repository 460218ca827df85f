"""What the relevance floor costs: false injections against recall as it moves, in stores of 60, 1,000 and 5,000 notes.

Run as ``python -m benchmarks.silence [--all] [--embedder use|none] [--json]``. The floor is calibrated on the
shipped everyday prompts as a store's is. False injections are counted on prompts that the calibration didn't see
(`sets.everyday`, half of them coding talk) and, with ``ENGRAM_CORPUS``, on LoCoMo's questions put to stores of other
people. A store of real notes has coding talk in it that some everyday prompts ask for with reason; these count as false
all the same.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks.recalled import Remembering, embedder, found, index_of
from benchmarks.sets import Question, Store, own
from benchmarks.sets.everyday import CODING, TALK
from benchmarks.table import Row, corpus, shown
from engram.index import calibrate
from engram.index.file import Index
from engram.model.note import Note

SHIFTS = (-0.10, -0.05, -0.02, 0.0, 0.02, 0.05, 0.10)


def main(argv: Sequence[str] | None = None) -> int:
    """Prints the curves; returns 1 where more than 3 % of the prompts bring something in at the calibrated floor."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    model = embedder(arguments[arguments.index("--embedder") + 1] if "--embedder" in arguments else "use")
    rows = [
        row for store, foreign in stores(corpus(), every="--all" in arguments) for row in curve(store, foreign, model)
    ]
    if model is not None:
        model.keep()
    print(json.dumps(rows, indent=2) if "--json" in arguments else shown(rows))
    return (
        0 if all(float(row["false, all"]) <= calibrate.PROMISED for row in rows if row["floor"] == "calibrated") else 1
    )


def stores(folder: Path | None, *, every: bool) -> Iterable[tuple[Store, tuple[str, ...]]]:
    """Yields stores with questions of their own, and questions about other people."""
    if folder is None:
        notes = next(bench for bench in own.sets() if bench.name == "12 among 112").stores[0]
        yield replace(notes, name=f"own, {len(notes.notes)}"), ()
        return
    from benchmarks.sets.facts import facts  # noqa: PLC0415
    from benchmarks.sets.linked import linked  # noqa: PLC0415
    from benchmarks.sets.locomo import locomo  # noqa: PLC0415
    from benchmarks.sets.paraphrase import paraphrase  # noqa: PLC0415

    people = locomo(folder, True)[0].stores
    foreign = tuple(question.text for store in people for question in store.questions)
    (small,) = paraphrase(folder, True)[0].stores
    yield replace(small, name="paraphrase, 60"), foreign
    first, *others = people
    yield (
        _grown("people, 184", first, (), 184),
        tuple(question.text for store in others for question in store.questions),
    )
    if not every:
        return
    real = max((store for store in linked(folder, False)[0].stores), key=lambda store: len(store.notes))
    yield replace(real, name=f"real notes, {len(real.notes)}"), foreign
    filler = [note for store in linked(folder, False)[0].stores for note in store.notes]
    filler += [note for store in facts(folder, False)[0].stores for note in store.notes]
    yield _grown("mixed, 1000", small, filler, 1000), ()
    yield _grown("mixed, 5000", small, filler, 5000), ()


def curve(store: Store, foreign: tuple[str, ...], model: Remembering | None) -> list[Row]:
    """Returns what each floor around the calibrated one lets in and keeps out."""
    index, paths = index_of(store, model)
    by_kind = calibrate.everyday()
    floor = max(
        calibrate.floor_over(_tops(index, prompts, model), calibrate.SHARES[kind]) for kind, prompts in by_kind.items()
    )
    coding, talk, others = (_tops(index, prompts, model) for prompts in (CODING, TALK, foreign))
    ids = {path: id_ for id_, path in paths.items()}
    answers = [_answers(index, question, model, ids) for question in store.questions if question.gold]
    rows: list[Row] = []
    for shift in SHIFTS:
        at = floor + shift
        kept = [sum(one >= at for one in some) / many for some, many in answers]
        rows.append(
            {
                "store": store.name,
                "floor": "calibrated" if not shift else f"{shift:+.2f}",
                "at": at,
                "false, all": _share([*coding, *talk, *others], at),
                "coding": _share(coding, at),
                "talk": _share(talk, at),
                "people": _share(others, at),
                "recall@5": sum(kept) / max(1, len(kept)),
                "without floor": sum(len(some) / many for some, many in answers) / max(1, len(answers)),
            }
        )
    return rows


def _tops(index: Index, prompts: Sequence[str], model: Remembering | None) -> list[float]:
    return [max((hit.relevance for hit in found(index, prompt, model)), default=0.0) for prompt in prompts]


def _answers(
    index: Index, question: Question, model: Remembering | None, ids: dict[str, int]
) -> tuple[list[float], int]:
    """Returns the relevance of each right note among the first five, and how many there are to find."""
    first = found(index, question.text, model, ids.get(question.without, -1))[:5]
    gold = {ids[path] for path in question.gold}
    return [hit.relevance for hit in first if hit.id in gold], len(gold)


def _grown(name: str, store: Store, filler: Sequence[Note], size: int) -> Store:
    """Returns a store with others' notes added, each at a path of its own, up to a size."""
    some = list(filler)
    random.Random(3).shuffle(some)
    more = [replace(note, path=f"more/{at}-{note.stem}.md") for at, note in enumerate(some)]
    while more and len(store.notes) + len(more) < size:
        more += [replace(note, path=f"again/{len(more) + at}.md") for at, note in enumerate(more[: size - len(more)])]
    return replace(store, name=name, notes=(*store.notes, *more[: max(0, size - len(store.notes))]))


def _share(tops: Sequence[float], at: float) -> float:
    return sum(top >= at for top in tops) / max(1, len(tops))


if __name__ == "__main__":
    sys.exit(main())

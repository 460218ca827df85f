"""The relevance floor of one store: so high that hardly an everyday prompt brings anything in.

Prompts about nothing in particular (``everyday.json``, in many languages) are put to the store when it is indexed:
coding talk, other talk, and questions about people whom hardly a store knows. Each kind has a floor of its own, over
which few of its prompts come; the store's is the highest of these. With one order statistic over all of them, the kind
that a store is about could come over it often, since the others never do. The promise is 3 %; the kinds' shares leave
room for prompts that the calibration doesn't know.

Never in a hook: some hundred searches take a second or more.
"""

from __future__ import annotations

import json
import os
from hashlib import blake2b
from typing import TYPE_CHECKING

from engram.index import floor as floors
from engram.index import talk

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from engram.index.embed import Embedder
    from engram.index.file import Index

    Best = Callable[[Sequence[str], Embedder | None], Sequence[float]]
    """Gives, for each prompt, the highest relevance of any note that the hook might bring in; 0.0 where none has."""

PROMISED = 0.03
SHARES: Mapping[str, float] = {"code": 0.018, "talk": 0.025, "people": 0.02}
"""What share of a kind's prompts may come over the floor: with these, of held-out prompts and of questions about
strangers at most 2.5 % came over the floors of twelve stores of 60 to 5,000 notes; with 2.5 % for each, up to 5.8 %."""

MOVED = 0.1
"""The share of notes that may have changed before the floor is found anew."""

THIN = ((50_000, 4), (20_000, 2))
"""Stores of so many notes are asked every so-manieth prompt only: a search in them takes longer."""

_SKETCH = 256
_HERE = os.path.dirname(os.path.abspath(__file__))
_PROMPTS, _VECTORS = "everyday.json", "everyday.i8"
_KEY = 8
"""Bytes of a text's hash in the file of vectors; a scale of 4 bytes and the vector's bytes follow."""


def everyday() -> dict[str, tuple[str, ...]]:
    """Returns the shipped prompts by kind."""
    with open(os.path.join(_HERE, _PROMPTS), encoding="utf-8") as file:
        languages = json.load(file)["prompts"].values()
    return {kind: tuple(each for spoken in languages for each in spoken.get(kind, ())) for kind in SHARES}


def floor_over(best: Sequence[float], share: float) -> float:
    """Returns the lowest floor that at most ``share`` of some scores reach; 0.0 where there are no scores."""
    if not best:
        return 0.0
    ordered = sorted(best, reverse=True)
    return ordered[min(int(len(ordered) * share), len(ordered) - 1)] + 1e-6


def due(index: Index, embedder: Embedder | None, rules: str) -> bool:
    """Tells whether a store's floor is missing or was found for other notes, another embedder or other rules.

    ``rules``: whatever relevance depends on besides note, prompt and embedder, as a text that changes with it.
    """
    try:
        was = json.loads(str(index.meta(_state_of(embedder))))
        same = was["rules"] == _rules(rules)
        then, count = set(was["sketch"]), int(was["notes"])
    except (ValueError, KeyError, TypeError):
        return True
    now, many = _sketch(index)
    return not same or _apart(then, count, set(now), many) > MOVED


def calibrate(index: Index, embedder: Embedder | None, best: Best, rules: str) -> float | None:
    """Finds a store's floor and keeps it in the index. Returns it; None, and nothing kept, for an empty store.

    ``best`` is asked with an embedder that has the shipped prompts' vectors at hand.
    Raises what `best` and `engram.index.file.writing` raise.
    """
    from engram.index.file import writing  # noqa: PLC0415 - deciding needs no index

    sketch, many = _sketch(index)
    if not many:
        return None
    ready = Remembered(embedder) if embedder is not None else None
    if ready is not None and not ready.shipped:
        with writing(index):
            talk.remember(index, ready.id, ready.learn([each for prompts in everyday().values() for each in prompts]))
    step = next((step for notes, step in THIN if many >= notes), 1)
    kinds = {kind: prompts[::step] for kind, prompts in everyday().items()}
    scores = iter(best([each for prompts in kinds.values() for each in prompts], ready))
    floor = max(floor_over([next(scores) for _ in prompts], SHARES[kind]) for kind, prompts in kinds.items())
    state = json.dumps({"rules": _rules(rules), "notes": many, "sketch": sketch}, separators=(",", ":"))
    with writing(index):
        floors.keep(index, embedder.id if embedder is not None else "", floor, many)
        index.set_meta(_state_of(embedder), state)
    return floor


class Remembered:
    """Is an embedder that knows the vectors of the shipped prompts and asks the model for all other texts alone."""

    def __init__(self, embedder: Embedder) -> None:
        self.id, self.name, self.dim = embedder.id, embedder.name, embedder.dim
        self._embedder = embedder
        self._known = _vectors(embedder)
        self.shipped = bool(self._known)
        """The prompts' vectors came with engram: they are the default embedder's."""

    def learn(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Returns the vectors of prompts, as the embedder gives them, and knows them from now on."""
        vectors = self._embedder.encode(texts, query=True)
        self._known = {key_of(text): vector for text, vector in zip(texts, vectors, strict=True)}
        return vectors

    def encode(self, texts: Sequence[str], *, query: bool = False) -> NDArray[np.float32]:
        """Returns the texts' vectors as the embedder does, those of shipped prompts within eight bits' rounding."""
        import numpy as np  # noqa: PLC0415 - words alone do without it

        known = [self._known.get(key_of(text)) if query else None for text in texts]
        asked = [number for number, vector in enumerate(known) if vector is None]
        out = np.empty((len(texts), self.dim), np.float32)
        for number, vector in enumerate(known):
            if vector is not None:
                out[number] = vector
        if asked:
            out[asked] = self._embedder.encode([texts[number] for number in asked], query=query)
        return out


def key_of(text: str) -> bytes:
    """Returns what a text's vector is found by."""
    return blake2b(text.encode("utf-8", "replace"), digest_size=_KEY).digest()


def packed(texts: Sequence[str], embedder: Embedder) -> bytes:
    """Returns the file of precomputed vectors: the embedder's id, a line end, and a row for each text, by key."""
    import numpy as np  # noqa: PLC0415

    vectors = embedder.encode(texts, query=True)
    scales = (np.abs(vectors).max(axis=1) / 127).astype("<f4")
    rows = np.rint(vectors / scales[:, None]).astype(np.int8)
    parts = [
        key_of(text) + scale.tobytes() + row.tobytes() for text, scale, row in zip(texts, scales, rows, strict=True)
    ]
    return f"{embedder.id}\n".encode() + b"".join(sorted(parts))


def _vectors(embedder: Embedder) -> dict[bytes, NDArray[np.float32]]:
    """Returns the shipped vectors by their texts' keys; none where they are another embedder's."""
    import numpy as np  # noqa: PLC0415

    with open(os.path.join(_HERE, _VECTORS), "rb") as file:
        if file.readline() != f"{embedder.id}\n".encode():
            return {}
        data = file.read()
    size = _KEY + 4 + embedder.dim
    found: dict[bytes, NDArray[np.float32]] = {}
    for place in range(0, len(data), size):
        row = np.frombuffer(data, np.int8, embedder.dim, place + _KEY + 4).astype(np.float32)
        row *= np.frombuffer(data, "<f4", 1, place + _KEY)
        found[data[place : place + _KEY]] = row / np.sqrt(row @ row)
    return found


def _rules(rules: str) -> str:
    """Returns what a floor rests on besides the store: the caller's rules, the prompts, and the shares."""
    with open(os.path.join(_HERE, _PROMPTS), "rb") as file:
        return blake2b(f"{rules}\n{SHARES}\n".encode() + file.read(), digest_size=8).hexdigest()


def _state_of(embedder: Embedder | None) -> str:
    return f"calibrated/{embedder.id if embedder is not None else floors.WORDS}"


def _sketch(index: Index) -> tuple[list[str], int]:
    """Returns the least few of the notes' hashes, and how many notes there are.

    Two stores' least hashes overlap as the stores do, so a few tell how many notes are not the same any more.
    """
    rows = index.db.execute("SELECT DISTINCT base FROM notes ORDER BY base LIMIT ?", (_SKETCH,)).fetchall()
    (many,) = index.db.execute("SELECT count(*) FROM notes").fetchone()
    return [base for (base,) in rows], many


def _apart(then: set[str], count: int, now: set[str], many: int) -> float:
    """Returns the share of two stores' notes that only one of them has: exact for small stores, else an estimate."""
    if not then or not now:
        return 1.0
    least = sorted(then | now)[:_SKETCH]
    shared = sum(each in then and each in now for each in least)
    return max(1 - shared / len(least), abs(many - count) / max(many, count))

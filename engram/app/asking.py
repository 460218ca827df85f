"""Recall that somebody asks for: a lower bar than a prompt's, and how sure it is; or the neighbours of a candidate."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from engram.app import calibrating, past, projects, recalling, seen
from engram.app.answering import mask_of
from engram.app.context import Context
from engram.app.opening import opening_of
from engram.app.recalling import Hit, Place, Source
from engram.curate.neighbours import NEAR, Neighbours
from engram.errors import StoreNotFound
from engram.index import embed, notes
from engram.index.notes import Row
from engram.model.note import Note
from engram.recall.packet import Item, Packet, packet
from engram.recall.standing import Standing

BAR = 0.25
"""The relevance that is enough when somebody asks, or the floor where that is lower. At 0.4 three paraphrases in a
hundred lost their note (benchmarks/peers.py); at 0.3 and below none does, and each hit says how sure it is."""
NEIGHBOURS_BAR = 0.15
EVEN = 0.5
"""The relevance of a note that the question is as near to as to everyday talk (engram.recall.rank)."""
SECONDS = 20.0
"""What bringing the index up to date may take before the question is answered; `engram index` takes its time."""
FRAME = (
    "Notes from memory (engram), the most relevant first. They record facts about the user and their work as of the "
    "dates given."
)


@dataclass(frozen=True, slots=True)
class Wanted:
    """Is which stores are asked, and for what."""

    text: str = ""
    folders: tuple[str, ...] = ()
    scope: str = "all"
    """``project``, ``user`` or ``all``."""
    project: str = ""
    all_projects: bool = False
    kind: str = ""
    """Only notes of this type."""
    most: int = 5
    neighbours: bool = False
    at: str = ""
    """A day, a time or a commit: memory is read as it stood then; "" for now."""


@dataclass(frozen=True)
class Found:
    """Is what an explicit question found."""

    sources: tuple[Source, ...]
    hits: tuple[Hit, ...]
    """Over the lower bar, the best first, at most as many as were wanted."""
    below: tuple[Hit, ...]
    """The few that came nearest to the lower bar."""
    embedder: str
    why: str
    """Why words alone were searched; "" where they weren't."""
    twins: dict[str, float]
    """Notes that say almost the same as the text, by key, with how much: 0 to 1."""

    @property
    def unfinished(self) -> str:
        """What the index doesn't know yet, in words; "" as a rule."""
        left, waiting = sum(one.left for one in self.sources), sum(one.waiting for one in self.sources)
        if not left and not waiting:
            return ""
        return f"{left} notes are not indexed and {waiting} have no vector yet: `engram index` makes it whole"


def places(context: Context, wanted: Wanted) -> list[Place]:
    """Returns the stores that are asked. Raises StoreNotFound, ProjectNotFound."""
    if any(wanted.folders):
        return [_folder(context, folder) for folder in wanted.folders if folder]
    named = wanted.project or context.env.get(projects.PROJECT, "").strip()
    here = recalling.places(context)
    if wanted.all_projects:
        mine = list(projects.every(context).values())
    elif named:
        mine = [projects.named(context, named)]
    else:
        mine = [place for place in here if place.scope == "project"]
    users = [place for place in here if place.scope == "user"]
    found = [*(mine if wanted.scope != "user" else []), *(users if wanted.scope != "project" else [])]
    if not found:
        raise StoreNotFound("no store of notes belongs to this place")
    return list({place.root: place for place in found}.values())


def _folder(context: Context, folder: str) -> Place:
    root = os.path.realpath(os.path.join(context.cwd, os.path.expanduser(folder)))
    if not os.path.isdir(root):
        raise StoreNotFound(f"there is no folder {root}", place=root)
    known = {place.root: place for place in recalling.places(context)}
    return known.get(root, Place(root, "dir"))


@contextmanager
def asked(context: Context, wanted: Wanted) -> Iterator[Found]:
    """Gives what a question finds; the indexes are open meanwhile. Raises what :func:`places` raises."""
    asked_of = places(context, wanted)
    if not wanted.at:
        with _asked(context, wanted, asked_of) as found:
            yield found
        return
    with (
        past.as_it_stood(context, asked_of, wanted.at) as then,
        _asked(context._replace(now=lambda: then.now), wanted, then.places) as found,
    ):
        for source in found.sources:
            source.place = then.present(source.place)
        yield found


@contextmanager
def _asked(context: Context, wanted: Wanted, asked_of: Sequence[Place]) -> Iterator[Found]:
    embedder, why = embed.choose(context.folder("models"), context.settings().embedder, context.env, hook=False)
    sources = recalling.opened(context, asked_of, embedder=embedder, seconds=SECONDS)
    try:
        for source in sources:
            source.versioned = source.versioned or bool(wanted.at)  # what a commit holds was reviewed
            calibrating.keep_floor(source, embedder, now=f"{context.now():%Y-%m-%d}")
        hits: list[Hit] = []
        if wanted.text.strip():
            hits = recalling.search(
                sources,
                wanted.text,
                embedder,
                now=f"{context.now():%Y-%m-%dT%H:%M:%SZ}",
                env=context.env,
                serves=_neighbour if wanted.neighbours else held,
            )
        hits = [hit for hit in hits if not wanted.kind or hit.row.kind == wanted.kind]
        bar = NEIGHBOURS_BAR if wanted.neighbours else BAR
        over = [hit for hit in hits if hit.ranked.relevance >= min(hit.floor, bar)][: wanted.most]
        below = [hit for hit in hits if hit not in over][:5]
        twins = _twins(wanted.text, sources, over) if wanted.neighbours else {}
        yield Found(tuple(sources), tuple(over), tuple(below), embedder.id if embedder else "", why, twins)
    finally:
        for source in sources:
            source.close()


def held(source: Source, row: Row, stands: Standing) -> bool:  # noqa: ARG001 - one of several
    """Tells whether a note holds: what an explicit question is answered from."""
    return stands.holds


def _neighbour(source: Source, row: Row, stands: Standing) -> bool:  # noqa: ARG001 - one of several
    return True


def _twins(text: str, sources: Sequence[Source], hits: Sequence[Hit]) -> dict[str, float]:
    """Returns which of the hits say almost the same as a text, by the words that the rest of their store weighs."""
    found: dict[str, float] = {}
    for source in sources:
        mine = {hit.row.path: hit for hit in hits if hit.source is source}
        if mine:
            every = [
                Note(row.path, row.name, {"description": row.description}, row.body)
                for row in notes.all_of(source.index)
            ]
            near = Neighbours(every, [text]).near(text, limit=len(mine) + 20)
            found.update(
                {mine[note.path].item.key: score for note, score in near if note.path in mine and score >= NEAR}
            )
    return found


def sureness(hit: Hit) -> str:
    """Returns how sure recall is that a note has to do with the question, in one word: ``sure`` is what a prompt's hook
    would bring unasked, ``likely`` what the question is nearer to than to everyday talk."""
    if hit.over:
        return "sure"
    return "likely" if hit.ranked.relevance >= EVEN else "unsure"


def told(found: Found, budget: int) -> Packet:
    """Returns the hits as a packet within a budget of tokens (0: what the settings say)."""
    items = []
    for hit in found.hits:
        item = hit.item
        twin = found.twins.get(item.key)
        marks = [item.status, sureness(hit), *([f"near duplicate {twin:.2f}"] if twin is not None else [])]
        items.append(_marked(item, ", ".join(marks)))
    return packet(items, budget=budget or _budget(found.sources), mask=mask_of(found.sources), frame=FRAME)


def opened_with(context: Context, found: Found, budget: int) -> Packet:
    """Returns what a session would open with here."""
    return opening_of(context, found.sources, {}, mask_of(found.sources), budget=budget)


def shown(found: Found) -> dict[str, Any]:
    """Returns what was found, as JSON has it."""
    return {
        "hits": [_row(hit, found) for hit in found.hits],
        "below": [_row(hit, found) for hit in found.below],
        "stores": [{"path": source.place.root, "scope": source.place.scope} for source in found.sources],
        "embedder": found.embedder or None,
        "words_alone": found.why or None,
        "unfinished": found.unfinished or None,
    }


def lately(context: Context, many: int) -> list[dict[str, object]]:
    """Returns what the hook brought lately, the newest first."""
    return seen.recalls(context.engram_home, many)


def _row(hit: Hit, found: Found) -> dict[str, Any]:
    item = hit.item
    return {
        "name": item.name,
        "path": item.path,
        "store": item.root,
        "scope": item.scope,
        "score": round(hit.ranked.score, 4),
        "relevance": round(hit.ranked.relevance, 4),
        "floor": round(hit.floor, 4),
        "sure": sureness(hit),
        "type": item.kind,
        "date": item.date,
        "description": item.description,
        "status": item.status,
        "holds": hit.standing.holds,
        "base": item.base,
        "near_duplicate": found.twins.get(item.key),
        "terms": {name: round(value, 4) for name, value in hit.ranked.terms.items()},
    }


def _marked(item: Item, status: str) -> Item:
    item.status = status
    return item


def _budget(sources: Sequence[Source]) -> int:
    return min((source.settings.recall_token_budget for source in sources), default=0)

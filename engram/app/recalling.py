"""Recall over the project's store and the user's together: opened, searched, ranked, and read as what a packet serves.

On the hot path of the prompt hook: little is imported, and nothing that a prompt doesn't need.
"""

from __future__ import annotations

import os

from engram.app import indexing
from engram.app.context import stands
from engram.errors import EngramError
from engram.index import file, floor, notes
from engram.index.search import Query, candidates
from engram.model.wire import parsed
from engram.recall import rank
from engram.recall.packet import Item
from engram.recall.standing import Standing, standing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from engram.app.context import Context
    from engram.config import Settings
    from engram.index.embed import Embedder
    from engram.index.file import Index
    from engram.index.notes import Row

    Log = Callable[[str], None]
    Serves = Callable[["Source", Row, Standing], bool]

FLOOR = "ENGRAM_RELEVANCE_FLOOR"
"""Overrides every floor, in the settings or calibrated."""


class Place:
    """Is a store that recall may search. Frozen by custom."""

    __slots__ = ("root", "scope")

    def __init__(self, root: str, scope: str) -> None:
        self.root = root
        self.scope = scope
        """``project``, ``user`` or ``dir``."""


class Source:
    """Is a store that is being searched, with its index open."""

    __slots__ = ("index", "left", "place", "settings", "versioned", "waiting")

    def __init__(self, place: Place, refreshed: indexing.Refreshed, settings: Settings) -> None:
        self.place = place
        self.index: Index = refreshed.index
        self.settings = settings
        """The user's, narrowed by the store's own."""
        self.versioned = bool(self.index.meta("versioned", 0))
        self.left = refreshed.left
        """Notes that the index doesn't know yet."""
        self.waiting = refreshed.waiting
        """Notes that have no vector yet."""

    def close(self) -> None:
        self.index.close()


class Hit:
    """Is one note that recall found. Frozen by custom."""

    __slots__ = ("floor", "ranked", "row", "source", "standing")

    def __init__(self, source: Source, ranked: rank.Ranked, row: Row, stands: Standing, floor: float) -> None:
        self.source = source
        self.ranked = ranked
        """With ``relevance``, ``score`` and the terms that the score is made of."""
        self.row = row
        self.standing = stands
        self.floor = floor
        """What its relevance has to reach before a prompt brings it unasked."""

    @property
    def over(self) -> bool:
        """Tells whether the note is relevant enough to be brought unasked."""
        return self.ranked.relevance >= self.floor

    @property
    def item(self) -> Item:
        return item_of(self.source, self.row, self.standing, self.ranked.score)


# -- stores ------------------------------------------------------------------------------------------------------------


def places(context: Context, cwd: str = "") -> list[Place]:
    """Returns the stores that belong to a working directory and exist: the project's, and the user's.

    A project's store that lies inside of the project came with it, from whoever wrote that; one that a settings file in
    the project names may be anybody's. Such a store counts only where the person trusts the folder or named the store
    in ``gate.enclosing``.
    """
    found: list[Place] = []
    project = context.project_store(cwd)
    if (
        project is not None
        and os.path.isdir(project.path)
        and not _foreign(context, cwd, project.path, project.claimed)
    ):
        found.append(Place(os.path.realpath(project.path), "project"))
    user = os.path.realpath(context.engram_home)
    if stands(user) and all(place.root != user for place in found):
        found.append(Place(user, "user"))
    return found


def _foreign(context: Context, cwd: str, root: str, claimed: bool) -> bool:
    from engram.store import locate  # noqa: PLC0415 - loaded with the context

    folder = context.probe.realpath(cwd or context.cwd)
    store = context.probe.realpath(root)
    top = locate.main_root(folder, context.probe)
    within = any(store == one or store.startswith(one.rstrip("/\\") + os.sep) for one in {folder, top})
    if not within and not claimed:
        return False
    if store in {os.path.realpath(path) for path in context.settings().enclosing}:
        return False
    return not locate.trusted(folder, context.env, context.home, context.probe, context.platform)


def opened(
    context: Context,
    wanted: Iterable[Place],
    *,
    embedder: Embedder | None = None,
    seconds: float | None = None,
    log: Log | None = None,
) -> list[Source]:
    """Opens stores with their indexes, as fresh as ``seconds`` for all together allow; one that fails is logged."""
    from time import monotonic  # noqa: PLC0415

    vectors = indexing.Vectors(embedder.id, lambda: embedder) if embedder is not None else None
    until = None if seconds is None else monotonic() + seconds
    enclosing = {os.path.realpath(path) for path in context.settings().enclosing}
    tell = log or _silent
    found: list[Source] = []
    for place in wanted:
        try:
            settings = context.settings(place.root)
            left = None if until is None else max(until - monotonic(), 0.0)
            done = indexing.refresh(
                place.root,
                context.state,
                context.env,
                vectors=vectors,
                enclosing=place.root in enclosing,
                limits=indexing.Limits(left, log=tell),
            )
            found.append(Source(place, done, settings))
        except (EngramError, OSError) as error:
            tell(f"{place.root}: {type(error).__name__}: {error}")
    return found


# -- search ------------------------------------------------------------------------------------------------------------


def search(
    sources: Sequence[Source],
    text: str,
    embedder: Embedder | None,
    *,
    now: str,
    env: Mapping[str, str],
    serves: Serves,
    log: Log | None = None,
) -> list[Hit]:
    """Returns the notes of all stores that have to do with a text, the best first. Nothing is held against the floor.

    ``now``: ISO time in UTC. ``serves``: which notes are wanted at all. A store whose index fails in the middle of it
    is logged and gives nothing; a damaged one is made anew, and full again when it is opened the next time.
    """
    query = Query(text)
    tell = log or _silent
    found: list[Hit] = []
    for source in sources:
        try:
            found += _found_in(source, query, embedder, now, env, serves)
        except Exception as error:  # noqa: BLE001 - one store must not silence the other
            tell(f"{source.index.path}: {type(error).__name__}: {error}")
            if file.is_damage(error):
                source.index = indexing.mended(source.index, error, tell)
    found.sort(key=lambda hit: -hit.ranked.score)
    return found


def _found_in(
    source: Source,
    query: Query,
    embedder: Embedder | None,
    now: str,
    env: Mapping[str, str],
    serves: Serves,
) -> list[Hit]:
    least = floor_of(source, embedder, env)
    near = candidates(source.index, query, embedder)
    rows = notes.rows(source.index, [one.id for one in near])
    stands = {id_: standing_of(source, row, now[:10]) for id_, row in rows.items()}
    wanted = [one for one in near if one.id in rows and serves(source, rows[one.id], stands[one.id])]
    ranked = rank.rank(wanted, now, source.settings)
    return [Hit(source, one, rows[one.id], stands[one.id], least) for one in ranked]


def unasked(source: Source, row: Row, stands: Standing) -> bool:  # noqa: ARG001 - one of several
    """Tells whether a note may be brought without being asked for."""
    return stands.served(source.settings.unreviewed)


def _silent(line: str) -> None:
    """Tells nobody."""


def floor_of(source: Source, embedder: Embedder | None, env: Mapping[str, str]) -> float:
    """Returns what relevance has to reach: the environment's word, the settings', the store's own, else a safe one."""
    try:
        named = float(env.get(FLOOR, ""))
        if named - named == 0:  # neither infinite nor no number, for which JSON has no word
            return named
    except ValueError:
        pass
    if source.settings.floor is not None:
        return source.settings.floor
    found = floor.kept(source.index, embedder.id if embedder is not None else "")
    return rank.SAFE_FLOOR if found is None else found


# -- notes -------------------------------------------------------------------------------------------------------------


def standing_of(source: Source, row: Row, today: str) -> Standing:
    """Returns how a note of a source stands on a day."""
    return standing(
        row.flags,
        row.expires,
        reviewed=row.reviewed,
        versioned=source.versioned,
        today=today,
        review_after=_field(row, "review_after"),
        unreviewed=source.settings.unreviewed,
    )


def item_of(source: Source, row: Row, stands: Standing, score: float = 0.0) -> Item:
    """Returns a note as a packet serves it."""
    return Item(
        row.name,
        row.path,
        root=source.place.root,
        scope=source.place.scope,
        kind=row.kind,
        date=(row.updated or row.created)[:10],
        status=stands.words,
        description=row.description,
        body=row.body,
        base=row.base,
        score=score,
    )


def linked_items(source: Source, ids: Sequence[int], today: str, most: int = 5) -> list[Item]:
    """Returns the notes that some of a source link to and that may be served unasked."""
    found = notes.rows(source.index, notes.linked(source.index, ids, most))
    items = []
    for row in found.values():
        stands = standing_of(source, row, today)
        if stands.served(source.settings.unreviewed):
            items.append(item_of(source, row, stands))
    return items


def _field(row: Row, name: str) -> str:
    """Returns a field's text; "" where the note has none, or its fields weren't read."""
    if f'"{name}"' not in row.fields:
        return ""
    try:
        fields = parsed(row.fields.encode("utf-8"))
    except ValueError:
        return ""
    value = fields.get(name) if isinstance(fields, dict) else None
    return value if isinstance(value, str) else ""

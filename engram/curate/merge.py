"""Two writers, one note: a change that was written for an older version, beside what has happened to the note since.

Where the two touch different fields, or add different items to a list, they merge. Where they don't, neither is lost:
the standing text stays, and what was proposed is kept beside it, in ``conflicts/``.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from engram.model.change import Change, SetValue
from engram.model.note import CONFLICTS, FieldValue, Note
from engram.store.body import plain, replaced
from engram.store.frontmatter import edit
from engram.store.paths import same_place

Versions = Callable[[str, str], bytes | None]
"""Returns the bytes that a path had in the version with this base, if history knows them."""

_STAMPS = frozenset(("updated", "modified", "metadata", "hash"))
_LISTS = frozenset(("tags", "links", "relations", "affected_files"))


@dataclass(frozen=True, slots=True)
class Merged:
    """Is a change as it fits the standing note, or the places where the two can't both stand."""

    change: Change
    moved: tuple[str, ...]
    """What has changed in the note since the change was written for it: fields, and ``body``."""
    against: tuple[str, ...] = ()
    """Of these, what the change says otherwise; then ``change`` is as it was written."""


def merged(change: Change, then: Note, now: Note) -> Merged:
    """Returns an UPDATE or INVALIDATE that was written for ``then``, for the note as it stands ``now``."""
    moved = moved_between(then, now)
    if change.op == "INVALIDATE":
        against = tuple(one for one in moved if one in ("body", "description", "invalidated_by"))
        return Merged(change, moved, against)
    fields: dict[str, SetValue] = {}
    against_: list[str] = []
    for key, value in change.set.items():
        if key not in moved or _same(now.fields.get(key), value):
            fields[key] = value
        elif key in _LISTS and isinstance(value, tuple):
            fields[key] = _union(value, then.texts(key), now.texts(key))
        else:
            against_.append(key)
    if "invalidated_by" in moved and now.invalidated_by:  # nobody would ever be served what is written there
        against_.append("invalidated_by")
    if "body" in moved and not _body_fits(change, now):
        against_.append("body")
    if against_:
        return Merged(change, moved, tuple(against_))
    return Merged(replace(change, set=fields), moved)


def conflict_path(note: Note, agent: str, at: datetime, taken: Container[str] = ()) -> str:
    """Returns where a proposal is kept that can't stand beside the note: ``conflicts/<name>.<time>.<agent>.md``.

    ``taken``: the places (``paths.same_place``) that are in use; a number behind the agent tells further ones apart.
    """
    who = "".join(char if char.isascii() and char.isalnum() else "-" for char in agent.lower()).strip("-")[:32]
    stem = f"{CONFLICTS}{note.stem}.{at:%Y%m%dT%H%M%SZ}.{who or 'unknown'}"
    places = (f"{stem}.md", *(f"{stem}-{number}.md" for number in range(2, 1000)))
    return next(place for place in places if same_place(place) not in taken)


def kept_beside(text: bytes, note: Note, path: str) -> bytes:
    """Returns a proposed text as it is kept: under the file's own name, so that the note's stays its alone."""
    name = path.rsplit("/", 1)[-1].removesuffix(".md")
    return edit(text, {"name": name, "conflict_of": note.name})


def moved_between(then: Note, now: Note) -> tuple[str, ...]:
    """Returns what is different in two versions of a note: fields, but for stamps, and ``body``."""
    return tuple(_moved(then, now))


def _moved(then: Note, now: Note) -> Iterator[str]:
    for key in dict.fromkeys((*then.fields, *now.fields)):
        if key not in _STAMPS and then.fields.get(key) != now.fields.get(key):
            yield key
    if plain(then.body) != plain(now.body):
        yield "body"


def _body_fits(change: Change, now: Note) -> bool:
    """Tells whether what a change does to the body can be done to another body too."""
    if change.body is not None:
        return plain(change.body) == plain(now.body)
    try:
        replaced(now.body, change.edits)
    except ValueError:
        return False
    return True


def _same(standing: FieldValue | Mapping[str, FieldValue], value: SetValue) -> bool:
    return standing == (str(value) if isinstance(value, int) else value)


def _union(mine: tuple[str, ...], then: tuple[str, ...], now: tuple[str, ...]) -> tuple[str, ...]:
    """Returns a list with what either side added to it, and without what either took out."""
    kept = [item for item in now if item in mine or item not in then]
    return tuple(dict.fromkeys((*kept, *(item for item in mine if item not in then))))

"""An act: what a person does to a note that stands, or engram proposes to do. It becomes a plan, as a change does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, get_args

from engram.model.change import SetValue

Verb = Literal[
    "PIN", "UNPIN", "EXPIRE", "ARCHIVE", "RESTORE", "PROTECT", "UNPROTECT", "REVIEWED", "EDIT", "PURGE", "APPLIED",
    "REPAIR", "CONFLICT", "REMOVE",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Act:
    """Is one act on one file. A changeset can't hold one: it never removes, moves or unprotects."""

    verb: Verb
    path: str
    """The file concerned, relative to the store."""
    base: str = ""
    """The version that the act was made for (see ``base_of``); "" where the file isn't there yet."""
    set: Mapping[str, SetValue] = field(default_factory=dict)
    drop: tuple[str, ...] = ()
    """Fields whose lines go."""
    body: str | None = None
    """The whole new body."""
    text: str | None = None
    """The whole new file, in place of ``set``, ``drop`` and ``body``; a file that isn't there is made."""
    to: str = ""
    """Where the file moves; "" where it stays."""
    removes: bool = False
    """The file goes; git keeps its versions."""
    lists: Literal["", "add", "remove"] = ""
    """What becomes of the note's line in MEMORY.md, for an act that changes no more than that, or changes it too."""
    stamps: bool = True
    """``updated`` and ``hash`` follow, as with a change."""
    reason: str = ""


def as_wire(acts: Sequence[Act]) -> list[dict[str, object]]:
    """Returns acts as plain values that JSON can hold; what an act doesn't say is left out."""
    empty = asdict(Act("PIN", ""))
    return [
        {key: value for key, value in asdict(act).items() if key in ("verb", "path") or value != empty[key]}
        for act in acts
    ]


def from_wire(values: Sequence[Mapping[str, Any]]) -> tuple[Act, ...]:
    """Returns the acts that :func:`as_wire` wrote. Raises TypeError, KeyError or ValueError for anything else."""
    return tuple(_act(dict(value)) for value in values)


def _act(value: dict[str, Any]) -> Act:
    if value.get("verb") not in get_args(Verb):
        raise ValueError(f"{value.get('verb')!r} is no act")
    value["set"] = {key: tuple(one) if isinstance(one, list) else one for key, one in value.get("set", {}).items()}
    value["drop"] = tuple(value.get("drop", ()))
    return Act(**value)

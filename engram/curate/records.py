"""Small records of what a person decided and what waits for them: one JSON file each, replaced whole.

They are machine-local. Losing a folder loses no memory; a damaged file is passed over, since nothing may rest on it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import asdict, fields
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, TypeVar

from engram import disk

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    Record = TypeVar("Record", bound=DataclassInstance)

_SHAPES: Mapping[str, Callable[[Any], bool]] = {
    "str": lambda value: isinstance(value, str) and _usable(value),
    "Sequence[str]": lambda value: isinstance(value, list) and all(map(_SHAPES["str"], value)),
    "Mapping[str, str]": lambda value: _maps(value, _SHAPES["str"]),
    "Mapping[str, Sequence[str]]": lambda value: _maps(value, _SHAPES["Sequence[str]"]),
    "Mapping[str, Mapping[str, str]]": lambda value: _maps(value, _SHAPES["Mapping[str, str]"]),
}


def moment(now: datetime) -> str:
    """Returns a time as records hold it: ISO 8601 in UTC."""
    return now.astimezone(UTC).isoformat()


def lasts(since: str, now: datetime, span: timedelta) -> bool:
    """Tells whether a span that began at a time on record is not over; a time that can't be read is long ago."""
    try:
        return timedelta() <= now - datetime.fromisoformat(since) < span
    except (ValueError, TypeError):
        return False


def put(folder: str, key: str, record: DataclassInstance) -> None:
    """Keeps a record under a key that is fit for a file's name."""
    disk.private_folder(folder)
    disk.write_whole(os.path.join(folder, f"{key}.json"), written(record).encode("utf-8", "surrogatepass"))


def written(record: DataclassInstance) -> str:
    """Returns a record as its file holds it."""
    return json.dumps(asdict(record), ensure_ascii=False, indent=1)


def take(folder: str, key: str) -> bool:
    """Lets a record go; tells whether this caller is the one that did, of several at once."""
    try:
        os.unlink(os.path.join(folder, f"{key}.json"))
    except OSError:
        return False
    return True


def drop(folder: str, key: str) -> None:
    """Lets a record go; nothing happens where it is gone already."""
    try:
        os.unlink(os.path.join(folder, f"{key}.json"))
    except FileNotFoundError:
        return


def every(folder: str, kind: type[Record], key: str) -> list[Record]:
    """Returns the whole records of a folder, by file name. ``key`` is the field that the file is named for."""
    try:
        names = sorted(name for name in os.listdir(folder) if name.endswith(".json"))
    except (FileNotFoundError, NotADirectoryError):
        return []
    found = (one(folder, name.removesuffix(".json"), kind, key) for name in names)
    return [record for record in found if record is not None]


def one(folder: str, name: str, kind: type[Record], key: str) -> Record | None:
    """Returns the record whose field ``key`` is ``name``, which its file is named for; None where none is whole."""
    record = _read(os.path.join(folder, f"{name}.json"), kind)
    return record if record is not None and getattr(record, key) == name else None


def _read(path: str, kind: type[Record]) -> Record | None:
    try:
        return parsed(disk.read_bytes(path) or b"", kind)
    except (OSError, ValueError):
        return None


def parsed(text: str | bytes, kind: type[Record]) -> Record | None:
    """Returns the record that a text holds; None where it holds none that is whole."""
    try:
        written: Any = json.loads(text)
        record = kind(**written)
    except (ValueError, TypeError, RecursionError):
        return None
    whole = all(
        _SHAPES[one.type](getattr(record, one.name))
        for one in fields(record)
        if isinstance(one.type, str) and one.type in _SHAPES and one.name in written
    )
    return record if whole else None


def _maps(value: Any, holds: Callable[[Any], bool]) -> bool:
    return isinstance(value, Mapping) and all(holds(item) for item in value.values())


def _usable(text: str) -> bool:
    """Tells whether a text can be handed to the system, as a path or a word of a command line."""
    try:
        return b"\0" not in text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return False

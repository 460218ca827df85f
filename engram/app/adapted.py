"""What stood in agents' settings before engram came: each file whole, so that taking engram out gives it back.

One private JSON file for each agent below ``$ENGRAM_HOME/.engram/adapted/``.
"""

from __future__ import annotations

import hashlib
import json
import os
from base64 import b64decode, b64encode
from collections.abc import Mapping
from typing import Any, NamedTuple

from engram import disk
from engram.app.context import Context
from engram.errors import SettingsUnreadable

FOLDER = "adapted"
_VERSION = 1


class Entry(NamedTuple):
    """Is one file that engram changed."""

    before: bytes | None
    """Its bytes without engram; None where there was no such file."""
    afters: tuple[str, ...]
    """The digests of what engram made of it: what is one of these goes back to ``before``."""
    remembered: Mapping[str, Any]
    folders: tuple[str, ...] = ()
    """The folders that were made for it, the outermost first."""


Record = dict[str, Entry]
"""By the file's absolute path."""


def digest(data: bytes | None) -> str:
    """Returns what a file's bytes are recognised by; "" for no file."""
    return "" if data is None else hashlib.sha256(data).hexdigest()


def load(context: Context, name: str) -> Record:
    """Returns what is remembered for an agent; {} for nothing. Raises SettingsUnreadable."""
    path = _path(context, name)
    data = disk.read_bytes(path)
    if data is None:
        return {}
    try:
        files = json.loads(data)["files"]
        return {file: _entry(fields) for file, fields in files.items()}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise SettingsUnreadable(
            f"{path} is damaged: {error}", "move it away; then engram is taken out of the settings by the piece", path
        ) from None


def names(context: Context) -> list[str]:
    """Returns the agents that something is remembered for."""
    try:
        found = os.listdir(context.folder(FOLDER))
    except OSError:
        return []
    return sorted(name.removesuffix(".json") for name in found if name.endswith(".json"))


def save(context: Context, name: str, record: Record) -> None:
    """Keeps what is remembered for an agent; where that is nothing, no file is left."""
    path = _path(context, name)
    if record:
        context.prepared(FOLDER)
        files = {file: _fields(entry) for file, entry in record.items()}
        disk.write_whole(path, json.dumps({"version": _VERSION, "files": files}, indent=1).encode(), mode=0o600)
    elif os.path.exists(path):
        os.unlink(path)


def _path(context: Context, name: str) -> str:
    return os.path.join(context.folder(FOLDER), f"{name}.json")


def _entry(fields: Mapping[str, Any]) -> Entry:
    before = fields["before"]
    return Entry(
        None if before is None else b64decode(before),
        tuple(fields["afters"]),
        dict(fields["remembered"]),
        tuple(fields["folders"]),
    )


def _fields(entry: Entry) -> dict[str, Any]:
    before = None if entry.before is None else b64encode(entry.before).decode("ascii")
    return {**entry._asdict(), "before": before}

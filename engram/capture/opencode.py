"""Reads opencode's sessions: one of those in its database, or one that ``opencode export`` wrote as a document.

The database is opened for reading alone, and nothing is left beside it: SQLite would make a ``-wal`` and a ``-shm``
file there, so that one without them is read as it stands, and one that has the first alone as a copy.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from engram.capture.source import Row, Source, dicts, inner, row_of, text_in, text_of
from engram.capture.spoken import own_words
from engram.capture.turns import Turns, patched, stem_of
from engram.errors import TranscriptUnreadable
from engram.model.session import Session

if TYPE_CHECKING:
    import sqlite3

AGENT = "opencode"

MAGIC = b"SQLite format 3\0"
_TABLES = {"session", "message", "part"}
_EDITORS = {"write", "edit", "multiedit"}
_LONGEST = 32 << 20
"""Characters of a row; a longer one is counted as one that can't be read."""
_DATA = f"CASE WHEN length(data) <= {_LONGEST} THEN data END"
_MESSAGES = f"SELECT id, {_DATA} FROM message WHERE session_id = ? ORDER BY time_created, id"  # noqa: S608
_PARTS = f"SELECT {_DATA} FROM part WHERE message_id = ? ORDER BY id"  # noqa: S608
_KNOWN = "SELECT name FROM sqlite_master WHERE type = 'table'"
"""A view of that name could compute without end."""


def reads(source: Source) -> bool:
    """Tells whether a file is opencode's database, or a session exported from it."""
    if not b"\n".join(source.head).startswith(MAGIC):
        return any(_exported(row) for row in source.first)
    try:
        with _opened(source.path) as database:
            return {row[0] for row in database.execute(_KNOWN)} >= _TABLES
    except _faults():
        return False


def read(source: Source) -> Session:
    """Returns a session. Raises TranscriptUnreadable where a database doesn't hold it, or can't be read.

    ``source.session`` may be "" where there is one conversation alone. One that an agent started for another holds
    none of its own.
    """
    turns = Turns(AGENT)
    if not b"\n".join(source.head).startswith(MAGIC):
        turns.take(source.rows(), lambda row: _document(turns, row))
        turns.id = turns.id or stem_of(source.path)
        return turns.session()
    try:
        with _opened(source.path) as database:
            info = _wanted(database, source)
            messages = () if info.get("parent_id") else _messages(database, info)
            turns.take(messages, lambda row: _message(turns, row))
    except _faults() as trouble:
        raise TranscriptUnreadable(f"{source.path} can't be read: {trouble}", place=source.path) from trouble
    turns.id, turns.cwd = text_in(info["id"]), turns.cwd or text_in(info.get("directory"))
    return turns.session()


# -- the database ------------------------------------------------------------------------------------------------------


@contextmanager
def _opened(path: str) -> Iterator[sqlite3.Connection]:
    """Yields the database, open for reading. Raises OSError and what SQLite raises."""
    journal = path + "-wal"
    if not (os.path.isfile(journal) and os.path.getsize(journal)):
        with closing(_connected(path, "mode=ro&immutable=1")) as database:
            yield database
    elif os.path.isfile(path + "-shm"):
        with closing(_connected(path, "mode=ro")) as database:
            yield database
    else:
        with tempfile.TemporaryDirectory() as folder:
            copy = os.path.join(folder, "copy.db")
            shutil.copyfile(path, copy)
            shutil.copyfile(journal, copy + "-wal")
            with closing(_connected(copy, "mode=ro")) as database:
                yield database


def _connected(path: str, how: str) -> sqlite3.Connection:
    import sqlite3  # noqa: PLC0415 - other transcripts need none

    database = sqlite3.connect(f"{Path(path).absolute().as_uri()}?{how}", uri=True, timeout=5)
    database.text_factory = lambda data: data.decode("utf-8", "replace")
    database.row_factory = sqlite3.Row
    database.execute("PRAGMA trusted_schema = OFF")
    return database


def _faults() -> tuple[type[Exception], ...]:
    """Returns what can be wrong with a file that looks like a database."""
    import sqlite3  # noqa: PLC0415

    return OSError, ValueError, sqlite3.Error


def _wanted(database: sqlite3.Connection, source: Source) -> Mapping[str, object]:
    """Returns the row of the session that is wanted. Raises TranscriptUnreadable."""
    if source.session:
        found = database.execute("SELECT * FROM session WHERE id = ?", (source.session,)).fetchall()
        why = f"doesn't hold the session {source.session}"
    else:
        found = [row for row in database.execute("SELECT * FROM session") if not dict(row).get("parent_id")]
        why = f"holds {len(found)} sessions, and none was named"
    if len(found) != 1:
        raise TranscriptUnreadable(f"{source.path} {why}", place=source.path)
    return dict(found[0])


def _messages(database: sqlite3.Connection, info: Mapping[str, object]) -> Iterator[Row | None]:
    """Yields a session's messages as an export has them; None for one that can't be read."""
    for key, data in database.execute(_MESSAGES, (info["id"],)).fetchall():
        message = row_of(_bytes(data))
        parts = [row_of(_bytes(part)) for (part,) in database.execute(_PARTS, (key,))]
        yield None if message is None else {"info": message, "parts": [part for part in parts if part is not None]}
        yield from (None for part in parts if part is None)


def _bytes(data: object) -> bytes:
    return data if isinstance(data, bytes) else str(data).encode("utf-8", "surrogatepass")


# -- what a session holds ----------------------------------------------------------------------------------------------


def _exported(row: Row) -> bool:
    return isinstance(row.get("info"), dict) and isinstance(row.get("messages"), list)


def _document(turns: Turns, row: Row) -> None:
    """Adds the turns of an exported session. Raises TypeError and the like."""
    info = inner(row, "info")
    turns.id = turns.id or text_in(info.get("id"))
    turns.cwd = turns.cwd or text_in(info.get("directory"))
    if not info.get("parentID"):
        turns.take(dicts(row["messages"]), lambda message: _message(turns, message))


def _message(turns: Turns, row: Row) -> None:
    """Adds the turns of one message. Raises TypeError and the like."""
    info, parts = row["info"], list(dicts(row["parts"]))
    at = turns.at(inner(info, "time").get("created"))
    turns.cwd = turns.cwd or text_in(inner(info, "path").get("cwd"))
    if info.get("role") == "user":
        turns.say("user", "\n\n".join(filter(None, map(own_words, _texts(parts)))), at)
        return
    text_of(info.get("role"))
    if info.get("summary") is True:
        turns.say("summary", "\n\n".join(_texts(parts)), at)
        return
    for part in parts:
        if part.get("type") == "text":
            turns.say("assistant", "\n\n".join(_texts([part])), at)
        elif part.get("type") == "tool":
            _tool(turns, part, at)


def _texts(parts: Iterable[Row]) -> Iterator[str]:
    """Yields the texts that somebody wrote: none that the client or a plugin made."""
    for part in parts:
        if part.get("type") == "text" and not part.get("synthetic") and not part.get("ignored"):
            yield text_of(part.get("text"))


def _tool(turns: Turns, part: Row, at: str) -> None:
    state = inner(part, "state")
    name, given = text_in(part.get("tool")), state.get("input")
    fields = given if isinstance(given, dict) else {}
    path = text_in(fields.get("filePath")) if name in _EDITORS else ""
    patch = text_in(fields.get("patchText")) or text_in(fields.get("patch")) or text_in(fields.get("input"))
    key = text_in(part.get("callID")) or text_in(part.get("id"))
    turns.call(key, name, given, turns.at(inner(state, "time").get("start")) or at, [path] if path else patched(patch))
    if state.get("status") in {"completed", "error"}:
        failed = state["status"] == "error" or inner(state, "metadata").get("exit") not in {None, 0}
        text = text_in(state.get("output")) or text_in(state.get("error"))
        turns.result(key, text, turns.at(inner(state, "time").get("end")) or at, failed=failed)

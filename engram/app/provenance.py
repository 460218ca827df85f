"""Where a note comes from: the commits that made it, the session that taught each line, what it rests on."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass

from engram.app import grounds, stores
from engram.app.context import Context
from engram.errors import NoteNotFound
from engram.model.note import ARCHIVE, Note
from engram.store import history
from engram.store.history import Entry

_HEADER = re.compile(rb"([0-9a-f]{40,64}) \d+ (\d+)(?: \d+)?\n")


@dataclass(frozen=True, slots=True)
class Step:
    """Is one commit of a note's history."""

    commit: str
    at: str
    what: str
    """``ADD``, ``UPDATE``, … as the commit's trailer says; "edited outside engram" for none."""
    reason: str
    sessions: tuple[str, ...]
    agent: str
    by: str
    via: str
    said: str = ""
    """Whose words it rests on; "" where that is not on record here."""
    quotes: tuple[str, ...] = ()
    transcripts: tuple[str, ...] = ()
    """Files that hold the sessions; those that are gone by now are marked so."""


@dataclass(frozen=True, slots=True)
class Taught:
    """Is one line of a note, and the commit that brought it."""

    text: str
    commit: str
    at: str
    sessions: tuple[str, ...]
    agent: str
    by: str


def steps(context: Context, store: stores.Store, note: Note) -> tuple[Step, ...]:
    """Returns the commits that touched a note, the newest first; moves into and out of the archive are followed."""
    paths = _paths(note.path)
    return tuple(
        _step(context, entry, note, next(path for path in paths if path in entry.paths))
        for entry in commits(store, note)
    )


def blamed(store: stores.Store, note: Note) -> tuple[Taught, ...]:
    """Returns each line of a note as HEAD holds it, with the commit that brought it."""
    repository = store.versioned()
    _, head = repository.head()
    if history.texts(repository, head, [note.path])[note.path] is None:
        raise NoteNotFound(
            f"no commit holds {note.path}: nobody has reviewed it", "`engram review` shows it", note.path
        )
    out = repository.run("blame", "--no-textconv", "--line-porcelain", "-M", head, "--", repository.at_top(note.path))
    entries: dict[str, Entry] = {}
    lines = []
    for commit, text in _lines(out):
        entry = entries.get(commit) or entries.setdefault(commit, history.entry(repository, commit))
        lines.append(
            Taught(text, commit, entry.at, entry.values(history.SESSION), _first(entry, "Engram-Agent"), _by(entry))
        )
    return tuple(lines)


def commits(store: stores.Store, note: Note, limit: int | None = None) -> tuple[Entry, ...]:
    """Returns the commits that touched a note, the newest first: where it lies, and where it lay before it was put away
    or brought back."""
    paths = _paths(note.path)
    found = [entry for entry in history.log(store.versioned()) if set(paths) & set(entry.paths)]
    return tuple(found[:limit])


def _paths(path: str) -> tuple[str, str]:
    """Returns where a note lies and where it may have lain."""
    other = path.removeprefix(ARCHIVE) if path.startswith(ARCHIVE) else f"{ARCHIVE}{path}"
    return path, other


def _step(context: Context, entry: Entry, note: Note, path: str) -> Step:
    kept = grounds.of(context, entry.commit)
    what = [
        value.split(" ", 1)[0] for value in entry.values("Engram-Change") if value.split(" ", 1)[-1] in _paths(path)
    ]
    return Step(
        entry.commit,
        entry.at,
        ", ".join(dict.fromkeys(what)) or "edited outside engram",
        _reason(entry, note.name) or (kept.reasons.get(path, "") if kept else ""),
        entry.values(history.SESSION),
        _first(entry, "Engram-Agent"),
        _by(entry),
        _first(entry, "Approved-Via"),
        kept.said.get(path, "") if kept else "",
        tuple(kept.quotes.get(path, ())) if kept else (),
        tuple(map(_standing, sorted(kept.transcripts.values()))) if kept else (),
    )


def _standing(path: str) -> str:
    return path if os.path.exists(path) else f"{path} (gone)"


def _reason(entry: Entry, name: str) -> str:
    """Returns what the message says of a note: ``- UPDATE name: reason``."""
    for line in entry.body.splitlines():
        told = re.match(rf"- [A-Z]+ {re.escape(name)}: (.+)", line)
        if told:
            return told[1]
    return ""


def _first(entry: Entry, key: str) -> str:
    return next(iter(entry.values(key)), "")


def _by(entry: Entry) -> str:
    return _first(entry, "Approved-By") or f"{entry.author} <{entry.email}>, outside engram"


def _lines(out: bytes) -> Iterator[tuple[str, str]]:
    """Yields commit and text of each line that ``git blame --line-porcelain`` printed."""
    at = 0
    while header := _HEADER.match(out, at):
        text = out.index(b"\n\t", header.end() - 1) + 2
        end = out.find(b"\n", text)
        end = len(out) if end < 0 else end
        yield header[1].decode(), out[text:end].removesuffix(b"\r").decode("utf-8", "replace")
        at = end + 1

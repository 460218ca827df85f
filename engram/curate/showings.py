"""What a client showed to its person and waits for an answer: one record per session, gone with the next prompt.

Of the code that the person types only a hash is kept, and what was shown once in a session is remembered by a mark, so
that it isn't shown at every turn's end. Losing the folder loses no memory: the plans wait elsewhere.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from engram import disk
from engram.curate import records
from engram.curate.approvals import LIFETIME, Approval

LETTERS = "ACDEFHJKMNPQRTUVWXY"
"""None that is taken for another or for a digit."""
LENGTH = 5
KEPT = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class Showing:
    """Is what was shown at the end of one turn of one session."""

    id: str
    session: str
    turn: str
    """The id of the prompt whose turn ended then. What is typed under the same id was typed while the agent worked."""
    code: str
    """Its hash; see ``hash_of``."""
    at: str
    transcript: str = ""
    client: str = ""
    """The process that showed it; another that resumed the session has shown nothing."""
    plans: Mapping[str, str] = field(default_factory=dict)
    """By the id of the proposal, the approval as it would be recorded (``approvals.prepared``), as JSON."""

    passed: bool = False
    """The agent went on after it: a bare yes may be to what was said last."""

    def fresh(self, now: datetime) -> bool:
        """Tells whether an answer still counts."""
        return records.lasts(self.at, now, LIFETIME)

    def approvals(self) -> Mapping[str, Approval]:
        """Returns what a yes would record, by the id of the proposal; a damaged one is left out."""
        found = {id_: records.parsed(text, Approval) for id_, text in self.plans.items()}
        return {id_: record for id_, record in found.items() if record is not None}


def code_of(noise: bytes) -> str:
    """Returns a code of letters from random bytes; 64 of them are enough."""
    fit = [byte for byte in noise if byte < 256 - 256 % len(LETTERS)]
    return "".join(LETTERS[byte % len(LETTERS)] for byte in fit[:LENGTH])


def hash_of(session: str, code: str) -> str:
    """Returns what is kept of a code."""
    return hashlib.sha256(f"{session}\0{code.upper()}".encode("utf-8", "surrogatepass")).hexdigest()


def put(folder: str, showing: Showing) -> None:
    """Keeps what was shown, in place of what was shown before in the session."""
    records.put(folder, showing.id, showing)


def standing(folder: str, id_: str) -> Showing | None:
    """Returns what was shown last in a session and is unanswered."""
    return records.one(folder, id_, Showing, "id")


def consume(folder: str, showing: Showing) -> bool:
    """Lets a showing go that was answered, whatever the answer; tells whether this caller is the one that did."""
    return records.take(folder, showing.id)


def marks(folder: str, id_: str) -> frozenset[str]:
    """Returns the marks of what a session was shown."""
    try:
        data = disk.read_bytes(os.path.join(folder, f"{id_}.seen"))
    except OSError:
        return frozenset()
    return frozenset((data or b"").decode("utf-8", "replace").split())


def mark(folder: str, id_: str, found: Iterable[str]) -> None:
    """Remembers that a session was shown something."""
    disk.private_folder(folder)
    disk.append_line(os.path.join(folder, f"{id_}.seen"), " ".join(found), 64 << 10)


def sweep(folder: str, now: datetime) -> None:
    """Removes what sessions were shown that nobody has come back to for a month."""
    oldest = (now - KEPT).timestamp()
    try:
        with os.scandir(folder) as entries:
            old = [one.path for one in entries if one.name[0] != "." and one.stat().st_mtime < oldest]
    except OSError:
        return
    for path in old:
        try:
            os.unlink(path)
        except OSError:
            continue

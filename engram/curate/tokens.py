"""Tokens: what a client's dialog adds to the command that commits, so that the command proves that it was let pass.

Only a token's hash is kept, with the plan it is for; it holds for fifteen minutes and for one run. Records stay: the
audit reads them.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from datetime import datetime

from engram.curate import records
from engram.curate.approvals import LIFETIME
from engram.errors import GateRefused


@dataclass(frozen=True, slots=True)
class Token:
    """Is what is kept of one token. ``used`` is "" until it is spent."""

    id: str
    """The token's SHA-256, in hex."""
    digest: str
    session: str
    call: str
    """The id of the tool's call that it was put into."""
    transcript: str
    at: str
    used: str = ""


def offer(folder: str, token: str, digest: str, *, session: str, call: str, transcript: str, now: datetime) -> None:
    """Records that a command was asked about in a dialog and carries this token if it is let pass.

    Those that were not, and can't be any more, are let go.
    """
    for old in records.every(folder, Token, "id"):
        if not old.used and not records.lasts(old.at, now, LIFETIME):
            records.drop(folder, old.id)
    hashed = hash_of(token)
    records.put(folder, hashed, Token(hashed, digest, session, call, transcript, records.moment(now)))


def spend(folder: str, token: str, digest: str, now: datetime) -> Token:
    """Uses a token up. Raises GateRefused where there is no such token for this plan that can still be used."""
    found = named(folder, hash_of(token))
    if found is None or found.digest != digest:
        raise GateRefused("this is no token of a dialog about this plan", HINT, digest[:12])
    if found.used:
        raise GateRefused("this token was used already; each holds for one run", HINT, digest[:12])
    if not records.lasts(found.at, now, LIFETIME):
        raise GateRefused("this token has expired; each holds for 15 minutes", HINT, digest[:12])
    used = replace(found, used=records.moment(now))
    records.put(folder, used.id, used)
    return used


def named(folder: str, id_: str) -> Token | None:
    """Returns the token with this hash; None where none is on record."""
    return records.one(folder, id_, Token, "id") if len(id_) == 64 and id_.isalnum() else None


def hash_of(token: str) -> str:
    """Returns what is kept of a token."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


HINT = "the person decides: in their client's own dialog, or with `engram review` in a terminal of theirs"

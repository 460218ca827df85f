"""Texts that look like secrets and are none, by a person's own word. Only their hashes are kept."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from engram.curate import records


@dataclass(frozen=True, slots=True)
class Waiver:
    """Is one such text: the first 16 hex digits of its SHA-256, and when the person said so."""

    fingerprint: str
    at: str


def waive(folder: str, fingerprint: str, now: datetime) -> None:
    """Remembers that a text is no secret."""
    records.put(folder, fingerprint, Waiver(fingerprint, records.moment(now)))


def waived(folder: str) -> frozenset[str]:
    """Returns the fingerprints of the texts that are no secrets."""
    return frozenset(one.fingerprint for one in records.every(folder, Waiver, "fingerprint"))

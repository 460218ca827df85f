"""The index that recall searches: derived, so that it is made anew at once."""

from __future__ import annotations

from collections.abc import Iterator

from engram.doctor.facts import Facts
from engram.doctor.finding import Finding
from engram.model.counted import counted


def missing(facts: Facts) -> Iterator[Finding]:
    if facts.exists and facts.index.state == "missing" and facts.snapshot.notes:
        words = "there is no index yet: the next prompt makes one, within its time"
        yield Finding("index-missing", "info", words, facts.index.path, repair="index")


def old(facts: Facts) -> Iterator[Finding]:
    if facts.index.state == "old":
        words = "was made by another version of engram, or brought here from another place"
        yield Finding("index-old", "warn", words, facts.index.path, repair="index")


def damaged(facts: Facts) -> Iterator[Finding]:
    if facts.index.state == "damaged":
        yield Finding("index-damaged", "warn", "is damaged", facts.index.path, repair="index")


def behind(facts: Facts) -> Iterator[Finding]:
    if facts.index.state == "fine" and facts.index.behind:
        words = f"{counted(facts.index.behind, 'file')} changed since the index saw them; the next prompt takes them in"
        yield Finding("index-behind", "info", words, facts.index.path, repair="index")


def uncalibrated(facts: Facts) -> Iterator[Finding]:
    if facts.index.state == "fine" and not facts.index.calibrated and facts.snapshot.notes:
        words = "the relevance floor of this store is not found yet: recall is strict until then"
        yield Finding("index-uncalibrated", "info", words, facts.index.path, repair="index")

"""What waits for somebody: sessions, plans; and records of them that can't be read."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Literal

from engram.doctor.facts import Facts, Wait
from engram.doctor.finding import Finding
from engram.model.counted import counted

QUEUE_OLD = timedelta(days=14)
REVIEW_OLD = timedelta(days=7)


def queue_old(facts: Facts) -> Iterator[Finding]:
    yield from _old(facts, "queue", "queue-old", QUEUE_OLD, "session", "ask your agent for `/engram-curate`")


def review_old(facts: Facts) -> Iterator[Finding]:
    yield from _old(facts, "review", "review-old", REVIEW_OLD, "plan", "`engram review`")


def transcripts_gone(facts: Facts) -> Iterator[Finding]:
    found = [wait for wait in facts.waits if wait.kind == "queue" and wait.gone]
    if found:
        words = f"{counted(len(found), 'session')} in the queue whose transcript is gone: nothing is left to curate"
        others = tuple(wait.path for wait in found[1:])
        yield Finding("queue-gone", "info", words, found[0].path, others, next=f"`engram pending clear {found[0].id}`")


def stores_gone(facts: Facts) -> Iterator[Finding]:
    for wait in facts.waits:
        if wait.kind == "review" and wait.gone:
            words = f"plan {wait.id} is for a store that is gone: {wait.gone}"
            yield Finding("review-gone", "info", words, wait.path, next="remove the file, if the store stays gone")


def damaged(facts: Facts) -> Iterator[Finding]:
    for path, reason in facts.damaged:
        words = f"a record of what waits can't be read: {reason}"
        yield Finding("record-damaged", "warn", words, path, next="look at it, then remove it")


def _old(
    facts: Facts, kind: Literal["queue", "review"], code: str, limit: timedelta, word: str, do: str
) -> Iterator[Finding]:
    waits = [wait for wait in facts.waits if wait.kind == kind and (not wait.store or wait.store == facts.root)]
    dated = [(wait.at, wait) for wait in waits if wait.at is not None]
    if not dated:
        return
    at, oldest = min(dated, key=lambda pair: pair[0])
    age = facts.now - at
    if age >= limit:
        verb = "waits" if len(waits) == 1 else "wait"
        words = f"{counted(len(waits), word)} {verb}, the oldest for {counted(age.days, 'day')}"
        yield Finding(code, "info", words, oldest.path, _paths(waits, oldest), next=do)


def _paths(waits: list[Wait], but: Wait) -> tuple[str, ...]:
    return tuple(wait.path for wait in waits if wait is not but)

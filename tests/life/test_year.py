"""A year of memory with a stepped clock: at every step the store is what a small model says, and git loses nothing.

The model knows notes as days and flags and nothing of files, plans or frontmatter.
"""

from __future__ import annotations

import os
import random
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from engram.app import keeping, proposals, stores, uses
from engram.app.context import Context
from engram.app.proposals import Proposal
from engram.lifecycle import hold
from engram.model.act import Act
from engram.model.note import Note
from engram.store.frontmatter import parse
from tests.lib.cli import context
from tests.lib.proposed import add, changeset, noop
from tests.lib.stores import git, make_store

pytestmark = pytest.mark.soak
FULL = bool(os.environ.get("ENGRAM_SOAK"))
NOTES = 500 if FULL else 80
STEPS = 52 if FULL else 16
START = date(2026, 1, 5)
SPANS = {
    "user": None,
    "feedback": 365,
    "project": 180,
    "reference": 180,
    "lesson": 365,
    "journal": 90,
    "decision": None,
}
REVIEWS = {"decision": 180}


@dataclass(frozen=True)
class Kept:
    """Is what the model knows of one note."""

    kind: str
    expires: date | None
    review: date | None = None
    protected: bool = False
    archived: date | None = None
    times: int = 0
    purged: bool = False


def later(day: date, days: int | None) -> date | None:
    return None if days is None else day + timedelta(days=days)


class Year:
    """Is the store and the model of it, side by side."""

    def __init__(self, root: Path) -> None:
        self.root = make_store(root, {})
        self.day = START
        self.model: dict[str, Kept] = {}
        self.uses: dict[str, int] = {}
        """Uses that no commit has counted; those of a lesson that is protected or put away wait."""
        self.last_use: dict[str, date] = {}
        self.random = random.Random(7)

    @property
    def here(self) -> Context:
        at = datetime(self.day.year, self.day.month, self.day.day, 12, tzinfo=UTC)
        return context(now=lambda: at)

    @property
    def store(self) -> stores.Store:
        return stores.open_store(self.here, stores.choose(self.here, folder=str(self.root)))

    def commit(self, proposal: Proposal | str | None) -> None:
        assert isinstance(proposal, Proposal), proposal
        assert proposals.commit(self.here, proposal, proposals.person(proposal))

    # -- what happens, to the store and to the model -------------------------------------------------------------------

    def write(self, names: list[str]) -> None:
        kinds = [self.random.choice(sorted(SPANS)) for _ in names]
        changes = [add(name, f"Fact {name}.", type=kind) for name, kind in zip(names, kinds, strict=True)]
        self.curate(*changes)
        for name, kind in zip(names, kinds, strict=True):
            self.model[name] = Kept(kind, later(self.day, SPANS[kind]), later(self.day, REVIEWS.get(kind)))

    def curate(self, *changes: dict) -> None:
        text = changeset(*(changes or (noop("nothing"),)), sessions=[f"s-{self.day}"])
        self.commit(proposals.propose(self.here, text, folder=str(self.root)))
        for name, many in list(self.uses.items()):
            kept = self.model[name]
            if kept.protected or kept.archived or kept.purged:
                continue
            until = later(self.last_use[name], SPANS["lesson"])
            longer = until if kept.expires is not None and until is not None and until > kept.expires else kept.expires
            self.model[name] = replace(kept, times=kept.times + many, expires=longer)
            del self.uses[name]

    def apply_lesson(self, name: str) -> None:
        note = keeping.one(self.store.snapshot(), name)
        uses.record(self.here, self.store, note)
        self.uses[name] = self.uses.get(name, 0) + 1
        self.last_use[name] = self.day

    def act(self, name: str, making: keeping.Making, **kept: object) -> None:
        self.commit(keeping.acted(self.here, self.store, [name], making))
        self.model[name] = replace(self.model[name], **kept)  # type: ignore[arg-type]

    def sweep(self) -> None:
        proposal = keeping.sweep(self.here, self.store, print)
        gone = [
            name
            for name, kept in self.model.items()
            if kept.expires and kept.expires < self.day and not (kept.protected or kept.archived or kept.purged)
        ]
        assert (proposal is None) == (not gone)
        if proposal is not None:
            self.commit(proposal)
        for name in gone:
            self.model[name] = replace(self.model[name], archived=self.day)

    def purge(self) -> None:
        proposal = keeping.purge(self.here, self.store, timedelta(days=90), print)
        gone = [
            name
            for name, kept in self.model.items()
            if kept.archived and not kept.purged and not kept.protected and (self.day - kept.archived).days > 90
        ]
        assert (proposal is None) == (not gone)
        if proposal is not None:
            self.commit(proposal)
        for name in gone:
            self.model[name] = replace(self.model[name], purged=True)

    # -- the comparison ------------------------------------------------------------------------------------------------

    def check(self) -> None:
        snapshot = self.store.snapshot()
        assert not snapshot.unreviewed
        assert not snapshot.findings
        expected = {name: kept for name, kept in self.model.items() if not kept.purged}
        found = {note.name: seen(note) for note in snapshot.notes}
        assert found == expected
        listed = (self.root / "MEMORY.md").read_text(encoding="utf-8")
        assert {name for name in expected if f"({name}.md)" in listed} == {
            name for name, kept in expected.items() if not kept.archived
        }


def seen(note: Note) -> Kept:
    """Returns a note of the store as the model would know it."""
    expires, review, archived = (note.text(key) for key in ("expires", "review_after", "archived"))
    assert note.path == (f"archive/{note.name}.md" if archived else f"{note.name}.md")
    return Kept(
        note.type,
        None if expires == "never" else date.fromisoformat(expires),
        date.fromisoformat(review) if review else None,
        note.protected,
        date.fromisoformat(archived) if archived else None,
        int(note.text("times_applied") or 0),
    )


def standing(year: Year, **flags: object) -> list[str]:
    """Returns the names of notes that stand in the store and that nobody protects, or those that have other flags."""
    wanted = {"protected": False, "archived": None, "purged": False, **flags}
    return [
        name for name, kept in year.model.items() if all(getattr(kept, key) == value for key, value in wanted.items())
    ]


def test_a_year_is_what_a_small_model_says(tmp_path: Path) -> None:
    year = Year(tmp_path / "memory")
    per_step = NOTES // (STEPS // 2)
    for step in range(STEPS):
        year.day = START + timedelta(days=step * (364 // STEPS))
        if step < STEPS // 2:
            year.write([f"note-{step}-{number}" for number in range(per_step)])
        for lesson in year.random.sample(lessons := standing_lessons(year), min(3, len(lessons))):
            year.apply_lesson(lesson)
        if step >= STEPS // 2:
            year.curate(add(f"late-{step}", type="user"))
            year.model[f"late-{step}"] = Kept("user", None)
        some = year.random.sample(able := standing(year), min(7, len(able)))
        for name, happening in zip(some, HAPPENINGS, strict=False):
            happening(year, name)
        for name in standing(year, protected=True)[:1]:
            unprotect(year, name)
        year.check()
        if step % 3 == 2:
            year.sweep()
            restore_one(year)
            year.check()
        if step % 8 == 7:
            year.purge()
            year.check()
    everything_is_in_git(year)


def standing_lessons(year: Year) -> list[str]:
    return [name for name in standing(year) if year.model[name].kind == "lesson" and holds(year, name)]


def holds(year: Year, name: str) -> bool:
    expires = year.model[name].expires
    return expires is None or expires >= year.day


def pin(year: Year, name: str) -> None:
    if year.model[name].expires is not None:
        year.act(name, lambda note, _: hold.pinned(note), expires=None)


def unpin(year: Year, name: str) -> None:
    kept = year.model[name]
    if kept.expires is None and SPANS[kept.kind] is not None:
        year.act(
            name,
            lambda note, around: hold.unpinned(note, around.today, around.settings.ttl_defaults),
            expires=later(year.day, SPANS[kept.kind]),
        )


def expire(year: Year, name: str) -> None:
    day = year.day + timedelta(days=year.random.randrange(1, 60))
    if year.model[name].expires != day:
        year.act(name, lambda note, _: hold.expiring(note, day), expires=day)


def protect(year: Year, name: str) -> None:
    year.act(name, lambda note, _: hold.protected(note, keep_expiry=False), protected=True, expires=None)


def protect_with_its_day(year: Year, name: str) -> None:
    year.act(name, lambda note, _: hold.protected(note, keep_expiry=True), protected=True)


def unprotect(year: Year, name: str) -> None:
    year.act(name, lambda note, _: hold.unprotected(note), protected=False)


def archive(year: Year, name: str) -> None:
    year.act(name, lambda note, around: hold.archived(note, around.today, around.taken), archived=year.day)


def look_again(year: Year, name: str) -> None:
    kept = year.model[name]
    due = later(year.day, REVIEWS.get(kept.kind))
    if due is not None and kept.review != due:
        year.act(
            name, lambda note, around: hold.reviewed(note, around.today, around.settings.review_defaults), review=due
        )


def restore_one(year: Year) -> None:
    for name, kept in year.model.items():
        if kept.archived and not kept.purged:
            lapsed = kept.expires is not None and kept.expires < year.day
            year.act(
                name,
                lambda note, around: hold.restored(note, around.today, around.taken, around.settings.ttl_defaults),
                archived=None,
                expires=later(year.day, SPANS[kept.kind]) if lapsed else kept.expires,
            )
            return


HAPPENINGS = (pin, unpin, expire, protect, protect_with_its_day, archive, look_again)


def everything_is_in_git(year: Year) -> None:
    """Asserts that each note that was ever written has a version in the history that says its fact."""
    ever = set(git(year.root, "log", "--all", "--format=", "--name-only", "--diff-filter=AM").split())
    for name in year.model:
        (path, *_) = [path for path in (f"{name}.md", f"archive/{name}.md") if path in ever]
        last = git(year.root, "log", "-1", "--format=%H", "--diff-filter=AM", "--", path)
        note, _ = parse(git(year.root, "show", f"{last}:{path}").encode(), path)
        assert note is not None
        assert note.body.strip() in (f"Fact {name}.", "One fact.")


def test_the_model_would_see_a_store_that_differs(tmp_path: Path) -> None:
    year = Year(tmp_path / "memory")
    year.write(["a", "b"])
    year.check()
    act = keeping.one(year.store.snapshot(), "a")
    year.commit(proposals.propose_acts(year.here, year.store, [Act("PIN", act.path, act.base, set={"importance": 9})]))
    year.check()  # the model says nothing of importance
    year.model["a"] = replace(year.model["a"], times=1)
    with pytest.raises(AssertionError):
        year.check()

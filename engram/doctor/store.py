"""The store itself: whether it is there, can be written to, and keeps its machine-local state where it belongs."""

from __future__ import annotations

from collections.abc import Iterator

from engram.doctor.facts import Facts
from engram.doctor.finding import Finding
from engram.model.counted import counted
from engram.model.note import ARCHIVE, CONFLICTS

STALE = 3600.0
"""Seconds after which what a process left behind is taken for left: no command of engram's or git's takes as long."""
LARGE_NOTES, LARGE_BYTES = 500, 5_000_000


def missing(facts: Facts) -> Iterator[Finding]:
    if not facts.exists:
        words = f"no store stands at {facts.root}"
        yield Finding("store-missing", "error", words, facts.root, next=f"`{facts.making}`")


def read_only(facts: Facts) -> Iterator[Finding]:
    if facts.exists and facts.read_only:
        words = f"the store can be read and not written to: {facts.read_only}"
        yield Finding("store-read-only", "error", words, facts.root, next="give yourself the right to write there")


def state_link(facts: Facts) -> Iterator[Finding]:
    if facts.state.link:
        words = "is a link, and engram writes through none: nothing can be committed"
        yield Finding("state-link", "error", words, facts.state.link, next="remove the link")


def state_tracked(facts: Facts) -> Iterator[Finding]:
    if found := facts.git.tracked_state:
        words = "git tracks machine-local state, which then reaches other machines"
        untrack = "`git rm -r --cached .engram` in the store, then commit"
        yield Finding("state-tracked", "warn", words, found[0], found[1:], next=untrack)


def state_unignored(facts: Facts) -> Iterator[Finding]:
    if facts.state.unignored:
        words = "has no file that keeps it out of git"
        yield Finding("state-unignored", "warn", words, facts.state.unignored, repair="ignore-state")


def leftovers(facts: Facts) -> Iterator[Finding]:
    """Yields temporary files of runs that were killed. None of them is read by anything."""
    found = [left.path for left in facts.state.leftovers if left.age >= STALE]
    if found:
        words = f"{counted(len(found), 'temporary file')} of interrupted runs"
        yield Finding("leftover-files", "info", words, found[0], tuple(found[1:]), repair="clear-leftovers")


def archive_large(facts: Facts) -> Iterator[Finding]:
    paths = [path for path in facts.snapshot.work if path.startswith(ARCHIVE)]
    size = sum(len(facts.snapshot.work[path]) for path in paths)
    if len(paths) > LARGE_NOTES or size > LARGE_BYTES:
        words = f"the archive holds {counted(len(paths), 'note')}, {size:,} bytes"
        yield Finding("archive-large", "info", words, ARCHIVE, next="`engram purge --older-than 1y`")


def conflicts_open(facts: Facts) -> Iterator[Finding]:
    paths = sorted(path for path in facts.snapshot.work if path.startswith(CONFLICTS))
    if paths:
        size = sum(len(facts.snapshot.work[path]) for path in paths)
        words = f"{counted(len(paths), 'text')} of {size:,} bytes lost against another writer's and wait to be merged"
        do = "take what holds into the note (`engram edit`), then `engram archive` the text"
        yield Finding("conflicts-open", "warn", words, paths[0], tuple(paths[1:]), next=do)

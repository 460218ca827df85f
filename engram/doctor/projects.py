"""Which project a store belongs to: two under one name, one that moved, one that took another's place."""

from __future__ import annotations

from collections.abc import Iterator

from engram.doctor.facts import Facts, Identity, Known
from engram.doctor.finding import Finding
from engram.model.counted import counted


def same_project(one: Identity, other: Identity) -> bool:
    """Tells whether two places are one project: their histories begin alike, and they don't come from elsewhere.

    Outside of git nothing but the folder itself tells.
    """
    if one.roots and other.roots:
        return bool(set(one.roots) & set(other.roots)) and (
            one.remote == other.remote or not (one.remote and other.remote)
        )
    if one.remote and one.remote == other.remote:
        return True
    return one.main == other.main


def mixed(facts: Facts) -> Iterator[Finding]:
    """Yields a second project whose notes stand in the same store: recall serves each the other's."""
    here, recorded = facts.projects.here, facts.projects.recorded
    if here is None or facts.projects.root != facts.root:
        return
    others = list(facts.projects.seen)
    if recorded is not None and recorded.stands and recorded.identity.main != here.main:
        others = list(dict.fromkeys([recorded.identity.main, *others]))
    for other in others:
        words = f"{here.main} and {other} share this store: each is served the other's notes"
        do = "give one of them a store of its own: `autoMemoryDirectory` in its .claude/settings.local.json"
        yield Finding("project-mixed", "error", words, facts.root, (here.main, other), next=do)


def replaced(facts: Facts) -> Iterator[Finding]:
    """Yields a store whose notes were written for another project than the one that stands in its place now."""
    here, recorded = facts.projects.here, facts.projects.recorded
    if here is None or recorded is None or not facts.projects.notes or same_project(here, recorded.identity):
        return
    if recorded.identity.main == here.main or not recorded.stands:
        was = recorded.identity.remote or recorded.identity.main
        words = f"these notes were written for another project ({was}), or its history was written anew"
        do = "look whether the notes hold here; `engram doctor --fix` asks whether they are this project's"
        yield Finding("project-replaced", "warn", words, facts.projects.root, next=do, repair="link-project")


def moved(facts: Facts) -> Iterator[Finding]:
    """Yields the store that a project had before it moved, was renamed, or went behind a link."""
    here = facts.projects.here
    if here is None:
        return
    for known in facts.projects.others:
        if known.notes and not known.stands and same_project(here, known.identity) and here.roots:
            yield _moved(facts, here, known)


def _moved(facts: Facts, here: Identity, known: Known) -> Finding:
    words = (
        f"{counted(known.notes, 'note')} of this project stand in {known.store}, from when it was {known.identity.main}"
    )
    if facts.projects.notes:
        words = f"{words}; {counted(facts.projects.notes, 'note')} in its place now"
        do = f"merge the two by hand: `engram list --dir {known.store}` shows what stands there"
        return Finding("project-moved", "warn", words, known.store, (here.main,), next=do)
    do = "`engram doctor --fix`, at a terminal, asks whether to link them again"
    return Finding("project-moved", "warn", words, known.store, (here.main,), next=do, repair="link-project")

"""Sessions that wait: listed, shown, let go; and what they prove of a changeset's evidence."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping

from engram import queue
from engram.app.context import Context
from engram.capture import digest, evidence, places, transcript
from engram.curate import waiting as plans
from engram.errors import EngramError
from engram.model import secrets
from engram.model.change import ChangeSet
from engram.model.plan import Said
from engram.model.session import Session
from engram.store import git, history


def waiting(context: Context) -> tuple[queue.Entry, ...]:
    """Returns the sessions that wait, the oldest first; those that a commit already holds leave the queue here."""
    entries = queue.entries(context.folder("queue"))
    undecided = _undecided(context) if entries else frozenset()
    free = [entry for entry in entries if entry.session not in undecided]
    done = queue.released(free, _committed(context, free)) if free else ()
    if done:
        queue.remove(done)
    return tuple(entry for entry in entries if entry not in done)


def shown(context: Context, word: str, tokens: int) -> str:
    """Returns what a curator needs of a queued session, with secrets masked, within a budget of tokens."""
    entry = queue.find(context.folder("queue"), word)
    extra = context.settings().redaction_patterns_extra
    session = transcript.read(_place(context, entry), entry.session)
    return digest.digest(session, tokens=tokens, mask=lambda text: secrets.masked(text, extra))


def release(context: Context, sessions: Iterable[str], before: str) -> None:
    """Lets sessions go whose changeset was decided; one that stopped again after ``before`` (ISO 8601) stays, and one
    of which a plan still waits."""
    wanted = set(sessions) - _undecided(context)
    entries = [entry for entry in queue.entries(context.folder("queue")) if entry.session in wanted]
    queue.remove(queue.until(entries, before))


def _undecided(context: Context) -> frozenset[str]:
    """Returns the sessions that a plan still waits for: its evidence is looked up in them."""
    return frozenset(session for plan in plans.every(context.folder("review")) for session in plan.sessions)


def transcripts(context: Context, changeset: ChangeSet) -> Mapping[str, str]:
    """Returns where the transcripts are of the queued sessions that a changeset's evidence names, by session."""
    named = _named(changeset)
    found = queue.entries(context.folder("queue")) if named else ()
    return {entry.session: _place(context, entry) for entry in found if entry.session in named}


def _place(context: Context, entry: queue.Entry) -> str:
    return places.place_of(entry.agent, entry.session, entry.transcript, context.env, context.home)


def who_said(context: Context, changeset: ChangeSet, known: Mapping[str, str]) -> tuple[Said, ...]:
    """Returns, for each change, where its evidence was found: in whose words, or nowhere.

    ``known``: transcripts of sessions that may have left the queue since they were named, by session.
    """
    sessions = _read(context, {**known, **transcripts(context, changeset)}, _named(changeset))
    return tuple(evidence.said(change.evidence, sessions) for change in changeset.changes)


def _named(changeset: ChangeSet) -> set[str]:
    return {one.session for change in changeset.changes for one in change.evidence}


def _read(context: Context, paths: Mapping[str, str], named: set[str]) -> Mapping[str, Session]:
    found: dict[str, Session] = {}
    for name in named & set(paths):
        try:
            found[name] = transcript.read(places.place_of("", name, str(paths[name]), context.env, context.home), name)
        except EngramError:
            continue  # the evidence then counts as unverified, which the diff says
    return found


def _committed(context: Context, entries: Iterable[queue.Entry]) -> Mapping[str, str]:
    """Returns the sessions that a commit of a store they could have taught holds, with its time."""
    roots = {context.user_store().path}
    for cwd in {entry.cwd for entry in entries if entry.cwd}:
        located = context.project_store(cwd)
        if located is not None:
            roots.add(located.path)
    found: dict[str, str] = {}
    since = queue.oldest(entries)
    for root in filter(os.path.isdir, map(os.path.realpath, roots)):
        repository = git.Repository.find(root, enclosing_allowed=context.encloses(root))
        if repository is not None:
            for session, at in history.sessions_in(repository, since).items():
                found[session] = max(found.get(session, ""), at)
    return found

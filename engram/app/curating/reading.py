"""Reads one session with an agent: asks, has what is wrong mended, and keeps what can be planned for review."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime

from engram import queue, resources
from engram.app import proposals, sessions, stores
from engram.app.context import Context
from engram.app.curating import near
from engram.app.curating.asking import Asker
from engram.app.curating.calls import Answer
from engram.app.curating.prompt import Asked, prompt
from engram.app.curating.said import Drawn, changesets
from engram.app.proposals import Proposal
from engram.app.recalling import Place
from engram.curate import rejections, waiting
from engram.errors import (
    ChangesetInvalid,
    EngramError,
    FrontmatterBroken,
    NoteAmbiguous,
    NoteChanged,
    NoteNotFound,
    NoteProtected,
    SecretFound,
    StoreNotFound,
)
from engram.errors.agents import AgentUnusable
from engram.model import secrets
from engram.model.tokens import tokens_of

TRIES = 3
"""How often an agent is asked about one session: once, and twice more with what was wrong."""
DIGEST_TOKENS = 12_000
_REJECTED = 40
_SEEN, _SHOWN = 28_000, 20_000
"""Characters of a refused answer: those in which secrets are looked for, and those that go back to the agent. What goes
back is shorter, so that no secret is cut in two before it is masked."""
_MENDABLE = (
    ChangesetInvalid, FrontmatterBroken, NoteAmbiguous, NoteChanged, NoteNotFound, NoteProtected, SecretFound,
)  # fmt: skip
"""What the agent can do something about; everything else is the store's or the machine's."""
LEFT = "it left the queue meanwhile"
SKILL = "skills/engram-curate/SKILL.md"


@dataclass(frozen=True)
class Wanted:
    """Is where changesets may go: ``--dir`` and ``--scope``."""

    folder: str = ""
    scope: str = ""


@dataclass
class Reading:
    """Is one session that is being read, and what it has cost so far."""

    context: Context
    """The run's, in the session's own working directory."""
    entry: queue.Entry
    targets: Mapping[str, stores.Store]
    """The stores that a changeset may go to: scope to store, the default first; under "" the one of ``--dir``."""
    wanted: Wanted
    tries: int = 0
    tokens: int = 0
    counted: bool = True
    """Whether the agent itself counted them all; else some are an estimate."""
    overtaken: str = ""
    """What became of this session meanwhile, so that nothing is kept of it: a proposal of it waits, or it left the
    queue; "" as a rule."""
    read_at: datetime | None = None
    """When its transcript was read last: a session that stops after that has more to teach."""
    masked: Callable[[str], str] = field(default=secrets.masked, repr=False)

    def prompt(self, agent: str, refused: str = "", reasons: str = "") -> str:
        """Returns what the agent is asked, with the notes as they stand now. Raises TranscriptUnreadable."""
        self.read_at = self.context.now()
        extra = self.context.settings().redaction_patterns_extra
        self.masked = lambda text: secrets.masked(text, extra)
        digest = sessions.shown(self.context, self.entry.id, DIGEST_TOKENS)
        roots = {store.root: store for store in self.targets.values()}
        places = [Place(store.root, store.scope) for store in roots.values()]
        with open(resources.path(SKILL), encoding="utf-8") as file:
            skill = file.read()
        return prompt(
            Asked(
                drawn=self.drawn(agent),
                skill=skill,
                schema=resources.schema(),
                digest=digest,
                notes=near.neighbours(self.context, places, digest, self.masked),
                rejected=self._rejected(set(roots)),
                stopped=self.entry.queued_at,
                refused=self.masked(refused)[:_SHOWN],
                reasons=self.masked(reasons),
            )
        )

    def left(self) -> str:
        """Says that the session is not in the queue any more, where it isn't: its person let it go."""
        waiting_now = {entry.id for entry in queue.entries(self.context.folder("queue"))}
        return "" if self.entry.id in waiting_now else LEFT

    def drawn(self, agent: str) -> Drawn:
        return Drawn(self.entry.session, agent, tuple(filter(None, self.targets)))

    def _rejected(self, roots: set[str]) -> list[Mapping[str, object]]:
        found = [one for one in rejections.every(self.context.folder("rejections")) if one.store in {"", *roots}]
        return [
            {"op": one.op, "name": self.masked(one.name), "description": self.masked(one.description)}
            | {"reason": self.masked(one.reason) or "none given", "on": one.at[:10]}
            for one in found[:_REJECTED]
        ]


def opened(context: Context, entry: queue.Entry, wanted: Wanted) -> Reading:
    """Returns a session ready to be read. Raises why no store can take what it teaches."""
    folder = os.path.join(context.cwd, os.path.expanduser(wanted.folder)) if wanted.folder else ""
    place = context._replace(cwd=entry.cwd or context.home)
    return Reading(place, entry, _targets(place, entry, replace(wanted, folder=folder)), replace(wanted, folder=folder))


def _targets(context: Context, entry: queue.Entry, wanted: Wanted) -> Mapping[str, stores.Store]:
    if wanted.folder:
        store = stores.open_store(context, stores.choose(context, folder=wanted.folder))
        store.writable()
        return {"": store}
    found: dict[str, stores.Store] = {}
    against: EngramError = StoreNotFound("the session's folder is not known, so that no project's store is its own")
    for scope in [name for name in ("project", "user") if wanted.scope in ("", name)]:
        if scope == "project" and not entry.cwd:
            continue
        try:
            store = stores.open_store(context, stores.choose(context, scope=scope))
            store.writable()
        except EngramError as error:
            against = error
        else:
            found[scope] = store
    if not found:
        raise against
    return found


def read(reading: Reading, asker: Asker, seconds: Callable[[], float], tell: Callable[[str], None]) -> list[Proposal]:
    """Returns the proposals that a session gave, kept for review; [] where it taught nothing.

    ``seconds``: how long the agent may take, asked before each try. ``tell``: is told what is under way.
    Raises what `Asker.ask` raises, AgentUnusable, and what stands against the session or the store.
    """
    refused = reasons = ""
    for number in range(1, TRIES + 1):
        tell(f"asking {asker.agent.NAME}" + (f", try {number} of {TRIES}" if number > 1 else ""))
        question = reading.prompt(asker.agent.NAME, refused, reasons)
        reading.tries = number
        answer = asker.ask(reading.context, question, seconds())
        _count(reading, answer, question)
        tell("checking the answer")
        try:
            made = _proposed(reading, answer.text, asker.agent.NAME)
        except _MENDABLE as error:
            refused, reasons = answer.text[:_SEEN], f"{error.code}: {error.message}"
            continue
        return _kept(reading, made)
    raise AgentUnusable(f"{asker.agent.NAME}: after {TRIES} tries still {reading.masked(reasons)}")


def waits(context: Context, session: str) -> str:
    """Says which plan waits for a session; "" where none does."""
    plans = [one.id for one in waiting.every(context.folder("review")) if session in one.sessions]
    return f"plan {plans[0]} waits for review" if plans else ""


def _proposed(reading: Reading, text: str, agent: str) -> list[Proposal]:
    """Returns the plans of an answer, none of them kept yet."""
    texts = changesets(text, reading.drawn(agent), resources.schema())
    read_at = reading.read_at or reading.context.now()
    then = reading.context._replace(now=lambda: read_at)
    made = [proposals.propose(then, one, folder=reading.wanted.folder) for one in texts]
    for one in made:
        proposals.refuse_secrets(one)
    return made


def _kept(reading: Reading, made: list[Proposal]) -> list[Proposal]:
    """Keeps all plans of a session or none: a session of which one waits is not read again."""
    reading.overtaken = waits(reading.context, reading.entry.session) or reading.left()
    if reading.overtaken:
        return []
    try:
        return [proposals.keep(reading.context, one) for one in made]
    except KeyboardInterrupt:
        for one in made:
            with suppress(EngramError, OSError):
                proposals.keep(reading.context, one)
        raise


def _count(reading: Reading, answer: Answer, question: str) -> None:
    reading.counted = reading.counted and answer.tokens is not None
    reading.tokens += tokens_of(question) + tokens_of(answer.text) if answer.tokens is None else answer.tokens

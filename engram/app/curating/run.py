"""A run over the queue: which sessions are read, in which order, within which budget; and what became of each."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from engram import disk, queue
from engram.app import sessions
from engram.app.context import Context
from engram.app.curating import memo, reading
from engram.app.curating.asking import Asker
from engram.app.proposals import Proposal
from engram.errors import EngramError, GateRefused, SessionNotQueued, StoreLocked, TranscriptUnreadable
from engram.errors.agents import AgentFailed, AgentLogin, AgentTimedOut, AgentUnusable
from engram.model.event import CURATING, is_set
from engram.model.tokens import tokens_of
from engram.store import locate

IN_A_ROW = 3
"""Failures of the agent, one after the other, that end a run: the next session would fare no better."""
_AGENTS_FAULT = (AgentFailed, AgentLogin, AgentTimedOut, AgentUnusable)

_ENDED = {
    "sessions": "the budget of sessions is used up",
    "seconds": "the budget of seconds is used up",
    "tokens": "the budget of tokens is used up",
    "failures": f"{IN_A_ROW} failures in a row ended the run",
}

Tell = Callable[[queue.Entry, str], None]


@dataclass(frozen=True)
class Budget:
    """Is what a run may cost; None for as much as it takes."""

    sessions: int | None = None
    seconds: float | None = None
    tokens: int | None = None
    call: float = 300
    """Seconds that an agent may take for one answer."""


@dataclass
class Outcome:
    """Is what became of one session."""

    entry: queue.Entry
    result: str
    """``proposed``, ``nothing``, ``failed``, ``unreadable``, ``skipped``, ``left``; ``would-read`` in a dry run."""
    why: str = ""
    error: EngramError | None = None
    proposals: list[Proposal] = field(default_factory=list)
    tries: int = 0
    tokens: int = 0


@dataclass
class Report:
    """Is what a run came to."""

    agent: str
    outcomes: list[Outcome] = field(default_factory=list)
    stopped: str = ""
    """What ended it before the queue did: ``sessions``, ``seconds``, ``tokens`` or ``failures``; "" otherwise."""
    tokens: int = 0
    counted: bool = True
    """Whether the agent counted all of them itself."""

    def of(self, *results: str) -> list[Outcome]:
        return [one for one in self.outcomes if one.result in results]


@dataclass
class Run:
    """Is one run under way. Made by `started`."""

    context: Context
    asker: Asker
    budget: Budget
    wanted: reading.Wanted
    tell: Tell
    report: Report
    clock: Callable[[], float] = time.monotonic
    _began: float = 0.0
    _in_a_row: int = 0
    _read: int = 0

    def go(self, entries: Sequence[queue.Entry], *, again: bool, dry: bool) -> Report:
        """Reads sessions one after the other. Raises KeyboardInterrupt; what was proposed before stays."""
        self._began = self.clock()
        known = memo.of(self.context, entries)
        for entry in sorted(entries, key=lambda one: known[one.id].failures if one.id in known else 0):
            before = known.get(entry.id)
            self.report.outcomes.append(self._skipped(entry, before, again) or self._taken(entry, before, dry))
        return self.report

    def _skipped(self, entry: queue.Entry, before: memo.Memo | None, again: bool) -> Outcome | None:
        plan = reading.waits(self.context, entry.session)
        if plan:
            return Outcome(entry, "skipped", plan)
        if before is not None and before.closed and not again:
            return Outcome(entry, "skipped", f"{before.closed}; --again reads it")
        return None

    def _taken(self, entry: queue.Entry, before: memo.Memo | None, dry: bool) -> Outcome:
        self.report.stopped = self.report.stopped or self._over()
        if self.report.stopped:
            return Outcome(entry, "left", _ENDED[self.report.stopped])
        try:
            one = reading.opened(self.context, entry, self.wanted)
            if dry:
                self._read += 1
                cost = tokens_of(one.prompt(self.asker.agent.NAME))
                return Outcome(entry, "would-read", f"a prompt of about {cost:,} tokens", tokens=cost)
        except TranscriptUnreadable as error:
            return Outcome(entry, "unreadable", error.message, error)
        except SessionNotQueued:
            return Outcome(entry, "skipped", reading.LEFT)
        except EngramError as error:
            return Outcome(entry, "failed", error.message, error)
        return self._asked(one, before)

    def _asked(self, one: reading.Reading, before: memo.Memo | None) -> Outcome:
        entry = one.entry
        try:
            made = reading.read(one, self.asker, self._seconds, lambda words: self.tell(entry, words))
        except TranscriptUnreadable as error:
            return Outcome(entry, "unreadable", error.message, error)
        except SessionNotQueued:
            return Outcome(entry, "skipped", reading.LEFT, tries=one.tries, tokens=one.tokens)
        except AgentTimedOut as error:
            if self._left() <= 0:  # the run's time, not the agent's
                self.report.stopped = "seconds"
                return Outcome(entry, "left", _ENDED["seconds"], tries=one.tries, tokens=one.tokens)
            return self._failed(one, error, before)
        except EngramError as error:
            return self._failed(one, error, before)
        finally:
            self._spent(one)
        self._in_a_row = 0
        if one.overtaken:
            return Outcome(entry, "skipped", one.overtaken, tries=one.tries, tokens=one.tokens)
        if not made:
            memo.keep(self.context, entry, "nothing", self.asker.agent.NAME, None)
        result = "proposed" if made else "nothing"
        return Outcome(entry, result, proposals=made, tries=one.tries, tokens=one.tokens)

    def _failed(self, one: reading.Reading, error: EngramError, before: memo.Memo | None) -> Outcome:
        if isinstance(error, _AGENTS_FAULT):
            self._in_a_row += 1
            if self._in_a_row >= IN_A_ROW:
                self.report.stopped = "failures"
        if isinstance(error, AgentUnusable | AgentTimedOut):  # other faults say nothing of the session
            memo.keep(self.context, one.entry, "failed", self.asker.agent.NAME, before)
        return Outcome(one.entry, "failed", error.message, error, tries=one.tries, tokens=one.tokens)

    def _spent(self, one: reading.Reading) -> None:
        self._read += bool(one.tries)
        self.report.tokens += one.tokens
        self.report.counted = self.report.counted and one.counted

    def _over(self) -> str:
        """Returns which part of the budget is used up; "" where there is some of each left."""
        budget = self.budget
        if budget.sessions is not None and self._read >= budget.sessions:
            return "sessions"
        if self._left() <= 0:
            return "seconds"
        return "tokens" if budget.tokens is not None and self.report.tokens >= budget.tokens else ""

    def _left(self) -> float:
        return float("inf") if self.budget.seconds is None else self.budget.seconds - (self.clock() - self._began)

    def _seconds(self) -> float:
        return min(self.budget.call, self._left())


def waiting(context: Context, *, here: bool) -> tuple[queue.Entry, ...]:
    """Returns the sessions of the queue, the oldest first: all, or those of the project that this run stands in."""
    entries = sessions.waiting(context)
    if not here:
        return entries
    project = _project(context, context.cwd)
    return tuple(entry for entry in entries if entry.cwd and _project(context, entry.cwd) == project)


def _project(context: Context, cwd: str) -> str:
    return os.path.normcase(locate.main_root(context.probe.realpath(cwd), context.probe))


@contextmanager
def alone(context: Context) -> Iterator[None]:
    """Holds the queue for one run: two would pay for the same sessions. Raises StoreLocked, GateRefused."""
    if is_set(context.env, CURATING):
        raise GateRefused(f"{CURATING} says that this session was started to curate; it starts no other")
    path = os.path.join(context.prepared(memo.FOLDER), "run.lock")
    held = disk.lock(path, seconds=0)
    try:
        held.__enter__()
    except StoreLocked:
        raise StoreLocked("another `engram curate run` is under way", "wait for it to end", path) from None
    try:
        memo.sweep(context, queue.entries(context.folder("queue")))
        yield
    finally:
        held.__exit__()


def shown(report: Report) -> dict[str, Any]:
    """Returns a report as JSON has it."""
    return {
        "agent": report.agent,
        "sessions": [_row(one) for one in report.outcomes],
        "tokens": report.tokens,
        "tokens_counted": report.counted,
        "stopped": report.stopped or None,
        "left": [one.entry.session for one in report.of("left")],
    }


def _row(one: Outcome) -> dict[str, Any]:
    plans = [
        {
            "plan": each.waiting.id,
            "digest": each.plan.digest,
            "store": each.store.root,
            "changes": [{"op": line.op, "name": line.name} for line in each.plan.lines],
            "concerns": [{"code": concern.code, "message": concern.message} for concern in each.concerns],
        }
        for each in one.proposals
    ]
    entry = one.entry
    about = {"id": entry.id, "session": entry.session, "agent": entry.agent, "cwd": entry.cwd}
    error = one.error.as_json()["error"] if one.error is not None else None
    return {**about, "result": one.result, "why": one.why or None, "plans": plans, "tries": one.tries,
            "tokens": one.tokens, "error": error}  # fmt: skip

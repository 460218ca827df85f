"""Mends what an examination found: derived state at once, projects on a person's word, notes as one proposal."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from engram import disk
from engram.app import identities, indexing, proposals, reindexing, stores, vitals
from engram.app.context import Context
from engram.app.examining import Report, repository_of
from engram.app.planning import Log, plannable
from engram.curate import commit
from engram.doctor.facts import Left
from engram.doctor.finding import Finding, Repair
from engram.errors import EngramError
from engram.model.counted import counted


def repaired(context: Context, report: Report, log: Log) -> tuple[str, ...]:
    """Repairs derived and machine-local state, and nothing else. Returns what was done, in words."""
    repairing = _Repairing(context, report, log)
    wanted = {finding.repair for finding in report.findings}
    done = []
    for repair, act in repairing.every().items():
        if repair in wanted:
            try:
                done.append(act())
            except (EngramError, OSError) as error:
                log(f"{repair}: {error}")
    return tuple(words for words in done if words)


def proposed(context: Context, report: Report, log: Log) -> proposals.Proposal | None:
    """Returns the one proposal of all that a person has to say yes to; None where there is nothing.

    What can't be planned is left out and named. Raises what stands against writing to the store.
    """
    if not report.acts:
        return None
    store = stores.open_store(context, report.choice)
    store.writable()
    acts = plannable(context, store.snapshot(), report.acts, log)
    return proposals.propose_acts(context, store, acts) if acts else None


def offered(report: Report) -> tuple[Finding, ...]:
    """Returns the findings about projects that a person at a terminal may settle."""
    return tuple(finding for finding in report.findings if finding.repair == "link-project")


def linked(context: Context, report: Report, finding: Finding) -> str:
    """Settles one of them, after the person's yes. Returns what was done, in words. Raises StoreReadOnly."""
    projects = report.facts.projects
    if finding.code == "project-moved":
        identities.link(context, projects.place, finding.path)
        identities.remember(context, context.probe.realpath(finding.path), anew=True)
        return f"linked {projects.place} to {finding.path}"
    identities.remember(context, projects.root, anew=True)
    return f"recorded {projects.root} as this project's"


@dataclass(frozen=True)
class _Repairing:
    """Is the repairs of one store, each of which returns what it did, in words; "" where there was nothing to do."""

    context: Context
    report: Report
    log: Log

    def every(self) -> Mapping[Repair, Callable[[], str]]:
        """Returns the repairs by their names, in the order in which they are safe."""
        return {
            "ignore-state": self.ignore,
            "clear-locks": self.clear_locks,
            "finish-commit": self.finish,
            "clear-leftovers": self.clear_leftovers,
            "index": self.index,
        }

    def ignore(self) -> str:
        return f"{disk.private_folder(self.report.facts.state.unignored)} keeps itself out of git now"

    def finish(self) -> str:
        root = self.report.facts.root
        return commit.recover(root, repository_of(root, self.report.facts.settings))

    def clear_locks(self) -> str:
        cleared = self._cleared("clear-locks", self.report.facts.git.locks)
        return f"removed {counted(cleared, 'stale lock')} of git's" if cleared else ""

    def clear_leftovers(self) -> str:
        cleared = self._cleared("clear-leftovers", self.report.facts.state.leftovers)
        return f"removed {counted(cleared, 'leftover file')}" if cleared else ""

    def index(self) -> str:
        facts = self.report.facts
        rebuild = facts.index.state in ("old", "damaged")
        limits = indexing.Limits(log=self.log)
        made = reindexing.reindex(self.context, facts.root, facts.scope, rebuild=rebuild, limits=limits)
        how = "made the index anew" if facts.index.state != "fine" else "brought the index up to date"
        return f"{how}: {counted(made['notes'], 'note')}"

    def _cleared(self, repair: Repair, known: Iterable[Left]) -> int:
        """Removes files that are still the same as when they were found. Returns how many."""
        times = {left.path: left.at for left in known}
        found = [finding for finding in self.report.findings if finding.repair == repair]
        cleared = 0
        for path in (path for finding in found for path in (finding.path, *finding.others)):
            now = vitals.left(self.context, path)
            if now is not None and now.at == times.get(path):
                os.unlink(path)
                cleared += 1
        return cleared

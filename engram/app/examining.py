"""Examines a store: gathers the facts, and has them judged. Writes nothing into the store."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

from engram import __version__
from engram.app import identities, outlook, stores, vitals
from engram.app.context import Context
from engram.config import Settings
from engram.curate import waivers
from engram.doctor.facts import Facts, Projects
from engram.doctor.finding import Finding, merged
from engram.doctor.projects import same_project
from engram.doctor.table import examined
from engram.errors import ConfigInvalid, EngramError, GitFailed
from engram.model.act import Act
from engram.model.snapshot import Snapshot
from engram.store import git, read


@dataclass(frozen=True)
class Report:
    """Is what an examination found."""

    choice: stores.Choice
    facts: Facts
    findings: tuple[Finding, ...]

    @property
    def healthy(self) -> bool:
        """Tells whether there is nothing to mend; what is merely worth knowing counts for nothing."""
        return all(finding.level == "info" for finding in self.findings)

    @property
    def acts(self) -> tuple[Act, ...]:
        """What would be proposed, one act for each file."""
        return merged(self.findings)


def examine(context: Context, *, folder: str = "", scope: str = "") -> Report:
    """Returns what is found about a store and around it.

    Which project a store belongs to is put on record, where engram keeps state on this machine at all.
    """
    choice = stores.choose(context, folder=folder, scope=scope)
    facts = gather(context, choice, everywhere=not folder)
    if choice.exists and choice.scope == "project" and os.path.isdir(context.state):
        identities.remember(context, choice.root, anew=_same_place(facts.projects))
    return Report(choice, facts, examined(facts))


def gather(context: Context, choice: stores.Choice, *, everywhere: bool = True) -> Facts:
    """Returns all that the checks are told. ``everywhere``: the project of this place counts too."""
    root = choice.root
    settings = _settings(context, root)
    waits, damaged = outlook.waits(context)
    shared = {
        "root": root,
        "now": context.now(),
        "scope": choice.scope,
        "making": stores.making_of(root, choice.scope),
        "version": __version__,
        "settings": settings,
        "waived": waivers.waived(context.folder("waived")),
        "waits": waits,
        "damaged": damaged,
        "hooks": outlook.hooks(context),
        "faults": outlook.faults(context),
        "configs": outlook.configs(context, root),
        "projects": _projects(context, choice) if everywhere or choice.scope == "project" else Projects(),
        "around": outlook.around(context),
    }
    if not choice.exists:
        return Facts(exists=False, snapshot=Snapshot(root, choice.scope), **shared)  # type: ignore[arg-type]
    repository = repository_of(root, settings)
    snapshot = _snapshot(choice, repository)
    return Facts(
        snapshot=snapshot,
        read_only=_read_only(root),
        git=vitals.versioning(context, root, repository, snapshot),
        state=vitals.state(context, root),
        index=vitals.index_state(context, root, snapshot),
        recalls=outlook.recalls(context, root),
        **shared,  # type: ignore[arg-type]
    )


def repository_of(root: str, settings: Settings) -> git.Repository | None:
    """Returns the repository of a store; None where it has none of its own, or git can't tell."""
    chosen = root in {os.path.realpath(path) for path in settings.enclosing}
    try:
        return git.Repository.find(root, enclosing_allowed=chosen)
    except EngramError:
        return None


def shown(report: Report) -> dict[str, Any]:
    """Returns a report as plain values."""
    return {
        "store": report.choice.root,
        "scope": report.choice.scope,
        "reason": report.choice.reason,
        "healthy": report.healthy,
        "notes": len(report.facts.snapshot.notes),
        "hooks": [
            {"host": hook.host, "installed": hook.installed, "version": hook.version, "last_seen": hook.spoke}
            for hook in report.facts.hooks
        ],
        "findings": [_row(finding) for finding in report.findings],
    }


def _row(finding: Finding) -> dict[str, Any]:
    return {
        "code": finding.code,
        "level": finding.level,
        "path": finding.path,
        "line": finding.line or None,
        "others": list(finding.others),
        "message": finding.words,
        "next": finding.next,
        "fix": finding.repair or ("proposes" if finding.acts else None),
    }


# -- gathering ---------------------------------------------------------------------------------------------------------


def _settings(context: Context, root: str) -> Settings:
    """Returns the settings of a store; the defaults where a file is damaged, which a check of its own tells."""
    try:
        return context.settings(root)
    except (ConfigInvalid, OSError):
        return Settings()


def _snapshot(choice: stores.Choice, repository: git.Repository | None) -> Snapshot:
    """Returns the store as it is; of its folder alone where git can't read what it holds."""
    try:
        return read.take_snapshot(choice.root, choice.scope, repository)
    except GitFailed:
        return read.take_snapshot(choice.root, choice.scope, None)


def _projects(context: Context, choice: stores.Choice) -> Projects:
    return Projects() if choice.scope == "dir" else identities.projects(context)


def _same_place(projects: Projects) -> bool:
    """Tells whether a store's project merely moved under the same name, so that its record follows."""
    here, recorded = projects.here, projects.recorded
    if here is None or recorded is None or not same_project(here, recorded.identity):
        return False
    return here != recorded.identity and (here.main == recorded.identity.main or not recorded.stands)


def _read_only(root: str) -> str:
    if os.access(root, os.W_OK | os.X_OK):
        return ""
    return "the system doesn't allow it"

"""The agents' hooks: whether they are there, which version, when they were last heard of, what went wrong."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from engram.doctor.facts import Facts
from engram.doctor.finding import Finding
from engram.model.counted import counted
from engram.model.secrets import masked

LATELY = timedelta(days=7)
QUIET = timedelta(days=30)


def faults(facts: Facts) -> Iterator[Finding]:
    lately = [(at, words) for at, words in facts.faults if facts.now - at <= LATELY]
    if lately:
        at, last = lately[-1]
        words = (
            f"{counted(len(lately), 'fault')} of hooks in the last {LATELY.days} days, the last at {at:%Y-%m-%d %H:%M}"
        )
        last = masked(last, facts.settings.redaction_patterns_extra)
        yield Finding("hook-faults", "warn", f"{words}: {last}", next="`hook.log` in engram's log folder has them all")


def not_installed(facts: Facts) -> Iterator[Finding]:
    for hook in facts.hooks:
        if hook.installed is False and (hook.spoke is None or facts.now - hook.spoke > LATELY):
            words = f"{hook.host} is here and runs no hook of engram's: it recalls nothing by itself"
            do = f"`engram adapt --target {hook.host}`, or its plugin, if that agent should remember"
            yield Finding("hook-missing", "info", words, next=do)


def other_version(facts: Facts) -> Iterator[Finding]:
    for hook in facts.hooks:
        if hook.installed and hook.version and facts.version and hook.version != facts.version:
            words = f"the plugin in {hook.host} is {hook.version}, engram itself is {facts.version}"
            yield Finding("hook-version", "warn", words, next="update whichever is older")


def unheard(facts: Facts) -> Iterator[Finding]:
    """Yields agents whose hooks are installed and were never heard of, or not for long."""
    for hook in facts.hooks:
        if hook.installed and hook.spoke is None:
            words = f"the hook in {hook.host} is installed and was never heard of"
            yield Finding("hook-silent", "info", words, next="start a session there, then look again")
        elif hook.spoke is not None and facts.now - hook.spoke > QUIET:
            words = f"the hook in {hook.host} was last heard of on {hook.spoke:%Y-%m-%d}"
            yield Finding("hook-silent", "info", words, next="fine, if you have not used that agent since")

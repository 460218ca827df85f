"""What must not stand in memory, or should be looked at twice: secrets, orders to the reader, hidden characters."""

from __future__ import annotations

from collections.abc import Iterator

from engram.curate.instructions import instruction_styled
from engram.doctor.facts import Facts
from engram.doctor.finding import Finding, Level
from engram.model.secrets import SecretHit, scan
from engram.model.visible import hidden


def secrets(facts: Facts) -> Iterator[Finding]:
    """Yields each file of the store that holds text shaped like a secret, with the rule; never the text."""
    do = "take it out, and replace it where it is used: git's history keeps what was committed"
    for path, data in facts.snapshot.work.items():
        text = data.decode("utf-8", "replace")
        for rule, line in _rules(facts, text):
            yield Finding("secret", "error", f"holds text shaped like a secret ({rule})", path, line=line, next=do)
    for path in sorted(facts.snapshot.unreviewed & facts.snapshot.committed.keys()):
        standing = {rule for rule, _ in _rules(facts, facts.snapshot.work.get(path, b"").decode("utf-8", "replace"))}
        for rule, line in _rules(facts, facts.snapshot.committed[path].decode("utf-8", "replace")):
            if rule not in standing:
                words = f"held text shaped like a secret ({rule}) in the last commit, and does not in the folder"
                yield Finding("secret", "error", words, path, line=line, next=f"`engram review` adopts that; {do}")


def waiting_secrets(facts: Facts) -> Iterator[Finding]:
    """Yields each record of what waits that holds one."""
    rooms = {"queue": "`engram pending clear`", "review": "`engram review`", "rejections": "remove the file"}
    for wait in facts.waits:
        for rule, line in _rules(facts, wait.text):
            words = f"what waits in {wait.kind} holds text shaped like a secret ({rule})"
            do = f"{rooms[wait.kind]}: let it go"
            yield Finding("secret-waiting", "error", words, wait.path, line=line, next=do)


def instructions(facts: Facts) -> Iterator[Finding]:
    """Yields notes that read like orders. One that a person has seen as it stands is told for information."""
    for note in facts.active:
        found = instruction_styled(f"{note.description}\n{note.body}")
        if found:
            words = f"reads like an order to the agent that recalls it: it {found}"
            level: Level = "info" if facts.reviewed(note.path) else "warn"
            yield Finding(
                "instruction-styled",
                level,
                words,
                note.path,
                next="look where it comes from; `engram archive` takes it out of recall",
            )


def hidden_text(facts: Facts) -> Iterator[Finding]:
    for note in facts.active:
        found = hidden(f"{note.name}\n{note.description}\n{note.body}".replace("\r\n", "\n").removeprefix("\ufeff"))
        if found:
            some = ", ".join(found[:4]) + (f" and {len(found) - 4} more" if len(found) > 4 else "")
            yield Finding("hidden-text", "info", f"holds characters that can't be seen: {some}", note.path)


def _rules(facts: Facts, text: str) -> Iterator[tuple[str, int]]:
    """Yields the rules that a text breaks, with the line, once each; what a person called no secret is none."""
    seen: set[str] = set()
    hits: tuple[SecretHit, ...] = scan(text, facts.settings.redaction_patterns_extra)
    for hit in hits:
        if hit.fingerprint not in facts.waived and hit.rule not in seen:
            seen.add(hit.rule)
            yield hit.rule, text.count("\n", 0, hit.start) + 1

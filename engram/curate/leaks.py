"""Secrets in what a plan would write, whoever wrote it: a changeset, a person's editor, an edit by hand."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence

from engram.model.plan import Concern, Edit, Plan
from engram.model.secrets import scan


def leaks(plan: Plan, extra: Sequence[str], waived: Container[str]) -> Iterator[Concern]:
    """Yields a concern that refuses the plan for each text shaped like a secret that it brings into the store.

    ``extra``: the user's own patterns. ``waived``: fingerprints of texts that a person called no secret. What HEAD
    already holds of a file is no news. The words name the rule and the place, never the secret.
    """
    places = {line.path: index for index, line in enumerate(plan.lines)}
    for edit in plan.edits:
        stood = {hit.fingerprint for hit in scan(_text(edit.head_before), extra)}
        for hit in scan(_new(edit), extra):
            if hit.fingerprint not in stood and hit.fingerprint not in waived:
                stood.add(hit.fingerprint)
                words = f"what {edit.path} would hold is shaped like a secret ({hit.rule})"
                yield Concern("secret", words, "refuse", places.get(edit.path, -1), hit.fingerprint)


def _new(edit: Edit) -> str:
    before = set(_text(edit.head_before).split("\n"))
    return "\n".join(line for line in _text(edit.head_after).split("\n") if line not in before)


def _text(data: bytes | None) -> str:
    return (data or b"").decode("utf-8", "replace").replace("\r\n", "\n")

"""The commit message of a plan: a subject, one line per change, and the trailers that trace it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engram.curate.fingerprint import changeset_id
from engram.model.change import ChangeSet
from engram.model.plan import Line
from engram.model.visible import visible_line

MOST_SUBJECT = 72
_PREFIX = "memory: "


def message(lines: Sequence[Line]) -> str:
    """Returns a subject of at most 72 characters and, behind an empty line, what each change does and why.

    Every line of the body begins with ``- ``: git reads none of them as a trailer, nor as the end of the message.
    """
    told = [f"- {line.op} {visible_line(line.name)}".rstrip() + _because(line.reason) for line in lines]
    return "\n".join((subject(lines), "", *told))


def subject(lines: Sequence[Line]) -> str:
    """Returns ``memory: add prefers-pnpm, update deploy-runbook``; what doesn't fit is counted."""
    said = [f"{line.op.lower()} {visible_line(line.name)}".rstrip() for line in lines if line.op != "NOOP"]
    if not said:
        return f"{_PREFIX}nothing to change"
    for shown in range(len(said), 0, -1):
        rest = len(said) - shown
        text = _PREFIX + ", ".join(said[:shown]) + (f" and {rest} more" if rest else "")
        if len(text) <= MOST_SUBJECT:
            return text
    many = f" and {len(said) - 1} more" if len(said) > 1 else ""
    return _PREFIX + said[0][: MOST_SUBJECT - len(_PREFIX) - len(many) - 1] + "…" + many


def trailers(changeset: ChangeSet, lines: Sequence[Line]) -> tuple[tuple[str, str], ...]:
    """Returns the trailers of a changeset's commit, but for those that the approval adds."""
    return tuple(_trailers(changeset, lines))


def change_trailers(lines: Sequence[Line]) -> Iterator[tuple[str, str]]:
    """Yields one ``Engram-Change: ADD memories/x.md`` per line that edits a file."""
    return (("Engram-Change", f"{line.op} {visible_line(line.path)}") for line in lines if line.op != "NOOP")


def _trailers(changeset: ChangeSet, lines: Sequence[Line]) -> Iterator[tuple[str, str]]:
    yield "Engram-Changeset", changeset_id(changeset)
    if changeset.agent:
        yield "Engram-Agent", visible_line(changeset.agent)
    for session in changeset.sessions:
        yield "Engram-Session", visible_line(session)
    yield from change_trailers(lines)


def _because(reason: str) -> str:
    return f": {visible_line(reason)}" if reason else ""

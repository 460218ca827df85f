"""The inverse of a commit as a plan: its files as they were before it, as long as nothing has moved on since."""

from __future__ import annotations

from collections.abc import Mapping

from engram.curate.hunks import runs
from engram.curate.message import MOST_SUBJECT, change_trailers
from engram.curate.parse import quotable
from engram.errors import NoteChanged, NoteProtected, NothingToUndo
from engram.model.lines import lines_of
from engram.model.plan import Edit, Line, Plan
from engram.model.snapshot import TOC, Snapshot, same_text
from engram.model.visible import visible_line
from engram.store.frontmatter import parse

_HINT = "undo the later change first, or change the note by a changeset"


def undo(
    entry_commit: str,
    subject: str,
    before: Mapping[str, bytes | None],
    after: Mapping[str, bytes | None],
    snapshot: Snapshot,
) -> Plan:
    """Returns the plan that takes a commit back: ``before`` and ``after`` hold its files on both sides of it.

    MEMORY.md goes back by the lines that the commit changed where later commits or hands changed others.
    Raises NoteChanged, with every path, where a file is no longer what the commit left; NoteProtected where a note
    is protected by now; NothingToUndo where the commit changed nothing, or files that are no notes.
    """
    paths = [path for path in dict.fromkeys((*before, *after)) if before.get(path) != after.get(path)]
    if not paths:
        raise NothingToUndo(f"commit {entry_commit[:12]} changed no note")
    foreign = [path for path in paths if not path.endswith(".md")]
    if foreign:
        raise NothingToUndo(f"commit {entry_commit[:12]} changed files that are no notes: {_listed(foreign)}")
    _check_protected(paths, snapshot)
    edits = {path: _inverse(path, before.get(path), after.get(path), snapshot) for path in paths}
    moved = [path for path, edit in edits.items() if edit is None]
    if moved:
        raise NoteChanged(f"changed since commit {entry_commit[:12]}: {_listed(moved)}", hint=_HINT, place=moved[0])
    kept = tuple(sorted((edit for edit in edits.values() if edit is not None), key=lambda edit: edit.path == TOC))
    lines = tuple(
        Line("UNDO", edit.path, _name(edit), rewrites_prose=True) for edit in kept if edit.path != TOC or len(kept) == 1
    )
    return Plan(
        root=snapshot.root,
        ref=snapshot.ref,
        head=snapshot.head,
        edits=kept,
        subject=_message(entry_commit, subject),
        trailers=(("Engram-Undoes", entry_commit), *change_trailers(lines)),
        lines=lines,
    )


def taken_back(before: bytes, after: bytes, now: bytes) -> bytes | None:
    """Returns ``now`` with the lines that led from ``before`` to ``after`` led back; None where they aren't there.

    Lines that were added go wherever they stand now; lines that were removed come back behind the line they followed.
    """
    old, new, lines = (lines_of(text) for text in (before, after, now))
    for old_from, old_to, new_from, new_to in reversed(runs(old, new)):
        place = _place_of(new, new_from, new_to, lines)
        if place is None:
            return None
        lines[place : place + new_to - new_from] = old[old_from:old_to]
    return b"".join(lines)


def _inverse(path: str, before: bytes | None, after: bytes | None, snapshot: Snapshot) -> Edit | None:
    """Returns the edit that leads a file back; None where it has moved on."""
    head, work = snapshot.committed.get(path), snapshot.work.get(path)
    if path == TOC and before is not None and after is not None and head is not None and work is not None:
        head_back = before if head == after else taken_back(before, after, head)
        sides = _in_ends_of(work, before), _in_ends_of(work, after)
        work_back = head_back if work == head else taken_back(*sides, work)
        return None if head_back is None or work_back is None else Edit(path, head, head_back, work, work_back)
    if head != after or not same_text(head, work):
        return None
    return Edit(
        path, head, before, work, before if before is None or work in (head, None) else _in_ends_of(work, before)
    )


def _place_of(new: list[bytes], start: int, stop: int, lines: list[bytes]) -> int | None:
    """Returns where a run of lines stands in others, exactly once; for an empty run, behind the line before it."""
    run = new[start:stop]
    if run:
        places = [place for place in range(len(lines)) if lines[place : place + len(run)] == run]
        return places[0] if len(places) == 1 else None
    if start == 0:
        return 0
    ahead = [place + 1 for place, line in enumerate(lines) if line == new[start - 1]]
    if len(ahead) == 1:
        return ahead[0]
    behind = [place for place, line in enumerate(lines) if start < len(new) and line == new[start]]
    if len(behind) == 1:
        return behind[0]
    return len(lines) if start == len(new) else None


def _in_ends_of(work: bytes, text: bytes) -> bytes:
    """Returns a text with the line ends that the file has in the folder (a checkout may have turned LF to CRLF)."""
    if b"\r\n" not in work or b"\r\n" in text:
        return text
    return text.replace(b"\n", b"\r\n")


def _check_protected(paths: list[str], snapshot: Snapshot) -> None:
    protected = [path for path in paths if path in snapshot.by_path and snapshot.by_path[path].protected]
    if protected:
        raise NoteProtected(f"protected by now: {_listed(protected)}", place=protected[0])


def _name(edit: Edit) -> str:
    data = edit.head_after if edit.head_after is not None else edit.head_before
    note, _ = parse(data or b"", edit.path)
    return note.name if note is not None else edit.path


def _message(commit: str, subject: str) -> str:
    said = visible_line(subject.split("\n", 1)[0]).removeprefix("memory: ")
    head = f"memory: undo {said}"
    short = head if len(head) <= MOST_SUBJECT else head[: MOST_SUBJECT - 1] + "…"
    return f"{short}\n\n- takes back commit {commit}"


def _listed(paths: list[str]) -> str:
    return ", ".join(quotable(path) for path in paths[:10]) + (
        f" and {len(paths) - 10} more" if len(paths) > 10 else ""
    )

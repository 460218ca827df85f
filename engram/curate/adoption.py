"""Hand edits as a plan: what stands in the folder becomes what HEAD holds, as its writer's own commit."""

from __future__ import annotations

from collections.abc import Sequence

from engram.curate.message import change_trailers, message
from engram.model.plan import Edit, Line, Plan
from engram.model.snapshot import Snapshot


def adoption(snapshot: Snapshot, paths: Sequence[str], *, person: tuple[str, str]) -> Plan:
    """Returns the plan that commits files as they stand in the folder, the author being ``person`` (name, email).

    Paths whose bytes HEAD holds already are left out; nothing in the folder changes, and no stamp is
    set. A file that was removed by hand
    is removed from HEAD; its last version stays in the history.
    """
    moved = [path for path in dict.fromkeys(paths) if path in snapshot.unreviewed]
    lines = tuple(Line("ADOPT", path, _name(path, snapshot), rewrites_prose=True) for path in moved)
    return Plan(
        root=snapshot.root,
        ref=snapshot.ref,
        head=snapshot.head,
        edits=tuple(_edit(path, snapshot) for path in moved),
        subject=message(lines),
        trailers=tuple(change_trailers(lines)),
        lines=lines,
        author=person,
    )


def _edit(path: str, snapshot: Snapshot) -> Edit:
    head, work = snapshot.committed.get(path), snapshot.work.get(path)
    return Edit(path, head, _as_committed(head, work), work, work)


def _as_committed(head: bytes | None, work: bytes | None) -> bytes | None:
    """Returns what git would store: a checkout that has CRLF where the commit has LF keeps its commit's line ends."""
    if head is None or work is None or b"\r\n" in head or b"\n" not in head:
        return work
    converted = work.count(b"\n") == work.count(b"\r\n")
    return work.replace(b"\r\n", b"\n") if converted else work


def _name(path: str, snapshot: Snapshot) -> str:
    note = snapshot.by_path.get(path)
    return note.name if note is not None else path.rsplit("/", 1)[-1].removesuffix(".md")

"""MEMORY.md as a changeset leaves it: the lines of the notes concerned change, and no other."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from engram.model.plan import Edit
from engram.model.snapshot import TOC, Snapshot
from engram.store.toc import with_note, without_note

_DATE = re.compile(r"\d{4}-\d{2}(?:-\d{2})?(?=-)")


@dataclass(frozen=True, slots=True)
class Entry:
    """Is what one change does to the table of contents."""

    act: Literal["add", "hook", "remove"]
    path: str
    name: str = ""
    description: str = ""
    type: str = ""


def toc_edit(entries: Sequence[Entry], snapshot: Snapshot) -> Edit | None:
    """Returns the one edit of MEMORY.md that all changes make together; None where they leave it as it is.

    HEAD's text and the one in the folder change by the same lines, each from where it is. A store without a
    MEMORY.md gets one with its first new note, and not otherwise.
    """
    work = snapshot.work.get(TOC)
    head = snapshot.committed.get(TOC) if snapshot.versioned else work
    edit = edited_on(Edit(TOC, head, head, work, work), entries, user_store=snapshot.scope == "user")
    return None if edit.head_after == head and edit.work_after == work else edit


def edited_on(edit: Edit, entries: Sequence[Entry], *, user_store: bool) -> Edit:
    """Returns an edit of MEMORY.md that makes further changes on top of its own."""
    head_after, work_after = (_applied(entries, data, user_store) for data in (edit.head_after, edit.work_after))
    return replace(edit, head_after=head_after, work_after=work_after)


def title_of(name: str) -> str:
    """Returns a name as a title: ``prefers-pnpm`` as ``Prefers pnpm``, one of several words as it stands; the day or
    month that a journal's begins with stays one."""
    if " " in name:
        return name
    date = _DATE.match(name)
    start = date.end() if date else 0
    words = (name[:start] + name[start:].replace("-", " ").replace("_", " ")).strip() or name
    return words[:1].upper() + words[1:]


def _applied(entries: Sequence[Entry], data: bytes | None, user_store: bool) -> bytes | None:
    for entry in entries:
        if entry.act == "remove":
            data = data if data is None else without_note(data, entry.path)
        elif entry.act == "add" or data is not None:
            data = with_note(
                data,
                entry.path,
                title=title_of(entry.name),
                description=entry.description,
                kind=entry.type,
                user_store=user_store,
            )
    return data

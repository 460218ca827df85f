"""A plan from a changeset and a snapshot: every path's bytes before and after, and nothing written.

Undoing a commit (``undo``) and adopting hand edits (``adoption``) make plans of the same kind, for the same door.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cached_property

from engram.config import Settings
from engram.curate.merge import Merged, Versions, conflict_path, kept_beside
from engram.curate.message import message, trailers
from engram.curate.parse import quotable
from engram.curate.targets import changeable, file_names, found, name_taken, replacement
from engram.curate.texts import added, invalidated, rewrites_prose, updated
from engram.curate.toc_lines import Entry, toc_edit
from engram.curate.trouble import Trouble, raise_all
from engram.errors import ChangesetInvalid
from engram.model.change import Change, ChangeSet
from engram.model.note import Note
from engram.model.plan import Edit, Line, Plan
from engram.model.snapshot import TOC, Snapshot
from engram.store.frontmatter import parse
from engram.store.paths import path_for, problem_with_path, same_place


def make_plan(
    changeset: ChangeSet,
    snapshot: Snapshot,
    *,
    now: datetime,
    settings: Settings,
    symlinked: Callable[[str], str] = lambda _path: "",
    versions: Versions = lambda _path, _base: None,
    proposed: datetime | None = None,
) -> Plan:
    """Returns what would be committed for a changeset.

    ``now`` gives the stamps their day. ``symlinked`` tells of a path in the store which of its parts is a symlink
    (``store.read.symlinked_part``). ``versions`` gives the text that a change was written for where the
    note has moved on since: the two merge, or what is proposed is kept beside the note, under the time ``proposed``
    (``curate.merge``). Notes that the plan touches and that HEAD doesn't hold as they stand are named in
    ``hand_edits``; their edit is shown as it would be once they are adopted, and such a plan is not committed.

    Raises, with every place: NoteNotFound, NoteAmbiguous, NoteProtected, NoteChanged, FrontmatterBroken where all
    troubles are of that kind; ChangesetInvalid otherwise.
    """
    work = _Planning(changeset, snapshot, now, settings, symlinked, versions, proposed or now)
    for index, change in enumerate(changeset.changes):
        work.take(index, change)
    if work.entries and symlinked(TOC):
        work.troubles.append(
            Trouble(ChangesetInvalid, "$", f"{TOC} of this store is a symlink; nothing is written to it")
        )
    raise_all(work.troubles)
    lines = tuple(work.lines)
    toc = toc_edit(work.entries, snapshot)
    return Plan(
        root=snapshot.root,
        ref=snapshot.ref,
        head=snapshot.head,
        edits=(*work.edits, toc) if toc is not None else tuple(work.edits),
        subject=message(lines),
        trailers=trailers(changeset, lines),
        lines=lines,
        notices=tuple(work.notices),
        hand_edits=hand_edits(work.edits, snapshot),
        sessions=changeset.sessions,
        agent=changeset.agent,
    )


@dataclass
class _Planning:
    """Is a plan in the making: what the changes taken so far do."""

    changeset: ChangeSet
    snapshot: Snapshot
    now: datetime
    settings: Settings
    symlinked: Callable[[str], str]
    versions: Versions
    proposed: datetime
    notices: list[str] = field(default_factory=list)
    edits: list[Edit] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)
    troubles: list[Trouble] = field(default_factory=list)
    touched: dict[str, str] = field(default_factory=dict)
    """Path to the place of the change that touches it."""

    @cached_property
    def files(self) -> Mapping[str, str]:
        """Every file that stands or is committed, by its name as the least careful file system compares it."""
        return file_names((*self.snapshot.work, *self.snapshot.committed))

    def take(self, index: int, change: Change) -> None:
        """Plans one change; keeps the reason where it can't be."""
        place = f"$.changes[{index}]"
        step = {"ADD": self._add, "UPDATE": self._update, "INVALIDATE": self._invalidate, "NOOP": self._noop}
        try:
            line = step[change.op](change, place)
        except Trouble as trouble:
            self.troubles.append(trouble)
        else:
            told = replace(line, reason=change.reason, relation=change.relation, confidence=change.confidence)
            self.lines.append(told)

    def _add(self, change: Change, place: str) -> Line:
        note = change.note
        if note is None:
            raise Trouble(ChangesetInvalid, place, "ADD needs note")
        path = path_for(note.name, note.type, user_store=self.snapshot.scope == "user", today=self.now.date())
        name_place = f"{place}.note.name"
        why = problem_with_path(path) or name_taken(note.name, self.snapshot, self.files)
        if why:
            raise Trouble(ChangesetInvalid, name_place, why)
        self._touch(path, name_place)
        after = added(note, self.changeset, self.snapshot, now=self.now, settings=self.settings)
        self.edits.append(Edit(path, None, after, None, after))
        self.entries.append(Entry("add", path, note.name, note.description, note.type))
        return Line("ADD", path, note.name)

    def _update(self, change: Change, place: str) -> Line:
        note, change, fitted, then = changeable(change, self.snapshot, place, self.versions)
        if fitted is not None and fitted.against:
            return self._kept_beside(note, change, fitted, then, place)
        self._told(note, fitted)
        self._touch(note.path, f"{place}.target")
        self._edit(note, lambda data: updated(data, note, change, self.now, place))
        description = change.set.get("description")
        listed = note.stands  # what doesn't has no line, and gets none
        if listed and isinstance(description, str) and description != note.description:
            kind = change.set.get("type", note.type)
            entry = Entry("hook", note.path, note.name, description, kind if isinstance(kind, str) else "")
            self.entries.append(entry)
        return Line("UPDATE", note.path, note.name, rewrites_prose=rewrites_prose(change, note))

    def _invalidate(self, change: Change, place: str) -> Line:
        note, change, fitted, _ = changeable(change, self.snapshot, place, self.versions)
        self._told(note, fitted)
        if note.invalidated_by:
            raise Trouble(ChangesetInvalid, f"{place}.target", "is invalidated already")
        self._touch(note.path, f"{place}.target")
        adds = [other.note.name for other in self.changeset.changes if other.note is not None]
        by = replacement(change, note, self.snapshot, adds, place) if change.by else self.now.date().isoformat()
        self._edit(note, lambda data: invalidated(data, note, by, self.now, place))
        self.entries.append(Entry("remove", note.path))
        return Line("INVALIDATE", note.path, note.name, rewrites_prose=True)

    def _kept_beside(self, note: Note, change: Change, fitted: Merged, then: bytes, place: str) -> Line:
        """Plans a file in ``conflicts/`` for what can't stand beside what the note says by now."""
        taken = {same_place(one) for one in (*self.snapshot.work, *self.snapshot.committed)}
        path = conflict_path(note, self.changeset.agent, self.proposed.astimezone(UTC), taken)
        self._touch(path, f"{place}.target")
        stood, _ = parse(then, note.path)
        text = kept_beside(updated(then, stood or note, change, self.now, place), note, path)
        self.edits.append(Edit(path, None, text, None, text))
        self.notices.append(
            f"{quotable(note.name)} has moved on since this was written ({', '.join(map(quotable, fitted.against))}): "
            f"its text stays as it is, and what is proposed here is kept as {path}"
        )
        return Line("CONFLICT", path, note.name, rewrites_prose=True)

    def _told(self, note: Note, fitted: Merged | None) -> None:
        if fitted is not None:
            moved = ", ".join(map(quotable, fitted.moved)) or "its stamps"
            self.notices.append(
                f"{quotable(note.name)} has moved on since this was written ({moved}); the two are merged"
            )

    def _noop(self, change: Change, place: str) -> Line:
        try:
            note = found(change.target, self.snapshot, place)
        except Trouble:  # nothing is done to it, so that it need not be there
            return Line("NOOP", "", change.target)
        return Line("NOOP", note.path, note.name)

    def _touch(self, path: str, place: str) -> None:
        """Notes that a change edits a path. Raises Trouble where another one does, or a symlink lies in the way."""
        if part := self.symlinked(path):
            raise Trouble(ChangesetInvalid, place, f"{path} lies behind the symlink {part}")
        other = self.touched.setdefault(path.casefold(), place)
        if other != place:
            raise Trouble(ChangesetInvalid, place, f"{path} is changed by {other} already")

    def _edit(self, note: Note, after: Callable[[bytes], bytes]) -> None:
        """Adds the edit of a standing note: the same change to HEAD's text and to the one in the folder."""
        work = self.snapshot.work[note.path]
        head = self.snapshot.committed.get(note.path)
        work_after = after(work)
        if head is None or head == work or note.path in self.snapshot.unreviewed:
            self.edits.append(Edit(note.path, work, work_after, work, work_after))
        else:
            self.edits.append(Edit(note.path, head, after(head), work, work_after))


def hand_edits(edits: Iterable[Edit], snapshot: Snapshot) -> tuple[str, ...]:
    """Returns the files that edits change and that HEAD doesn't hold as they stand: to be adopted first."""
    if not snapshot.versioned:
        return ()
    return tuple(edit.path for edit in edits if edit.work_before is not None and edit.path in snapshot.unreviewed)

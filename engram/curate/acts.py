"""Acts as a plan: what a person's own command, or a proposal of engram's own, does to notes that stand.

Beside changesets this is the second way to a plan, and the one that may move, remove and unprotect: nothing that an
agent writes becomes an act. The door behind it is the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from engram.curate.merge import Versions, moved_between
from engram.curate.message import change_trailers, message
from engram.curate.parse import quotable
from engram.curate.plan import hand_edits
from engram.curate.texts import stamped
from engram.curate.toc_lines import Entry, toc_edit
from engram.curate.trouble import Trouble, raise_all
from engram.errors import ActImpossible, ChangesetInvalid, FrontmatterBroken, NoteChanged, NoteNotFound, NoteProtected
from engram.model.act import Act
from engram.model.note import ARCHIVE, Note, base_of
from engram.model.plan import Edit, Line, Plan
from engram.model.snapshot import TOC, Snapshot
from engram.store.frontmatter import edit, parse
from engram.store.paths import problem_with_path

_GROUNDS = ("expires", "archived", "invalidated_by", "body")
"""What a note is put away or brought back for: where that has changed, a person looks anew."""


def plan_of(
    acts: Sequence[Act],
    snapshot: Snapshot,
    *,
    now: datetime,
    symlinked: Callable[[str], str] = lambda _path: "",
    versions: Versions = lambda _path, _base: None,
    agent: str = "",
) -> Plan:
    """Returns what would be committed for some acts on one store.

    ``versions`` gives the text that an act was made for where the note has moved on since; what moved there and what
    the act touches both stand where they are different things (``curate.merge``).

    Raises, with every place: NoteNotFound, NoteChanged, NoteProtected, FrontmatterBroken where all troubles are of that
    kind; ActImpossible otherwise.
    """
    work = _Acting(snapshot, now, symlinked, versions)
    for act in acts:
        work.take(act)
    kinds = {trouble.kind for trouble in work.troubles}
    if len(kinds) > 1 or ChangesetInvalid in kinds:
        raise ActImpossible("; ".join(trouble.words for trouble in work.troubles))
    if kinds == {NoteChanged}:
        hint = "run the command again: it is then made for the note as it stands"
        raise NoteChanged("; ".join(trouble.words for trouble in work.troubles), hint, work.troubles[0].place)
    raise_all(work.troubles)
    toc = toc_edit(work.entries, snapshot)
    lines = tuple(work.lines)
    return Plan(
        root=snapshot.root,
        ref=snapshot.ref,
        head=snapshot.head,
        edits=(*work.edits, toc) if toc is not None else tuple(work.edits),
        subject=message(lines),
        trailers=(*((("Engram-Agent", agent),) if agent else ()), *change_trailers(lines)),
        lines=lines,
        notices=tuple(work.notices),
        hand_edits=hand_edits(work.edits, snapshot),
        agent=agent,
    )


@dataclass
class _Acting:
    """Is a plan in the making."""

    snapshot: Snapshot
    now: datetime
    symlinked: Callable[[str], str]
    versions: Versions
    notices: list[str] = field(default_factory=list)
    edits: list[Edit] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)
    troubles: list[Trouble] = field(default_factory=list)
    touched: set[str] = field(default_factory=set)

    def take(self, act: Act) -> None:
        """Plans one act; keeps the reason where it can't be."""
        place = quotable(act.path)
        try:
            self._take(act, place)
        except Trouble as trouble:
            self.troubles.append(trouble)

    def _take(self, act: Act, place: str) -> None:
        work = self.snapshot.work.get(act.path)
        act = self._fitted(act, work)
        self._check(act, work, place)
        note = self.snapshot.by_path.get(act.path)
        if work is None and act.text is None:
            self._list(act, None)
            self.lines.append(Line(act.verb, act.path, _stem(act.path), reason=act.reason))
            return
        head = self.snapshot.committed.get(act.path) if self.snapshot.versioned else work
        if work is None or head is None or head == work or act.path in self.snapshot.unreviewed:
            head = work
        after = self._after(act, work, note, place)
        head_after = after if head == work else self._after(act, head, note, place)
        if act.to:
            self._contained(act.to, place)
            self.edits += (
                Edit(act.path, head, None, work, None),
                Edit(act.to, None, head_after, None, after),
            )
        elif after != work:
            self.edits.append(Edit(act.path, head, head_after, work, after))
        elif not act.lists:
            raise Trouble(ChangesetInvalid, place, f"{act.verb} {quotable(act.path)}: nothing would change")
        self._list(act, after)
        name = note.name if note is not None else _stem(act.path)
        rewrites = act.body is not None or act.text is not None or act.removes
        self.lines.append(Line(act.verb, act.to or act.path, name, reason=act.reason, rewrites_prose=rewrites))

    def _fitted(self, act: Act, work: bytes | None) -> Act:
        """Returns an act for the note as it stands, where it has moved on and none of that is what the act touches."""
        note = self.snapshot.by_path.get(act.path)
        if work is None or note is None or act.base in ("", base_of(work)) or act.text is not None or act.removes:
            return act
        data = self.versions(act.path, act.base)
        then = parse(data, act.path)[0] if data is not None else None
        if then is None:
            return act
        touches = {*act.set, *act.drop, *(("body",) if act.body is not None else ()), *(_GROUNDS if act.to else ())}
        moved = moved_between(then, note)
        if touches & set(moved):
            return act
        words = ", ".join(map(quotable, moved)) or "its stamps"
        self.notices.append(f"{quotable(note.name)} has moved on since this was proposed ({words}); the two are merged")
        return replace(act, base=base_of(work))

    def _check(self, act: Act, work: bytes | None, place: str) -> None:
        self._contained(act.path, place)
        if work is None and act.text is None and act.lists != "remove":
            raise Trouble(NoteNotFound, place, f"{quotable(act.path)} is not there")
        standing = "" if work is None else base_of(work)
        if standing != act.base:
            raise Trouble(NoteChanged, place, f"{quotable(act.path)} is no longer what this was made for")
        if act.verb == "PURGE" and not act.path.startswith(ARCHIVE):
            raise Trouble(ChangesetInvalid, place, f"{quotable(act.path)}: a purge takes from {ARCHIVE} alone")
        note = self.snapshot.by_path.get(act.path)
        if note is not None and note.protected and act.verb != "UNPROTECT":
            raise Trouble(NoteProtected, place, f"{quotable(note.name)} is protected")

    def _contained(self, path: str, place: str) -> None:
        """Notes that an act edits a path. Raises Trouble where it may not, or another act does already."""
        why = "" if path == TOC else problem_with_path(path)
        if why:
            raise Trouble(ChangesetInvalid, place, f"{quotable(path)}: {why}")
        if part := self.symlinked(path):
            raise Trouble(ChangesetInvalid, place, f"{quotable(path)} lies behind the symlink {part}")
        if path.casefold() in self.touched:
            raise Trouble(ChangesetInvalid, place, f"{quotable(path)} is changed by another act already")
        self.touched.add(path.casefold())

    def _after(self, act: Act, data: bytes | None, note: Note | None, place: str) -> bytes | None:
        """Returns a file as an act leaves it; None where it goes. A moved file keeps its new text."""
        if act.removes:
            return None
        if act.text is not None:
            return self._written(act, data, note)
        if data is None or note is None:
            raise Trouble(FrontmatterBroken, place, f"{quotable(act.path)} can't be read as a note")
        try:
            after = edit(data, act.set, act.body, drop=act.drop)
            if act.stamps and after != data:
                after = stamped(after, note, self.now, place)
        except FrontmatterBroken as why:
            raise Trouble(FrontmatterBroken, place, quotable(why.message, 200)) from None
        except ValueError as why:
            raise Trouble(ChangesetInvalid, place, quotable(str(why), 200)) from None
        return after

    def _written(self, act: Act, data: bytes | None, note: Note | None) -> bytes:
        """Returns a whole new text; stamped where it changes what a standing note says, and stamps can be set in it."""
        text = (act.text or "").encode("utf-8")
        new, _ = parse(text, act.path)
        if data is None or note is None or new is None or not act.stamps or text == data:
            return text
        try:
            return stamped(text, new, self.now, act.path)
        except (Trouble, ValueError):
            return text

    def _list(self, act: Act, after: bytes | None) -> None:
        if act.lists == "remove" or (act.removes and act.path != TOC):
            self.entries.append(Entry("remove", act.path))
        elif act.lists == "add" and after is not None:
            path = act.to or act.path
            note, _ = parse(after, path)
            if note is not None:
                self.entries.append(Entry("add", path, note.name, note.description, note.type))


def _stem(path: str) -> str:
    return path.rsplit("/", 1)[-1].removesuffix(".md")

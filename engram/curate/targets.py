"""Which note a change means: resolved in one snapshot, or the reason why it can't be."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from engram.curate.merge import Merged, Versions, merged
from engram.curate.parse import quotable
from engram.curate.trouble import Trouble
from engram.errors import (
    ChangesetInvalid,
    FrontmatterBroken,
    NoteAmbiguous,
    NoteChanged,
    NoteNotFound,
    NoteProtected,
)
from engram.model.change import Change
from engram.model.note import Note, base_of
from engram.model.snapshot import Snapshot
from engram.store.frontmatter import parse
from engram.store.paths import problem_with_path, same_place


def found(target: str, snapshot: Snapshot, place: str) -> Note:
    """Returns the one note that a target reaches. Raises Trouble where there is none, or several."""
    notes = snapshot.find(target)
    if len(notes) == 1:
        return notes[0]
    if notes:
        paths = ", ".join(quotable(note.path) for note in notes[:5])
        raise Trouble(NoteAmbiguous, place, f"{quotable(target)} names {len(notes)} notes: {paths}")
    if path := _unreadable(target, snapshot):
        raise Trouble(FrontmatterBroken, place, f"{quotable(path)} can't be read as a note")
    why = problem_with_path(target if target.casefold().endswith(".md") else f"{target}.md")
    words = f"there is no note {quotable(target)}" + (f", and can be none: {quotable(why, 160)}" if why else "")
    raise Trouble(NoteNotFound, place, words)


def changeable(
    change: Change, snapshot: Snapshot, place: str, versions: Versions = lambda _path, _base: None
) -> tuple[Note, Change, Merged | None, bytes]:
    """Returns the note that an UPDATE or INVALIDATE is for, the change as it fits it, and how it was made to fit.

    None for a change that was written for the note as it stands. The bytes are those that it was written for.
    Raises Trouble where the note isn't there, is protected, or has moved on and ``versions`` doesn't know from what, or
    an INVALIDATE was written for another text.
    """
    note = found(change.target, snapshot, f"{place}.target")
    if note.protected:
        raise Trouble(NoteProtected, f"{place}.target", f"{quotable(note.name)} is protected")
    work = snapshot.work[note.path]
    standing = base_of(work)
    if standing == change.base:
        return note, change, None, work
    old = versions(note.path, change.base)
    then = parse(old, note.path)[0] if old is not None else None
    fitted = merged(change, then, note) if then is not None else None
    if fitted is None or old is None or (fitted.against and change.op != "UPDATE"):
        words = f"{quotable(note.name)} is no longer what this was written for; its base is {standing} now"
        raise Trouble(NoteChanged, f"{place}.base", words)
    return note, fitted.change, fitted, old


def replacement(change: Change, target: Note, snapshot: Snapshot, added: Sequence[str], place: str) -> str:
    """Returns the name of the note that holds instead of ``target``; it stands, or this changeset adds it.

    Raises Trouble where it does neither, doesn't hold itself, or is the target.
    """
    for name in added:
        if name.casefold() == change.by.casefold():
            return name
    note = found(change.by, snapshot, f"{place}.by")
    if note.path == target.path:
        raise Trouble(ChangesetInvalid, f"{place}.by", "names the target itself")
    if note.invalidated_by:
        raise Trouble(ChangesetInvalid, f"{place}.by", f"{quotable(note.name)} does not hold any more itself")
    return note.name


def file_names(paths: Iterable[str]) -> Mapping[str, str]:
    """Returns paths by their file's name, case and Unicode form left out as some file systems do."""
    names = ((path.rsplit("/", 1)[-1], path) for path in paths)
    return {name.lower() if name.isascii() else same_place(name): path for name, path in names}


def name_taken(name: str, snapshot: Snapshot, files: Mapping[str, str]) -> str:
    """Returns why a new note can't have this name; "" where nothing stands in its way (``files``: see file_names)."""
    standing = snapshot.by_name.get(name.casefold(), ())
    if standing:
        return f"{quotable(name)} is taken by {quotable(standing[0].path)}: UPDATE that one, or choose another name"
    if other := files.get(f"{name.casefold()}.md"):
        return f"{quotable(other)} stands in the way: choose another name"
    return ""


def _unreadable(target: str, snapshot: Snapshot) -> str:
    """Returns the path of a file that a target reaches and that yields no note."""
    wanted = target.casefold().removesuffix(".md")
    unread = {finding.path for finding in snapshot.findings if finding.level == "unreadable"}
    for path in sorted(unread):
        plain = path.casefold().removesuffix(".md")
        if wanted in (plain, plain.rsplit("/", 1)[-1]):
            return path
    return ""

"""A note's text as a person wrote it in their editor, put in the place of what the changeset says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from engram.curate.toc_lines import Entry, edited_on
from engram.errors import FrontmatterBroken
from engram.model.change import Change, ChangeSet, Replace, SetValue
from engram.model.note import Note, base_of, body_hash
from engram.model.plan import Edit, Plan
from engram.model.snapshot import TOC, Snapshot
from engram.store import frontmatter, toc


def with_texts(plan: Plan, snapshot: Snapshot, texts: Mapping[str, Mapping[str, str]]) -> Plan:
    """Returns the plan with the given notes' texts in place of its own.

    ``texts``: path to ``{"base", "text"}``. A text that was written for another version of the file, or for a path
    that the plan no longer touches, is left out: the person is shown the plan without it.
    Raises FrontmatterBroken where a text can't be read as the note that it stands for.
    """
    edits = {edit.path: edit for edit in plan.edits}
    for path, text in _fitting(plan, texts):
        edit = edits[path]
        edits[path] = _retexted(edit, text)
        if TOC in edits:
            edits[TOC] = _listed(edits[TOC], edit, edits[path], user_store=snapshot.scope == "user")
    return replace(plan, edits=tuple(edits[edit.path] for edit in plan.edits))


def as_written(changeset: ChangeSet, plan: Plan, texts: Mapping[str, Mapping[str, str]]) -> ChangeSet:
    """Returns the changeset with its new texts as the person wrote them, for whatever looks at what it adds.

    ``plan``: as it was made of the changeset, a line for each change. What an INVALIDATE leaves is no new text.
    """
    written = {path: _note(text, path) for path, text in _fitting(plan, texts)}
    before = {edit.path: edit.work_before for edit in plan.edits}
    return replace(
        changeset,
        changes=tuple(
            _as_written(change, before[line.path], written[line.path]) if line.path in written else change
            for change, line in zip(changeset.changes, plan.lines, strict=True)
        ),
    )


def _as_written(change: Change, before: bytes | None, written: Note) -> Change:
    if change.note is not None:
        note = replace(change.note, body=written.body, fields=_fields(change.note.fields, written))
        return replace(change, note=note)
    if change.op != "UPDATE":
        return change
    stood = _note(before or b"", written.path)
    named = [*change.set, *(["description"] if written.description != stood.description else [])]
    given = _fields(named, written)
    if change.body is not None:
        return replace(change, set=given, body=written.body)
    edit = Replace(stood.body.replace("\r\n", "\n"), written.body.replace("\r\n", "\n"))
    return replace(change, set=given, edits=(edit,))


def _fields(named: Iterable[str], written: Note) -> dict[str, SetValue]:
    """Returns the fields that a change names with what the person's text says in them."""
    return {
        key: written.texts(key) if isinstance(written.fields[key], tuple) else written.text(key)
        for key in named
        if isinstance(written.fields.get(key), str | tuple)
    }


def _fitting(plan: Plan, texts: Mapping[str, Mapping[str, str]]) -> Iterator[tuple[str, bytes]]:
    """Yields the texts that were written for what the plan changes, by their paths."""
    edits = {edit.path: edit for edit in plan.edits if edit.path != TOC}
    for path, written in texts.items():
        if path in edits and written.get("base") == _version(edits[path].work_before):
            yield path, written["text"].encode("utf-8")


def _retexted(edit: Edit, text: bytes) -> Edit:
    planned, written = _note(edit.work_after or b"", edit.path), _note(text, edit.path)
    if written.name != planned.name:
        raise FrontmatterBroken(f"{edit.path}: the name has to stay {planned.name!r}", "edit again", edit.path)
    if written.fields.get("protected") != planned.fields.get("protected"):
        raise FrontmatterBroken(f"{edit.path}: `protected` isn't set here", "edit again", edit.path)
    if written.hash:
        text = frontmatter.edit(text, {"hash": body_hash(written.body)})
    same = edit.head_before == edit.work_before
    return replace(edit, work_after=text, head_after=text if same else text.replace(b"\r\n", b"\n"))


def _listed(listing: Edit, planned: Edit, written: Edit, *, user_store: bool) -> Edit:
    """Returns the edit of MEMORY.md with the note's line saying what the note now says of itself."""
    old, new = _note(planned.work_after or b"", planned.path), _note(written.work_after or b"", written.path)
    listed = any(
        planned.path in toc.listed(data) for data in (listing.head_after, listing.work_after) if data is not None
    )
    if old.description == new.description or not listed:
        return listing
    return edited_on(listing, [Entry("hook", new.path, new.name, new.description, new.type)], user_store=user_store)


def _note(data: bytes, path: str) -> Note:
    note, findings = frontmatter.parse(data, path)
    if note is None or not note.has_frontmatter:
        words = findings[0].message if findings else "it has no frontmatter"
        raise FrontmatterBroken(f"{path}: {words}", "edit again", path)
    return note


def _version(data: bytes | None) -> str:
    return "" if data is None else base_of(data)

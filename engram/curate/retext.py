"""A note's text as a person wrote it in their editor, put in the place of what the changeset says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from engram.curate.toc_lines import Entry, edited_on
from engram.errors import FrontmatterBroken
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
    for path, written in texts.items():
        edit = edits.get(path)
        if edit is None or path == TOC or written.get("base") != _version(edit.work_before):
            continue
        edits[path] = _retexted(edit, written["text"].encode("utf-8"))
        if TOC in edits:
            edits[TOC] = _listed(edits[TOC], edit, edits[path], user_store=snapshot.scope == "user")
    return replace(plan, edits=tuple(edits[edit.path] for edit in plan.edits))


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

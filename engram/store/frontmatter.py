"""Frontmatter: a note's fields read leniently and changed surgically. Bytes in, values or bytes out.

Reading is total: a file yields a note, or a finding that says why it yields none. One bad field never loses the others:
simple lines are read by hand, and what they can't tell goes entry by entry to a YAML parser that knows text alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from engram.errors import FrontmatterBroken
from engram.model.change import Replace, SetValue
from engram.model.finding import Finding
from engram.model.note import FieldValue, Note, base_of
from engram.store import layout, surgery
from engram.store.body import plain, replaced, with_body
from engram.store.fields import fields_of
from engram.store.layout import BOM
from engram.store.links import links_of, without_code

_CONFLICT = ("<<<<<<< ", "=======", ">>>>>>> ")


def parse(data: bytes, path: str) -> tuple[Note | None, tuple[Finding, ...]]:
    """Returns the note a file holds, and what its owner should know about it. Raises nothing.

    No note comes with a finding of level ``unreadable``: ``not-utf8``, ``not-text`` (NUL characters) or
    ``frontmatter-unclosed``. A field that no YAML reader makes sense of is read as the text that stands there.
    """
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return None, (Finding("not-utf8", path, "is not UTF-8 text", "unreadable", line),)
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        return None, (Finding("not-text", path, "holds NUL characters and is no text", "unreadable", line),)
    try:
        found = layout.layout_of(text)
    except layout.Unclosed:
        words = "the frontmatter's closing `---` is missing, so that nobody can tell fields from text"
        return None, (Finding("frontmatter-unclosed", path, words, "unreadable", 1),)
    fields, findings = ({}, ()) if found is None else fields_of(found, path)
    body = text.removeprefix(BOM) if found is None else found.body
    if "<<<<<<< " in text and _is_conflicted(text):
        findings += (Finding("conflict-markers", path, "holds the markers of an unfinished merge"),)
    stem = path.rsplit("/", 1)[-1].removesuffix(".md")
    name = fields.get("name")
    note = Note(
        path=path,
        name=(name.strip() if isinstance(name, str) else "") or stem,
        fields=fields,
        body=body,
        links=tuple(dict.fromkeys([*_linked(fields.get("links")), *links_of(body)])),
        base=base_of(data),
        has_frontmatter=found is not None,
    )
    return note, findings


def edit(data: bytes, fields: Mapping[str, SetValue], body: str | None = None, *, drop: Sequence[str] = ()) -> bytes:
    """Returns the file with these fields set, and with a new body where one is given; every other byte stays.

    ``drop``: fields whose lines go; one that isn't there is no error.

    A field is changed in its place, on its own lines, with the quotes it had. A comment behind a one-line value
    stays; comments within a value of several lines go with it. A block list stays one, and its unchanged items keep
    their lines. A new body keeps the blank lines before it, the file's line ends, and a missing final newline.
    Raises FrontmatterBroken where that can't be done without guessing (and nothing is returned that reads back
    otherwise than it was set), ValueError for a text that UTF-8 can't hold or a key that is no plain word.
    """
    before = _note(data)
    text = data.decode("utf-8")
    for key, value in fields.items():
        if key == "metadata":
            raise FrontmatterBroken("`metadata` holds fields; set them by their own names", place="metadata")
        text = surgery.with_field(text, key, value)
    for key in drop:
        text = surgery.without_field(text, key)
    if body is not None:
        text = with_body(text, body)
    after = text.encode("utf-8")
    _check_kept(before, after, fields, drop, body_kept=body is None)
    return after


def replace_in_body(data: bytes, edits: Sequence[Replace]) -> bytes:
    """Returns the file with pieces of its body replaced, one after the other; the frontmatter is out of reach.

    Line ends within an edit count as the body's own. Raises ValueError where a ``find`` does not stand in the body
    exactly once (the message says how often it does), FrontmatterBroken where nobody can tell where the body begins.
    """
    before = _note(data)
    text = data.decode("utf-8")
    head = text[: len(text) - len(before.body)]
    after = (head + replaced(before.body, edits)).encode("utf-8")
    _check_kept(before, after, {}, (), body_kept=False)
    return after


def render(name: str, fields: Mapping[str, SetValue], body: str) -> bytes:
    """Returns a new note's bytes: ``---``, the name and the fields in their order, ``---``, an empty line, the body.

    Raises ValueError for a text that UTF-8 can't hold or a key that is no plain word.
    """
    head = "".join(surgery.field_line(key, value) for key, value in {"name": name, **fields}.items())
    text = plain(body)
    return (f"---\n{head}---\n" + (f"\n{text}\n" if text else "")).encode()


def _is_conflicted(text: str) -> bool:
    """Tells whether the three markers of an unfinished merge stand in their order, outside code."""
    met = 0
    for line in without_code(text).split("\n"):
        if line.startswith(_CONFLICT[met]):
            met += 1
            if met == len(_CONFLICT):
                return True
    return False


def _note(data: bytes) -> Note:
    note, findings = parse(data, "note.md")
    if note is None:
        raise FrontmatterBroken(f"the note can't be edited: {findings[0].message}")
    return note


def _check_kept(
    before: Note, data: bytes, fields: Mapping[str, SetValue], drop: Sequence[str], *, body_kept: bool
) -> None:
    """Refuses an edit that reads back otherwise than it was meant, whatever the reason."""
    after, _ = parse(data, "note.md")
    if after is None or after.has_frontmatter != (before.has_frontmatter or bool(fields)):
        raise FrontmatterBroken("the changed text would read as another frontmatter")
    wanted = {key: str(value) if isinstance(value, int) else value for key, value in fields.items()}
    kept = {key: value for key, value in before.fields.items() if key not in {*fields, *drop, "metadata"}}
    reads = {key: value for key, value in after.fields.items() if key != "metadata"}
    if reads != {**kept, **wanted} or (body_kept and after.body != before.body):
        odd = sorted(key for key in {**kept, **wanted} if reads.get(key) != {**kept, **wanted}[key])
        raise FrontmatterBroken(f"{', '.join(odd) or 'the frontmatter'} can't be set without changing more than that")


def _linked(value: FieldValue) -> Iterator[str]:
    """Yields the targets of a ``links`` field, however they were written: ``a``, ``[[a]]``, ``"[[a|b]]"``."""
    if isinstance(value, str):
        yield from links_of(value) if "[[" in value else (part.strip() for part in value.split(",") if part.strip())
    elif isinstance(value, tuple):
        for item in value:
            yield from _linked(item)

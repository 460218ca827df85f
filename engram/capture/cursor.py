"""Reads Cursor's transcripts: ``{role, message: {content: […]}}`` a line. Their form is not documented.

Newer ones mark what was typed with ``<user_query>``; beside it stand rules, open files and reminders of the client's.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from engram.capture.source import Row, Source, dicts, inner, output_of, text_in, text_of
from engram.capture.spoken import is_wrapped, own_words
from engram.capture.turns import Turns, patched, stem_of
from engram.model.session import Session

AGENT = "cursor"

_QUERY = re.compile(r"<user_query>(.*?)</user_query>", re.DOTALL)
_MARK = re.compile(r"user_query\s*>", re.IGNORECASE)
_TAG = re.compile(r"<(/?)([A-Za-z][\w.:-]*)(?:\s[^<>]*)?>")
_EDITORS = {
    "write", "writefile", "edit", "editfile", "multiedit", "strreplace", "searchreplace", "reapply", "delete",
    "deletefile", "editnotebook", "createfile",
}  # fmt: skip
_FIELDS = ("path", "file_path", "target_file", "target_notebook", "filePath")


def reads(source: Source) -> bool:
    """Tells whether a file is a transcript of Cursor's."""
    return any(
        text_in(row.get("role")) in {"user", "assistant"} and "content" in inner(row, "message") and "id" not in row
        for row in source.first
    )


def read(source: Source) -> Session:
    """Returns the session that a transcript holds. Its id is the file's name."""
    turns = Turns(AGENT)
    turns.id = stem_of(source.path)
    turns.take(source.rows(b'"role"'), lambda row: _take(turns, row))
    return turns.session()


def _take(turns: Turns, row: Row) -> None:
    """Adds the turns of one line. Raises TypeError and the like."""
    role = row.get("role")
    if role not in {"user", "assistant"}:
        text_of(row.get("type"))
        return
    at = turns.at(row.get("timestamp"))
    content = row["message"]["content"]
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else list(dicts(content))
    texts = [text_of(block["text"]) for block in blocks if block.get("type") == "text"]
    if role == "user":
        turns.say("user", "\n\n".join(filter(None, _typed(texts))), at)
    else:
        turns.say("assistant", "\n\n".join(texts), at)
    for block in blocks:
        if block.get("type") == "tool_use":
            _call(turns, block, at)
        elif block.get("type") == "tool_result":
            _result(turns, block, at)


def _typed(texts: list[str]) -> Iterator[str]:
    """Yields what the person typed. Where a message has more than one mark, in whichever of its texts, or has it within
    another element, it could be one that a file or a rule forges: nobody's."""
    marks = [len(_MARK.findall(text)) for text in texts]
    if not sum(marks):
        yield from ("" if is_wrapped(text) else own_words(text) for text in texts)
    elif sum(marks) == 2 and 2 in marks:
        text = texts[marks.index(2)]
        found = _QUERY.search(text)
        if found and not _open_tags(text[: found.start()]) & _closed_tags(text[found.end() :]):
            yield own_words(found[1])


def _open_tags(text: str) -> set[str]:
    """Returns the elements that a text begins and doesn't end."""
    depth = Counter(match[2] for match in _TAG.finditer(text) if not match[1])
    depth.subtract(match[2] for match in _TAG.finditer(text) if match[1])
    return {name for name, many in depth.items() if many > 0}


def _closed_tags(text: str) -> set[str]:
    return {match[2] for match in _TAG.finditer(text) if match[1]}


def _call(turns: Turns, block: Row, at: str) -> None:
    name, given = text_in(block.get("name")), block.get("input")
    fields = given if isinstance(given, dict) else {}
    edits = name.lower().replace("_", "") in _EDITORS
    path = next((fields[field] for field in _FIELDS if edits and text_in(fields.get(field))), "")
    patch = given if isinstance(given, str) else "\n".join(map(text_in, fields.values()))
    turns.call(text_in(block.get("id")), name, given, at, [path] if path else patched(patch))


def _result(turns: Turns, block: Row, at: str) -> None:
    text = output_of(block.get("content"))
    turns.result(text_in(block.get("tool_use_id")), text, at, failed=block.get("is_error") is True)

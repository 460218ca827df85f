"""Every real note: read, and one field changed with no other byte moved; PyYAML's marks say where a field is."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from engram.model.change import SetValue
from engram.model.note import Note
from engram.store.frontmatter import edit, parse
from engram.store.read import read_folder
from engram.store.toc import listed, with_note, without_note
from tests.lib.stores import everything

pytestmark = pytest.mark.corpus

EDITS: dict[str, SetValue] = {
    "description": 'Changed: by a test # and "quoted"',
    "importance": 7,
    "tags": ("one", "two, three"),
    "type": "decision",
    "never_seen_before": "yes",
    "review_after": None,
}


@pytest.fixture(scope="module")
def files(corpus: Path) -> dict[str, bytes]:
    return everything(corpus / "stores")


def test_every_file_yields_a_note_or_a_named_finding_and_none_changes(corpus: Path, files: dict[str, bytes]) -> None:
    assert len(files) > 1100
    folder = read_folder(str(corpus / "stores"))
    answered = {note.path for note in folder.notes} | {finding.path for finding in folder.findings}
    assert {path for path in files if path not in answered} == set()
    assert folder.work == files
    assert everything(corpus / "stores") == files


@pytest.mark.parametrize("field", EDITS)
def test_one_field_edit_changes_only_its_lines(files: dict[str, bytes], field: str) -> None:
    tried = 0
    for path, data in files.items():
        before, _ = parse(data, path)
        if before is None:
            continue
        after = edit(data, {field: EDITS[field]})
        start, end = _region(data, field)
        assert after[:start] == data[:start], path
        assert after[len(after) - (len(data) - end) :] == data[end:], path
        assert len(after) >= start + len(data) - end, path
        _read_back(before, after, field)
        tried += 1
    assert tried > 1100


def _read_back(before: Note, data: bytes, field: str) -> None:
    after, _ = parse(data, before.path)
    assert after is not None
    value = EDITS[field]
    assert after.fields == {**before.fields, field: str(value) if isinstance(value, int) else value}
    assert (after.body, after.links) == (before.body, before.links)


def _region(data: bytes, field: str) -> tuple[int, int]:
    """Returns where the field's lines begin and end, by PyYAML's own marks; an empty span where it has to be put."""
    lines = data.split(b"\n")
    if lines[0].rstrip() != b"---":
        return (0, 0)
    last = next(index for index, line in enumerate(lines) if index and line.rstrip() == b"---")
    offsets = [0]
    for line in lines:
        offsets.append(offsets[-1] + len(line) + 1)
    head = "\n".join(line.decode() for line in lines[1:last]) + "\n"
    try:
        root = yaml.compose(head, yaml.SafeLoader)
        pairs = root.value if root is not None else []
        spans = {key.value: (key.start_mark.line, value.end_mark) for key, value in pairs}
        found = spans.get(field)
        region = None if found is None else (found[0], found[1].line + (found[1].column > 0))
    except yaml.YAMLError:  # an unquoted ": "; such notes have one-line fields alone
        keys = [line.partition(":")[0] for line in head.split("\n")]
        region = (keys.index(field), keys.index(field) + 1) if field in keys else None
    start, end = region if region is not None else (last - 1, last - 1)
    return offsets[1 + start], offsets[1 + end]


def test_memory_md_gains_and_loses_one_line(files: dict[str, bytes]) -> None:
    tables = {path: data for path, data in files.items() if path.endswith("/MEMORY.md")}
    assert len(tables) == 2
    for data in tables.values():
        before = listed(data)
        assert before
        for kind in ("project", "feedback", "reference", "lesson"):
            after = with_note(data, "new.md", title="New", description="a hook", kind=kind, user_store=False)
            assert set(listed(after)) == {*before, "new.md"}
            line = next(line for line in after.split(b"\n") if b"new.md" in line)
            assert line == "- [New](new.md) — a hook".encode()
            assert after.replace(line + b"\n", b"", 1) == data
            assert without_note(after, "new.md") == data
        for path, number in before.items():
            after = with_note(data, path, title="T", description="other hook", kind="", user_store=False)
            old, new = data.split(b"\n"), after.split(b"\n")
            assert [index + 1 for index in range(len(old)) if old[index] != new[index]] in ([number], [])
            assert len(new) in (len(old), len(old) + 1)

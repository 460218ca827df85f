"""Every real note: an UPDATE of one field moves that field's lines and the stamps', and no other byte of the file."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from engram.curate.hunks import runs
from engram.errors import FrontmatterBroken
from engram.model.change import Change, SetValue
from engram.model.lines import lines_of
from engram.model.note import base_of, body_hash
from engram.store.frontmatter import parse
from tests.lib.changesets import planned, snapshot_of
from tests.lib.stores import everything

pytestmark = pytest.mark.corpus

SETS: dict[str, SetValue] = {"importance": 9, "tags": ("one", "two"), "description": "Says something else: # now"}
STAMPS = ("updated", "modified", "hash")


@pytest.mark.parametrize("field", SETS)
def test_an_update_of_one_field_changes_its_lines_and_the_stamps(corpus: Path, field: str) -> None:
    tried = broken = 0
    for path, data in everything(corpus / "stores").items():
        note, _ = parse(data, path)
        if note is None or path.endswith("MEMORY.md") or note.protected:
            continue
        change = Change(
            "UPDATE", "compatible", 0.9, "moved on", target=path, base=base_of(data), set={field: SETS[field]}
        )
        try:
            plan = planned(snapshot_of({path: data}), change)
        except FrontmatterBroken:
            broken += 1
            continue
        (edit,) = plan.edits
        assert edit.work_after is not None
        _only_moves(data, edit.work_after, field, path)
        after, _ = parse(edit.work_after, path)
        assert after is not None
        assert after.body == note.body, path
        stamp = "modified" if "modified" in note.fields and "updated" not in note.fields else "updated"
        assert after.text(stamp).startswith("2026-01-15"), path
        assert after.hash == (body_hash(after.body) if note.hash else ""), path
        tried += 1
    assert tried > 1100
    assert broken == 0


def _only_moves(before: bytes, after: bytes, field: str, path: str) -> None:
    """Checks, by PyYAML's own marks, that every line which went or came is one of the field's or of a stamp's."""
    old, new = lines_of(before), lines_of(after)
    own = _lines_of_field(before, field)
    fresh = not before.removeprefix(b"\xef\xbb\xbf").startswith(b"---")  # it had no frontmatter, and gets one
    for old_from, old_to, new_from, new_to in runs(old, new):
        assert all(index in own or _is_of(old[index], STAMPS) for index in range(old_from, old_to)), path
        for line in new[new_from:new_to]:
            item = field == "tags" and line.lstrip().startswith(b"- ")
            assert item or _is_of(line, (field, *STAMPS)) or (fresh and line.strip() == b"---"), path


def _is_of(line: bytes, keys: tuple[str, ...]) -> bool:
    return re.match(rf"\s*(?:{'|'.join(keys)}):", line.decode("utf-8", "replace")) is not None


def _lines_of_field(data: bytes, field: str) -> set[int]:
    """Returns the indexes of the lines that a field at the top or below ``metadata:`` takes."""
    lines = data.decode("utf-8").split("\n")
    if lines[0].rstrip() != "---":
        return set()
    last = next(index for index, line in enumerate(lines) if index and line.rstrip() == "---")
    try:
        root = yaml.compose("\n".join(lines[1:last]) + "\n", yaml.SafeLoader)
    except yaml.YAMLError:  # an unquoted ": "; such notes have one-line fields alone
        return {index for index, line in enumerate(lines[:last]) if line.startswith(f"{field}:")}
    pairs = list(root.value if root is not None else [])
    for key, value in list(pairs):
        pairs += value.value if key.value == "metadata" and isinstance(value, yaml.MappingNode) else []
    return {
        1 + index
        for key, value in pairs
        if key.value == field
        for index in range(key.start_mark.line, value.end_mark.line + (value.end_mark.column > 0))
    }

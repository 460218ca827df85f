"""The one hand that changes files: whole, contained, and never over what somebody else wrote."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from engram import disk
from engram.errors import DiskFull, NoteChanged, StoreReadOnly
from engram.store import write
from tests.lib.stores import everything


def test_a_file_is_made_changed_and_removed(tmp_path: Path) -> None:
    write.replace(str(tmp_path), "deep/er/a b é.md", None, b"one\r\n")
    assert everything(tmp_path) == {"deep/er/a b é.md": b"one\r\n"}
    write.replace(str(tmp_path), "deep/er/a b é.md", b"one\r\n", b"two")
    assert everything(tmp_path) == {"deep/er/a b é.md": b"two"}
    write.replace(str(tmp_path), "deep/er/a b é.md", b"two", None)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_holds_something_else_stays(tmp_path: Path) -> None:
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "other.txt").write_bytes(b"x")
    write.replace(str(tmp_path), "d/a.md", None, b"A")
    write.replace(str(tmp_path), "d/a.md", b"A", None)
    assert everything(tmp_path) == {"d/other.txt": b"x"}


@pytest.mark.parametrize(("standing", "before"), [(b"B", b"A"), (b"B", None), (None, b"A"), (b"", None)])
@pytest.mark.parametrize("after", [b"C", None])
def test_what_was_changed_meanwhile_is_left_alone(
    tmp_path: Path, standing: bytes | None, before: bytes | None, after: bytes | None
) -> None:
    if standing is not None:
        (tmp_path / "a.md").write_bytes(standing)
    was = everything(tmp_path)
    with pytest.raises(NoteChanged):
        write.replace(str(tmp_path), "a.md", before, after)
    assert everything(tmp_path) == was


def test_the_last_look_is_right_before_the_move(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    note = tmp_path / "a.md"
    note.write_bytes(b"A")
    synced = os.fsync

    def edited_meanwhile(descriptor: int) -> None:
        synced(descriptor)
        note.write_bytes(b"by hand")

    monkeypatch.setattr(os, "fsync", edited_meanwhile)
    with pytest.raises(NoteChanged):
        write.replace(str(tmp_path), "a.md", b"A", b"B")
    assert everything(tmp_path) == {"a.md": b"by hand"}


@pytest.mark.parametrize(
    "path",
    ["../a.md", "d/../../a.md", "/tmp/a.md", "", ".", "a/./b.md", "a//b.md", ".git/config", "d/.GIT/x.md",
     ".engram/intent.json", "a\0.md"],
)  # fmt: skip
def test_a_path_that_leads_elsewhere_is_refused(tmp_path: Path, path: str) -> None:
    root = tmp_path / "s"
    root.mkdir()
    with pytest.raises(NoteChanged):
        write.replace(str(root), path, None, b"x")
    assert everything(tmp_path) == {}


@pytest.mark.skipif(os.name == "nt", reason="making a symlink needs a privilege there")
@pytest.mark.parametrize("link", ["a.md", "d"])
def test_nothing_is_written_through_a_link(tmp_path: Path, link: str) -> None:
    root, outside = tmp_path / "s", tmp_path / "outside"
    root.mkdir()
    outside.mkdir()
    (outside / "a.md").write_bytes(b"A")
    (root / link).symlink_to(outside / "a.md" if link == "a.md" else outside)
    path = "a.md" if link == "a.md" else "d/a.md"
    for after in (b"B", None):
        with pytest.raises(NoteChanged, match=r"link"):
            write.replace(str(root), path, b"A", after)
    assert (outside / "a.md").read_bytes() == b"A"


def test_a_folder_in_the_note_s_place_is_no_note(tmp_path: Path) -> None:
    (tmp_path / "a.md").mkdir()
    with pytest.raises(NoteChanged):
        write.current(str(tmp_path), "a.md")
    (tmp_path / "b").write_bytes(b"")
    assert write.current(str(tmp_path), "b/a.md") is None


@pytest.mark.skipif(os.name == "nt", reason="modes are POSIX")
def test_modes_stay_and_new_files_get_the_usual_one(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"A")
    (tmp_path / "a.md").chmod(0o640)
    old = os.umask(0o022)
    try:
        write.replace(str(tmp_path), "a.md", b"A", b"B")
        write.replace(str(tmp_path), "n.md", None, b"N")
    finally:
        os.umask(old)
    assert [(tmp_path / name).stat().st_mode & 0o777 for name in ("a.md", "n.md")] == [0o640, 0o644]


@pytest.mark.parametrize(("number", "named"), [(errno.ENOSPC, DiskFull), (errno.EROFS, StoreReadOnly)])
def test_a_disk_that_refuses_is_named_and_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, named: type[Exception]
) -> None:
    (tmp_path / "a.md").write_bytes(b"A")

    def refuse(*_: Any) -> int:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(disk.os, "write", refuse)
    with pytest.raises(named):
        write.replace(str(tmp_path), "a.md", b"A", b"B")
    with pytest.raises(named):
        write.replace(str(tmp_path), "new/n.md", None, b"B")
    monkeypatch.undo()
    assert everything(tmp_path) == {"a.md": b"A"}
    assert [path.name for path in tmp_path.iterdir()] == ["a.md"]


def test_temporary_files_of_a_killed_process_are_swept(tmp_path: Path) -> None:
    for name in (".engram-ff-1.tmp", ".engram-fe-1.tmp", "d/.engram-ff-2.tmp", "a.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"x")
    write.sweep(str(tmp_path), ("a.md", "d/b.md", "gone/c.md"), 0xFF)
    assert set(everything(tmp_path)) == {".engram-fe-1.tmp", "a.md"}

"""Reading a store: total, and never taking what can't be read for gone."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engram.errors import StoreNotFound
from engram.store.git import Repository
from engram.store.read import SIZE_LIMIT, read_folder, symlinked_part, take_snapshot
from tests.lib.stores import everything, git, make_store, note

posix = pytest.mark.skipif(os.name != "posix", reason="needs POSIX files")


def found(root: Path) -> dict[str, tuple[str, str]]:
    return {finding.path: (finding.code, finding.level) for finding in read_folder(str(root)).findings}


def test_reads_every_folder_but_the_closed_ones(tmp_path: Path) -> None:
    files = {
        "MEMORY.md": "- [B](b.md)\n",
        "b.md": note("b"),
        "a/deep/c.md": note("c"),
        "a/MEMORY.md": "nested\n",
        "a/.git/x.md": note("x"),
        "a/.engram/y.md": note("y"),
        ".engram/z.md": note("z"),
        "a.txt": "no note",
        "日本語 x.md": note("j"),
    }
    make_store(tmp_path, files, init=False)
    before = everything(tmp_path)
    folder = read_folder(str(tmp_path))
    assert [one.path for one in folder.notes] == ["a/deep/c.md", "b.md", "日本語 x.md"]
    assert list(folder.work) == ["MEMORY.md", "a/MEMORY.md", "a/deep/c.md", "b.md", "日本語 x.md"]
    assert found(tmp_path) == {"a/MEMORY.md": ("nested-toc", "info")}
    assert everything(tmp_path) == before


def test_one_bad_file_stops_nothing(tmp_path: Path) -> None:
    make_store(
        tmp_path,
        {
            "good.md": note("good"),
            "latin.md": b"---\nname: caf\xe9\n---\n",
            "open.md": "---\nname: x\n",
            "big.md": b"x" * (SIZE_LIMIT + 1),
            "just.md": b"x" * SIZE_LIMIT,
            "empty.md": b"",
        },
        init=False,
    )
    folder = read_folder(str(tmp_path))
    assert [one.path for one in folder.notes] == ["empty.md", "good.md", "just.md"]
    assert found(tmp_path) == {
        "big.md": ("too-large", "unreadable"),
        "latin.md": ("not-utf8", "unreadable"),
        "open.md": ("frontmatter-unclosed", "unreadable"),
    }
    assert set(folder.work) == {"empty.md", "good.md", "just.md", "latin.md", "open.md"}
    assert folder.unread == {"big.md"}


@posix
def test_links_and_pipes_are_not_followed(tmp_path: Path) -> None:
    outside = make_store(tmp_path / "outside", {"secret.md": note("secret"), "sub/x.md": note("x")}, init=False)
    root = make_store(tmp_path / "store", {"a.md": note("a"), "real/b.md": note("b")}, init=False)
    (root / "leaves.md").symlink_to(outside / "secret.md")
    (root / "within.md").symlink_to("a.md")
    (root / "dangles.md").symlink_to("gone.md")
    (root / "folder").symlink_to(outside / "sub")
    (root / "loop").symlink_to(".")
    os.mkfifo(root / "pipe.md")
    (root / "dir.md").mkdir()
    folder = read_folder(str(root))
    assert [one.path for one in folder.notes] == ["a.md", "real/b.md"]
    assert found(root) == {
        "dangles.md": ("symlink", "unreadable"),
        "folder": ("symlink", "info"),
        "leaves.md": ("symlink", "unreadable"),
        "loop": ("symlink", "info"),
        "pipe.md": ("no-regular-file", "unreadable"),
        "within.md": ("symlink", "unreadable"),
    }
    assert symlinked_part(str(root), "folder/x.md") == "folder"
    assert symlinked_part(str(root), "leaves.md") == "leaves.md"
    assert symlinked_part(str(root), "real/b.md") == ""
    assert symlinked_part(str(root), "new/deep/x.md") == ""
    assert symlinked_part(str(root), "a\0.md") == ""


@posix
@pytest.mark.skipif(sys.platform == "darwin", reason="the file system refuses such a name")
def test_file_name_that_is_no_utf8_is_a_finding(tmp_path: Path) -> None:
    make_store(tmp_path, {"a.md": note("a")}, init=False)
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.md")).write_bytes(b"x")
    assert found(tmp_path) == {"caf\\xe9.md": ("name-not-utf8", "unreadable")}
    assert [one.path for one in read_folder(str(tmp_path)).notes] == ["a.md"]


def test_permission_error_is_a_finding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_store(tmp_path, {"a.md": note("a"), "b.md": note("b"), "shut/c.md": note("c")}, init=False)
    shut = {os.path.join(tmp_path, name) for name in ("b.md", "shut")}

    def refusing(real: Callable[..., Any]) -> Callable[..., Any]:  # chmod would not stop a test that runs as root
        def call(path: str, *args: Any) -> Any:
            if path in shut:
                raise PermissionError(errno.EACCES, "Permission denied", path)
            return real(path, *args)

        return call

    monkeypatch.setattr(os, "open", refusing(os.open))
    monkeypatch.setattr(os, "scandir", refusing(os.scandir))
    assert found(tmp_path) == {
        "b.md": ("unreadable-file", "unreadable"),
        "shut": ("unreadable-folder", "unreadable"),
    }
    assert read_folder(str(tmp_path)).unread == {"b.md", "shut"}


def test_files_that_case_would_confuse_are_reported(tmp_path: Path) -> None:
    make_store(tmp_path, {"Note.md": note("a"), "note.md": note("b")}, init=False)
    if len(os.listdir(tmp_path)) == 1:
        pytest.skip("this file system confuses them already")
    assert found(tmp_path) == {"Note.md": ("case-collision", "warning"), "note.md": ("case-collision", "warning")}


def test_missing_root_is_named(tmp_path: Path) -> None:
    with pytest.raises(StoreNotFound):
        read_folder(str(tmp_path / "gone"))


def test_snapshot_holds_both_sides(tmp_path: Path) -> None:
    files = {"MEMORY.md": "- [A](a.md)\n", "a.md": note("a"), "b.md": note("b"), "d/c.md": note("c"), "e.md": note("e")}
    root = make_store(tmp_path / "store", files)
    (root / "b.md").write_text(note("b", "Edited."), encoding="utf-8")
    (root / "new.md").write_text(note("new"), encoding="utf-8")
    (root / "d" / "c.md").unlink()
    (root / "e.md").write_bytes(note("e").replace("\n", "\r\n").encode())
    snapshot = take_snapshot(str(root), "dir", Repository.find(str(root)))
    assert (snapshot.ref, snapshot.head) == ("refs/heads/main", git(root, "rev-parse", "HEAD"))
    assert snapshot.root == os.path.realpath(root)
    assert snapshot.committed == {path: text.encode() for path, text in sorted(files.items())}
    assert snapshot.committed["a.md"] is snapshot.work["a.md"]
    assert snapshot.unreviewed == {"b.md", "new.md", "d/c.md"}
    assert [one.path for one in snapshot.notes] == ["a.md", "b.md", "e.md", "new.md"]


def test_snapshot_without_git_or_commit(tmp_path: Path) -> None:
    root = make_store(tmp_path / "plain", {"a.md": note("a")}, init=False)
    snapshot = take_snapshot(str(root), "project", None)
    assert (snapshot.ref, snapshot.head, snapshot.committed, snapshot.scope) == ("", "", {}, "project")
    assert snapshot.unreviewed == {"a.md"}
    root = make_store(tmp_path / "fresh", {"a.md": note("a")}, commit=False)
    snapshot = take_snapshot(str(root), "dir", Repository.find(str(root)))
    assert (snapshot.ref, snapshot.head, snapshot.committed) == ("refs/heads/main", "", {})


@posix
def test_what_cannot_be_read_is_never_taken_for_removed(tmp_path: Path) -> None:
    root = make_store(tmp_path / "store", {"a.md": note("a"), "d/b.md": note("b"), "big.md": note("big")})
    (root / "a.md").unlink()
    (root / "a.md").symlink_to(tmp_path / "elsewhere.md")
    (root / "d").rename(tmp_path / "moved")
    (root / "d").symlink_to(tmp_path / "moved")
    (root / "big.md").write_bytes(b"x" * (SIZE_LIMIT + 1))
    snapshot = take_snapshot(str(root), "dir", Repository.find(str(root)))
    assert snapshot.work == snapshot.committed == {}
    assert snapshot.unreviewed == frozenset()
    assert {finding.path for finding in snapshot.findings} == {"a.md", "big.md", "d"}

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engram.app import indexing, reading
from engram.app.indexing import Limits, Refreshed, Vectors, refresh
from engram.errors import StoreNotFound
from engram.index import file, fill, vectors
from tests.lib import cli
from tests.lib.embedder import Hashing
from tests.lib.stores import everything, git, make_store, note

FILES = {
    "a.md": note("a", "The cache is warm. See [[b]]."),
    "b.md": note("b", "Deploys go through blue and green."),
    "d/c.md": note("c", "Я предпочитаю короткие функции.", relations="\n  - supersedes b"),
    "MEMORY.md": "- [A](a.md): about a\n",
}
OLD = 1_700_000_000_123_456_789


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return aged(make_store(tmp_path / "store", FILES))


def aged(root: Path) -> Path:
    """Makes all notes look written long ago, so that their times can be trusted."""
    for path in root.rglob("*.md"):
        os.utime(path, ns=(OLD, OLD))
    return root


def run(root: Path, seconds: float | None = None, embedder: Hashing | None = None, **more: Any) -> Refreshed:
    log: list[str] = more.pop("log", [])
    given = Vectors(embedder.id, lambda: embedder) if embedder else None
    limits = Limits(seconds, log=log.append)
    return refresh(str(root), os.environ["ENGRAM_HOME"] + "/.engram", os.environ, vectors=given, limits=limits, **more)


def counts(root: Path, **more: Any) -> tuple[int, int, int]:
    """Refreshes; returns how many files were read, how many are gone, how many notes there are."""
    done = run(root, **more)
    with done.index as index:
        return done.read, done.gone, index.meta("notes")


def shown(root: Path, **more: Any) -> list[Any]:
    """Returns what the index holds, ids left out."""
    with run(root, **more).index as index:
        rows = index.db.execute(
            "SELECT n.path, name, body, reviewed, head, whole, (SELECT group_concat(key) FROM names WHERE id = n.id), "
            "(SELECT group_concat(kind || target) FROM edges WHERE source = n.id), "
            "(SELECT group_concat(text) FROM passages WHERE rowid / 1024 = n.id) "
            "FROM notes n JOIN texts USING (id) JOIN words ON words.rowid = n.id ORDER BY n.path"
        ).fetchall()
        listed = (
            index.db.execute("SELECT count(*) FROM words").fetchone(),
            index.db.execute("SELECT count(*) FROM files"),
        )
        assert listed[0][0] == len(rows)
        index.db.execute("INSERT INTO words(words) VALUES ('integrity-check')")
        index.db.execute("INSERT INTO passages(passages) VALUES ('integrity-check')")
        assert index.db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        return rows


def found(root: Path, word: str) -> list[str]:
    with run(root).index as index:
        rows = index.db.execute(
            "SELECT path FROM words JOIN notes ON id = words.rowid WHERE words MATCH ? ORDER BY path", (f'"{word}"',)
        )
        return [path for (path,) in rows]


# -- what changed ------------------------------------------------------------------------------------------------------


def test_everything_is_taken_in_once(root: Path) -> None:
    assert counts(root) == (3, 0, 3)
    assert counts(root) == (0, 0, 3)
    assert found(root, "blue") == ["b.md"]
    assert [row[7] for row in shown(root)] == ["linkb", None, "supersedesb"]


def test_what_did_not_change_is_neither_read_nor_imported_for(root: Path) -> None:
    counts(root)
    script = (
        "import os, sys\n"
        "from engram.app import indexing\n"
        "opened = []\n"
        "sys.addaudithook(lambda name, args: opened.append(str(args[0])) if name == 'open' else None)\n"
        f"indexing.refresh({str(root)!r}, '/nowhere', os.environ).index.close()\n"
        "assert not [path for path in opened if path.endswith('.md')], opened\n"
        "heavy = {'engram.index.fill', 'engram.index.terms', 'engram.store.frontmatter', 'numpy', 'yaml', 're', 'json',"
        " 'dataclasses', 'typing', 'pathlib', 'subprocess', 'hashlib', 'git', 'click'}\n"
        "assert not heavy & set(sys.modules), heavy & set(sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-S", "-c", script], capture_output=True, check=False,
                          env={**os.environ, "PYTHONPATH": str(Path(indexing.__file__).parents[2])})  # fmt: skip
    assert done.stderr == b""


def test_an_edit_an_addition_and_a_removal(root: Path) -> None:
    counts(root)
    (root / "a.md").write_text(note("a", "Now about vectors."), encoding="utf-8")
    (root / "e").mkdir()
    (root / "e" / "f.md").write_text(note("f", "New."), encoding="utf-8")
    (root / "d" / "c.md").unlink()
    assert counts(root) == (2, 1, 3)
    assert found(root, "vector") == ["a.md"]
    assert found(root, "warm") == []
    assert shown(root) == shown(root, rebuild=True)


def test_an_edit_that_keeps_size_and_time_shows_as_long_as_the_time_is_new(root: Path) -> None:
    path = root / "a.md"
    path.write_text(note("a", "One."), encoding="utf-8")
    written = os.stat(path)
    assert found(root, "two") == []
    path.write_text(note("a", "Two."), encoding="utf-8")
    os.utime(path, ns=(written.st_mtime_ns, written.st_mtime_ns))
    assert found(root, "two") == ["a.md"]


def test_a_time_that_settled_is_not_read_again(root: Path) -> None:
    (root / "a.md").write_text(note("a", "One."), encoding="utf-8")
    counts(root)
    assert counts(root)[0] == 1
    os.utime(root / "a.md", ns=(OLD, OLD))
    assert counts(root)[0] == 1
    assert counts(root)[0] == 0


def test_a_touched_note_keeps_its_id_and_its_vector(root: Path) -> None:
    embedder = Hashing()
    run(root, embedder=embedder).index.close()
    asked = len(embedder.asked)
    os.utime(root / "a.md", ns=(OLD + 5, OLD + 5))
    (root / "b.md").write_text(note("b", "Deploys go through blue and green.", importance="9"), encoding="utf-8")
    done = run(root, embedder=embedder)
    with done.index as index:
        assert (done.read, done.waiting, len(embedder.asked)) == (2, 0, asked)
        assert index.db.execute("SELECT importance FROM notes WHERE path = 'b.md'").fetchone() == (9,)


def test_a_moved_note_is_not_embedded_again(root: Path) -> None:
    embedder = Hashing()
    before = vector_of(root, "b.md", embedder)
    asked = len(embedder.asked)
    (root / "b.md").rename(root / "d" / "b.md")
    assert vector_of(root, "d/b.md", embedder) == before
    assert len(embedder.asked) == asked
    assert [row[0] for row in shown(root)] == ["a.md", "d/b.md", "d/c.md"]


def test_a_case_only_rename(root: Path) -> None:
    counts(root)
    (root / "b.md").rename(root / "B.md")
    assert counts(root) == (1, 1, 3)
    assert [row[0] for row in shown(root)] == ["B.md", "a.md", "d/c.md"]


def test_what_is_no_note_is_remembered_as_that(root: Path) -> None:
    (root / "broken.md").write_bytes(b"\xff\xfe\0")
    (root / "large.md").write_bytes(b"x" * 3_000_000)
    (root / "d" / "MEMORY.md").write_text("no note", encoding="utf-8")
    (root / "plain.txt").write_text("no note", encoding="utf-8")
    aged(root)
    assert counts(root) == (5, 0, 3)
    assert counts(root) == (0, 0, 3)
    (root / "broken.md").write_text(note("broken", "Mended."), encoding="utf-8")
    assert counts(root) == (1, 0, 4)


def test_names_of_any_kind(root: Path) -> None:
    names = [
        "ä ö.md",
        "東京.md",
        "a'b\"c.md",
        "%00.md",
        *(["tab\t.md", "line\nend.md", "[x]*?.md"] if os.name == "posix" else []),
    ]
    for name in names:
        (root / name).write_text(note("x", "Odd."), encoding="utf-8")
    aged(root)
    assert counts(root) == (3 + len(names), 0, 3 + len(names))
    assert counts(root) == (0, 0, 3 + len(names))
    assert found(root, "odd") == sorted(names)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux takes any bytes for a name")
def test_a_name_that_is_no_text_is_passed_over(root: Path) -> None:
    Path(os.fsdecode(os.fsencode(root) + b"/\xff.md")).write_text("x", encoding="utf-8")
    os.mkdir(os.fsencode(root) + b"/\xfe")
    assert counts(root) == (3, 0, 3)
    assert counts(root) == (0, 0, 3)


@pytest.mark.skipif(os.name != "posix", reason="links need a right of their own on Windows")
def test_links_are_not_followed(root: Path, tmp_path: Path) -> None:
    (tmp_path / "outside.md").write_text(note("o", "Outside."), encoding="utf-8")
    (root / "link.md").symlink_to(tmp_path / "outside.md")
    (root / "folder").symlink_to(tmp_path)
    (root / "round").symlink_to(root)
    os.mkfifo(root / "pipe.md")
    assert counts(root) == (3, 0, 3)


# -- what can't be looked at -------------------------------------------------------------------------------------------


def refuse(monkeypatch: pytest.MonkeyPatch, *paths: Path) -> None:
    """Makes a file unreadable or a folder closed, for root as well."""
    closed = {str(path) for path in paths}
    scandir, open_ = os.scandir, os.open

    def listing(path: Any = ".") -> Any:
        if str(path) in closed:
            raise PermissionError(13, "Permission denied", path)
        return scandir(path)

    def opening(path: Any, *args: Any, **kw: Any) -> int:
        if str(path) in closed:
            raise PermissionError(13, "Permission denied", path)
        return open_(path, *args, **kw)

    monkeypatch.setattr(os, "scandir", listing)
    monkeypatch.setattr(os, "open", opening)


def test_a_closed_folder_takes_nothing_away(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = shown(root)
    with monkeypatch.context() as patch:
        refuse(patch, root / "d")
        assert counts(root) == (0, 0, 3)
        (root / "a.md").unlink()
        assert counts(root) == (0, 1, 2)
    assert shown(root) == before[1:]


def test_a_closed_store_takes_nothing_away(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counts(root)
    with monkeypatch.context() as patch:
        refuse(patch, root)
        assert counts(root) == (0, 0, 3)
    assert counts(root) == (0, 0, 3)


def test_an_unreadable_note_keeps_what_is_known_of_it(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counts(root)
    (root / "a.md").write_text(note("a", "Changed."), encoding="utf-8")
    with monkeypatch.context() as patch:
        refuse(patch, root / "a.md")
        done = run(root)
        done.index.close()
        assert (done.unread, done.read, done.gone) == (["a.md"], 0, 0)
        assert found(root, "warm") == ["a.md"]
    assert found(root, "chang") == ["a.md"]


def test_a_store_that_vanished_is_an_error_and_keeps_nothing_open(root: Path, tmp_path: Path) -> None:
    with pytest.raises(StoreNotFound):
        run(tmp_path / "never")
    assert not (tmp_path / "never").exists()


def test_a_file_that_goes_while_it_is_read_is_looked_at_again(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = reading.read.bytes_of

    def going(path: str) -> bytes:
        if path.endswith("b.md"):
            os.unlink(path)
        return real(path)

    with monkeypatch.context() as patch:
        patch.setattr(reading.read, "bytes_of", going)
        assert counts(root) == (2, 0, 2)
    assert counts(root) == (0, 0, 2)


def test_a_fault_in_one_note_costs_that_note(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real: Callable[..., Any] = fill.parts_of

    def faulty(one: Any) -> Any:
        if one.name == "b":
            raise IndexError
        return real(one)

    monkeypatch.setattr(fill, "parts_of", faulty)
    log: list[str] = []
    assert counts(root, log=log) == (3, 0, 2)
    assert log == ["b.md: can't be indexed; please report it"]


# -- time --------------------------------------------------------------------------------------------------------------


def test_a_refresh_without_time_goes_on_the_next_time(root: Path) -> None:
    embedder = Hashing()
    seen = []
    for _ in range(6):
        done = run(root, seconds=0.0, embedder=embedder)
        with done.index as index:
            seen.append((done.left, index.meta("notes"), len(vectors.vectors_of(index, embedder.id, []))))
    assert [left for left, *_ in seen] == [2, 1, 0, 0, 0, 0]
    assert [many for _, many, _ in seen] == [1, 2, 3, 3, 3, 3]
    assert embedder.asked == []
    done = run(root, embedder=embedder)
    done.index.close()
    assert done.waiting == 0
    assert embedder.asked != []


def test_words_come_before_vectors(root: Path) -> None:
    embedder = Hashing()
    done = run(root, seconds=0.0, embedder=embedder)
    with done.index:
        assert (done.read, done.left, done.waiting) == (1, 2, 1)


# -- vectors -----------------------------------------------------------------------------------------------------------


def vector_of(root: Path, path: str, embedder: Hashing) -> list[float]:
    with run(root, embedder=embedder).index as index:
        (id_,) = index.db.execute("SELECT id FROM notes WHERE path = ?", (path,)).fetchone()
        found: list[float] = vectors.vectors_of(index, embedder.id, [id_])[0].tolist()
        return found


def test_only_what_says_something_else_is_embedded(root: Path) -> None:
    embedder = Hashing()
    run(root, embedder=embedder).index.close()
    embedder.asked.clear()
    (root / "a.md").write_text(note("a", "Something else."), encoding="utf-8")
    run(root, embedder=embedder).index.close()
    assert any("Something else." in text for text in embedder.asked)
    assert not any("blue" in text for text in embedder.asked)


def test_two_embedders_never_meet(root: Path) -> None:
    one, other = Hashing("one"), Hashing("other", 32)
    run(root, embedder=one).index.close()
    with run(root, embedder=other).index as index:
        assert index.db.execute("SELECT id, dim FROM embedders").fetchall() == [("other-32", 32)]
        ids, near = vectors.cosines(index, other.id, other.encode(["blue and green"], query=True))
        assert len(ids) == 3
        assert near.shape == (3, 1)
        assert len(vectors.cosines(index, one.id, one.encode(["blue"], query=True))[0]) == 0
    assert len(vector_of(root, "a.md", one)) == 64


def test_an_embedder_that_fails_leaves_the_words(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    embedder = Hashing()

    def fail(texts: Any) -> Any:
        raise IndexError("out of range")

    monkeypatch.setattr(embedder, "encode", fail)
    log: list[str] = []
    done = run(root, embedder=embedder, log=log)
    done.index.close()
    assert (done.read, done.waiting) == (3, 3)
    assert log == [f"{index_of(root)}: no vectors: Unembedded: IndexError: out of range"]
    assert counts(root) == (0, 0, 3)
    monkeypatch.undo()
    assert len(vector_of(root, "a.md", embedder)) == 64


def test_no_embedder_leaves_the_vectors_that_are_there(root: Path) -> None:
    embedder = Hashing()
    before = vector_of(root, "a.md", embedder)
    counts(root)
    embedder.asked.clear()
    assert vector_of(root, "a.md", embedder) == before
    assert embedder.asked == []


# -- reviewed ----------------------------------------------------------------------------------------------------------


def reviewed(root: Path, **more: Any) -> list[str]:
    with run(root, **more).index as index:
        return [path for (path,) in index.db.execute("SELECT path FROM notes WHERE reviewed ORDER BY path")]


def no_git(monkeypatch: pytest.MonkeyPatch, answer: Any = None) -> list[str]:
    asked: list[str] = []
    monkeypatch.setattr(indexing, "blobs_at", lambda root, revision, env, seconds: asked.append(revision) or answer)
    return asked


def test_reviewed_is_what_head_holds(root: Path) -> None:
    assert reviewed(root) == ["a.md", "b.md", "d/c.md"]
    (root / "a.md").write_text(note("a", "Edited by hand."), encoding="utf-8")
    (root / "new.md").write_text(note("new"), encoding="utf-8")
    assert reviewed(root) == ["b.md", "d/c.md"]
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "more")
    assert reviewed(root) == ["a.md", "b.md", "d/c.md", "new.md"]
    git(root, "reset", "-q", "--soft", "HEAD~1")
    assert reviewed(root) == ["b.md", "d/c.md"]


def test_git_is_asked_only_where_head_moved(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = reviewed(root)
    asked = no_git(monkeypatch)
    (root / "a.md").write_text(note("a", "Edited by hand."), encoding="utf-8")
    assert reviewed(root) == before[1:]
    (root / "a.md").write_text(FILES["a.md"], encoding="utf-8")
    assert reviewed(root) == before
    git(root, "pack-refs", "--all")
    assert reviewed(root) == before
    assert asked == []


def test_where_git_fails_flags_stay_and_what_is_new_is_unreviewed(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = reviewed(root)
    (root / "new.md").write_text(note("new"), encoding="utf-8")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "more")
    log: list[str] = []
    with monkeypatch.context() as patch:
        asked = no_git(patch)
        assert reviewed(root, seconds=5, log=log) == before
        assert reviewed(root, seconds=5, log=log) == before
        assert len(asked) == 1  # a hook doesn't try again at once
        assert len(log) == 1
        assert reviewed(root) == before
        assert len(asked) == 2  # without a limit it does
    assert reviewed(root) == [*before, "new.md"]


def test_a_repository_that_never_answered_has_reviewed_nothing(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    no_git(monkeypatch)
    assert reviewed(root) == []
    with run(root).index as index:
        assert index.meta("versioned") == 1


def test_line_ends_do_not_make_a_note_unreviewed(root: Path) -> None:
    (root / "a.md").write_bytes(FILES["a.md"].replace("\n", "\r\n").encode())
    assert reviewed(root) == ["a.md", "b.md", "d/c.md"]
    git(root, "commit", "-q", "-am", "crlf")
    (root / "a.md").write_bytes(FILES["a.md"].encode())
    assert reviewed(root) == ["a.md", "b.md", "d/c.md"]


def test_a_store_that_is_not_versioned_has_nothing_unreviewed(tmp_path: Path) -> None:
    root = make_store(tmp_path / "plain", FILES, init=False)
    assert reviewed(root) == ["a.md", "b.md", "d/c.md"]
    git(root, "init", "-q", "-b", "main", "--object-format=sha256")
    assert reviewed(root) == []
    git(root, "add", "a.md")
    git(root, "commit", "-q", "-m", "one")
    assert reviewed(root) == ["a.md"]


# -- damage ------------------------------------------------------------------------------------------------------------


def index_of(root: Path) -> Path:
    return root / ".engram" / "index.db"


@pytest.mark.parametrize("how", ["gone", "empty", "half", "text", "older", "journal"])
def test_a_damaged_index_is_made_anew(root: Path, how: str) -> None:
    before = shown(root)
    path = index_of(root)
    data = path.read_bytes()
    match how:
        case "gone":
            path.unlink()
        case "empty":
            path.write_bytes(b"")
        case "half":
            path.write_bytes(data[: len(data) // 2])
        case "text":
            path.write_bytes(b"hello" * 10_000)
        case "older":
            with file.open_index(str(path)) as index, file.writing(index):  # type: ignore[union-attr]
                index.set_meta("made", "0/0")
        case "journal":
            Path(f"{path}-journal").write_bytes(b"nonsense" * 1000)
    log: list[str] = []
    assert shown(root, log=log) == before
    assert len(log) == (0 if how in ("gone", "journal") else 1), log


def test_damage_anywhere_ends_in_a_whole_index(root: Path) -> None:
    before = shown(root)
    path = index_of(root)
    good = path.read_bytes()
    chance = random.Random(11)
    for turn in range(100):
        data = bytearray(good)
        at = chance.randrange(0, len(data) - 64)
        data[at : at + 64] = chance.randbytes(64)
        path.write_bytes(data)
        (root / "a.md").write_text(note("a", f"Turn {turn}."), encoding="utf-8")
        done = run(root)
        try:
            done.index.db.execute('SELECT rowid FROM words WHERE words MATCH \'"turn" OR "blue"\'').fetchall()
        except Exception as error:
            assert file.is_damage(error)  # noqa: PT017 - any error may come that says so
            done = Refreshed(indexing.mended(done.index, error, lambda line: None))
        done.index.close()
    aged(make_store(root, FILES, init=False))
    assert shown(root, rebuild=True) == before


def test_an_index_deleted_in_mid_search_serves_to_its_end(root: Path) -> None:
    if os.name != "posix":
        return
    with run(root).index as index:
        index.hold()
        index_of(root).unlink()
        assert index.db.execute("SELECT count(*) FROM notes").fetchone() == (3,)
        assert counts(root) == (3, 0, 3)
        assert index.db.execute("SELECT count(*) FROM notes").fetchone() == (3,)


def test_a_full_disk_leaves_the_index_as_it_was(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counts(root)
    for number in range(300):
        (root / f"n{number}.md").write_text(note(f"n{number}", "Words " * 200), encoding="utf-8")
    log: list[str] = []
    real = indexing.opened

    def small(*args: Any, **kw: Any) -> file.Index:
        index = real(*args, **kw)
        index.db.execute("PRAGMA max_page_count = 60")
        return index

    monkeypatch.setattr(indexing, "opened", small)
    done = run(root, log=log)
    with done.index as index:
        assert index.db.execute("SELECT count(*) FROM notes").fetchone() == (3,)
    assert len(log) == 1
    assert "full" in log[0]
    monkeypatch.undo()
    assert counts(root)[2] == 303


# -- places ------------------------------------------------------------------------------------------------------------


def test_a_store_that_is_read_only_has_its_index_elsewhere(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: str(root) not in str(path))
    before = everything(root)
    assert counts(root) == (3, 0, 3)
    assert counts(root) == (0, 0, 3)
    assert everything(root) == before
    with run(root).index as index:
        assert index.path.startswith(os.path.join(os.environ["ENGRAM_HOME"], ".engram", "index"))


def test_nothing_is_written_through_a_link_that_stands_for_a_store_s_state(root: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (root / ".engram").symlink_to(outside)
    assert counts(root) == (3, 0, 3)
    assert counts(root) == (0, 0, 3)
    assert list(outside.iterdir()) == []


def test_where_nothing_can_be_written_the_index_is_in_memory(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*args: Any, **kw: Any) -> Any:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(file, "private_folder", refused)
    log: list[str] = []
    before = everything(root)
    assert counts(root, log=log) == (3, 0, 3)
    assert everything(root) == before
    assert len(log) == 1
    assert "memory" in log[0]


def test_nothing_outside_of_its_folder_changes(root: Path) -> None:
    before = everything(root)
    run(root, embedder=Hashing()).index.close()
    (root / "a.md").write_text(note("a", "Changed."), encoding="utf-8")
    before["a.md"] = (root / "a.md").read_bytes()
    run(root, embedder=Hashing()).index.close()
    assert everything(root, skip=(".engram",)) == before
    assert {path.name for path in (root / ".engram").iterdir()} == {".gitignore", "index.db", "index.lock"}
    assert git(root, "status", "--porcelain") == " M a.md"


@pytest.mark.corpus
def test_real_stores_are_indexed_whole_and_not_touched(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stores = corpus / "stores"
    before = everything(stores)
    monkeypatch.setattr(indexing, "place_of", lambda root, state: str(tmp_path / "index.db"))
    log: list[str] = []
    done = run(stores, log=log, embedder=Hashing())
    with done.index as index:
        assert log == []
        assert done.unread == []
        assert index.meta("notes") > 1100
        assert vectors.waiting(index, "hashing-64") == []
    again = run(stores, log=log, embedder=Hashing())
    again.index.close()
    assert again.read == 0
    assert everything(stores) == before


# -- two at once, and kill -9 ------------------------------------------------------------------------------------------

FILLER = """
import os, sys
from engram.app.indexing import Limits, Vectors, refresh
from tests.lib.embedder import Hashing
embedder = Hashing()
done = refresh(sys.argv[1], '/nowhere', os.environ, vectors=Vectors(embedder.id, lambda: embedder),
               limits=Limits(None, log=print))
print(done.read, done.index.meta('notes'))
"""


def start(root: Path) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-c", FILLER, str(root)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            text=True, encoding="utf-8", env=cli.environment())  # fmt: skip


def many(root: Path, count: int) -> Path:
    for number in range(count):
        (root / f"n{number}.md").write_text(note(f"n{number}", f"Fact {number}. " * 30), encoding="utf-8")
    return aged(root)


def test_two_at_once_lose_nothing(root: Path) -> None:
    many(root, 600)
    both = [start(root), start(root)]
    outputs = [one.communicate(timeout=300)[0] for one in both]
    assert [one.returncode for one in both] == [0, 0], outputs
    rows = shown(root, embedder=Hashing())
    assert len(rows) == 603
    assert rows == shown(root, embedder=Hashing(), rebuild=True)


@pytest.mark.skipif(os.name != "posix", reason="signals are POSIX")
@pytest.mark.parametrize("after", [0.3, 0.6, 0.9, 1.3, 1.8])
def test_a_killed_refresh_leaves_an_index_that_goes_on(root: Path, after: float) -> None:
    many(root, 400)
    process = start(root)
    time.sleep(after)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    log: list[str] = []
    rows = shown(root, embedder=Hashing(), log=log)
    assert log == []
    assert len(rows) == 403
    assert counts(root, embedder=Hashing()) == (0, 0, 403)
    assert rows == shown(root, embedder=Hashing(), rebuild=True)


# -- the command -------------------------------------------------------------------------------------------------------


@pytest.fixture
def hashing(monkeypatch: pytest.MonkeyPatch) -> Hashing:
    embedder = Hashing()
    monkeypatch.setattr("engram.index.embed.choose", lambda *args, **kw: (embedder, ""))
    return embedder


def test_the_command_says_what_it_did(root: Path, hashing: Hashing) -> None:
    first = cli.run("index", "--dir", str(root), "--json")
    assert first.exit == 0
    assert first.json["notes"] == first.json["read"] == 3
    assert first.json["index"] == str(index_of(root))
    assert (first.json["embedder"], first.json["without_vector"]) == ("hashing-64", 0)
    again = cli.run("index", "--dir", str(root))
    assert "3 notes, 0 read, 0 gone" in again.out
    assert json.loads(cli.run("index", "--dir", str(root), "--rebuild", "--json").out)["read"] == 3
    assert len(hashing.asked) > 0


def test_the_command_goes_on_without_an_embedder(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engram.index.embed.choose", lambda *args, **kw: (None, "no model here"))
    ran = cli.run("index", "--dir", str(root))
    assert ran.exit == 0
    assert "words alone: no model here" in ran.out

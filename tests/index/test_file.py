from __future__ import annotations

import os
import random
import shutil
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from engram.errors import StoreLocked
from engram.index import file
from engram.index.file import Index, anew, discard, in_memory, is_damage, lock_of, open_index, writing


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "store #1 100%?" / ".engram" / "index.db")


def made(path: str, *values: str) -> None:
    index = open_index(path)
    assert index is not None
    with index, writing(index):
        for value in values or ("kept",):
            index.set_meta(value, value)


def kept(path: str, key: str = "kept") -> str:
    index = open_index(path)
    assert index is not None
    with index:
        return str(index.meta(key))


def test_an_index_is_made_where_there_is_none_in_a_folder_that_ignores_itself(path: str) -> None:
    made(path)
    assert kept(path) == "kept"
    assert sorted(os.listdir(os.path.dirname(path))) == [".gitignore", "index.db", "index.lock"]
    assert Path(path).with_name(".gitignore").read_bytes() == b"*\n"


def test_looking_makes_none(path: str) -> None:
    assert open_index(path, write=False) is None
    assert not os.path.exists(os.path.dirname(path))
    made(path)
    index = open_index(path, write=False)
    assert index is not None
    with index, pytest.raises(sqlite3.OperationalError), writing(index):
        index.set_meta("a", "b")


def spoil(path: str, how: str) -> None:
    data = Path(path).read_bytes()
    match how:
        case "empty":
            Path(path).write_bytes(b"")
        case "text":
            Path(path).write_bytes(b"hello " * 3000)
        case "head":
            Path(path).write_bytes(data[:100])
        case "half":
            Path(path).write_bytes(data[: len(data) // 2])
        case "foreign":
            os.unlink(path)
            db = sqlite3.connect(path)
            db.execute("CREATE TABLE meta(key, value)")
            db.commit()
            db.close()
        case "copied":
            shutil.copy(path, f"{path}.copy")
            os.replace(f"{path}.copy", path)
        case "older" | "newer":
            db = sqlite3.connect(path)
            db.execute("UPDATE meta SET value = ? WHERE key = 'made'", ("0/0" if how == "older" else "99/99",))
            db.commit()
            db.close()
        case "folder":
            os.unlink(path)
            os.mkdir(path)


@pytest.mark.parametrize("how", ["empty", "text", "head", "foreign", "copied", "older", "newer"])
def test_one_that_cannot_be_trusted_is_made_anew(path: str, how: str) -> None:
    made(path)
    spoil(path, how)
    assert open_index(path, write=False) is None
    assert kept(path) == ""
    made(path, "again")
    assert kept(path, "again") == "again"


def test_what_stands_in_the_way_is_an_error_of_the_system(path: str) -> None:
    made(path)
    spoil(path, "folder")
    with pytest.raises((OSError, sqlite3.Error)):
        open_index(path)


def test_a_file_s_own_triggers_and_views_reach_nothing(path: str) -> None:
    made(path)
    index = open_index(path)
    assert index is not None
    with index:
        assert index.db.execute("PRAGMA trusted_schema").fetchone() == (0,)


def test_late_damage_makes_it_anew_once(path: str) -> None:
    made(path)
    first = open_index(path)
    second = open_index(path)
    assert first is not None
    assert second is not None
    first.close()
    made_anew = anew(path, damaged=first.inode)
    assert made_anew is not None
    with made_anew, writing(made_anew):
        made_anew.set_meta("new", "new")
    with pytest.raises(sqlite3.DatabaseError) as caught, writing(second):
        second.set_meta("lost", "lost")
    assert is_damage(caught.value)
    again = anew(path, damaged=second.inode)  # the one that is damaged is gone already
    second.close()
    assert again is not None
    with again:
        assert again.meta("new") == "new"


def test_a_block_that_fails_leaves_nothing(path: str) -> None:
    made(path)
    index = open_index(path)
    assert index is not None

    def fail(index: Index) -> None:
        with writing(index):
            index.set_meta("kept", "changed")
            raise RuntimeError

    with index:
        with pytest.raises(RuntimeError):
            fail(index)
        assert index.meta("kept") == "kept"
        with writing(index):
            index.set_meta("kept", "changed")
        assert index.meta("kept") == "changed"


def test_one_process_writes_at_a_time(path: str) -> None:
    made(path)
    first, second = open_index(path), open_index(path)
    assert first is not None
    assert second is not None
    with first, second:
        second.patience = 0.05
        with writing(first), pytest.raises(StoreLocked):
            writing(second).__enter__()
        with writing(second):
            second.set_meta("kept", "by the second")
        assert first.meta("kept") == "by the second"


def test_a_reader_sees_one_moment_and_a_writer_waits_for_it(path: str) -> None:
    made(path)
    reader, writer = open_index(path), open_index(path, seconds=0.05)
    assert reader is not None
    assert writer is not None
    with reader, writer:
        reader.hold()
        with pytest.raises(sqlite3.OperationalError) as caught, writing(writer):
            writer.set_meta("kept", "changed")
        assert not is_damage(caught.value)
        assert reader.meta("kept") == "kept"
        reader.db.execute("COMMIT")
        with writing(writer):
            writer.set_meta("kept", "changed")
        assert reader.meta("kept") == "changed"


def test_many_writers_lose_nothing(path: str) -> None:
    made(path)

    def write(number: int) -> None:
        for turn in range(20):
            index = open_index(path, seconds=30)
            assert index is not None
            with index, writing(index):
                index.set_meta(f"{number}/{turn}", 1)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    index = open_index(path)
    assert index is not None
    with index:
        assert index.db.execute("SELECT count(*) FROM meta WHERE key LIKE '%/%' AND value = 1").fetchone() == (80,)


def test_a_killed_writer_s_half_is_taken_back(path: str) -> None:
    """Kills a writer with its journal on disk and half of its pages written."""
    made(path)
    script = (
        "import os, sys\n"
        "from engram.index.file import open_index, writing\n"
        "index = open_index(sys.argv[1])\n"
        "index.db.execute('PRAGMA cache_size = 1')\n"
        "index.db.execute('PRAGMA cache_spill = ON')\n"
        "with writing(index) as db:\n"
        "    index.set_meta('kept', 'changed')\n"
        "    for number in range(3000):\n"
        "        db.execute('INSERT INTO texts VALUES (?, ?, ?)', (number, '', 'word ' * 100))\n"
        "    os._exit(9)\n"
    )
    done = subprocess.run([sys.executable, "-c", script, path], check=False)
    assert done.returncode == 9
    assert os.path.exists(f"{path}-journal")
    assert kept(path) == "kept"
    index = open_index(path)
    assert index is not None
    with index:
        assert index.db.execute("SELECT count(*) FROM texts").fetchone() == (0,)


def test_discarding_takes_the_journal_too(path: str) -> None:
    made(path)
    Path(f"{path}-journal").write_bytes(b"left by a killed process")
    discard(path)
    assert sorted(os.listdir(os.path.dirname(path))) == [".gitignore", "index.lock"]
    discard(path)


def test_an_index_in_memory_needs_no_place() -> None:
    with in_memory() as index:
        with writing(index):
            index.set_meta("a", 1)
        assert index.meta("a") == 1
        assert index.path == ""


def test_the_tokenizer_cuts_at_spaces_alone() -> None:
    with in_memory() as index:
        index.db.execute("INSERT INTO words(rowid, head, whole) VALUES (1, '', 'user_id Überraschung 東京 naïve')")
        for word in ("user_id", "Überraschung", "東京", "naïve"):
            assert index.db.execute("SELECT rowid FROM words WHERE words MATCH ?", (f'"{word}"',)).fetchone() == (1,)
        for part in ("user", "id", "東", "na"):
            assert index.db.execute("SELECT rowid FROM words WHERE words MATCH ?", (f'"{part}"',)).fetchone() is None


@pytest.mark.parametrize(
    ("error", "answer"),
    [
        (sqlite3.DatabaseError("file is not a database"), True),
        (KeyError("x"), True),
        (TypeError("x"), True),
        (OSError("x"), False),
        (StoreLocked("x"), False),
    ],
)
def test_what_counts_as_damage(error: Exception, answer: bool) -> None:
    assert is_damage(error) is answer


def test_opening_survives_any_damage(path: str) -> None:
    made(path)
    good = Path(path).read_bytes()
    chance = random.Random(7)
    for _ in range(100):
        data = bytearray(good)
        at = chance.randrange(len(data))
        data[at : at + 16] = chance.randbytes(min(16, len(data) - at))
        Path(path).write_bytes(data)
        try:
            index = open_index(path)
        except file.Trouble as error:
            assert is_damage(error)  # noqa: PT017 - any error will do that says so
            index = anew(path, damaged=os.stat(path).st_ino)
        assert index is not None
        index.close()


def test_the_lock_stands_beside_the_index(path: str) -> None:
    assert os.path.basename(lock_of(path)) == "index.lock"

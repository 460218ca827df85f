"""The queue: nothing is lost, nothing is torn, one bad file stops nothing."""

from __future__ import annotations

import json
import multiprocessing
import os
import sys
from pathlib import Path

import pytest

from engram import queue
from engram.errors import SessionNotQueued
from engram.model.event import Event

AT = "2026-03-01T10:00:00.250000Z"


def event(session: str, agent: str = "claude-code", at: str = AT) -> Event:
    return Event(agent, session, f"/t/{session}.jsonl", "/home/ada/shop", at)


@pytest.fixture
def folder(tmp_path: Path) -> str:
    return queue.folder_in(str(tmp_path / "home"))


def test_an_event_becomes_one_small_file(folder: str) -> None:
    queue.append(folder, event("s-1"))
    (entry,) = queue.entries(folder)
    assert json.loads(Path(entry.path).read_bytes()) == {
        "agent": "claude-code",
        "session": "s-1",
        "transcript": "/t/s-1.jsonl",
        "cwd": "/home/ada/shop",
        "queued_at": AT,
    }
    assert (entry.agent, entry.session, entry.transcript, entry.cwd, entry.queued_at) == (
        "claude-code", "s-1", "/t/s-1.jsonl", "/home/ada/shop", AT,
    )  # fmt: skip
    assert sorted(os.listdir(folder)) == [".gitignore", f"{entry.id}.json"]
    assert Path(folder, ".gitignore").read_bytes() == b"*\n"


@pytest.mark.skipif(sys.platform == "win32", reason="permission bits")
def test_an_entry_is_the_owners_alone(folder: str) -> None:
    queue.append(folder, event("s-1"))
    (entry,) = queue.entries(folder)
    assert os.stat(entry.path).st_mode & 0o777 == 0o600
    assert os.stat(folder).st_mode & 0o777 == 0o700


def test_a_session_that_stops_again_replaces_its_entry(folder: str) -> None:
    queue.append(folder, event("s-1"))
    queue.append(folder, event("s-1", at="2026-03-01T11:00:00.000000Z"))
    assert [entry.queued_at for entry in queue.entries(folder)] == ["2026-03-01T11:00:00.000000Z"]


def test_the_same_session_of_two_agents_is_two_entries(folder: str) -> None:
    queue.append(folder, event("s-1"))
    queue.append(folder, event("s-1", agent="codex"))
    assert {entry.agent for entry in queue.entries(folder)} == {"claude-code", "codex"}
    assert len({entry.id for entry in queue.entries(folder)}) == 2


def test_ids_are_stable() -> None:
    assert queue.id_of("claude-code", "9754bf09-92c8-42fe-9854-9ee02567ea27") == "f6e89f186e72"
    assert queue.id_of("ab", "c") != queue.id_of("a", "bc")
    assert queue.id_of("x", "\ud800").isalnum()


def test_the_oldest_comes_first(folder: str) -> None:
    for hour in (3, 1, 2):
        queue.append(folder, event(f"s-{hour}", at=f"2026-03-01T0{hour}:00:00.000000Z"))
    assert [entry.session for entry in queue.entries(folder)] == ["s-1", "s-2", "s-3"]


def test_no_queue_is_an_empty_one_and_asking_makes_none(folder: str) -> None:
    assert queue.entries(folder) == ()
    assert queue.damaged(folder) == ()
    assert not os.path.exists(folder)


def test_damaged_files_are_named_and_stop_nothing(folder: str) -> None:
    queue.append(folder, event("s-1"))
    whole = {"agent": "a", "session": "s", "transcript": "", "cwd": "", "queued_at": AT}
    broken = {
        "cut.json": b'{"agent": "claude-co',
        "deep.json": b"[" * 100_000,
        "empty.json": b"",
        "list.json": b"[]",
        "missing.json": json.dumps({**whole, "session": ""}).encode(),
        "number.json": json.dumps({**whole, "cwd": 7}).encode(),
        "time.json": json.dumps({**whole, "queued_at": "yesterday"}).encode(),
        "bytes.json": b'"\xff"',
    }
    for name, data in broken.items():
        Path(folder, name).write_bytes(data)
    Path(folder, "folder.json").mkdir()
    assert [entry.session for entry in queue.entries(folder)] == ["s-1"]
    found = dict(queue.damaged(folder))
    assert {os.path.basename(path) for path in found} == {*broken, "folder.json"}
    assert all(found.values())


def test_what_is_no_entry_by_its_name_is_passed_over(folder: str) -> None:
    queue.append(folder, event("s-1"))
    Path(folder, ".engram-1-2.tmp").write_bytes(b"half")
    Path(folder, "notes.txt").write_bytes(b"x")
    assert queue.damaged(folder) == ()


def test_an_entry_is_found_by_its_id_its_session_or_the_start_of_either(folder: str) -> None:
    queue.append(folder, event("abc-1"))
    queue.append(folder, event("abc-2"))
    queue.append(folder, event("abc"))
    first = queue.find(folder, "abc-1")
    assert first.session == "abc-1"
    assert queue.find(folder, first.id) == first
    assert queue.find(folder, first.id[:10]) == first
    assert queue.find(folder, "abc").session == "abc"
    for word in ("abc-", "nothing", ""):
        with pytest.raises(SessionNotQueued):
            queue.find(folder, word)


def test_an_entry_is_removed_once(folder: str) -> None:
    queue.append(folder, event("s-1"))
    queue.append(folder, event("s-2"))
    entry = queue.find(folder, "s-1")
    assert queue.remove([entry]) == 1
    assert queue.remove([entry]) == 0
    assert [left.session for left in queue.entries(folder)] == ["s-2"]


def test_an_entry_that_stopped_again_stays(folder: str) -> None:
    queue.append(folder, event("s-1"))
    entry = queue.find(folder, "s-1")
    queue.append(folder, event("s-1", at="2026-03-01T10:00:00.250001Z"))
    assert queue.remove([entry]) == 0
    assert queue.find(folder, "s-1").queued_at == "2026-03-01T10:00:00.250001Z"
    assert sorted(os.listdir(folder)) == [".gitignore", f"{entry.id}.json"]


def test_a_stop_between_look_and_removal_is_not_lost(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    queue.append(folder, event("s-1"))
    entry = queue.find(folder, "s-1")
    read = queue._entry

    def stops_meanwhile(path: str) -> queue.Entry:
        found = read(path)
        queue.append(folder, event("s-1", at="2026-03-01T12:00:00.000000Z"))
        return found

    monkeypatch.setattr(queue, "_entry", stops_meanwhile)
    queue.remove([entry])
    monkeypatch.undo()
    assert queue.find(folder, "s-1").queued_at == "2026-03-01T12:00:00.000000Z"


@pytest.mark.parametrize(
    ("made", "leaves"),
    [
        ("2026-03-01T10:00:00+00:00", True),
        ("2026-03-01T10:00:00Z", True),
        ("2026-03-01T11:00:00+01:00", True),
        ("2026-03-02T00:00:00", True),
        ("2026-03-01T09:59:59+00:00", False),
        ("2026-03-01T10:30:00+01:00", False),
        ("", False),
    ],
)
def test_a_commit_from_the_second_of_the_stop_on_releases_an_entry(folder: str, made: str, leaves: bool) -> None:
    queue.append(folder, event("s-1"))
    queue.append(folder, event("s-2"))
    released = queue.released(queue.entries(folder), {"s-1": made, "s-9": "2026-12-01T00:00:00Z"})
    assert [entry.session for entry in released] == ["s-1"] * leaves


def test_entries_up_to_a_moment(folder: str) -> None:
    queue.append(folder, event("s-1"))
    waiting = queue.entries(folder)
    assert queue.until(waiting, "2026-03-01T11:00:00.250000+01:00") == waiting
    assert queue.until(waiting, "2026-03-01T10:00:01+00:00") == waiting
    assert queue.until(waiting, "2026-03-01T10:00:00+00:00") == ()


def test_a_home_that_is_no_folder_is_an_error_and_stays_as_it_is(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.write_bytes(b"mine")
    with pytest.raises((NotADirectoryError, FileExistsError)):
        queue.append(queue.folder_in(str(home)), event("s-1"))
    assert home.read_bytes() == b"mine"


def append_many(folder: str, worker: int) -> None:
    for number in range(50):
        queue.append(folder, event(f"own-{worker}-{number}"))
        queue.append(folder, event("shared", at=f"2026-03-01T10:{number:02}:00.00000{worker}Z"))


def test_eight_processes_lose_nothing(folder: str) -> None:
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=append_many, args=(folder, worker)) for worker in range(8)]
    for process in workers:
        process.start()
    while any(process.is_alive() for process in workers):
        assert queue.damaged(folder) == ()
    for process in workers:
        process.join()
        assert process.exitcode == 0
    assert {entry.session for entry in queue.entries(folder)} == {
        "shared", *(f"own-{worker}-{number}" for worker in range(8) for number in range(50)),
    }  # fmt: skip
    assert [name for name in os.listdir(folder) if name.endswith((".tmp", ".gone"))] == []


def remove_many(folder: str) -> None:
    for _ in range(200):
        queue.remove(queue.entries(folder))


def test_removing_beside_appending_tears_nothing(folder: str) -> None:
    queue.append(folder, event("other"))
    context = multiprocessing.get_context("spawn")
    remover = context.Process(target=remove_many, args=(folder,))
    remover.start()
    number = 0
    while remover.is_alive():
        number += 1
        queue.append(folder, event("s-1", at=f"2026-03-01T10:00:00.{number % 1_000_000:06}Z"))
    remover.join()
    assert remover.exitcode == 0
    assert queue.damaged(folder) == ()
    assert set(os.listdir(folder)) <= {".gitignore", f"{queue.id_of('claude-code', 's-1')}.json"}

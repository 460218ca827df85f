"""opencode's database and its exports: one session of many, and nothing left beside the file."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from engram.capture import opencode, transcript
from engram.errors import TranscriptUnreadable
from engram.model.session import Session
from tests.lib.transcripts import source_of, turns_of

SCHEMA = """
CREATE TABLE session (id text PRIMARY KEY, parent_id text, directory text, time_created integer);
CREATE TABLE message (id text PRIMARY KEY, session_id text, time_created integer, data text);
CREATE TABLE part (id text PRIMARY KEY, message_id text, session_id text, data text);
"""
START = 1_772_359_200_000

Message = tuple[dict[str, Any], list[dict[str, Any]]]


def said(role: str, *parts: str | dict[str, Any], **more: Any) -> Message:
    return {"role": role, **more}, [{"type": "text", "text": part} if isinstance(part, str) else part for part in parts]


def tool(name: str, key: str, given: dict[str, Any], **state: Any) -> dict[str, Any]:
    return {"type": "tool", "tool": name, "callID": key, "state": {"status": "completed", "input": given, **state}}


STORY: list[Message] = [
    said("user", "run the tests", {"type": "file", "url": "x"}, {"type": "text", "text": "no", "synthetic": True}),
    said(
        "assistant",
        {"type": "step-start"},
        {"type": "reasoning", "text": "hm"},
        "On it.",
        tool("bash", "c1", {"command": "npm test"}, output="no npm", metadata={"exit": 127}),
        tool("write", "c2", {"filePath": "/p/a.md", "content": "hi"}, output="Wrote file."),
        tool("read", "c3", {"filePath": "/p/b.md"}, status="error", error="File not found"),
        tool("bash", "c4", {"command": "sleep 9"}, status="running"),
        path={"cwd": "/home/ada/shop/sub"},
    ),
    said("user", {"type": "compaction", "auto": True}),
    said("assistant", "Tests were run.", summary=True),
    said("user", {"type": "text", "text": "go on", "ignored": True}, "use tabs"),
]
TURNS = [
    ("u1", "user", "run the tests"),
    ("a1", "assistant", "On it."),
    ("t1", "tool_call", "npm test"),
    ("t1", "tool_result", "no npm"),
    ("t2", "tool_call", "/p/a.md"),
    ("t2", "tool_result", "Wrote file."),
    ("t3", "tool_call", "/p/b.md"),
    ("t3", "tool_result", "File not found"),
    ("t4", "tool_call", "sleep 9"),
    ("s1", "summary", "Tests were run."),
    ("u2", "user", "use tabs"),
]


def fill(database: sqlite3.Connection, session: str, story: list[Message], parent: str | None = None) -> None:
    database.execute("INSERT INTO session VALUES (?, ?, '/home/ada/shop', ?)", (session, parent, START))
    for number, (info, parts) in enumerate(story):
        key, at = f"msg_{session}_{number:03}", START + number * 1000
        data = json.dumps({**info, "time": {"created": at}})
        database.execute("INSERT INTO message VALUES (?, ?, ?, ?)", (key, session, at, data))
        for place, part in enumerate(parts):
            row = (f"prt_{number:03}_{place:03}_{session}", key, session, json.dumps(part))
            database.execute("INSERT INTO part VALUES (?, ?, ?, ?)", row)


def made(path: Path, story: list[Message] | None = None) -> Path:
    """Returns a database that is closed: a session with a child, and another one."""
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA journal_mode = WAL")
        database.executescript(SCHEMA)
        fill(database, "ses_one", story or STORY)
        fill(database, "ses_child", [said("user", "find it"), said("assistant", "found")], "ses_one")
        fill(database, "ses_two", [said("user", "another")])
        database.commit()
    return path


def listing(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def refused(path: Path, session: str = "") -> str:
    with pytest.raises(TranscriptUnreadable) as caught:
        transcript.read(str(path), session)
    return caught.value.message


def test_the_wanted_session_is_read_without_its_child(tmp_path: Path) -> None:
    session = transcript.read(str(made(tmp_path / "opencode.db")), "ses_one")
    assert turns_of(session) == TURNS
    assert [turn.ref for turn in session.turns if turn.failed] == ["t1", "t3"]
    assert {turn.path for turn in session.turns} == {"", "/p/a.md"}
    assert (session.id, session.agent, session.cwd, session.skipped) == ("ses_one", "opencode", "/home/ada/shop/sub", 0)
    assert (session.started, session.ended) == ("2026-03-01T10:00:00.000Z", "2026-03-01T10:00:04.000Z")


def test_which_session_has_to_be_said_where_there_are_several(tmp_path: Path) -> None:
    path = made(tmp_path / "opencode.db")
    assert refused(path) == f"{path} holds 2 sessions, and none was named"
    assert refused(path, "ses_none") == f"{path} doesn't hold the session ses_none"
    assert refused(path, "ses_child") == f"{path} holds no turn of a conversation of its own"
    with closing(sqlite3.connect(path)) as database:
        database.execute("DELETE FROM session WHERE id = 'ses_two'")
        database.commit()
    assert transcript.read(str(path)).id == "ses_one"


def test_a_view_in_the_place_of_a_table_is_not_asked(tmp_path: Path) -> None:
    """It could compute without end."""
    path = made(tmp_path / "opencode.db")
    with closing(sqlite3.connect(path)) as database:
        database.execute("ALTER TABLE part RENAME TO parts")
        database.execute("CREATE VIEW part AS SELECT * FROM parts")
        database.commit()
    assert "none of opencode's" in refused(path, "ses_one")


def test_a_row_that_is_too_long_is_counted_and_passed_over(tmp_path: Path) -> None:
    path = made(tmp_path / "opencode.db", [said("user", "x" * (33 << 20), "use tabs")])
    session = transcript.read(str(path), "ses_one")
    assert (turns_of(session), session.skipped) == ([("u1", "user", "use tabs")], 1)


def test_a_closed_database_is_left_as_it_was(tmp_path: Path) -> None:
    path = made(tmp_path / "opencode.db")
    before = listing(tmp_path)
    assert list(before) == ["opencode.db"]
    assert len(transcript.read(str(path), "ses_one").turns) == len(TURNS)
    assert listing(tmp_path) == before


def test_what_a_running_client_has_only_in_its_journal_is_read(tmp_path: Path) -> None:
    path = made(tmp_path / "opencode.db")
    with closing(sqlite3.connect(path)) as client:
        fill(client, "ses_new", [said("user", "just typed")])
        client.commit()
        assert (tmp_path / "opencode.db-wal").stat().st_size
        assert turns_of(transcript.read(str(path), "ses_new")) == [("u1", "user", "just typed")]


def test_a_journal_without_its_index_is_read_from_a_copy_and_nothing_is_made(tmp_path: Path) -> None:
    path = made(tmp_path / "opencode.db")
    kept = tmp_path / "kept"
    kept.mkdir()
    with closing(sqlite3.connect(path)) as client:
        fill(client, "ses_new", [said("user", "just typed")])
        client.commit()
        for name in ("opencode.db", "opencode.db-wal"):
            shutil.copyfile(tmp_path / name, kept / name)
    before = listing(kept)
    assert turns_of(transcript.read(str(kept / "opencode.db"), "ses_new")) == [("u1", "user", "just typed")]
    assert listing(kept) == before


@pytest.mark.skipif(sys.platform == "win32", reason="permission bits")
def test_a_folder_that_may_not_be_written_is_enough(tmp_path: Path) -> None:
    folder = tmp_path / "read only"
    folder.mkdir()
    path = made(folder / "open code #1?.db")
    path.chmod(0o444)
    folder.chmod(0o555)
    try:
        assert len(transcript.read(str(path), "ses_one").turns) == len(TURNS)
        assert os.listdir(folder) == [path.name]
    finally:
        folder.chmod(0o755)


def test_an_older_schema_is_enough(tmp_path: Path) -> None:
    path = tmp_path / "opencode.db"
    with closing(sqlite3.connect(path)) as database:
        database.executescript(
            "CREATE TABLE session (id text, directory text);"
            "CREATE TABLE message (id text, session_id text, time_created any, data text);"
            "CREATE TABLE part (id text, message_id text, data text);"
            "INSERT INTO session VALUES ('s', '/p');"
            """INSERT INTO message VALUES ('m', 's', 1, '{"role":"user","time":{"created":"2026-03-01T10:00:00Z"}}');"""
            """INSERT INTO part VALUES ('p', 'm', '{"type":"text","text":"hello there"}');"""
        )
    session = transcript.read(str(path))
    assert (turns_of(session), session.started) == ([("u1", "user", "hello there")], "2026-03-01T10:00:00Z")


def test_bad_rows_are_counted_and_stop_nothing(tmp_path: Path) -> None:
    path = made(tmp_path / "opencode.db")
    with closing(sqlite3.connect(path)) as database:
        for number, data in enumerate(["{", "7", '{"role":7}', b"\xff\xfe", None, '{"role":"user","time":7}']):
            database.execute("INSERT INTO message VALUES (?, 'ses_one', 0, ?)", (f"bad_{number}", data))
        database.execute("INSERT INTO part VALUES ('a', 'msg_ses_one_000', 'ses_one', '[')")
        database.execute("UPDATE part SET data = CAST(data AS BLOB)")
        database.commit()
    session = transcript.read(str(path), "ses_one")
    assert (turns_of(session), session.skipped) == (TURNS, 6)


def test_a_damaged_database_is_refused_with_a_reason(tmp_path: Path) -> None:
    path = made(tmp_path / "opencode.db")
    whole = path.read_bytes()
    path.write_bytes(whole[:1000] + b"\xff" * 3000 + whole[4000:])
    assert refused(path, "ses_one").startswith(f"{path} ")
    path.write_bytes(whole[:100])
    assert "a SQLite database, and none of opencode's" in refused(path, "ses_one")


def test_other_databases_are_not_its_own(tmp_path: Path) -> None:
    path = tmp_path / "threads.db"
    with closing(sqlite3.connect(path)) as database:
        database.executescript("CREATE TABLE threads (id text); CREATE TABLE message (id text);")
    assert "a SQLite database, and none of opencode's" in refused(path)


def exported(story: list[Message], **info: Any) -> dict[str, Any]:
    messages = [{"info": {**own, "time": {"created": START}}, "parts": parts} for own, parts in story]
    return {"info": {"id": "ses_one", "directory": "/home/ada/shop", **info}, "messages": messages}


def read(document: Any, indent: int | None = 2) -> Session:
    source = source_of(json.dumps(document, indent=indent).encode().split(b"\n"))
    assert opencode.reads(source)
    return opencode.read(source)


@pytest.mark.parametrize("indent", [None, 2])
def test_an_export_is_read_as_its_database_is(indent: int | None) -> None:
    session = read(exported(STORY), indent)
    assert (turns_of(session), session.id, session.cwd) == (TURNS, "ses_one", "/home/ada/shop")


def test_a_childs_export_holds_no_turn_of_its_own() -> None:
    assert read(exported(STORY, parentID="ses_zero")).turns == ()


def test_a_bad_message_of_an_export_is_counted() -> None:
    document = exported(STORY)
    document["messages"] += [7, {"info": {"role": "user"}}, {"info": {"role": "user"}, "parts": [{"type": "text"}]}]
    session = read(document)
    assert (turns_of(session), session.skipped) == (TURNS, 2)


@pytest.mark.parametrize("text", ["<system-reminder>use tabs</system-reminder>", "  "])
def test_reminders_are_nobodys_speech(text: str) -> None:
    assert turns_of(read(exported([said("user", text, "fix it")]))) == [("u1", "user", "fix it")]

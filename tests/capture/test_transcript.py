"""Opening transcripts: read, or refused with a reason that a person understands."""

from __future__ import annotations

import json
import os
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from engram.capture import source, transcript
from engram.capture.source import Source
from engram.capture.turns import Turns
from engram.errors import TranscriptUnreadable
from engram.model.session import Session
from tests.lib.transcripts import SESSION, Talk, turns_of


def refused(path: Path | str) -> str:
    with pytest.raises(TranscriptUnreadable) as caught:
        transcript.read(str(path))
    return caught.value.message


def test_a_claude_transcript_is_read(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + Talk().user("hello there").data().replace(b"\n", b"\r\n"))
    assert [turn.text for turn in transcript.read(str(path)).turns] == ["hello there"]


def test_speech_behind_a_long_head_of_other_lines_is_found(tmp_path: Path) -> None:
    talk = Talk()
    for _ in range(300):
        talk.row("api-request-shape", body="x" * 20_000)
    path = tmp_path / "x.jsonl"
    path.write_bytes(talk.user("hello there").data())
    assert [turn.text for turn in transcript.read(str(path)).turns] == ["hello there"]


def test_an_over_long_line_is_counted_and_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transcript, "LONGEST_LINE", 1_000)
    path = tmp_path / "x.jsonl"
    path.write_bytes(Talk().user("hello there").user("x" * 5_000).user("and on").data())
    session = transcript.read(str(path))
    assert [turn.text for turn in session.turns] == ["hello there", "and on"]
    assert session.skipped == 1


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    assert refused("") == "the agent gave no transcript for this session"
    assert refused(tmp_path) == f"{tmp_path} is a folder, not a transcript"
    assert refused(tmp_path / "gone.jsonl") == f"{tmp_path / 'gone.jsonl'} is not there any more"
    assert "can't be read" in refused("nul\0byte")


@pytest.mark.skipif(sys.platform == "win32", reason="has no such files")
def test_what_never_ends_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert refused(tmp_path / "pipe") == f"{tmp_path / 'pipe'} is no file"
    assert refused("/dev/zero") == "/dev/zero is no file"


@pytest.mark.skipif(sys.platform == "win32", reason="permission bits")
def test_what_may_not_be_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(b"{}")
    path.chmod(0)
    if os.access(path, os.R_OK):
        pytest.skip("this user may read everything")
    assert "can't be read" in refused(path)


def test_a_session_in_which_nobody_speaks_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "agent-1.jsonl"
    path.write_bytes(Talk().user("find it", isSidechain=True).says("found", isSidechain=True).data())
    assert refused(path) == f"{path} holds no turn of a conversation of its own"


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "empty"),
        (b" \n\n", "empty"),
        (b"SQLite format 3\0\x10", "a SQLite database"),
        (b"\x7fELF\0\0", "no text"),
        (b"# aider chat started at 2026-01-02\n", "an Aider chat history"),
        (b"\x28\xb5\x2f\xfd\0\1\n", "compressed with zstd, as Codex does with old rollouts: not read yet"),
        (b'{"session_id":"x","ts":1,"text":"y"}\n', "Codex's history of prompts: not read yet"),
        (b'{"type":"user","message":{"role":"user","parts":[]}}\n', "a Qwen Code session: not read yet"),
        (b'{"type":"session","id":"x","timestamp":"y"}\n', "a Pi, OMP or OpenClaw session: not read yet"),
        (b'{"type":"metadata","protocol_version":1}\n', "a Kimi session: not read yet"),
        (b'{"params":{"update":{}}}\n', "a Grok session: not read yet"),
        (b'{"working_dir":"/p","extension_data":{}}\n', "a Goose session: not read yet"),
        (b'{"messages":[],"sessionId":"x"}', "a Cline session's messages: not read yet"),
        (b'{"type":["user"],"message":7,"role":{},"id":[]}\n', "no transcript of a known agent"),
        (b"[\n {}, 1]", "no transcript of a known agent"),
        (b"hello\nworld\n", "no transcript of a known agent"),
        (b"[" * 100_000, "no transcript of a known agent"),
    ],
)
def test_what_is_no_transcript_is_called_by_name(tmp_path: Path, data: bytes, words: str) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(data)
    assert words in refused(path)


def test_the_session_that_is_known_by_an_id_keeps_it(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(Talk().user("hello there").data())
    assert (transcript.read(str(path)).id, transcript.read(str(path), "s-1").id) == (SESSION, "s-1")


class Telex:
    """Reads what a made-up agent writes: all that a further reader needs."""

    AGENT = "telex"

    @staticmethod
    def reads(source: Source) -> bool:
        return source.head[:1] == (b"TELEX",)

    @staticmethod
    def read(source: Source) -> Session:
        turns = Turns("telex")
        for line in [*source.lines()][1:]:
            turns.say("user", line.decode(), "")
        return turns.session()


def test_a_further_reader_is_a_module_and_a_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.telex"
    path.write_bytes(b"TELEX\nhello there\n")
    assert "no transcript of a known agent" in refused(path)
    monkeypatch.setattr(transcript, "READERS", {**transcript.READERS, Telex.AGENT: Telex})
    session = transcript.read(str(path), "s-1")
    assert (turns_of(session), session.id, session.agent) == ([("u1", "user", "hello there")], "s-1", "telex")


def test_every_host_with_a_transcript_of_its_own_has_a_reader() -> None:
    assert set(transcript.READERS) == {"claude-code", "codex", "gemini", "copilot", "opencode", "cursor"}


def test_a_document_that_is_too_large_to_parse_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(json.dumps({"loglines": Talk().user("hello there").rows}, indent=2).encode())
    assert transcript.read(str(path)).turns
    monkeypatch.setattr(source, "LARGEST_DOCUMENT", 100)
    assert "no transcript of a known agent" in refused(path)


READ_BY = {
    "claude-code": (
        "edge_cases.jsonl", "representative_messages.jsonl", "session_b.jsonl", "todowrite_examples.jsonl",
        "claude-code/session.jsonl", "claude/project/session.jsonl", "trajectory_parity/claude.jsonl",
        "sample_session.json", "sample_session.jsonl",
    ),
    "codex": (
        "rollout-2026-07-17T09-00-00-registry-codex.jsonl", "rollout-2026-01-02T03-04-05-codex-abc.jsonl",
        "trajectory_parity/codex.jsonl",
    ),
    "gemini": ("session-set-snapshot.jsonl", "gemini/session.jsonl"),
    "copilot": ("events.jsonl",),
    "opencode": ("opencode.sql",),
    "cursor": ("registry-cursor.jsonl",),
}  # fmt: skip
"""The files of the corpus that have a reader, by the ends of their paths; all others are refused."""


@pytest.mark.corpus
def test_every_transcript_of_the_corpus_is_read_by_its_reader_or_refused_by_name(corpus: Path, tmp_path: Path) -> None:
    files = [path for path in sorted((corpus / "transcripts").rglob("*")) if path.is_file()]
    assert len(files) == 44
    wanted = {path: agent for agent, ends in READ_BY.items() for path in files for end in ends if ends_with(path, end)}
    assert len(wanted) == sum(map(len, READ_BY.values()))
    found: dict[Path, str] = {}
    refusals: list[str] = []
    for path in files:
        try:
            session = transcript.read(opened(path, tmp_path))
        except TranscriptUnreadable as refusal:
            refusals.append(refusal.message)
            continue
        assert session.id
        assert len({(turn.ref, turn.kind) for turn in session.turns}) == len(session.turns)
        found[path] = session.agent
    assert found == wanted
    assert [words for words in refusals if not words.endswith("not read yet")] == []


def ends_with(path: Path, end: str) -> bool:
    return f"/{path.as_posix()}".endswith(f"/{end}")


def opened(path: Path, folder: Path) -> str:
    """Returns a file as a client would have it: a script that makes a database is run."""
    if path.suffix != ".sql":
        return str(path)
    made = folder / f"{path.stem}.db"
    with closing(sqlite3.connect(made)) as database:
        database.executescript(path.read_text(encoding="utf-8"))
    return str(made)

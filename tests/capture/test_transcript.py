"""Opening transcripts: read, or refused with a reason that a person understands."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from engram.capture import transcript
from engram.errors import TranscriptUnreadable
from tests.lib.transcripts import Talk


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
        (b'{"type":"session_meta","payload":{"id":"x"}}\n', "a Codex rollout: not read yet"),
        (b'{"type":"session.start","data":{}}\n', "a Copilot CLI session: not read yet"),
        (b'{"sessionId":"x","startTime":"y"}\n', "a Gemini CLI session: not read yet"),
        (b'{\n "loglines": [\n' + b"  1,\n" * 500 + b" 1]}", "one JSON document: not read yet"),
        (b"[\n {}, 1]", "no transcript of a known agent"),
        (b"hello\nworld\n", "no transcript of a known agent"),
        (b"[" * 100_000, "no transcript of a known agent"),
    ],
)
def test_what_is_no_transcript_is_called_by_name(tmp_path: Path, data: bytes, words: str) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(data)
    assert words in refused(path)


@pytest.mark.corpus
def test_every_transcript_of_the_corpus_is_read_or_refused_by_name(corpus: Path) -> None:
    files = [path for path in sorted((corpus / "transcripts").rglob("*")) if path.is_file()]
    read: set[str] = set()
    refusals: list[str] = []
    for path in files:
        try:
            session = transcript.read(str(path))
        except TranscriptUnreadable as refusal:
            refusals.append(refusal.message)
        else:
            assert session.turns
            assert session.id
            assert len({(turn.ref, turn.kind) for turn in session.turns}) == len(session.turns)
            read.add(path.name)
    assert [words for words in refusals if not words.endswith("not read yet")] == []
    assert len(files) > 40
    assert {"representative_messages.jsonl", "edge_cases.jsonl", "claude.jsonl", "sample_session.jsonl"} <= read
    assert not any("codex" in name or "gemini" in name for name in read)

"""Where agents keep transcripts: found by the session alone, and the parts of one session put together."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from engram.capture import places, transcript
from tests.capture.test_codex import ID, meta, said
from tests.lib.transcripts import joined, source_in, turns_of

SES = "ses_dd478f418ffe"


def write(path: Path, data: bytes = b"x") -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return str(path)


@pytest.mark.parametrize(
    ("agent", "session", "kept", "env"),
    [
        ("claude-code", ID, f".claude/projects/-home-ada-shop/{ID}.jsonl", {}),
        ("claude-code", ID, f"cc/projects/-home-ada-shop/{ID}.jsonl", {"CLAUDE_CONFIG_DIR": "cc"}),
        ("codex", ID, f".codex/sessions/2026/03/01/rollout-2026-03-01T10-00-00-{ID}.jsonl", {}),
        ("codex", ID, f"cx [1]/sessions/2026/03/01/rollout-2026-03-01T10-00-00-{ID}.jsonl", {"CODEX_HOME": "cx [1]"}),
        ("codex", ID, f".codex/archived_sessions/rollout-2026-03-01T10-00-00-{ID}.jsonl", {}),
        ("gemini", ID, f".gemini/tmp/shop/chats/session-2026-03-01T10-00-{ID[:8]}.jsonl", {}),
        ("gemini", ID, f"g/.gemini/tmp/60df/chats/session-2026-03-01T10-00-{ID[:8]}.json", {"GEMINI_CLI_HOME": "g"}),
        ("copilot", ID, f".copilot/session-state/{ID}/events.jsonl", {}),
        ("copilot", ID, f"cp/session-state/{ID}/events.jsonl", {"COPILOT_HOME": "cp"}),
        ("vscode", ID, f".copilot/session-state/{ID}/events.jsonl", {}),
        ("opencode", SES, ".local/share/opencode/opencode.db", {}),
        ("opencode", SES, "data/opencode/opencode.db", {"XDG_DATA_HOME": "data"}),
        ("opencode", SES, ".local/share/opencode/own.sqlite", {"OPENCODE_DB": "own.sqlite"}),
        ("cursor", ID, f".cursor/projects/home-ada-shop/agent-transcripts/{ID}/{ID}.jsonl", {}),
        ("cursor", ID, f".cursor/projects/home-ada-shop/agent-transcripts/{ID}.jsonl", {}),
    ],
)
def test_a_transcript_is_found_by_its_session(
    tmp_path: Path, agent: str, session: str, kept: str, env: dict[str, str]
) -> None:
    where = {name: value if name == "OPENCODE_DB" else str(tmp_path / value) for name, value in env.items()}
    path = write(tmp_path / kept, session.encode() if agent == "gemini" else b"")
    for name in (agent, "unknown", ""):
        assert places.place_of(name, session, "", where, str(tmp_path)) == path
        assert places.place_of(name, session, str(tmp_path / "gone.jsonl"), where, str(tmp_path)) == path
    assert places.place_of(agent, "another-session", "", where, str(tmp_path)) == ""


def test_the_path_that_the_hook_named_comes_first(tmp_path: Path) -> None:
    write(tmp_path / f".codex/sessions/2026/03/01/rollout-2026-03-01T10-00-00-{ID}.jsonl")
    named = write(tmp_path / "named.jsonl")
    assert places.place_of("codex", ID, named, {}, str(tmp_path)) == named


def test_where_nothing_is_kept_the_named_path_stays(tmp_path: Path) -> None:
    assert places.place_of("codex", ID, "/gone.jsonl", {}, str(tmp_path)) == "/gone.jsonl"
    assert places.place_of("nobody", ID, "", {}, str(tmp_path)) == ""


@pytest.mark.parametrize("session", ["", "*", "../../etc/passwd", "a/b/c", "..", "a\\b", "[a-z]*x", "abc\n", "~root"])
def test_no_id_leads_elsewhere(session: str) -> None:
    assert places.patterns("unknown", session, {}, "/home/ada") == ()


def test_another_session_with_the_same_beginning_is_not_taken(tmp_path: Path) -> None:
    chats = tmp_path / ".gemini/tmp/shop/chats"
    write(chats / f"session-2026-03-02T10-00-{ID[:8]}.jsonl", b'{"sessionId":"' + ID[:8].encode() + b'-other"}')
    mine = write(chats / f"session-2026-03-01T10-00-{ID[:8]}.jsonl", b'{"sessionId":"' + ID.encode() + b'"}')
    assert places.place_of("gemini", ID, "", {}, str(tmp_path)) == mine


def rollout(home: Path, name: str, *texts: str) -> str:
    rows = source_in([meta(), *(said("user", text) for text in texts)]).lines()
    return write(home / f"{name}-{ID}.jsonl", joined(rows))


def test_a_rollout_in_several_files_is_one_session(tmp_path: Path) -> None:
    codex = tmp_path / "sessions" / ".codex"
    first = rollout(codex / "archived_sessions", "rollout-2026-03-01T10-00-00", "one")
    second = rollout(codex / "sessions/2026/03/02", "rollout-2026-03-02T09-00-00", "one", "two")
    third = rollout(codex / "sessions/2026/03/03", "rollout-2026-03-03T09-00-00", "three")
    rollout(codex / "sessions/2026/03/03", "rollout-2026-03-03T09-00-00-x", "of another session")
    assert places.parts_of(third) == (first, second, third)
    for path in (first, third):
        assert [text for _, _, text in turns_of(transcript.read(path))] == ["one", "two", "three"]
    assert places.place_of("codex", ID, "", {"CODEX_HOME": str(codex)}, "/home/ada") == third


def test_what_only_has_a_rollouts_name_is_no_part_of_it(tmp_path: Path) -> None:
    first = rollout(tmp_path / "sessions/2026/03/01", "rollout-2026-03-01T10-00-00", "one")
    other = tmp_path / "archived_sessions" / f"rollout-2026-03-02T10-00-00-{ID}.jsonl"
    other.mkdir(parents=True)
    assert places.parts_of(first) == (first,)
    if hasattr(os, "mkfifo"):
        other.rmdir()
        os.mkfifo(other)
        assert places.parts_of(first) == (first,)


def test_a_file_that_is_no_rollout_is_whole(tmp_path: Path) -> None:
    for name in ("x.jsonl", f"rollout-2026-03-01T10-00-00-{ID}.jsonl", "sessions/events.jsonl"):
        path = write(tmp_path / name)
        assert places.parts_of(path) == (path,)

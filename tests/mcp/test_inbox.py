"""Prompts kept as evidence: on this machine, masked, bounded; an inbox id names one, and a deleted id is spent."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engram.app import inbox
from engram.model.event import Event
from engram.queue import append, folder_in
from tests.lib.stores import note
from tests.mcp.server import Here, project

SAID = "please remember that we never deploy on Fridays"


@pytest.fixture
def here(sealed: Path) -> Here:
    folder, _ = project(sealed, {"ci.md": note("ci")})
    return Here(folder)


def files(here: Here) -> list[Path]:
    return sorted(Path(here.context.folder("prompts")).glob("*.json"))


def test_a_prompt_stays_on_this_machine_and_is_not_proposed(here: Here) -> None:
    said = here.data("mem_save_prompt", content=SAID, session_id="s-1")
    assert (said["result"], said["id"]) == ("kept", "s-1#1")
    assert here.queue == []
    (kept,) = files(here)
    assert json.loads(kept.read_text(encoding="utf-8"))["texts"] == {"1": SAID}
    assert kept.stat().st_mode & 0o077 == 0
    assert (kept.parent / ".gitignore").read_text(encoding="utf-8") == "*\n"


def test_an_inbox_id_names_one_prompt_and_without_one_each_call_adds_one(here: Here) -> None:
    first = here.data("mem_save_prompt", content=SAID, inbox_id="m-1", session_id="s-1")
    assert here.data("mem_save_prompt", content="other words", inbox_id="m-1", session_id="s-1")["id"] == first["id"]
    assert here.data("mem_save_prompt", content=SAID, inbox_id="m-2", session_id="s-1")["id"] == "s-1#2"
    assert here.data("mem_save_prompt", content=SAID, inbox_id="m-1", session_id="s-2")["id"] == "s-2#1"
    assert [here.data("mem_save_prompt", content=SAID, session_id="s-1")["id"] for _ in "ab"] == ["s-1#3", "s-1#4"]
    assert inbox.latest(here.context, "s-1") == SAID


@pytest.mark.parametrize("by", [{"prompt_id": "s-1#1"}, {"inbox_id": "m-1", "session_id": "s-1"}])
def test_a_deleted_id_is_refused_from_then_on(here: Here, by: dict[str, str]) -> None:
    here.data("mem_save_prompt", content=SAID, inbox_id="m-1", session_id="s-1")
    for _ in "again":
        assert here.data("mem_delete_prompt", **by)["result"] == "deleted"
    assert SAID not in files(here)[0].read_text(encoding="utf-8")
    said = here.refused("mem_save_prompt", content=SAID, inbox_id="m-1", session_id="s-1")
    assert said.startswith("prompt-deleted: ")
    assert inbox.latest(here.context, "s-1") == ""
    assert here.data("mem_save_prompt", content=SAID, inbox_id="m-2", session_id="s-1")["id"] == "s-1#2"


@pytest.mark.parametrize(
    "by",
    [{}, {"prompt_id": "s-1#1", "inbox_id": "m"}, {"prompt_id": "s-1#9"}, {"prompt_id": "x"}, {"inbox_id": "never"},
     {"prompt_id": "../../x#1"}],
)  # fmt: skip
def test_what_names_no_prompt_is_refused(here: Here, by: dict[str, str]) -> None:
    here.data("mem_save_prompt", content=SAID, session_id="s-1")
    assert here.refused("mem_delete_prompt", **by).startswith("argument-invalid: ")


def test_secrets_are_masked_and_texts_are_bounded(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inbox, "MOST_TEXTS", 3)
    monkeypatch.setattr(inbox, "MOST_PROMPTS", 6)
    monkeypatch.setattr(inbox, "MOST_SESSIONS", 2)
    here.data("mem_save_prompt", content="the key is AKIAIOSFODNN7EXAMPLE", session_id="s-1")
    assert "AKIA" not in inbox.latest(here.context, "s-1")
    here.data("mem_save_prompt", content="x" * 50_000, inbox_id="long", session_id="s-1")
    assert len(inbox.latest(here.context, "s-1")) == inbox.LONGEST
    for _ in range(4):
        here.data("mem_save_prompt", content=SAID, session_id="s-1")
    assert list(json.loads(files(here)[0].read_text(encoding="utf-8"))["texts"]) == ["4", "5", "6"]
    assert here.data("mem_save_prompt", content=SAID, inbox_id="long", session_id="s-1")["id"] == "s-1#2"
    assert "6 prompts of this session are kept already" in here.refused(
        "mem_save_prompt", content=SAID, session_id="s-1"
    )
    for session in ("s-2", "s-3"):
        here.data("mem_save_prompt", content=SAID, session_id=session)
    assert len(files(here)) == 2


@pytest.mark.parametrize(
    "data", [b"", b"[]", b"{", b'{"session": "s-1", "count": "x"}', b'{"session": "other"}', b"[" * 9000]
)
def test_a_damaged_file_stops_nothing(here: Here, data: bytes) -> None:
    here.data("mem_save_prompt", content=SAID, session_id="s-1")
    files(here)[0].write_bytes(data)
    assert inbox.latest(here.context, "s-1") == ""
    assert here.data("mem_save_prompt", content=SAID, session_id="s-1")["id"] == "s-1#1"


def test_the_latest_prompt_of_the_session_is_the_evidence_of_a_save(here: Here) -> None:
    here.data("mem_session_start", session_id="s-1")
    here.data("mem_save_prompt", content="something else", session_id="s-2")
    here.data("mem_save_prompt", content=SAID)
    here.data("mem_save", title="One", type="decision", content="One.")
    here.data("mem_save", title="Two", type="decision", content="Two.", capture_prompt=False)
    here.data("mem_save", title="Three", type="decision", content="Three.", session_id="s-3")
    one, two, three = here.queue
    assert one["evidence"] == [{"session": "s-1", "ref": "", "quote": SAID}]
    assert two["evidence"] == three["evidence"] == []


@pytest.mark.parametrize("typed", [True, False])
def test_evidence_counts_as_the_user_s_words_only_where_the_transcript_has_them(
    here: Here, tmp_path: Path, typed: bool
) -> None:
    from engram.app import proposals  # noqa: PLC0415

    path = tmp_path / "s-1.jsonl"
    words = SAID if typed else "something else altogether"
    row = {"type": "user", "uuid": "u", "sessionId": "s-1", "timestamp": "2026-11-30T10:00:00Z", "cwd": "/x",
           "version": "2.1.332", "isSidechain": False, "parentUuid": None, "userType": "external",
           "message": {"role": "user", "content": words}}  # fmt: skip
    path.write_text(json.dumps(row) + "\n", encoding="utf-8")
    append(folder_in(here.context.engram_home), Event("claude-code", "s-1", str(path), "/x", "2026-11-30T11:00:00Z"))
    here.data("mem_session_start", session_id="s-1")
    here.data("mem_save_prompt", content=SAID)
    here.data("mem_save", title="Never on Fridays", type="decision", content="Deploys stop on Thursdays.")
    assert proposals.again(here.context, here.queue[0]["kept"]).said == (("user",) if typed else ("unverified",))

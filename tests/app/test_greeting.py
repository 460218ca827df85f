"""The banner: once, to a person, through a client that shows it."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from engram.app.events import Answer, answer_to
from engram.app.greeting import greeting
from engram.capture.heard import heard_of
from engram.errors import ConfigInvalid
from engram.model.banner import NEURON, banner
from tests.lib.hooks import STARTED


def start(name: str, home: Path, session: str, **env: str) -> dict[str, object]:
    payload = {**STARTED[name]}
    key = next(key for key in ("session_id", "sessionId", "sessionID", "conversation_id") if key in payload)
    heard = heard_of({**payload, key: session, "cwd": str(home)}, env)
    assert heard is not None
    whole = {**os.environ, **env}
    found = answer_to(heard, whole, str(home), lambda: None) or Answer()
    said: dict[str, object] = json.loads(found.text or "{}")
    return said


def test_it_names_the_store_and_what_to_do_and_is_drawn_in_plain_letters() -> None:
    text = banner("/home/ada/.agent-memory")
    assert text.startswith(NEURON.rstrip())
    assert "/home/ada/.agent-memory" in text
    assert "engram status" in text
    assert "/engram-curate" in text
    assert text.isascii()
    assert max(map(len, text.split("\n"))) <= 100
    assert len(text) < 1_000


def test_it_comes_once_to_the_person_and_never_to_the_model(sealed: Path) -> None:
    first = start("claude-code", sealed, "s-1", CLAUDE_CODE_SESSION_ATTENDED="1")
    assert first == {"systemMessage": banner(str(sealed / ".agent-memory"))}
    assert start("claude-code", sealed, "s-2", CLAUDE_CODE_SESSION_ATTENDED="1") == {}
    assert start("gemini", sealed, "s-3") == {}


@pytest.mark.parametrize("name", ["codex", "copilot", "copilot Pascal", "vscode", "opencode", "cursor"])
def test_where_nobody_would_see_it_it_waits(sealed: Path, name: str) -> None:
    assert start(name, sealed, "s-1") == {}
    assert start("claude-code", sealed, "s-2", CLAUDE_CODE_SESSION_ATTENDED="0") == {}
    assert not (sealed / ".agent-memory" / ".engram" / "greeted").exists()
    assert set(start("gemini", sealed, "s-3")) == {"systemMessage"}


def test_a_start_that_fails_keeps_it_for_the_next(sealed: Path) -> None:
    store = sealed / ".agent-memory"
    store.mkdir()
    (store / "config.json").write_text("{broken", encoding="utf-8")
    (store / "a.md").write_text("A note.\n", encoding="utf-8")
    with pytest.raises(ConfigInvalid):
        start("claude-code", sealed, "s-1", CLAUDE_CODE_SESSION_ATTENDED="1")
    (store / "config.json").unlink()
    assert "engram status" in str(
        start("claude-code", sealed, "s-2", CLAUDE_CODE_SESSION_ATTENDED="1")["systemMessage"]
    )


def test_a_path_that_would_paint_over_the_screen_is_shown_by_its_numbers(tmp_path: Path) -> None:
    assert "<U+001B>[2J" in greeting(str(tmp_path / "\x1b[2J"))


def test_where_it_can_t_be_remembered_it_isn_t_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert greeting(str(tmp_path / "file")) == ""

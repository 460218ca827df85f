"""Every event of every agent: exactly what is said in that agent's own shape, and what is queued."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from engram import queue
from engram.app import events, seen
from engram.app.answering import _within
from engram.app.events import Answer, answer_to
from engram.capture.heard import Heard, heard_of
from engram.model.event import Verdict
from engram.recall.packet import OPENING_FRAME, PROMPT_FRAME, Packet
from tests.lib.hooks import (
    ASKED,
    CALLED,
    COMPACTED,
    ENDED,
    EVENTS,
    STARTED,
    STOPPED,
    every,
    host_of,
    refused,
)  # fmt: skip
from tests.lib.stores import git, make_store, note

FACT = "Ask the health address on the staging host before every deployment."

SPECIFIC: Callable[[str, str], dict[str, Any]] = lambda name, text: {  # noqa: E731
    "hookSpecificOutput": {"hookEventName": name, "additionalContext": text}
}
AT_START: dict[str, Callable[[str], dict[str, Any]] | None] = {
    "claude-code": lambda text: SPECIFIC("SessionStart", text),
    "codex": lambda text: SPECIFIC("SessionStart", text),
    "gemini": None,
    "copilot": lambda text: {"additionalContext": text},
    "vscode": lambda text: SPECIFIC("SessionStart", text),
    "opencode": lambda text: {"additionalContext": text},
    "cursor": lambda text: {"additional_context": text},
}
AT_PROMPT: dict[str, Callable[[str], dict[str, Any]] | None] = {
    "claude-code": lambda text: SPECIFIC("UserPromptSubmit", text),
    "codex": lambda text: SPECIFIC("UserPromptSubmit", text),
    "gemini": lambda text: SPECIFIC("BeforeAgent", text),
    "copilot": lambda text: {"additionalContext": text},
    "vscode": None,
    "opencode": lambda text: {"additionalContext": text},
    "cursor": None,
}
PERMISSION = {"permissionDecision": "deny", "permissionDecisionReason": "no"}
AT_DENIAL: dict[str, dict[str, Any]] = {
    "claude-code": {"hookSpecificOutput": {"hookEventName": "PreToolUse", **PERMISSION}},
    "codex": {"hookSpecificOutput": {"hookEventName": "PreToolUse", **PERMISSION}},
    "gemini": {"decision": "deny", "reason": "no"},
    "copilot": PERMISSION,
    "vscode": {"hookSpecificOutput": {"hookEventName": "PreToolUse", **PERMISSION}},
    "opencode": {"deny": "no"},
    "cursor": {"permission": "deny", "user_message": "no", "agent_message": "no"},
}


@pytest.fixture
def home(sealed: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    store = make_store(sealed / ".agent-memory", {"staging.md": note("staging", FACT, type="user")})
    os.utime(store / "staging.md", (1_700_000_000, 1_700_000_000))
    (store / ".engram").mkdir()
    (store / ".engram" / "greeted").write_bytes(b"")
    monkeypatch.setattr(events, "REFRESH_SECONDS", 60.0)
    monkeypatch.setenv("ENGRAM_RELEVANCE_FLOOR", "0.1")
    return sealed


def heard(payload: Mapping[str, Any], home: Path) -> Heard:
    found = heard_of({**payload, "cwd": str(home)}, os.environ)
    assert found is not None
    return found


def said(payload: Mapping[str, Any], home: Path, more_time: Callable[[], None] = lambda: None) -> dict[str, Any]:
    found = answer_to(heard(payload, home), os.environ, str(home), more_time) or Answer()
    found.remember()
    whole: dict[str, Any] = json.loads(found.text or "{}")
    return whole


def waiting(home: Path) -> list[tuple[str, str]]:
    return sorted((one.agent, one.session) for one in queue.entries(queue.folder_in(str(home / ".agent-memory"))))


def put(home: Path, folder: str) -> None:
    """Leaves a record there, of a form that nothing reads."""
    (home / ".agent-memory" / ".engram" / folder).mkdir(parents=True)
    (home / ".agent-memory" / ".engram" / folder / "x.json").write_text("{}", encoding="utf-8")


def stub(monkeypatch: pytest.MonkeyPatch, module: str, **functions: Callable[..., Any]) -> None:
    monkeypatch.setitem(sys.modules, module, SimpleNamespace(**functions))  # type: ignore[misc]


def remember_opened(home: Path, payload: Mapping[str, Any]) -> None:
    seen.open_(seen.folder_in(str(home / ".agent-memory")), heard(payload, home).session)


def later(seconds: int, **more: Any) -> dict[str, Any]:
    """Returns Gemini's prompt, so many seconds later: what a hook takes for another event."""
    return {**ASKED["gemini"], "timestamp": f"2026-03-01T10:00:{seconds}.854Z", **more}


def context_in(answer: Mapping[str, Any]) -> str:
    return str(answer["hookSpecificOutput"]["additionalContext"]) if answer else ""


def test_gemini_opens_with_the_session_s_first_prompt_and_serves_no_note_twice(home: Path) -> None:
    assert said(STARTED["gemini"], home) == {}
    first = said(ASKED["gemini"], home)
    assert first["hookSpecificOutput"]["hookEventName"] == "BeforeAgent"
    assert context_in(first).startswith(OPENING_FRAME)
    assert context_in(first).count(FACT) == 1
    assert said(later(31), home) == {}


@pytest.mark.parametrize("prompt", ["ok", "thanks", "go on"])
def test_a_prompt_that_asks_nothing_opens_a_session_too(home: Path, prompt: str) -> None:
    assert context_in(said(later(30, prompt=prompt), home)).startswith(OPENING_FRAME)
    assert said(later(31, prompt=prompt), home) == {}


def test_what_gemini_is_told_first_holds_what_the_prompt_asks_for_as_well(home: Path) -> None:
    facts = {f"n{n}.md": note(f"n{n}", f"Fact {n} of the user.", type="user") for n in range(3)}
    facts["lock.md"] = note("lock", "The sluice gate is opened by hand with a crank.", type="reference")
    for name, text in facts.items():
        (home / ".agent-memory" / name).write_text(text, encoding="utf-8")
    git(home / ".agent-memory", "add", "-A")
    git(home / ".agent-memory", "commit", "-qm", "more")
    text = context_in(said(later(30, prompt="how is the sluice gate opened by hand, with which crank?"), home))
    opening, both, recalled = text.partition(f"\n\n{PROMPT_FRAME}")
    assert opening.startswith(OPENING_FRAME)
    assert both
    assert ("sluice" in recalled, FACT in opening, FACT in recalled) == (True, True, False)


def test_a_session_of_gemini_that_starts_anew_is_opened_anew(home: Path) -> None:
    assert said(ASKED["gemini"], home) != {}
    assert said({**STARTED["gemini"], "source": "resume"}, home) == {}
    assert said(later(31), home) == {}, "nothing that it wasn't told"
    assert said({**STARTED["gemini"], "source": "clear", "timestamp": "2026-03-01T10:00:32.854Z"}, home) == {}
    assert context_in(said(later(33), home)).startswith(OPENING_FRAME)


def test_what_could_not_be_printed_is_said_with_the_next_prompt(home: Path) -> None:
    unsaid = answer_to(heard(ASKED["gemini"], home), os.environ, str(home), lambda: None)
    assert unsaid is not None
    assert context_in(said(later(31), home)).startswith(OPENING_FRAME)


@pytest.mark.parametrize("name", STARTED)
def test_a_start_is_answered_in_the_agent_s_own_shape(home: Path, name: str) -> None:
    context = said(STARTED["claude-code"], home)["hookSpecificOutput"]["additionalContext"]
    assert FACT in context
    shape = AT_START[host_of(name)]
    if name != "claude-code":
        assert said(STARTED[name], home) == (shape(context) if shape else {})
    assert waiting(home) == []


@pytest.mark.parametrize("name", ASKED)
def test_a_prompt_is_answered_in_the_agent_s_own_shape_or_not_at_all(home: Path, name: str) -> None:
    context = said({**ASKED["claude-code"], "session_id": "first"}, home)["hookSpecificOutput"]["additionalContext"]
    assert FACT in context
    if name == "gemini":
        remember_opened(home, ASKED[name])
    shape = AT_PROMPT[host_of(name)]
    assert said(ASKED[name], home) == (shape(context) if shape else {})
    assert waiting(home) == []


@pytest.mark.parametrize("table", [STOPPED, COMPACTED, ENDED], ids=["turn end", "compaction", "session end"])
def test_what_comes_to_rest_is_queued_in_silence(home: Path, table: dict[str, dict[str, Any]]) -> None:
    for name, payload in table.items():
        assert said(payload, home) == {}, name
    sessions = {name: heard(payload, home).session for name, payload in table.items()}
    assert waiting(home) == sorted({(host_of(name), session) for name, session in sessions.items()})
    assert not (home / ".agent-memory" / ".engram" / "once").exists()


def test_a_turn_that_is_reported_twice_is_one_entry_and_so_is_a_session_that_goes_on(home: Path) -> None:
    for payload in (*([STOPPED["copilot"], STOPPED["copilot Pascal"]] * 2), STOPPED["codex"], STARTED["codex"]):
        said(payload, home)
    said({**STARTED["codex"], "source": "resume"}, home)
    said({**STOPPED["codex"], "turn_id": "t-2"}, home)
    assert waiting(home) == [("codex", "01a22a75-2"), ("copilot", "dc9fd500-4")]


@pytest.mark.parametrize(("event", "name", "payload"), every(), ids=lambda each: each if isinstance(each, str) else "")
def test_of_an_agent_that_nobody_knows_nothing_is_said(
    home: Path, event: str, name: str, payload: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    stub(monkeypatch, "engram.capture.commands", concerns_engram=lambda tool, given: True)
    unknown = heard(payload, home)
    unknown.host = "unknown"
    assert answer_to(unknown, os.environ, str(home), lambda: None) is None


# -- tools -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", CALLED)
def test_a_refusal_comes_in_the_agent_s_own_shape_each_time(
    home: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    stub(monkeypatch, "engram.capture.commands", concerns_engram=lambda tool, given: given["command"] == "make test")
    stub(monkeypatch, "engram.app.guarding", judged=lambda heard, context: Verdict("deny", "no"))
    for more in ({}, {}, {"agent_id": "a-1"}):
        assert said({**CALLED[name], **more}, home) == AT_DENIAL[host_of(name)]


def test_a_command_of_no_concern_is_not_judged(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stub(monkeypatch, "engram.capture.commands", concerns_engram=lambda tool, given: False)
    monkeypatch.setitem(sys.modules, "engram.app.guarding", None)  # its import would fail
    assert [said(payload, home) for payload in CALLED.values()] == [{}] * len(CALLED)
    assert waiting(home) == []


def test_a_question_is_asked_once_and_only_where_it_can_be(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asks = Verdict("ask", "the diff", {"command": "engram curate apply x --token t"})
    stub(monkeypatch, "engram.capture.commands", concerns_engram=lambda tool, given: True)
    stub(monkeypatch, "engram.app.guarding", judged=lambda heard, context: asks)
    longer: list[None] = []
    assert said(CALLED["claude-code"], home, lambda: longer.append(None)) == {
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": "ask",
            "permissionDecisionReason": "the diff",
            "updatedInput": {"command": "engram curate apply x --token t"},
        }
    }
    assert longer == [None]
    assert said(CALLED["claude-code"], home) == {}
    assert [said(payload, home) for name, payload in CALLED.items() if name != "claude-code"] == [{}] * 7


# -- approval ----------------------------------------------------------------------------------------------------------


def test_a_plan_that_waits_is_shown_at_the_turn_s_end_where_the_agent_shows_it(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[str] = []

    def shown(heard: Heard, context: Any) -> str:
        assert (heard.host, heard.session) in waiting(home)  # it was queued before
        calls.append(heard.host)
        return "the whole change"

    stub(monkeypatch, "engram.app.approving", shown=shown)
    assert said(STOPPED["claude-code"], home) == {}
    put(home, "review")
    longer: list[None] = []
    again = {**STOPPED["claude-code"], "prompt_id": "p-2"}
    assert said(again, home, lambda: longer.append(None)) == {"systemMessage": "the whole change"}
    assert (calls, longer) == (["claude-code"], [None])
    assert said(again, home) == {}
    for name, payload in STOPPED.items():
        assert name == "claude-code" or said(payload, home) == {}
    assert calls == ["claude-code"]


def test_the_next_prompt_is_looked_at_even_where_it_asks_memory_nothing(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[str] = []

    def answered(heard: Heard, context: Any) -> str:
        calls.append(heard.prompt)
        return "approved" if heard.prompt.startswith("yes") else ""

    stub(monkeypatch, "engram.app.approving", answered=answered)
    yes = {**ASKED["claude-code"], "prompt": "yes"}
    assert said(yes, home) == {}
    assert calls == []
    put(home, "shown")
    assert said({**yes, "prompt_id": "p-2"}, home) == SPECIFIC("UserPromptSubmit", "approved")
    assert said({**yes, "prompt_id": "p-3", "prompt": "ok"}, home) == {}
    assert said({**yes, "prompt_id": "p-3", "prompt": "ok"}, home) == {}
    other = said({**yes, "prompt_id": "p-4", "prompt": "check the staging host before a deployment"}, home)
    assert FACT in other["hookSpecificOutput"]["additionalContext"]
    assert [call[:6] for call in calls] == ["yes", "ok", "check "]
    said(ASKED["codex"], home)
    assert len(calls) == 3


SLOW = (
    "import sys, time, types, engram.app.hook as hook\n"
    "hook.DEADLINE, hook.LONG_DEADLINE = 0.5, float(sys.argv[1])\n"
    "shown = lambda heard, context: time.sleep(1.5) or 'the whole change'\n"
    "sys.modules['engram.app.approving'] = types.SimpleNamespace(shown=shown)\n"
    "from engram.__main__ import main\n"
    "main(['hook'])\n"
)


@pytest.mark.parametrize(("seconds", "out"), [(60.0, '{"systemMessage": "the whole change"}\n'), (0.6, "")])
def test_a_plan_may_take_longer_to_show_than_a_prompt_may_be_held_up(home: Path, seconds: float, out: str) -> None:
    put(home, "review")
    data = json.dumps({**STOPPED["claude-code"], "cwd": str(home)}).encode()
    done = subprocess.run([sys.executable, "-c", SLOW, str(seconds)], input=data, capture_output=True, check=True)
    assert (done.stdout.decode(), done.stderr) == (out, b"")
    assert waiting(home) == [("claude-code", "9a54bf09-1")]


# -- what was served ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "again"), [("gemini", False), ("claude-code", False), ("copilot", True), ("opencode", True)]
)
def test_a_compaction_that_no_start_follows_lets_notes_come_again(home: Path, name: str, again: bool) -> None:
    assert (said(STARTED[name], home) != {}) is (name != "gemini")
    assert (said(ASKED[name], home) != {}) is (name == "gemini")
    said(COMPACTED[name], home)
    told = {"timestamp": 1772359232854} if name == "copilot" else {"prompt_id": "p-9", "message_id": "msg_9"}
    told = {"timestamp": "2026-03-01T10:00:32.854Z"} if name == "gemini" else told
    assert bool(said({**ASKED[name], **told}, home)) is again


# -- length ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("letter", ["a", "é", "字", "😀"])
@pytest.mark.parametrize("limit", [9_500, 9_000, 400])
def test_what_is_said_is_under_the_limit_in_any_script(letter: str, limit: int) -> None:
    asked: list[int] = []

    def make(chars: int) -> Packet:
        asked.append(chars)
        return Packet(letter * chars, (), ())

    made = _within(limit, make)
    assert 0 < len(made.text.encode()) <= limit
    assert asked[0] <= limit
    assert _within(-5, make).text == ""


@pytest.mark.parametrize("name", ["claude-code", "codex"])
def test_a_store_full_of_long_notes_stays_under_what_the_client_passes_on(home: Path, name: str) -> None:
    store = home / ".agent-memory"
    notes = {f"n{at}.md": note(f"n{at}", "検証環境の健康状態を確認する。" * 60, type="user") for at in range(12)}
    make_store(store, notes)
    (store / "config.json").write_text('{"recall": {"recall_token_budget": 8000}}', encoding="utf-8")
    found = answer_to(heard(STARTED[name], home), os.environ, str(home), lambda: None)
    assert found is not None
    assert len(found.text) > 1_000
    assert refused(name, "SessionStart", found.text) == ""


def test_the_tables_name_every_event_and_every_agent() -> None:
    assert {host_of(name) for table in EVENTS.values() for name in table} == set(AT_START)

"""Queued sessions of every agent: shown, and looked up for evidence, wherever the agent keeps them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engram import queue
from engram.app import sessions
from engram.capture.heard import event_in, heard_of
from engram.model.change import Change, ChangeSet, Evidence
from engram.model.event import Event
from engram.model.plan import Said
from tests.capture import test_codex, test_copilot, test_cursor, test_gemini, test_opencode
from tests.capture.test_codex import ID
from tests.lib.cli import context, run
from tests.lib.transcripts import Talk, joined, line_of

AT = "2026-03-01T11:00:00.000000Z"
TEXT = "always use pnpm, never npm"
SES = "ses_one"


def rows_of(agent: str) -> list[Any]:
    """Returns a session in which the person says TEXT, a call fails, and the agent answers."""
    match agent:
        case "claude-code":
            talk = Talk(ID).user(TEXT).calls("c", "Bash", command="npm i").result("c", "npm is not there", failed=True)
            return talk.says("I use pnpm from now on.").rows
        case "codex":
            return [
                test_codex.meta(),
                test_codex.said("user", TEXT, kinds=["user.text"]),
                test_codex.item("function_call", name="exec_command", arguments='{"cmd":"npm i"}', call_id="c"),
                test_codex.item(
                    "function_call_output", call_id="c", output={"content": "npm is not there", "success": False}
                ),
                test_codex.said("assistant", "I use pnpm from now on."),
            ]
        case "gemini":
            call = test_gemini.done("c", "run_shell_command", {"command": "npm i"}, "error", error="npm is not there")
            return [
                {**test_gemini.header(), "sessionId": ID},
                test_gemini.said("m1", TEXT),
                test_gemini.said("m2", kind="gemini", toolCalls=[call]),
                test_gemini.said("m3", "I use pnpm from now on.", kind="gemini"),
            ]
        case "copilot":
            return [
                test_copilot.event("session.start", sessionId=ID),
                test_copilot.event("user.message", content=TEXT),
                test_copilot.event(
                    "tool.execution_start", toolCallId="c", toolName="bash", arguments={"command": "npm i"}
                ),
                test_copilot.event(
                    "tool.execution_complete", toolCallId="c", success=False, error={"message": "npm is not there"}
                ),
                test_copilot.event("assistant.message", content="I use pnpm from now on."),
            ]
    failed = {"type": "tool_result", "tool_use_id": "c", "content": "npm is not there", "is_error": True}
    return [
        test_cursor.said("user", f"<user_query>{TEXT}</user_query>"),
        test_cursor.said("assistant", test_cursor.uses("Shell", "c", command="npm i")),
        test_cursor.said("user", failed),
        test_cursor.said("assistant", "I use pnpm from now on."),
    ]


KEPT = {
    "claude-code": f".claude/projects/-home-ada-shop/{ID}.jsonl",
    "codex": f".codex/sessions/2026/03/01/rollout-2026-03-01T10-00-00-{ID}.jsonl",
    "gemini": f".gemini/tmp/shop/chats/session-2026-03-01T10-00-{ID[:8]}.jsonl",
    "copilot": f".copilot/session-state/{ID}/events.jsonl",
    "opencode": ".local/share/opencode/opencode.db",
    "cursor": f".cursor/projects/home-ada-shop/agent-transcripts/{ID}/{ID}.jsonl",
}


def kept(home: Path, agent: str) -> Path:
    """Writes a session where its agent keeps it; returns the file."""
    path = home / KEPT[agent]
    path.parent.mkdir(parents=True)
    if agent == "opencode":
        test_opencode.made(path, [
            test_opencode.said("user", TEXT),
            test_opencode.said(
                "assistant",
                test_opencode.tool("bash", "c", {"command": "npm i"}, status="error", error="npm is not there"),
                "I use pnpm from now on.",
            ),
        ])  # fmt: skip
    else:
        path.write_bytes(joined(map(line_of, rows_of(agent))))
    return path


def queued(agent: str, transcript: str) -> str:
    """Puts a session into the queue; returns its id."""
    session = SES if agent == "opencode" else ID
    queue.append(context().folder("queue"), Event(agent, session, transcript, "/home/ada/shop", AT))
    return session


def found(session: str, *quotes: tuple[str, str]) -> tuple[Said, ...]:
    """Returns in whose words quotes stand: each its ref and its words."""
    changes = [
        Change("NOOP", "subsumed", 0.9, "said", (Evidence(session, ref, quote),), target="x") for ref, quote in quotes
    ]
    return sessions.who_said(context(), ChangeSet(tuple(changes), sessions=(session,)), {})


@pytest.mark.parametrize("agent", KEPT)
@pytest.mark.parametrize("named", ["named", "none", "moved"])
def test_a_session_of_each_agent_is_shown_and_proves_evidence(sealed: Path, agent: str, named: str) -> None:
    path = kept(sealed, agent)
    session = queued(agent, {"named": str(path), "none": "", "moved": str(path) + ".old"}[named])
    ran = run("pending", "show", session[:7])
    assert (ran.exit, ran.err) == (0, "")
    assert ran.out.startswith(f"# Session {session} ({agent})\n")
    assert f"[u1] {TEXT}\n[a1] I use pnpm from now on.\n" in ran.out
    assert "[t1]" in ran.out
    assert "failed: npm i\n      output: npm is not there\n" in ran.out
    quotes = [
        ("u1", "ALWAYS use  pnpm"),
        ("t1", "npm is not there"),
        ("a1", "pnpm from now on"),
        ("u1", "no such words"),
    ]
    assert found(session, *quotes) == ("user", "tool", "agent", "unverified")


def test_a_session_that_is_nowhere_says_so(sealed: Path) -> None:
    ran = run("pending", "show", queued("codex", ""))
    assert "the agent gave no transcript for this session" in ran.err


def test_a_resumed_codex_session_stays_one_entry_and_is_read_whole(sealed: Path) -> None:
    first = kept(sealed, "codex")
    later = first.parents[1] / "02" / first.name.replace("03-01T", "03-02T")
    later.parent.mkdir()
    later.write_bytes(joined(map(line_of, [test_codex.meta(), test_codex.said("user", "and use tabs")])))
    folder = context().folder("queue")
    for path, at in ((first, AT), (first, "2026-03-01T12:00:00.000000Z"), (later, "2026-03-02T09:00:00.000000Z")):
        payload = {"session_id": ID, "transcript_path": str(path), "hook_event_name": "Stop", "turn_id": "t"}
        heard = heard_of(payload, {})
        assert heard is not None
        queue.append(folder, event_in(heard, at))
    (entry,) = queue.entries(folder)
    assert (entry.agent, entry.session, entry.transcript) == ("codex", ID, str(later))
    assert [one["session"] for one in json.loads(run("pending", "list", "--json").out)["sessions"]] == [ID]
    out = run("pending", "show", ID).out
    assert [line for line in out.splitlines() if line.startswith("[u")] == [f"[u1] {TEXT}", "[u2] and use tabs"]
    assert found(ID, ("u2", "and use tabs"), ("u1", "always use pnpm")) == ("user", "user")

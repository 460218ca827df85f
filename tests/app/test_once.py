"""One event that starts two hooks: one of them speaks, and the same words an hour later are another event."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from engram.app import once
from engram.capture.heard import Heard, heard_of
from tests.lib.cli import environment
from tests.lib.hooks import ASKED, CALLED, STARTED, STOPPED
from tests.lib.stores import make_store, note


def of(payload: dict[str, Any], **more: Any) -> Heard:
    found = heard_of({**payload, **more}, {})
    assert found is not None
    return found


def aged(home: Path, seconds: float) -> None:
    """Makes every marker look that much older."""
    for path in (home / ".engram" / "once").glob(f"*{once.SUFFIX}"):
        at = path.stat().st_mtime - seconds
        os.utime(path, (at, at))


@pytest.mark.parametrize("table", [STARTED, ASKED, STOPPED, CALLED], ids=["start", "prompt", "stop", "tool"])
def test_an_event_is_claimed_once_in_either_spelling(tmp_path: Path, table: dict[str, dict[str, Any]]) -> None:
    spoke = {name: once.claimed(str(tmp_path), of(payload)) for name, payload in table.items()}
    assert spoke.pop("copilot Pascal") is False
    assert set(spoke.values()) == {True}
    assert not any(once.claimed(str(tmp_path), of(payload)) for payload in table.values())


def test_the_next_event_is_another(tmp_path: Path) -> None:
    home = str(tmp_path)
    claude, copilot, start = ASKED["claude-code"], ASKED["copilot"], STARTED["claude-code"]
    assert once.claimed(home, of(claude))
    assert once.claimed(home, of(claude, prompt_id="p-2"))
    assert once.claimed(home, of(claude, prompt="typed while the agent works"))
    assert once.claimed(home, of(claude, session_id="other"))
    assert once.claimed(home, of(copilot))
    assert once.claimed(home, of(copilot, timestamp=copilot["timestamp"] + 1))
    assert once.claimed(home, of(start))
    assert once.claimed(home, of(start, source="resume"))
    assert once.claimed(home, of(STOPPED["claude-code"]))
    assert once.claimed(home, of(STOPPED["claude-code"], stop_hook_active=True))


def test_the_same_words_later_are_spoken_to_again(tmp_path: Path) -> None:
    gemini, start = of(ASKED["gemini"]), of(STARTED["claude-code"])
    for heard, seconds in ((gemini, once.HOLDS), (start, once.MOMENT)):
        assert once.claimed(str(tmp_path), heard)
        assert not once.claimed(str(tmp_path), heard)
        aged(tmp_path, seconds + 1)
        assert once.claimed(str(tmp_path), heard)
        assert not once.claimed(str(tmp_path), heard)


def test_where_no_marker_can_be_made_it_speaks(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert once.claimed(str(tmp_path / "file"), of(STARTED["codex"]))


RACE = (
    "import sys, time\n"
    "from engram.app import once\n"
    "from engram.capture.heard import Heard\n"
    "home, begin, rounds = sys.argv[1], float(sys.argv[2]), int(sys.argv[3])\n"
    "time.sleep(max(0.0, begin - time.time()))\n"
    "print(sum(once.claimed(home, Heard('gemini', 'UserPromptSubmit', f's{n}', turn='t')) for n in range(rounds)))\n"
)


@pytest.mark.parametrize("stale", [False, True], ids=["fresh", "an old marker is there"])
def test_of_several_processes_at_once_exactly_one_claims_each(tmp_path: Path, stale: bool) -> None:
    if stale:
        for number in range(200):
            assert once.claimed(str(tmp_path), Heard("gemini", "UserPromptSubmit", f"s{number}", turn="t"))
        aged(tmp_path, once.HOLDS + 5)
    command = [sys.executable, "-c", RACE, str(tmp_path), str(time.time() + 1.0), "200"]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(4)]
    claimed = [int(each.communicate()[0]) for each in running]
    assert sum(claimed) == 200


def test_of_two_hooks_at_once_exactly_one_speaks(sealed: Path) -> None:
    store = make_store(
        sealed / ".agent-memory", {"staging.md": note("staging", "Check the staging host by its health address.")}
    )
    os.utime(store / "staging.md", (1_700_000_000, 1_700_000_000))
    patient = (
        "import engram.app.hook as hook, engram.app.events as events\n"
        "hook.DEADLINE = events.REFRESH_SECONDS = hook.STDIN_SECONDS = 60.0\n"
        "from engram.__main__ import main\n"
        "main(['hook'])\n"
    )
    env = environment(ENGRAM_RELEVANCE_FLOOR="0.1")
    for turn in range(4):
        at = 1772359202854 + turn * 1000
        spellings = [
            {**ASKED["copilot"], "timestamp": at, "sessionId": f"s{turn}"},
            {**ASKED["copilot Pascal"], "timestamp": f"2026-03-01T10:00:{2 + turn:02d}.854Z", "session_id": f"s{turn}"},
        ]
        running = [
            subprocess.Popen([sys.executable, "-c", patient], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env)
            for _ in spellings
        ]
        for each, payload in zip(running, spellings, strict=True):
            assert each.stdin is not None
            each.stdin.write(json.dumps(payload).encode())
            each.stdin.flush()
        said = [each.communicate()[0] for each in running]
        assert sum(b"staging" in out for out in said) == 1
        assert sum(out == b"" for out in said) == 1

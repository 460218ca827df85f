"""The half of an adapter that a hook meets: found by its place alone, and true to its host at every event."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from engram import adapters
from engram.adapters import adapters as every_adapter
from engram.adapters import speaker_for
from engram.model.event import COMPACTING, PROMPT, SESSION_END, SKILL, START, TOOL, TURN_END, Verdict
from tests.lib.hooks import refused

EVENTS = (START, PROMPT, TURN_END, COMPACTING, SESSION_END, TOOL, SKILL)
HOSTS = ("claude-code", "codex", "gemini", "copilot", "vscode", "opencode", "cursor")
NEW = """
NAME = "windmill"
HOSTS = ("windmill", "wind-mill-cloud")
LIMIT = 1_000
NOTICES = ()
OPENS = "SessionStart"
FORGETS = ()


def spoken(host, event, context, notice, verdict):
    return {"wind": context} if context else None
"""


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Gives a folder that the package of adapters reaches into."""
    monkeypatch.setattr(adapters, "__path__", [*adapters.__path__, str(tmp_path)])
    yield tmp_path
    for name in ("windmill", "no_adapter"):
        sys.modules.pop(f"engram.adapters.{name}", None)
        if hasattr(adapters, name):
            delattr(adapters, name)


def test_a_new_file_is_a_new_adapter(elsewhere: Path) -> None:
    assert speaker_for("windmill") is None
    (elsewhere / "windmill.py").write_text(NEW, encoding="utf-8")
    (elsewhere / "no_adapter.py").write_text("X = 1\n", encoding="utf-8")
    for host in ("windmill", "wind-mill-cloud"):
        found = speaker_for(host)
        assert found is not None
        assert found.spoken(host, START, "x", "", None) == {"wind": "x"}
    assert "windmill" in [each.NAME for each in every_adapter()]
    assert speaker_for("no-adapter") is None


def test_a_new_file_answers_a_hook_with_nothing_else_edited(sealed: Path, tmp_path: Path) -> None:
    (tmp_path / "windmill.py").write_text(NEW, encoding="utf-8")
    queued = json.dumps({"session_id": "old", "hook_event_name": "Stop", "cwd": str(sealed)})
    asked = json.dumps({"session_id": "s-1", "hook_event_name": "SessionStart", "cwd": str(sealed)})
    run = (
        "import sys, engram.adapters as adapters, engram.app.hook as hook, engram.app.events as events\n"
        "adapters.__path__.append(sys.argv[1])\n"
        "hook.DEADLINE = events.REFRESH_SECONDS = hook.STDIN_SECONDS = 60.0\n"
        "from engram.__main__ import main\n"
        "main(['hook', '--host', 'windmill'])\n"
    )
    said = [
        subprocess.run([sys.executable, "-c", run, str(tmp_path)], input=data.encode(), capture_output=True, check=True)
        for data in (queued, asked)
    ]
    assert (said[0].stdout, said[0].stderr) == (b"", b"")
    assert json.loads(said[1].stdout)["wind"].startswith("Waiting in engram: 1 finished session")


def test_each_host_has_one_adapter_and_each_adapter_a_name() -> None:
    found = every_adapter()
    names = [each.NAME for each in found]
    assert names == ["claude-code", "codex", "copilot", "cursor", "gemini", "opencode", "portable"]
    assert sorted(host for each in found for host in each.HOSTS) == sorted(HOSTS)
    for host in HOSTS:
        speaker = speaker_for(host)
        assert speaker is not None
        assert host in speaker.HOSTS
    for host in ("unknown", "", "files", "portable", "../codex", "codex.x", "claude_code", "é", "__init__"):
        assert speaker_for(host) is None


def test_the_hot_way_loads_the_host_s_own_file_alone() -> None:
    code = (
        "import sys\n"
        "from engram.adapters import speaker_for\n"
        "speaker_for('claude-code')\n"
        "print(sorted(name for name in sys.modules if name.startswith('engram')), 'pkgutil' in sys.modules)\n"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", code], capture_output=True, check=True, cwd=Path(adapters.__file__).parents[2]
    )
    assert done.stdout.decode().strip() == (
        "['engram', 'engram.adapters', 'engram.adapters.claude_code', 'engram.model', 'engram.model.event'] False"
    )


@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize("event", EVENTS)
def test_whatever_it_is_given_to_say_the_host_accepts(host: str, event: str) -> None:
    speaker = speaker_for(host)
    assert speaker is not None
    verdicts = [None, *(Verdict(each, "why", given) for each in ("deny", "ask", "allow") for given in (None, {"a": 1}))]
    for context in ("", "context"):
        for notice in ("", "notice"):
            for verdict in verdicts:
                said = speaker.spoken(host, event, context, notice, verdict)
                assert said != {}
                assert refused(host, event, json.dumps(said) if said else "") == ""
    assert speaker.spoken(host, event, "", "", None) is None


@pytest.mark.parametrize("host", HOSTS)
def test_it_takes_a_notice_where_it_says_so(host: str) -> None:
    speaker = speaker_for(host)
    assert speaker is not None
    for event in speaker.NOTICES:
        said = speaker.spoken(host, event, "", "to the person", None)
        assert said is not None
        assert "to the person" in said.values()


def test_only_claude_code_puts_a_question_with_another_input() -> None:
    asks = Verdict("ask", "why", {"command": "x"})
    able = [host for host in HOSTS if (each := speaker_for(host)) and each.spoken(host, TOOL, "", "", asks)]
    assert able == ["claude-code"]

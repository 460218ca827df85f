"""The hermetic seal: no test sees this machine's home, git settings, agents or stores."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

AGENT_VARIABLES = ("CLAUDE", "CODEX_", "GEMINI_", "COPILOT_", "AI_AGENT", "CURSOR_", "OPENCODE", "ENGRAM_", "GIT_")
KEPT = {"ENGRAM_CORPUS", "ENGRAM_FLOWS_UPDATE", "ENGRAM_SOAK"}


@pytest.fixture(autouse=True)
def sealed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Gives each test a home of its own, with a git identity in it; yields it.

    It has a MonkeyPatch of its own: a test that undoes its patches must not lift the seal.
    """
    with pytest.MonkeyPatch.context() as seal:
        yield _sealed(tmp_path_factory, seal)


def _sealed(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path_factory.mktemp("home")
    for name in list(os.environ):
        if name.startswith(AGENT_VARIABLES) and name not in KEPT:
            monkeypatch.delenv(name)
    (home / ".gitconfig").write_text(
        "[user]\n\tname = Ada Tester\n\temail = ada@example.com\n[init]\n\tdefaultBranch = main\n", encoding="utf-8"
    )
    monkeypatch.setattr("engram.app.above.agent_above", lambda: "")  # who works on engram may be one
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / ".config"))
    monkeypatch.setenv("ENGRAM_HOME", str(home / ".agent-memory"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(home / ".gitconfig"))
    for editor in ("GIT_EDITOR", "EDITOR", "VISUAL"):
        monkeypatch.setenv(editor, "false")
    monkeypatch.setenv("PAGER", "cat")
    monkeypatch.setenv("NO_COLOR", "1")
    return home


@pytest.fixture(scope="session")
def corpus() -> Path:
    """Returns the folder of real data; skips, loudly, where ``ENGRAM_CORPUS`` names none."""
    named = os.environ.get("ENGRAM_CORPUS", "")
    if not named or not Path(named).is_dir():
        pytest.skip("REAL DATA NOT TESTED: set ENGRAM_CORPUS to the corpus folder to run this")
    return Path(named)

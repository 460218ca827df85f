"""The seal around the tests: they see no home, settings, agent or store of the machine that they run on."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.lib.stores import git, make_store


def test_home_is_a_folder_of_the_tests(sealed: Path) -> None:
    assert Path.home() == sealed
    assert os.path.expanduser("~") == str(sealed)
    assert sealed.is_relative_to(Path(os.environ["ENGRAM_HOME"]).parent)
    assert not Path(os.environ["ENGRAM_HOME"]).exists()


def test_a_test_that_undoes_its_patches_stays_sealed(sealed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/somewhere/else")
    monkeypatch.undo()
    assert Path.home() == sealed


def test_no_variable_of_an_agent_comes_through() -> None:
    prefixes = ("CLAUDE", "CODEX_", "GEMINI_", "COPILOT_", "AI_AGENT", "CURSOR_", "OPENCODE")
    assert [name for name in os.environ if name.startswith(prefixes)] == []


def test_git_knows_the_tests_own_person_alone(tmp_path: Path) -> None:
    root = make_store(tmp_path / "store", {})
    assert git(root, "config", "user.name") == "Ada Tester"
    origins = {line.split("\t")[0] for line in git(root, "config", "--show-origin", "--list").splitlines()}
    assert {origin.rsplit("/", 1)[-1] for origin in origins} == {".gitconfig", "config"}


def test_an_editor_that_nobody_chose_fails() -> None:
    for name in ("EDITOR", "VISUAL", "GIT_EDITOR"):
        assert subprocess.run([os.environ[name]], check=False).returncode != 0

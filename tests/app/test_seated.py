"""The folder that Copilot's session is in is found by the session's id; whatever is odd about it changes nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engram.app.context import Context, real_context
from engram.app.seated import SESSION, seated

ID = "adc855ea-021f-49f1-a5d3-daa541c78461"


def begun(folder: str) -> str:
    context = {"cwd": folder, "gitRoot": folder}
    return json.dumps({"type": "session.start", "data": {"sessionId": ID, "context": context}}) + '\n{"type": "x"}\n'


@pytest.fixture
def context(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Context:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(SESSION, ID)
    return real_context()


def keep(context: Context, text: str) -> None:
    folder = Path(context.home) / ".copilot" / "session-state" / ID
    folder.mkdir(parents=True)
    (folder / "events.jsonl").write_text(text, encoding="utf-8")


def test_a_server_of_copilot_s_sits_where_its_session_does(context: Context, tmp_path: Path) -> None:
    project = tmp_path / "a project"
    project.mkdir()
    keep(context, begun(str(project)))
    assert seated(context).cwd == str(project)
    assert seated(context)._replace(cwd=context.cwd) == context


@pytest.mark.parametrize(
    "text", ["", "no json\n", "[]\n", '{"data": {"context": []}}\n', begun("relative"), begun("/nowhere/at/all")]
)
def test_what_tells_no_folder_changes_nothing(context: Context, text: str) -> None:
    keep(context, text)
    assert seated(context) == context


def test_without_a_session_nothing_is_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(SESSION, raising=False)
    context = real_context()
    assert seated(context) is context

"""What a person or a client puts to engram's own entries stays, whichever version of engram comes next."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from engram.app import adapting
from tests.adapters.test_round_trip import adapt, put, tree

SERVERS: dict[str, tuple[str, str, dict[str, object]]] = {
    "gemini": (".gemini/settings.json", "mcpServers", {"trust": True, "timeout": 30000}),
    "copilot": (".copilot/mcp-config.json", "mcpServers", {"env": {"LANG": "de_DE.UTF-8"}}),
    "cursor": (".cursor/mcp.json", "mcpServers", {"disabled": False}),
    "opencode": (".config/opencode/opencode.json", "mcp", {"environment": {"A": "1"}, "timeout": 9000}),
}


def older(monkeypatch: pytest.MonkeyPatch, *words: str) -> None:
    monkeypatch.setattr(adapting, "_call", lambda: (*words, "-m", "engram"))


@pytest.mark.parametrize("target", SERVERS)
def test_what_was_put_to_a_server_stays(sealed: Path, target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    name, key, more = SERVERS[target]
    path = put(sealed, name, '{\n  "mine": 1\n}\n')
    with monkeypatch.context() as then:
        older(then, "/old/python")
        assert adapt(target).exit == 0
        written = json.loads(path.read_text())
        written[key]["engram"].update(more)
        path.write_text(json.dumps(written, indent=2))
        assert "nothing to change" in adapt(target, answer="n").out
    assert adapt(target).exit == 0
    server = json.loads(path.read_text())[key]["engram"]
    assert "/old/python" not in json.dumps(server)
    assert {field: server.get(field) for field in more} == more
    assert "nothing to change" in adapt(target, answer="n").out
    assert adapt(target, "--remove").exit == 0
    assert json.loads(path.read_text()) == {"mine": 1}


def test_what_codex_puts_to_its_table_stays(sealed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = put(sealed, ".codex/config.toml", '# mine\nmodel = "x"\n')
    more = 'default_tools_approval_mode = "auto"\n\n[mcp_servers.engram.tools.mem_save]\napproval_mode = "approve"\n'
    with monkeypatch.context() as then:
        older(then, "/old/python")
        adapt("codex")
        path.write_text(path.read_text() + more)
        assert "nothing to change" in adapt("codex", answer="n").out
    assert adapt("codex").exit == 0
    server = tomllib.loads(path.read_text())["mcp_servers"]["engram"]
    assert "/old/python" not in server["command"]
    assert server["default_tools_approval_mode"] == "auto"
    assert server["tools"] == {"mem_save": {"approval_mode": "approve"}}
    assert "nothing to change" in adapt("codex", answer="n").out
    assert adapt("codex", "--remove").exit == 0
    assert path.read_text() == '# mine\nmodel = "x"\n'


def test_codex_is_told_to_pass_on_where_memory_lies(sealed: Path) -> None:
    """Codex starts a server with next to nothing of its own environment."""
    adapt("codex")
    passed = tomllib.loads((sealed / ".codex/config.toml").read_text())["mcp_servers"]["engram"]["env_vars"]
    assert {"ENGRAM_HOME", "CLAUDE_CONFIG_DIR"} <= set(passed)


def test_a_skill_that_was_edited_stays_and_the_rest_is_brought_up_to_date(
    sealed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as then:
        older(then, "/old/python")
        adapt("codex")
    skill = next((sealed / ".codex/skills").rglob("SKILL.md"))
    skill.write_text("My own words.\n")
    ran = adapt("codex")
    assert (ran.exit, f"{skill} stays" in ran.err) == (0, True)
    assert skill.read_text() == "My own words.\n"
    assert "/old/python" not in (sealed / ".codex/hooks.json").read_text()
    ran = adapt("codex", "--remove")
    assert f"{skill} stays" in ran.err
    assert [name for name in tree(sealed) if not name.endswith("/")] == [
        ".codex/skills/" + skill.relative_to(sealed / ".codex/skills").as_posix(), ".gitconfig"
    ]  # fmt: skip

"""The whole way with each of the five real clients: told at the start and on a prompt, queued, proposing, refused.

What is asserted is what the model was told and what engram keeps; each client's own words are left to it. The model is
scripted and everything else is real: the clients, their plugin systems, their hooks, their shells, engram and git.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.agents import install
from tests.agents.client import Client
from tests.agents.drivers import ClaudeCode, Codex, Copilot, Gemini, OpenCode
from tests.agents.model_server import Say
from tests.lib.stores import everything, make_store, note

SKILLS = sorted(path.parent.name for path in install.CHECKOUT.glob("skills/*/SKILL.md"))

pytestmark = pytest.mark.agents

GEOLOGIST = "The user is a geologist in Longyearbyen."
TICKET = "The rounding error in refunds is ENG-4711; the code is in src/billing/refund_rounding.py."
FONT = "Headings are set in Inter, body text in Source Serif."
ABOUT_THE_TICKET = "what do we know about ENG-4711 and refund_rounding.py?"
SAID = "always use pnpm here, never npm"


def with_notes(agent: Client, models: Path) -> tuple[Path, Path]:
    """Returns the project's and the user's store, with notes that are reviewed and indexed."""
    user = agent.home / ".agent-memory"
    project = Path(agent.engram_json("where")["project"]["path"])
    make_store(user, {"memories/user/me.md": note("me", GEOLOGIST, type="user", description="Who the user is")})
    make_store(
        project,
        {
            "ticket.md": note("ticket", TICKET, type="reference", description="Where the rounding error is"),
            "font.md": note("font", FONT, type="reference", description="Fonts of the brand"),
            "MEMORY.md": "# Memory\n\n- [Fonts](font.md): of the brand\n",
        },
    )
    (user / ".engram").mkdir()
    (user / ".engram" / "models").symlink_to(models, target_is_directory=True)
    for scope in ("project", "user"):
        assert agent.engram_json("index", "--scope", scope)["without_vector"] == 0
    return project, user


@pytest.fixture
def stores(agent: Client, models: Path) -> tuple[Path, Path]:
    return with_notes(agent, models)


def queued(agent: Client) -> list[tuple[str, str]]:
    """Returns whose sessions wait in the queue, and which."""
    return [(entry["agent"], entry["session"]) for entry in agent.engram_json("pending", "list")["sessions"]]


def plans(agent: Client) -> list[dict[str, Any]]:
    """Returns the plans that wait."""
    found = agent.engram_json("review", "--list")["plans"]
    assert isinstance(found, list)
    return found


def test_notes_reach_the_model_and_the_session_the_queue(agent: Client, stores: tuple[Path, Path]) -> None:
    agent.model.script(ABOUT_THE_TICKET, Say("it is in the billing code"))
    agent.model.script(SAID, Say("Understood: pnpm."))
    before = [everything(store, skip=(".engram/",)) for store in stores]

    first = agent.ask(ABOUT_THE_TICKET)
    assert first["result"] == "it is in the billing code", first
    heard = agent.model.asked[-1].heard
    assert heard.count(GEOLOGIST) == 1, agent.bugs()
    assert heard.count(TICKET) == 1, agent.bugs()
    assert FONT not in heard
    assert queued(agent) == [(agent.NAME, first["session_id"])], agent.bugs()

    again = agent.ask(SAID, session=first["session_id"])
    assert again["session_id"] == first["session_id"]
    assert again["result"] == "Understood: pnpm."
    assert ABOUT_THE_TICKET in agent.model.asked[-1].heard
    assert queued(agent) == [(agent.NAME, first["session_id"])], "a resumed session is one entry"

    (entry,) = agent.engram_json("pending", "list")["sessions"]
    shown = agent.engram("pending", "show", entry["id"])
    assert re.findall(r"^\[(u\d+)\] (.*)", shown.stdout, re.MULTILINE) == [("u1", ABOUT_THE_TICKET), ("u2", SAID)]
    assert "] Understood: pnpm." in shown.stdout
    assert GEOLOGIST not in shown.stdout, "what engram itself brought is nobody's words"
    assert [everything(store, skip=(".engram/",)) for store in stores] == before
    assert agent.bugs() == ""


def test_tools_read_and_propose_and_nothing_is_written(agent: Client, stores: tuple[Path, Path]) -> None:
    changeset = {
        "version": 1,
        "agent": agent.NAME,
        "sessions": [],
        "changes": [
            {
                "op": "ADD",
                "relation": "compatible",
                "confidence": 0.9,
                "reason": "the user said so",
                "evidence": [],
                "note": {"name": "uses-pnpm", "description": "pnpm, never npm", "type": "config", "body": "Use pnpm."},
            }
        ],
    }
    (agent.project / "changeset.json").write_text(json.dumps(changeset), encoding="utf-8")
    before = [everything(store, skip=(".engram/",)) for store in stores]
    saved = {"title": "Builds run at night", "type": "decision", "content": "Builds run at three, when it is quiet."}
    agent.model.script(
        "remember it",
        agent.tool("mem_search", {"query": "ENG-4711"}),
        agent.tool("mem_save", saved),
        agent.shell("engram curate apply changeset.json"),
        agent.shell("engram hook < /dev/null"),
        Say("proposed"),
    )

    assert agent.ask("remember it", *FREELY.get(type(agent), ()))["result"] == "proposed"
    searched, proposed, applied, forged = agent.model.tool_results
    assert "ticket" in searched, searched
    assert "rounding error" in searched, searched
    assert "review" in proposed, proposed
    assert "approval-needed" in applied, applied
    assert "+Use pnpm." in applied, applied
    assert "engram review" in forged, forged
    assert len(plans(agent)) == 2
    assert [everything(store, skip=(".engram/",)) for store in stores] == before
    assert agent.bugs() == ""


def test_adapt_does_the_same_and_takes_itself_out(bare_agent: Client, models: Path) -> None:
    with_notes(bare_agent, models)
    bare_agent.model.script(ABOUT_THE_TICKET, Say("it is in the billing code"))
    bare_agent.ask(ABOUT_THE_TICKET)
    assert GEOLOGIST not in bare_agent.model.asked[-1].heard
    before = everything(bare_agent.home, skip=(".agent-memory/",))

    added = bare_agent.engram("adapt", "--target", bare_agent.NAME, "--yes")
    assert added.returncode == 0, f"{added.stdout}\n{added.stderr}"
    told = bare_agent.ask(ABOUT_THE_TICKET)
    heard = bare_agent.model.asked[-1].heard
    assert (heard.count(GEOLOGIST), heard.count(TICKET), heard.count(FONT)) == (1, 1, 0), bare_agent.bugs()
    assert queued(bare_agent) == [(bare_agent.NAME, told["session_id"])]
    assert bare_agent.bugs() == ""

    removed = bare_agent.engram("adapt", "--target", bare_agent.NAME, "--remove", "--yes")
    assert removed.returncode == 0, f"{removed.stdout}\n{removed.stderr}"
    changed = {name for name, data in everything(bare_agent.home).items() if b"engram" in data and name not in before}
    assert {name for name in changed if name.endswith((".json", ".jsonc", ".toml", ".js", "SKILL.md"))} == set()
    bare_agent.ask(ABOUT_THE_TICKET)
    assert GEOLOGIST not in bare_agent.model.asked[-1].heard


FREELY = {
    ClaudeCode: ("--allowedTools", "Bash", "mcp__plugin_engram_engram"),
    Codex: ("--sandbox", "danger-full-access"),  # its sandbox lets a command write into the project alone
}
"""What lets a headless client do what its person would be asked about."""


def valid_claude_code(agent: Client, published: Path) -> None:
    report = json.loads(agent.do("plugin", "validate", str(published), "--strict", "--json").split("\n\n")[0])
    assert report["success"], report
    provided = report["provides"]
    assert provided["skills"] == [f"engram:{skill}" for skill in SKILLS]
    assert [server["name"] for server in provided["mcpServers"]] == ["engram"]
    assert provided["agents"] == ["engram:engram-curator"]
    assert re.search(r"^plugin:engram:engram: engram mcp - . Connected$", agent.do("mcp", "list"), re.MULTILINE)


def valid_codex(agent: Client, published: Path) -> None:
    del published
    assert re.search(r"^engram@engram +installed, enabled", agent.do("plugin", "list"), re.MULTILINE)
    assert re.search(r"^engram +engram +mcp .* enabled", agent.do("mcp", "list"), re.MULTILINE)
    listed = agent.do("debug", "prompt-input", "hello")
    assert all(f"engram:{skill}" in listed for skill in SKILLS)


def valid_gemini(agent: Client, published: Path) -> None:
    told = agent.do("extensions", "validate", str(published / "extensions" / "gemini"))
    assert "has been successfully validated" in told
    assert re.search(
        r"^. engram \(from engram\): engram mcp \(stdio\) - Connected", agent.do("mcp", "list"), re.MULTILINE
    )
    listed = agent.do("skills", "list")
    assert all(f"{skill} [Enabled]" in listed for skill in SKILLS)


def valid_opencode(agent: Client, published: Path) -> None:
    assert (published / "engram/adapters/opencode.js").as_uri() in agent.do("debug", "config")
    assert re.search(r"engram .*connected", agent.do("mcp", "list"))
    listed = agent.do("debug", "skill")
    assert all(f'"name": "{skill}"' in listed for skill in SKILLS)


def valid_copilot(agent: Client, published: Path) -> None:
    del published
    assert re.search(r"engram@engram \(v[\d.]+\) \(enabled\)", agent.do("plugin", "list"))
    assert re.search(r"^ +engram \(local\)", agent.do("mcp", "list"), re.MULTILINE)
    listed = agent.do("skill", "list")
    assert all(skill in listed for skill in SKILLS)


VALID: dict[type[Client], Callable[[Client, Path], None]] = {
    ClaudeCode: valid_claude_code,
    Codex: valid_codex,
    Gemini: valid_gemini,
    OpenCode: valid_opencode,
    Copilot: valid_copilot,
}


def test_the_client_s_own_checks_pass(agent: Client, published: Path) -> None:
    VALID[type(agent)](agent, published)

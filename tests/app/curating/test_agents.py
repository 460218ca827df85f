"""Each agent's command line, to the word; and what is made of its output, shaped as the clients print it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

import pytest

from engram.app.curating.agents import AGENTS, codex
from engram.app.curating.agents.command import Command
from engram.app.curating.calls import Answer, Ended, Surroundings
from engram.errors.agents import AgentFailed

CHANGES = '{"version": 1, "changes": []}'


def around(files: Mapping[str, str] | None = None, *, model: str = "", **env: str) -> Surroundings:
    read: Callable[[str], str | None] = (files or {}).get
    return Surroundings(env, "/home/ada", read, model)


def lines(*events: object) -> str:
    return "\n".join(["a line that is no event", *map(json.dumps, events)]) + "\n"


# -- how they are started ----------------------------------------------------------------------------------------------


def test_claude_has_no_tools_no_hooks_no_servers_and_leaves_no_transcript() -> None:
    call = AGENTS["claude"].call(around(model="haiku"))
    assert call.args == (
        "-p", "--output-format", "json", "--tools", "", "--safe-mode", "--strict-mcp-config",
        "--disable-slash-commands", "--no-session-persistence", "--model", "haiku",
    )  # fmt: skip
    assert (call.env, call.files, call.reads) == ({}, {}, ())


def test_codex_is_read_only_with_what_it_lets_one_switch_off() -> None:
    settings = 'model = "x"\n[mcp_servers.docs]\ncommand = "docs"\n[mcp_servers.a_b-1]\nurl = "http://localhost"\n'
    call = AGENTS["codex"].call(around({"/home/ada/.codex/config.toml": settings}, model="gpt-x"))
    assert call.args == (
        "exec", "--json", "--sandbox", "read-only", "--skip-git-repo-check", "--ephemeral", "--color", "never",
        "--model", "gpt-x",
        "-c", "approval_policy=never", "-c", "web_search=disabled", "-c", "notify=[]", "-c", "project_doc_max_bytes=0",
        "-c", "features.shell_tool=false", "-c", "features.unified_exec=false", "-c", "features.view_image=false",
        "-c", "features.multi_agent=false", "-c", "features.goals=false", "-c", "features.tool_search=false",
        "-c", "features.tool_suggest=false", "-c", "features.skill_search=false", "-c", "features.apps=false",
        "-c", "features.plugins=false", "-c", "features.hooks=false", "-c", "features.memories=false",
        "-c", "mcp_servers.a_b-1.enabled=false", "-c", "mcp_servers.docs.enabled=false",
        "-",
    )  # fmt: skip
    assert call.env == {}


def test_codex_settings_are_looked_for_where_codex_has_them() -> None:
    call = codex.call(around({"/elsewhere/config.toml": "[mcp_servers.one]"}, CODEX_HOME="/elsewhere"))
    assert call.args[-2] == "mcp_servers.one.enabled=false"
    assert not [word for word in codex.call(around()).args if word.startswith("mcp_servers")]
    both = {"/home/ada/.codex/config.toml": "\ufeff[mcp_servers.one]", "/etc/codex/config.toml": "[mcp_servers.two]"}
    assert codex.call(around(both)).args[-4:-1:2] == ("mcp_servers.one.enabled=false", "mcp_servers.two.enabled=false")


def test_settings_of_codex_that_cannot_be_read_are_no_empty_settings() -> None:
    """Codex may read what Python's TOML doesn't, and would start the servers that stand there."""
    newer = 'mcp_servers.docs = {\n command = "docs",\n}\nx = = 1'
    with pytest.raises(AgentFailed, match="its MCP servers can't be switched off"):
        codex.call(around({"/home/ada/.codex/config.toml": newer}))


def test_a_server_of_codex_that_cannot_be_switched_off_is_said() -> None:
    with pytest.raises(AgentFailed, match=r"'a\.b'"):
        codex.call(around({"/home/ada/.codex/config.toml": '[mcp_servers."a.b"]'}))


def test_gemini_is_denied_every_tool_by_a_policy() -> None:
    call = AGENTS["gemini"].call(around(model="flash"))
    assert call.args == (
        "--output-format", "json", "--approval-mode", "default", "--skip-trust", "--policy", "deny.toml",
        "--extensions", "none", "--allowed-mcp-server-names", "none-of-them", "--model", "flash",
    )  # fmt: skip
    assert call.files == {"deny.toml": '[[rule]]\ntoolName = "*"\ndecision = "deny"\npriority = 999\n'}


def test_opencode_runs_an_agent_without_tools_or_permissions() -> None:
    call = AGENTS["opencode"].call(around(model="some/model"))
    assert call.args == (
        "run", "--format", "json", "--pure", "--agent", "engram-curator", "--title", "engram curate",
        "--model", "some/model",
    )  # fmt: skip
    told = json.loads(call.env["OPENCODE_CONFIG_CONTENT"])
    assert told["agent"]["engram-curator"]["tools"] == {"*": False}
    assert told["agent"]["engram-curator"]["permission"] == {"*": "deny"}
    assert told["share"] == "disabled"
    own = json.dumps({"model": "mine", "agent": {"engram-curator": {"tools": {"*": True}}, "mine": {}}})
    told = json.loads(AGENTS["opencode"].call(around(OPENCODE_CONFIG_CONTENT=own)).env["OPENCODE_CONFIG_CONTENT"])
    assert (told["model"], told["agent"]["mine"]) == ("mine", {})
    assert told["agent"]["engram-curator"]["tools"] == {"*": False}
    assert call.env["OPENCODE_DISABLE_PROJECT_CONFIG"] == "1"


def test_copilot_is_offered_no_tool_and_no_server() -> None:
    servers = json.dumps({"mcpServers": {"docs": {"command": "docs"}}})
    call = AGENTS["copilot"].call(around({"/home/ada/.copilot/mcp-config.json": servers}, model="gpt-x"))
    assert call.args == (
        "--output-format=json", "--no-color", "--available-tools=none", "--disable-builtin-mcps",
        "--disable-mcp-server=docs", "--no-custom-instructions", "--no-ask-user", "--no-remote", "--no-auto-update",
        "--usage-output-file=usage.json", "--model=gpt-x",
    )  # fmt: skip
    assert call.reads == ("usage.json",)


def test_no_agent_is_ever_told_to_allow_anything() -> None:
    for agent in AGENTS.values():
        words = " ".join(agent.call(around()).args)
        assert not [bad for bad in ("allow-all", "bypass", "dangerously", "yolo", "--auto ") if bad in words], (
            agent.WORD
        )


# -- what they say -----------------------------------------------------------------------------------------------------

USAGE = {"input_tokens": 10, "output_tokens": 5, "cache_creation_input_tokens": 3, "cache_read_input_tokens": 2}
SAID: dict[str, Ended] = {
    "claude": Ended(0, json.dumps({"type": "result", "is_error": False, "result": CHANGES, "usage": USAGE}), ""),
    "codex": Ended(
        0,
        lines(
            {"type": "turn.started"},
            {"type": "item.completed", "item": {"type": "error", "message": "an unknown setting"}},
            {"type": "item.completed", "item": {"type": "agent_message", "text": "thinking aloud"}},
            {"type": "item.completed", "item": {"type": "agent_message", "text": CHANGES}},
            {"type": "turn.completed", "usage": {"input_tokens": 15, "cached_input_tokens": 9, "output_tokens": 5}},
        ),
        "WARNING: something else",
    ),
    "gemini": Ended(
        0,
        "Loaded\n" + json.dumps({"response": CHANGES, "stats": {"models": {"m": {"tokens": {"total": 20}}}}}, indent=2),
        "",
    ),
    "opencode": Ended(
        0,
        lines(
            {"type": "step_start", "part": {}},
            {"type": "text", "part": {"text": CHANGES[:9]}},
            {"type": "text", "part": {"text": CHANGES[9:]}},
            {"type": "step_finish", "part": {"tokens": {"total": 20, "input": 15, "output": 5}}},
        ),
        "",
    ),
    "copilot": Ended(
        0,
        lines(
            {"type": "user.message", "data": {"content": "the prompt"}},
            {"type": "assistant.message", "data": {"content": CHANGES, "toolRequests": []}},
            {"type": "result", "exitCode": 0, "usage": {"premiumRequests": 1}},
        ),
        "",
        {"usage.json": json.dumps({"modelMetrics": {"m": {"usage": {"inputTokens": 15, "outputTokens": 5}}}})},
    ),
}


@pytest.mark.parametrize("word", AGENTS)
def test_an_answer_and_its_tokens_are_read(word: str) -> None:
    assert AGENTS[word].answer(SAID[word]) == Answer(CHANGES, 20)


REFUSED: dict[str, tuple[Ended, str]] = {
    "claude": (
        Ended(1, json.dumps({"subtype": "success", "is_error": True, "result": "Not logged in"}), ""),
        "Not logged",
    ),
    "codex": (Ended(1, lines({"type": "turn.failed", "error": {"message": "401 Unauthorized"}}), "noise"), "401"),
    "gemini": (
        Ended(41, "", json.dumps({"error": {"message": "Please set an Auth method", "code": 41}})),
        "Auth method",
    ),
    "opencode": (Ended(0, lines({"type": "error", "error": {"data": {"message": "no key"}}}), ""), "no key"),
    "copilot": (Ended(1, "", "Error: No authentication information found.\n"), "No authentication"),
}


@pytest.mark.parametrize("word", AGENTS)
def test_what_an_agent_complains_of_is_told(word: str) -> None:
    ended, words = REFUSED[word]
    answer = AGENTS[word].answer(ended)
    assert answer.text == ""
    assert words in answer.trouble


ODD = ("", "\0", "null", "[]", '"text"', "{", '{"result": 7}', '{"type": "text", "part": 3}', "[" * 100_000,
       '{"item": [], "type": "item.completed"}', '{"usage": {"input_tokens": "many"}, "result": null}')  # fmt: skip


@pytest.mark.parametrize("word", AGENTS)
def test_no_output_makes_an_agent_raise(word: str) -> None:
    for out in ODD:
        answer = AGENTS[word].answer(Ended(0, out, out, {"usage.json": out}))
        assert answer.text == ""
        assert answer.trouble


def test_a_command_line_answers_with_its_output() -> None:
    command = Command(("/opt/a model/run me", "--fast"))
    assert command.NAME == "run-me"
    assert command.call(around()).args == ("--fast",)
    assert command.call(around(model="small")).env == {"ENGRAM_MODEL": "small"}
    assert command.answer(Ended(0, CHANGES, "noise")) == Answer(CHANGES)
    assert command.answer(Ended(7, CHANGES, "")).trouble
    assert command.answer(Ended(7, "", "one\ntwo\n\nthree\nfour\n")).trouble == "two | three | four"

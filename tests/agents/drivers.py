"""The five clients: how each is set up, asked, and given engram by its own means."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pexpect

from tests.agents import install
from tests.agents.client import Client, terminal
from tests.agents.wires import Call

API_KEY = "sk-ant-dummy"


class ClaudeCode(Client):
    """Is Claude Code, with the plugin."""

    NAME = "claude-code"
    SHELL = "Bash"

    def environment(self) -> dict[str, str]:
        return self.person() | {
            "IS_SANDBOX": "1",  # lets root, as which containers run tests, use the client at all
            "ANTHROPIC_API_KEY": API_KEY,
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "CLAUDE_CODE_TMPDIR": str(self.scratch),
            "DISABLE_AUTOUPDATER": "1",
        }

    def reaching(self, address: str) -> dict[str, str]:
        return {"ANTHROPIC_BASE_URL": address}

    def install(self, published: Path) -> None:
        self.do("plugin", "marketplace", "add", str(published))
        self.do("plugin", "install", "engram@engram")

    def ask(self, prompt: str, *args: str, session: str = "") -> dict[str, Any]:
        resumed = ["--resume", session] if session else []
        done = self.run("-p", prompt, "--output-format", "json", *resumed, *args)
        assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
        result = json.loads(done.stdout)
        assert isinstance(result, dict)
        return result

    def tool(self, name: str, arguments: Mapping[str, Any]) -> Call:
        return Call(f"mcp__plugin_engram_engram__{name}", arguments)

    @contextmanager
    def typed(self, *args: str) -> Iterator[pexpect.spawn[str]]:
        """Yields an interactive session in a pseudo-terminal, ready for a prompt; ends it afterwards."""
        self._answer_first_run()
        args = ("--permission-mode", "default", *args)  # the client's own default asks a server about every command

        def start(command: list[str], environment: dict[str, str]) -> pexpect.spawn[str]:
            return terminal(command, self.project, environment)

        with self._beside_model(list(args), start) as child:
            try:
                child.expect("❯")
                yield child
            finally:
                child.close(force=True)

    def _answer_first_run(self) -> None:
        path = self.home / ".claude.json"
        settings = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        settings |= {
            "hasCompletedOnboarding": True,
            "theme": "dark",
            "customApiKeyResponses": {"approved": [API_KEY[-20:]]},
            "projects": {str(self.project): {"hasTrustDialogAccepted": True}},
        }
        path.write_text(json.dumps(settings), encoding="utf-8")


class Codex(Client):
    """Is Codex CLI, with the plugin: the same folder that Claude Code installs."""

    NAME = "codex"
    SHELL = "exec_command"
    LINE = "cmd"

    def environment(self) -> dict[str, str]:
        return self.person() | {"MODEL_KEY": "dummy", "TMPDIR": str(self.scratch)}

    def prepare(self) -> None:
        """Says anew where engram is: a command's shell is a login shell, for which the machine sets PATH afresh."""
        (self.home / ".bash_profile").write_text(f'export PATH="{self.person()["PATH"]}"\n', encoding="utf-8")
        self.model.unready = "unsupported call"  # it asks the model before its MCP servers have answered

    def reaching(self, address: str) -> dict[str, str]:
        del address
        return {}

    def addressed(self, args: Sequence[str], address: str) -> list[str]:
        provider = f'{{name="scripted",base_url="{address}/v1",env_key="MODEL_KEY",wire_api="responses"}}'
        settings = ("model_provider=scripted", "model=gpt-5.5", f"model_providers.scripted={provider}")
        return [*(word for setting in settings for word in ("-c", setting)), *args]

    def install(self, published: Path) -> None:
        self.do("plugin", "marketplace", "add", str(published))
        self.do("plugin", "add", "engram@engram")
        # `codex exec` asks nobody, and so refuses every tool that isn't marked as reading: what proposes has to be let.
        settings = self.home / ".codex" / "config.toml"
        let = '[plugins."engram@engram".mcp_servers.engram]\ndefault_tools_approval_mode = "approve"\n'
        settings.write_text(f"{settings.read_text(encoding='utf-8')}\n{let}", encoding="utf-8")

    def ask(self, prompt: str, *args: str, session: str = "") -> dict[str, Any]:
        """Trusts the hooks for this run, as a person does once in ``/hooks``."""
        resumed = ["resume", session] if session else []
        options = ("--json", "--skip-git-repo-check", "--dangerously-bypass-hook-trust")
        done = self.run("exec", *resumed, *options, *args, prompt)
        assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
        events = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
        (begun,) = [event["thread_id"] for event in events if event["type"] == "thread.started"]
        items = [event["item"] for event in events if event["type"] == "item.completed"]
        said = [item["text"] for item in items if item["type"] == "agent_message"]
        return {"session_id": begun, "result": said[-1] if said else "", "events": events, "errors": done.stderr}

    def tool(self, name: str, arguments: Mapping[str, Any]) -> Call:
        return Call(name, arguments, namespace="mcp__engram")


class Copilot(Client):
    """Is Copilot CLI, with the plugin: the same folder once more. The model is one of its user's own."""

    NAME = "copilot"
    SHELL = "bash"

    def environment(self) -> dict[str, str]:
        return self.person() | {
            "COPILOT_OFFLINE": "true",
            "COPILOT_AUTO_UPDATE": "false",
            "COPILOT_MODEL": "gpt-4.1",
            "COPILOT_PROVIDER_API_KEY": "dummy",
            # It unpacks a quarter of a gigabyte there, once.
            "XDG_CACHE_HOME": str(install.CLIENTS[self.NAME].folder / "home" / ".cache"),
            "TMPDIR": str(self.scratch),
        }

    def reaching(self, address: str) -> dict[str, str]:
        return {"COPILOT_PROVIDER_BASE_URL": f"{address}/v1"}

    def install(self, published: Path) -> None:
        self.do("plugin", "marketplace", "add", str(published))
        self.do("plugin", "install", "engram@engram")

    def ask(self, prompt: str, *args: str, session: str = "") -> dict[str, Any]:
        resumed = [f"--resume={session}"] if session else []
        done = self.run("-p", prompt, "--allow-all-tools", "--output-format", "json", *resumed, *args)
        assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
        events = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
        said = [event["data"]["content"] for event in events if event["type"] == "assistant.message"]
        (ended,) = [event for event in events if event["type"] == "result"]
        return {"session_id": ended["sessionId"], "result": said[-1], "events": events}

    def tool(self, name: str, arguments: Mapping[str, Any]) -> Call:
        return Call(f"engram-{name}", arguments)


class Gemini(Client):
    """Is Gemini CLI, with the extension in ``extensions/gemini``."""

    NAME = "gemini"
    SHELL = "run_shell_command"

    def environment(self) -> dict[str, str]:
        return self.person() | {
            "GEMINI_API_KEY": "dummy",
            "GEMINI_CLI_TRUST_WORKSPACE": "true",
            "GEMINI_CLI_NO_RELAUNCH": "true",
            "TMPDIR": str(self.scratch),
        }

    def reaching(self, address: str) -> dict[str, str]:
        return {"GOOGLE_GEMINI_BASE_URL": address}

    def prepare(self) -> None:
        settings = {
            "security": {"auth": {"selectedType": "gemini-api-key"}},
            "privacy": {"usageStatisticsEnabled": False},
            "general": {"enableAutoUpdate": False, "enableAutoUpdateNotification": False},
        }
        folder = self.home / ".gemini"
        folder.mkdir()
        (folder / "settings.json").write_text(json.dumps(settings), encoding="utf-8")

    def install(self, published: Path) -> None:
        self.do("extensions", "install", str(published / "extensions" / "gemini"), "--consent")

    def ask(self, prompt: str, *args: str, session: str = "") -> dict[str, Any]:
        resumed = ["--resume", session] if session else []
        options = ("-m", "gemini-2.5-flash", "--approval-mode", "yolo", "--output-format", "json")
        done = self.run("-p", prompt, *options, *resumed, *args)
        assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
        result = json.loads(done.stdout[done.stdout.index("{") :])
        return {"session_id": result["session_id"], "result": result["response"], "errors": done.stderr}

    def tool(self, name: str, arguments: Mapping[str, Any]) -> Call:
        return Call(f"mcp_engram_{name}", arguments)


class OpenCode(Client):
    """Is opencode, with the bridge as a plugin, the skills and the MCP server in its settings."""

    NAME = "opencode"
    SHELL = "bash"

    def environment(self) -> dict[str, str]:
        return self.person() | {
            "OPENCODE_DISABLE_MODELS_FETCH": "1",
            "OPENCODE_DISABLE_AUTOUPDATE": "1",
            "TMPDIR": str(self.scratch),
        }

    def reaching(self, address: str) -> dict[str, str]:
        model = {"name": "scripted", "tool_call": True, "limit": {"context": 100_000, "output": 1_000}}
        provider = {
            "npm": "@ai-sdk/openai-compatible",
            "options": {"baseURL": f"{address}/v1", "apiKey": "dummy"},
            "models": {"scripted": model},
        }
        return {
            "OPENCODE_CONFIG_CONTENT": json.dumps({"provider": {"scripted": provider}, "model": "scripted/scripted"})
        }

    @property
    def settings(self) -> Path:
        return self.home / ".config" / "opencode"

    def prepare(self) -> None:
        """Puts what opencode installs into each folder of settings there before it looks, with npm's lock beside it."""
        self.settings.mkdir(parents=True)
        pinned = install.CLIENTS[self.NAME]
        (self.settings / "node_modules").symlink_to(pinned.modules, target_is_directory=True)
        for name in ("package.json", "package-lock.json"):
            shutil.copyfile(pinned.folder / name, self.settings / name)

    def install(self, published: Path) -> None:
        settings = {
            "plugin": [(published / "engram" / "adapters" / "opencode.js").as_uri()],
            "mcp": {"engram": {"type": "local", "command": ["engram", "mcp"], "enabled": True}},
        }
        (self.settings / "opencode.json").write_text(json.dumps(settings), encoding="utf-8")
        shutil.copytree(published / "skills", self.settings / "skills")

    def ask(self, prompt: str, *args: str, session: str = "") -> dict[str, Any]:
        """The prompt goes in by standard input: the client quotes the words of its command line anew."""
        resumed = ["--session", session] if session else []
        done = self.run("run", "--auto", "--format", "json", *resumed, *args, typed=prompt)
        assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
        events = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
        said = [event["part"]["text"] for event in events if event["type"] == "text"]
        return {"session_id": events[0]["sessionID"], "result": said[-1] if said else "", "events": events}

    def tool(self, name: str, arguments: Mapping[str, Any]) -> Call:
        return Call(f"engram_{name}", arguments)


DRIVERS: tuple[type[Client], ...] = (ClaudeCode, Codex, Gemini, OpenCode, Copilot)

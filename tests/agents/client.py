"""Drives the real Claude Code: headless, and in a pseudo-terminal as a person would.

Each run gets an environment of its own, with nothing of the machine's in it but PATH, and, where the machine allows
it, a network of its own that holds the scripted model and nothing else.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import pexpect

from tests.agents.model_server import Model, ModelServer

API_KEY = "sk-ant-dummy"
LOOPBACK = str(Path(__file__).with_name("loopback.py"))

Process = TypeVar("Process", subprocess.Popen[str], "pexpect.spawn[str]")


@cache
def isolation() -> tuple[str, ...]:
    """Returns the command that gives what follows it a network of its own; () where this machine allows none."""
    unshare = shutil.which("unshare")
    if sys.platform != "linux" or unshare is None:
        return ()
    for command in ((unshare, "-n"), (unshare, "-r", "-n")):
        probe = [*command, sys.executable, "-c", f"import runpy; runpy.run_path({LOOPBACK!r})['raise_loopback']()"]
        if subprocess.run(probe, capture_output=True, check=False).returncode == 0:
            return command
    return ()


@dataclass(frozen=True)
class Client:
    """Is one installed Claude Code with a home and a project of its own, and the model it talks to."""

    binary: Path
    home: Path
    project: Path
    tools: Path
    """A folder whose ``engram`` is the checkout's; first on the client's PATH."""
    scratch: Path
    """Where the client puts what others put into the machine's temporary folder."""
    model: Model

    def person(self) -> dict[str, str]:
        """Returns the environment of a person's shell on this machine: no agent's word in it."""
        path = [str(self.tools), *dict.fromkeys([os.path.dirname(shutil.which("git") or ""), "/usr/bin", "/bin"])]
        return {
            "HOME": str(self.home),
            "PATH": os.pathsep.join(filter(None, path)),
            "TERM": "xterm-256color",
            "LANG": "C.UTF-8",
            "GIT_CONFIG_NOSYSTEM": "1",
            "PAGER": "cat",
        }

    def environment(self) -> dict[str, str]:
        """Returns the environment that the client is started in."""
        return self.person() | {
            "IS_SANDBOX": "1",  # lets root, as which containers run tests, use the client at all
            "ANTHROPIC_API_KEY": API_KEY,
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "CLAUDE_CODE_TMPDIR": str(self.scratch),
            "DISABLE_AUTOUPDATER": "1",
        }

    def run(self, *args: str, seconds: float = 60) -> subprocess.CompletedProcess[str]:
        """Runs the client to its end, without a terminal, and returns what came of it."""

        def start(command: list[str], environment: dict[str, str]) -> subprocess.Popen[str]:
            return subprocess.Popen(
                command,
                cwd=self.project,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                encoding="utf-8",
            )

        with self._beside_model([str(self.binary), *args], start) as process:
            try:
                out, err = process.communicate(timeout=seconds)
            except subprocess.TimeoutExpired:
                process.kill()
                out, err = process.communicate()
                raise AssertionError(f"{args} took more than {seconds} s\n{out}\n{err}") from None
        return subprocess.CompletedProcess(args, process.returncode, out, err)

    def ask(self, prompt: str, *args: str) -> dict[str, Any]:
        """Runs one headless session and returns its result object (``session_id``, ``result``, …)."""
        done = self.run("-p", prompt, "--output-format", "json", *args)
        assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
        result = json.loads(done.stdout)
        assert isinstance(result, dict)
        return result

    @contextmanager
    def typed(self, *args: str) -> Iterator[pexpect.spawn[str]]:
        """Yields an interactive session in a pseudo-terminal, ready for a prompt; ends it afterwards."""
        self._answer_first_run()
        args = ("--permission-mode", "default", *args)  # the client's own default asks a server about every command

        def start(command: list[str], environment: dict[str, str]) -> pexpect.spawn[str]:
            return terminal(command, self.project, environment)

        with self._beside_model([str(self.binary), *args], start) as child:
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

    def engram(self, *args: str) -> subprocess.CompletedProcess[str]:
        """Runs ``engram`` as a person's script would: outside every agent, without a terminal."""
        return subprocess.run(
            [str(self.tools / "engram"), *args],
            cwd=self.project,
            env=self.person(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            timeout=60,
            check=False,
        )

    def engram_json(self, *args: str) -> Any:
        """Returns what a reading command of ``engram`` prints with ``--json``."""
        done = self.engram(*args, "--json")
        assert done.returncode == 0, f"{done.stdout}\n{done.stderr}\n{self.bugs()}"
        return json.loads(done.stdout)

    def bugs(self) -> str:
        """Returns the tracebacks that engram logged."""
        return "\n".join(
            log.read_text(encoding="utf-8") for log in (self.home / ".agent-memory/.engram/log").glob("*.log")
        )

    @contextmanager
    def _beside_model(
        self, command: list[str], start: Callable[[list[str], dict[str, str]], Process]
    ) -> Iterator[Process]:
        """Starts a command in the client's environment, and serves the model to it until the block ends."""
        environment = self.environment()
        if isolation():
            with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX) as door:
                door.bind(os.path.join(folder, "door"))
                door.listen()
                door.settimeout(30)
                process = start([*isolation(), sys.executable, LOOPBACK, door.getsockname(), *command], environment)
                visitor, _ = door.accept()
                with visitor:
                    _, handed, _, _ = socket.recv_fds(visitor, 16, 1)
            server = ModelServer(self.model, socket.socket(fileno=handed[0]))
        else:
            listener = socket.create_server(("127.0.0.1", 0))
            server = ModelServer(self.model, listener)
            environment["ANTHROPIC_BASE_URL"] = f"http://127.0.0.1:{listener.getsockname()[1]}"
            process = start(command, environment)
        try:
            yield process
        finally:
            server.stop()
        if self.model.broken:
            raise self.model.broken[0]


def typed_line(child: pexpect.spawn[str], line: str) -> None:
    """Types a line as fingers do: the client takes a line end that arrives with the text for pasted text."""
    child.send(line)
    time.sleep(0.5)
    child.send("\r")


def terminal(command: Sequence[str], folder: Path, environment: Mapping[str, str]) -> pexpect.spawn[str]:
    """Starts a command in a new pseudo-terminal."""
    return pexpect.spawn(
        command[0],
        list(command[1:]),
        cwd=str(folder),
        env=dict(environment),
        encoding="utf-8",
        timeout=30,
        dimensions=(40, 120),
    )

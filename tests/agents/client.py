"""Drives a real client: what all have in common. ``drivers.py`` has the five, each a class of this one.

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
from typing import Any, ClassVar, TypeVar

import pexpect

from tests.agents.model_server import Model, ModelServer
from tests.agents.wires import Call

LOOPBACK = str(Path(__file__).with_name("loopback.py"))
PORT = 8791
"""Where the model listens in a network of its own."""

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
    """Is one installed client with a home and a project of its own, and the model it talks to."""

    command: tuple[str, ...]
    home: Path
    project: Path
    tools: Path
    """A folder whose ``engram`` is the checkout's; first on the client's PATH."""
    scratch: Path
    """Where the client puts what others put into the machine's temporary folder; its name is short."""
    model: Model

    NAME: ClassVar[str]
    """As ``install.py`` and the queue name it."""
    SHELL: ClassVar[str]
    """The client's tool that runs a command; ``command`` of its input is the line."""
    LINE: ClassVar[str] = "command"

    # -- what each client answers for itself

    def environment(self) -> dict[str, str]:
        """Returns the environment that the client is started in."""
        raise NotImplementedError

    def reaching(self, address: str) -> dict[str, str]:
        """Returns what more the environment holds, for the model that serves at ``http://HOST:PORT``."""
        raise NotImplementedError

    def addressed(self, args: Sequence[str], address: str) -> list[str]:
        """Returns a command line's arguments with those that name the model's address."""
        del address
        return list(args)

    def prepare(self) -> None:
        """Writes what a fresh client asks a person about."""

    def install(self, published: Path) -> None:
        """Installs engram from a clone, by the client's own means."""
        raise NotImplementedError

    def ask(self, prompt: str, *args: str, session: str = "") -> dict[str, Any]:
        """Runs one prompt to its answer, headless, and returns ``session_id`` and ``result``. Resumes a session."""
        raise NotImplementedError

    def tool(self, name: str, arguments: Mapping[str, Any]) -> Call:
        """Returns the turn that calls a tool of engram's MCP server."""
        raise NotImplementedError

    # -- what all have in common

    def shell(self, line: str) -> Call:
        """Returns the turn that runs a command in the client's shell."""
        return Call(self.SHELL, {self.LINE: line, "description": "as the script says"})

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

    def run(self, *args: str, seconds: float = 90, typed: str | None = None) -> subprocess.CompletedProcess[str]:
        """Runs the client to its end, without a terminal; returns what came of it. ``typed``: its standard input."""

        def start(command: list[str], environment: dict[str, str]) -> subprocess.Popen[str]:
            return subprocess.Popen(
                command,
                cwd=self.project,
                env=environment,
                stdin=subprocess.DEVNULL if typed is None else subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                encoding="utf-8",
            )

        with self._beside_model(list(args), start) as process:
            try:
                out, err = process.communicate(typed, timeout=seconds)
            except subprocess.TimeoutExpired:
                process.kill()
                out, err = process.communicate()
                raise AssertionError(f"{args} took more than {seconds} s\n{out}\n{err}") from None
        return subprocess.CompletedProcess(args, process.returncode, out, err)

    def do(self, *args: str, typed: str | None = None) -> str:
        """Runs the client and returns what it printed on both streams. Raises AssertionError where it failed."""
        done = self.run(*args, typed=typed)
        printed = f"{done.stdout}\n{done.stderr}"
        assert done.returncode == 0, f"{args} exited {done.returncode}\n{printed}"
        return printed

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
        self, args: list[str], start: Callable[[list[str], dict[str, str]], Process]
    ) -> Iterator[Process]:
        """Starts the client with arguments, and serves the model to it until the block ends."""
        if isolation():
            address = f"http://127.0.0.1:{PORT}"
            command = [*self.command, *self.addressed(args, address)]
            with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX) as door:
                door.bind(os.path.join(folder, "door"))
                door.listen()
                door.settimeout(30)
                alone = [*isolation(), sys.executable, LOOPBACK, door.getsockname(), str(PORT)]
                process = start([*alone, *command], self.environment() | self.reaching(address))
                visitor, _ = door.accept()
                with visitor:
                    _, handed, _, _ = socket.recv_fds(visitor, 16, 1)
            server = ModelServer(self.model, socket.socket(fileno=handed[0]))
        else:
            listener = socket.create_server(("127.0.0.1", 0))
            server = ModelServer(self.model, listener)
            address = f"http://127.0.0.1:{listener.getsockname()[1]}"
            command = [*self.command, *self.addressed(args, address)]
            process = start(command, self.environment() | self.reaching(address))
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

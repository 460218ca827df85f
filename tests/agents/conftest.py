"""Real clients, each with a home and a project of its own, engram installed in it, and a model that is scripted."""

from __future__ import annotations

import shlex
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from engram.index.embed import repack
from tests.agents import install
from tests.lib.stores import git

WINDOWS = sys.platform == "win32"
collect_ignore_glob = ["test_[!i]*.py"] if WINDOWS else []  # a terminal is played through a pseudo-terminal

if not WINDOWS:
    from tests.agents.client import Client, isolation
    from tests.agents.drivers import DRIVERS, ClaudeCode
    from tests.agents.model_server import Model


DRIVEN = pytest.StashKey[set[str]]()


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Hands what a worker drove to the process that prints the summary."""
    if (output := getattr(session.config, "workeroutput", None)) is not None:
        output["driven"] = sorted(session.config.stash.get(DRIVEN, set()))


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Takes what a worker drove."""
    driven = getattr(node, "workeroutput", {}).get("driven", ())
    node.config.stash.setdefault(DRIVEN, set()).update(driven)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Says what the clients could reach, since a pass means less where they weren't shut in."""
    driven = config.stash.get(DRIVEN, set())
    if not driven:
        return
    named = ", ".join(f"{one.title} {one.version}" for one in install.CLIENTS.values() if one.name in driven)
    if isolation():
        terminalreporter.write_line(f"{named} ran in a network of its own, with loopback alone")
    else:
        terminalreporter.write_line(
            f"NOT SHUT IN: there is no network namespace to be had here; only their settings kept {named} to the "
            "scripted model"
        )


@pytest.fixture(scope="session")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns what a clone of this checkout would hold: the client copies the whole folder that it installs from."""
    folder = tmp_path_factory.mktemp("published")
    listed = git(install.CHECKOUT, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    for path in filter(None, listed.split("\0")):
        if (install.CHECKOUT / path).is_file():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(install.CHECKOUT / path, folder / path)
    return folder


@pytest.fixture(scope="session")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns the folder of prepared models that all tests share."""
    folder = tmp_path_factory.mktemp("models")
    assert repack.prepare(str(folder)) == ""
    return folder


@pytest.fixture
def make_client(
    pytestconfig: pytest.Config, published: Path, sealed: Path, tmp_path: Path
) -> Iterator[Callable[[type[Client]], Client]]:
    """Yields what makes a client of a kind, without engram in it, in a project that is a git repository.

    Skips, loudly, where the client isn't installed.
    """
    with tempfile.TemporaryDirectory(prefix="cc-") as scratch:  # short: clients open sockets in it

        def make(kind: type[Client]) -> Client:
            pinned = install.CLIENTS[kind.NAME]
            command = install.installed(pinned)
            if command is None:
                pytest.skip(f"REAL AGENTS NOT TESTED: {pinned.title}; run `python tests/agents/install.py` first")
            pytestconfig.stash.setdefault(DRIVEN, set()).add(kind.NAME)
            project, tools = tmp_path / "project", tmp_path / "tools"
            project.mkdir()
            tools.mkdir()
            git(project, "init", "-q")
            line = f"PYTHONPATH={shlex.quote(str(published))} exec {shlex.quote(sys.executable)} -P -m engram"
            (tools / "engram").write_text(f'#!/bin/sh\n{line} "$@"\n', encoding="utf-8")
            (tools / "engram").chmod(0o755)
            client = kind(command, sealed, project, tools, Path(scratch), Model())
            client.prepare()
            return client

        yield make


@pytest.fixture
def bare_client(make_client: Callable[[type[Client]], Client]) -> Client:
    """Returns a Claude Code without any plugin."""
    return make_client(ClaudeCode)


@pytest.fixture
def client(bare_client: Client, published: Path) -> Client:
    """Returns a Claude Code with engram's plugin installed from the checkout, as a user installs it."""
    bare_client.install(published)
    return bare_client


@pytest.fixture(params=DRIVERS if not WINDOWS else (), ids=lambda kind: kind.NAME)
def bare_agent(request: pytest.FixtureRequest, make_client: Callable[[type[Client]], Client]) -> Client:
    """Returns each of the clients in turn, without engram."""
    return make_client(request.param)


@pytest.fixture
def agent(bare_agent: Client, published: Path) -> Client:
    """Returns each of the clients in turn, with engram installed from the checkout by the client's own means."""
    bare_agent.install(published)
    return bare_agent

"""A real client with a home and a project of its own, engram's plugin installed in it, and a model that is scripted."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.agents import install
from tests.lib.stores import git

WINDOWS = sys.platform == "win32"
collect_ignore = (
    ["test_claude_code.py", "test_recall.py"] if WINDOWS else []
)  # a person's terminal is played through a pseudo-terminal

if not WINDOWS:
    from tests.agents.client import Client, isolation
    from tests.agents.model_server import Model


DRIVEN = pytest.StashKey[bool]()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Says what the clients could reach, since a pass means less where they weren't shut in."""
    if not config.stash.get(DRIVEN, False):
        return
    if isolation():
        terminalreporter.write_line(f"Claude Code {install.VERSION} ran in a network of its own, with loopback alone")
    else:
        terminalreporter.write_line(
            f"NOT SHUT IN: there is no network namespace to be had here; only its settings kept Claude Code "
            f"{install.VERSION} to the scripted model"
        )


@pytest.fixture(scope="session")
def binary(pytestconfig: pytest.Config) -> Path:
    """Returns the pinned client; skips, loudly, where it isn't installed."""
    standing = install.installed()
    if standing is None:
        pytest.skip("REAL AGENTS NOT TESTED: run `python tests/agents/install.py` first")
    pytestconfig.stash[DRIVEN] = True
    return standing


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


@pytest.fixture
def bare_client(binary: Path, published: Path, sealed: Path, tmp_path: Path) -> Iterator[Client]:
    """Yields a client without any plugin, in a project that is a git repository."""
    project, tools = tmp_path / "project", tmp_path / "tools"
    project.mkdir()
    tools.mkdir()
    git(project, "init", "-q")
    command = f"PYTHONPATH={shlex.quote(str(published))} exec {shlex.quote(sys.executable)} -P -m engram"
    (tools / "engram").write_text(f'#!/bin/sh\n{command} "$@"\n', encoding="utf-8")
    (tools / "engram").chmod(0o755)
    with tempfile.TemporaryDirectory(prefix="cc-") as scratch:  # short: the client opens sockets in it
        yield Client(binary, sealed, project, tools, Path(scratch), Model())


@pytest.fixture
def client(bare_client: Client, published: Path) -> Client:
    """Returns a client with engram's plugin installed from the checkout, as a user installs it."""
    for step in (("marketplace", "add", str(published)), ("install", "engram@engram")):
        done: subprocess.CompletedProcess[str] = bare_client.run("plugin", *step)
        assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return bare_client

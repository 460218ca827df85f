"""The installer, without the network."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.agents import install

pytestmark = pytest.mark.agents


@pytest.mark.parametrize(
    ("platform", "package"),
    [
        (("linux", "x86_64", "glibc"), "@anthropic-ai/claude-code-linux-x64"),
        (("linux", "aarch64", "musl"), "@anthropic-ai/claude-code-linux-arm64-musl"),
        (("darwin", "arm64", "glibc"), "@anthropic-ai/claude-code-darwin-arm64"),
        (("win32", "AMD64", "glibc"), "@anthropic-ai/claude-code-win32-x64"),
    ],
)
def test_each_platform_has_its_package(platform: tuple[str, str, str], package: str) -> None:
    assert install.claude_package(*platform) == package


def test_a_platform_without_a_client_is_named() -> None:
    with pytest.raises(install.Unavailable, match="no Claude Code for sunos5 sparc"):
        install.claude_package("sunos5", "sparc", "glibc")


def test_all_five_are_pinned_and_nothing_else_is_asked_for() -> None:
    assert list(install.CLIENTS) == ["claude-code", "codex", "gemini", "opencode", "copilot"]
    for client in install.CLIENTS.values():
        assert client.packages
        assert [package.rpartition("@")[2] for package in client.packages] == [client.version] * len(client.packages)


def test_without_npm_it_says_so_loudly_and_exits_3(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(install, "FOLDER", tmp_path / "clients")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert install.main() == install.EXIT_UNAVAILABLE
    said = capsys.readouterr().err
    for client in install.CLIENTS.values():
        assert f"*** REAL AGENTS NOT TESTED: {client.title} {client.version} can't be installed: npm is not" in said
    assert not (tmp_path / "clients").exists()


def fake(tmp_path: Path, words: str, *, node: int = 0) -> install.Pinned:
    """Returns a client whose package holds a program that says these words."""
    client = install.Pinned("fake", "Fake", "1.2.3", ("fake@1.2.3",), ("fake-*/bin/fake",), node)
    program = client.modules / "fake-linux" / "bin" / "fake"
    program.parent.mkdir(parents=True)
    program.write_text(f"#!/bin/sh\necho '{words}'\n", encoding="utf-8")
    program.chmod(0o755)
    return client


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(install, "FOLDER", tmp_path)
    return tmp_path


@pytest.mark.skipif(sys.platform == "win32", reason="the program is a shell script")
@pytest.mark.parametrize("words", ["1.2.3", "fake 1.2.3 (build 7)", "Fake CLI 1.2.3.\nRun `fake update`"])
def test_the_program_that_says_the_version_is_the_client(folder: Path, words: str) -> None:
    client = fake(folder, words)
    assert install._command(client) == (str(client.modules / "fake-linux" / "bin" / "fake"),)


@pytest.mark.skipif(sys.platform == "win32", reason="the program is a shell script")
@pytest.mark.parametrize("words", ["1.2.30", "1.2.3.4", "11.2.3", "2.0.0"])
def test_a_program_of_another_version_is_refused(folder: Path, words: str) -> None:
    with pytest.raises(install.Unavailable, match="says that it is"):
        install._command(fake(folder, words))


def test_an_installation_cut_short_or_of_another_version_counts_as_none(folder: Path) -> None:
    client = fake(folder, "1.2.3")
    command = (str(client.modules / "fake-linux" / "bin" / "fake"),)
    assert install.installed(client) is None
    stamp = client.folder / "stamp.json"
    stamp.write_text(json.dumps({"packages": ["fake@1.2.2"], "command": command}), encoding="utf-8")
    assert install.installed(client) is None
    stamp.write_text(json.dumps({"packages": client.packages, "command": command}), encoding="utf-8")
    assert install.installed(client) == command
    Path(command[0]).unlink()
    assert install.installed(client) is None


def test_a_node_that_is_too_old_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    client = fake(folder, "1.2.3", node=99)
    monkeypatch.setattr(install, "_run", lambda *_: "v20.1.0\n")
    monkeypatch.setattr(install.shutil, "which", lambda _: "/usr/bin/node")
    with pytest.raises(install.Unavailable, match=r"needs Node 99 or newer; /usr/bin/node is v20\.1\.0"):
        install._command(client)

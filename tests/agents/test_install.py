"""The installer, without the network."""

from __future__ import annotations

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
    assert install.package(*platform) == package


def test_a_platform_without_a_client_is_named() -> None:
    with pytest.raises(install.Unavailable, match="no Claude Code for sunos5 sparc"):
        install.package("sunos5", "sparc", "glibc")


def test_without_npm_it_says_so_loudly_and_exits_3(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(install, "FOLDER", tmp_path / "clients")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert install.main() == install.EXIT_UNAVAILABLE
    assert "*** REAL AGENTS NOT TESTED: Claude Code" in capsys.readouterr().err
    assert not (tmp_path / "clients").exists()


def test_an_installation_cut_short_counts_as_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(install, "FOLDER", tmp_path)
    name = install.this_package()
    install.binary(name).parent.mkdir(parents=True)
    install.binary(name).write_bytes(b"half a program")
    assert install.installed() is None
    (tmp_path / "stamp.json").write_text(install.stamp(name), encoding="utf-8")
    assert install.installed() == install.binary(name)

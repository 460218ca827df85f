"""Installs the agent clients that the tests drive, at pinned versions, below ``.agents-clients/`` of the checkout.

``python tests/agents/install.py`` exits 0 when they are there (at once where they were), 3 when they can't be had.
Uses the standard library alone, so that it runs before anything is installed.
"""

from __future__ import annotations

import glob
import json
import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

VERSION = "2.1.332"
EXIT_UNAVAILABLE = 3

# The package of each platform holds one native binary, which needs no Node. The front package would bring the same
# binary behind a launcher that demands a newer Node than many machines have; so it is left out.
PACKAGES = {
    ("linux", "x86_64", "glibc"): "@anthropic-ai/claude-code-linux-x64",
    ("linux", "aarch64", "glibc"): "@anthropic-ai/claude-code-linux-arm64",
    ("linux", "x86_64", "musl"): "@anthropic-ai/claude-code-linux-x64-musl",
    ("linux", "aarch64", "musl"): "@anthropic-ai/claude-code-linux-arm64-musl",
    ("darwin", "x86_64", ""): "@anthropic-ai/claude-code-darwin-x64",
    ("darwin", "aarch64", ""): "@anthropic-ai/claude-code-darwin-arm64",
    ("win32", "x86_64", ""): "@anthropic-ai/claude-code-win32-x64",
    ("win32", "aarch64", ""): "@anthropic-ai/claude-code-win32-arm64",
}
MACHINES = {"amd64": "x86_64", "x64": "x86_64", "arm64": "aarch64"}

CHECKOUT = Path(__file__).resolve().parents[2]
FOLDER = CHECKOUT / ".agents-clients" / "claude-code"


class Unavailable(Exception):
    """The client can't be had on this machine; the message says why."""


def package(system: str, machine: str, libc: str) -> str:
    """Returns the npm package for a platform, named as ``sys.platform`` and ``platform.machine()`` name it."""
    machine = machine.lower()
    key = (system, MACHINES.get(machine, machine), libc if system == "linux" else "")
    if key not in PACKAGES:
        raise Unavailable(f"there is no Claude Code for {' '.join(filter(None, key))}")
    return PACKAGES[key]


def this_package() -> str:
    """Returns the npm package for this machine."""
    return package(sys.platform, platform.machine(), "musl" if glob.glob("/lib/ld-musl-*") else "glibc")


def binary(name: str) -> Path:
    """Returns where a package's binary is, or would be."""
    return FOLDER / "node_modules" / name / ("claude.exe" if "win32" in name else "claude")


def stamp(name: str) -> str:
    """Returns what the stamp of a finished installation says."""
    return json.dumps({"package": name, "version": VERSION}) + "\n"


def installed() -> Path | None:
    """Returns the pinned client's binary; None where it isn't installed whole."""
    try:
        name = this_package()
        written = (FOLDER / "stamp.json").read_text(encoding="utf-8")
    except (Unavailable, OSError):
        return None
    return binary(name) if written == stamp(name) and binary(name).is_file() else None


def install() -> Path:
    """Installs the pinned client where it isn't there yet, and returns its binary. Raises Unavailable."""
    standing = installed()
    if standing is not None:
        return standing
    name = this_package()
    npm = shutil.which("npm")
    if npm is None:
        raise Unavailable("npm is not on PATH")
    shutil.rmtree(FOLDER, ignore_errors=True)  # an installation cut short has no stamp
    FOLDER.mkdir(parents=True)
    (FOLDER / "package.json").write_text('{"private": true}\n', encoding="utf-8")
    _run(
        [
            npm,
            "install",
            "--no-audit",
            "--no-fund",
            "--no-save",
            "--ignore-scripts",
            "--fetch-retries=1",
            f"{name}@{VERSION}",
        ]
    )
    if not binary(name).is_file():
        raise Unavailable(f"npm installed {name}@{VERSION}, and there is no {binary(name)}")
    answered = _run([str(binary(name)), "--version"]).split()
    if VERSION not in answered:
        raise Unavailable(f"{binary(name)} says that it is {' '.join(answered)}, not {VERSION}")
    (FOLDER / "stamp.json").write_text(stamp(name), encoding="utf-8")
    return binary(name)


def _run(command: list[str]) -> str:
    """Returns what a command printed. Raises Unavailable with its last words when it fails or hangs."""
    try:
        done = subprocess.run(
            command,
            cwd=FOLDER,
            check=False,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=600,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Unavailable(f"{os.path.basename(command[0])}: {error}") from error
    if done.returncode:
        words = (done.stderr or done.stdout).strip().splitlines()
        raise Unavailable(f"{os.path.basename(command[0])} exited {done.returncode}: {' | '.join(words[:4])}")
    return done.stdout


def main() -> int:
    """Installs, says so in one line, and returns the exit status."""
    try:
        print(f"Claude Code {VERSION}: {install()}")
    except Unavailable as why:
        print(f"\n*** REAL AGENTS NOT TESTED: Claude Code {VERSION} can't be installed: {why} ***\n", file=sys.stderr)
        return EXIT_UNAVAILABLE
    return 0


if __name__ == "__main__":
    sys.exit(main())

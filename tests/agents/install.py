"""Installs the agent clients that the tests drive, at pinned versions, below ``.agents-clients/`` of the checkout.

``python tests/agents/install.py`` exits 0 when one at least is there (at once where all were), 3 when none can be had;
of each that can't be had it says so. Uses the standard library alone, so that it runs before anything is installed.
"""

from __future__ import annotations

import glob
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

EXIT_UNAVAILABLE = 3
CHECKOUT = Path(__file__).resolve().parents[2]
FOLDER = CHECKOUT / ".agents-clients"

# The package of each platform holds one native binary, which needs no Node. The front package would bring the same
# binary behind a launcher that demands a newer Node than many machines have; so it is left out.
CLAUDE_PACKAGES = {
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


class Unavailable(Exception):
    """A client can't be had on this machine; the message says why."""


@dataclass(frozen=True)
class Pinned:
    """Is one client at one version: what npm installs, and where the program is in it afterwards."""

    name: str
    title: str
    version: str
    packages: tuple[str, ...]
    programs: tuple[str, ...]
    """Patterns below ``node_modules``; the first file that answers with the version is the client."""
    node: int = 0
    """The oldest Node that runs it; 0 for a program that needs none."""

    @property
    def folder(self) -> Path:
        return FOLDER / self.name

    @property
    def modules(self) -> Path:
        return self.folder / "node_modules"


def claude_package(system: str, machine: str, libc: str) -> str:
    """Returns the npm package for a platform, named as ``sys.platform`` and ``platform.machine()`` name it."""
    machine = machine.lower()
    key = (system, MACHINES.get(machine, machine), libc if system == "linux" else "")
    if key not in CLAUDE_PACKAGES:
        raise Unavailable(f"there is no Claude Code for {' '.join(filter(None, key))}")
    return CLAUDE_PACKAGES[key]


def this_claude_package() -> str:
    """Returns the npm package for this machine."""
    return claude_package(sys.platform, platform.machine(), "musl" if glob.glob("/lib/ld-musl-*") else "glibc")


def _claude() -> Pinned:
    version = "2.1.332"
    try:
        name = this_claude_package()
    except Unavailable:
        return Pinned("claude-code", "Claude Code", version, (), ())
    return Pinned(
        "claude-code", "Claude Code", version, (f"{name}@{version}",), (f"{name}/claude", f"{name}/claude.exe")
    )


CLIENTS = {
    one.name: one
    for one in (
        _claude(),
        Pinned(
            "codex", "Codex CLI", "0.171.0", ("@openai/codex@0.171.0",),
            ("@openai/codex-*/vendor/*/bin/codex", "@openai/codex-*/vendor/*/bin/codex.exe"),
        ),
        Pinned(
            "gemini", "Gemini CLI", "0.61.0", ("@google/gemini-cli@0.61.0",),
            ("@google/gemini-cli/bundle/gemini.js",), node=20,
        ),
        Pinned(
            # What it installs into each folder of settings, and offline waits a minute for in vain, comes along.
            "opencode", "opencode", "1.18.33", ("opencode-ai@1.18.33", "@opencode-ai/plugin@1.18.33"),
            ("opencode-*/bin/opencode", "opencode-*/bin/opencode.exe"),
        ),
        Pinned(
            "copilot", "Copilot CLI", "1.0.102", ("@github/copilot@1.0.102",),
            ("@github/copilot-*/copilot", "@github/copilot-*/copilot.exe"),
        ),
    )
}  # fmt: skip


def installed(client: Pinned) -> tuple[str, ...] | None:
    """Returns the command that starts a client; None where it isn't installed whole, at its version."""
    try:
        stamp = json.loads((client.folder / "stamp.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    command = stamp.get("command")
    if stamp.get("packages") != list(client.packages) or not command:
        return None
    return tuple(command) if all(Path(part).is_file() for part in command) else None


def install(client: Pinned) -> tuple[str, ...]:
    """Installs a client where it isn't there yet, and returns the command that starts it. Raises Unavailable."""
    standing = installed(client)
    if standing is not None:
        return standing
    if not client.packages:
        raise Unavailable(f"there is no {client.title} for {sys.platform} {platform.machine()}")
    npm = shutil.which("npm")
    if npm is None:
        raise Unavailable("npm is not on PATH")
    shutil.rmtree(client.folder, ignore_errors=True)  # an installation cut short has no stamp
    client.folder.mkdir(parents=True)
    (client.folder / "package.json").write_text('{"private": true}\n', encoding="utf-8")
    options = ("--no-audit", "--no-fund", "--ignore-scripts", "--fetch-retries=1")
    _run([npm, "install", *options, *client.packages], client)
    command = _command(client)
    stamp = json.dumps({"packages": client.packages, "command": command}) + "\n"
    (client.folder / "stamp.json").write_text(stamp, encoding="utf-8")
    return command


def _command(client: Pinned) -> tuple[str, ...]:
    """Returns what starts the client. Of programs for several kinds of processor, that is the first that runs here."""
    before: tuple[str, ...] = (_node(client),) if client.node else ()
    found = [path for pattern in client.programs for path in sorted(glob.glob(str(client.modules / pattern)))]
    why = "npm installed nothing that could be started"
    for path in found:
        try:
            answered = _run([*before, path, "--version"], client)
        except Unavailable as error:
            why = str(error)
            continue
        if re.search(rf"(?<![\d.]){re.escape(client.version)}(?!\d|\.\d)", answered):
            return (*before, path)
        why = f"{path} says that it is {' '.join(answered.split())}, not {client.version}"
    raise Unavailable(why)


def _node(client: Pinned) -> str:
    node = shutil.which("node")
    if node is None:
        raise Unavailable("node is not on PATH")
    answered = _run([node, "--version"], client).strip()
    if int(answered.lstrip("v").split(".")[0]) < client.node:
        raise Unavailable(f"it needs Node {client.node} or newer; {node} is {answered}")
    return node


def _run(command: list[str], client: Pinned) -> str:
    """Returns what a command printed. Raises Unavailable with its last words when it fails or hangs."""
    home = client.folder / "home"  # a client writes into its home even when it is only asked for its version
    home.mkdir(exist_ok=True)
    environment = dict(os.environ) if "npm" in os.path.basename(command[0]) else os.environ | {"HOME": str(home)}
    try:
        done = subprocess.run(
            command,
            cwd=client.folder,
            env=environment,
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


def _installed_or_why(client: Pinned) -> tuple[tuple[str, ...], str]:
    try:
        return install(client), ""
    except Unavailable as why:
        return (), str(why)


def main() -> int:
    """Installs all at once, says so in one line each, and returns the exit status."""
    began = time.monotonic()
    with ThreadPoolExecutor(len(CLIENTS)) as pool:
        results = list(pool.map(_installed_or_why, CLIENTS.values()))
    for client, (command, why) in zip(CLIENTS.values(), results, strict=True):
        if command:
            print(f"{client.title} {client.version}: {command[-1]}")
        else:
            words = f"*** REAL AGENTS NOT TESTED: {client.title} {client.version} can't be installed: {why} ***"
            print(f"\n{words}\n", file=sys.stderr)
    there = sum(1 for command, _ in results if command)
    print(f"{there} of {len(CLIENTS)} clients, {time.monotonic() - began:.0f} s")
    return 0 if there else EXIT_UNAVAILABLE


if __name__ == "__main__":
    sys.exit(main())

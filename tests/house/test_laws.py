"""The three laws of the house, each proved by breaking it: one door, one way, pure inside."""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.house.tree import PACKAGE, ROOT, contract, modules, parsed, pure_modules

LINT = "from importlinter.cli import lint_imports_command; lint_imports_command()"

FORBIDDEN_CALLS = {"open", "print", "input", "now", "today", "utcnow", "getenv"}
FORBIDDEN_NAMES = {"subprocess", "environ"}
FORBIDDEN_ATTRIBUTES = {("time", "time"), ("time", "monotonic"), ("os", "environ")}

SHELL = {
    "engram.doctor", "engram.lifecycle",
    "engram.adapters", "engram.adapters.claude_code", "engram.adapters.codex", "engram.adapters.copilot",
    "engram.adapters.cursor", "engram.adapters.gemini", "engram.adapters.opencode", "engram.adapters.portable",
    "engram.adapters.files", "engram.mcp", "engram.mcp.lines", "engram.mcp.server",
    "engram", "engram.__main__", "engram.capture", "engram.capture.faults", "engram.capture.pending",
    "engram.capture.stdin", "engram.capture.transcript", "engram.curate", "engram.curate.approvals",
    "engram.capture.opencode", "engram.capture.places",
    "engram.curate.commit", "engram.curate.intent", "engram.curate.records", "engram.curate.rejections",
    "engram.curate.showings", "engram.curate.tokens",
    "engram.curate.waiting", "engram.curate.waivers", "engram.disk", "engram.queue", "engram.resources",
    "engram.index", "engram.index.calibrate", "engram.index.embed", "engram.index.embed.bge",
    "engram.index.embed.e5", "engram.index.embed.files", "engram.index.embed.repack", "engram.index.embed.use",
    "engram.index.file", "engram.index.fill", "engram.index.notes", "engram.index.search", "engram.index.talk",
    "engram.index.vectors", "engram.index.walk", "engram.recall",
    "engram.store", "engram.store.create", "engram.store.fit", "engram.store.git", "engram.store.history",
    "engram.store.hold", "engram.store.plumbing", "engram.store.read", "engram.store.ref",
    "engram.store.staged", "engram.store.write",
}  # fmt: skip
SHELL_ROOMS = ("engram.app", "engram.cli")
"""The modules that may touch the world: the disk, git, the clock, the terminal. All others are pure."""


def impurities(tree: ast.AST) -> Iterator[str]:
    """Yields what a pure module may not do, as ``line: what``."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id=name)) | ast.Call(func=ast.Attribute(attr=name)) if name in FORBIDDEN_CALLS:
                yield f"{node.lineno}: {name}("
            case ast.Name(id=name) | ast.Attribute(attr=name) if name in FORBIDDEN_NAMES:
                yield f"{node.lineno}: {name}"
            case ast.Attribute(value=ast.Name(id=owner), attr=name) if (owner, name) in FORBIDDEN_ATTRIBUTES:
                yield f"{node.lineno}: {owner}.{name}"
            case ast.Import(names=names) if any(each.name.split(".")[0] in FORBIDDEN_NAMES for each in names):
                yield f"{node.lineno}: import of {names[0].name}"
            case ast.ImportFrom(names=names, module=source):
                if source in FORBIDDEN_NAMES or any(each.name in FORBIDDEN_NAMES for each in names):
                    yield f"{node.lineno}: import from {source}"


@pytest.mark.parametrize("name", pure_modules())
def test_a_module_of_the_core_is_pure(name: str) -> None:
    assert list(impurities(parsed(modules()[name]))) == []


@pytest.mark.parametrize(
    "line",
    [
        "open('notes.md')",
        "print('hello')",
        "import datetime; datetime.datetime.now()",
        "import datetime; datetime.date.today()",
        "import time; time.time()",
        "import os; os.environ['HOME']",
        "from os import environ",
        "import subprocess",
        "from subprocess import run",
        "path.open()",
        "input('sure? ')",
    ],
)
def test_each_impurity_is_seen(line: str) -> None:
    source = (PACKAGE / "curate" / "plan.py").read_text(encoding="utf-8")
    assert list(impurities(ast.parse(f"{source}\ndef late():\n    {line}\n"))) != []


def test_every_module_is_pure_or_named_as_one_that_touches_the_world() -> None:
    unclaimed = {
        name
        for name in modules()
        if name not in pure_modules() and name not in SHELL and not name.startswith(SHELL_ROOMS)
    }
    assert unclaimed == set()
    assert {name for name in SHELL if name not in modules()} == set()


def test_the_contract_of_the_pure_core_names_modules_that_exist() -> None:
    named = [name for name in contract("pure")["source_modules"] if not name.endswith("*")]
    assert [name for name in named if name not in modules()] == []


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """Returns a folder with a copy of the package and of the contracts."""
    shutil.copytree(PACKAGE, tmp_path / "engram", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def lint(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", LINT, "--no-logo", "--no-cache", *arguments],
        cwd=folder, capture_output=True, text=True, encoding="utf-8", check=False,
    )  # fmt: skip


def test_the_contracts_are_kept(copied: Path) -> None:
    done = lint(copied)
    assert done.returncode == 0, done.stdout + done.stderr
    assert " 0 broken." in done.stdout


@pytest.mark.parametrize(
    ("law", "module", "line"),
    [
        ("flow", "model/note.py", "import engram.store.read"),
        ("flow", "capture/digest.py", "import engram.curate.plan"),
        ("flow", "curate/plan.py", "import engram.capture.digest"),
        ("flow", "store/read.py", "import engram.queue"),
        ("flow", "config.py", "import engram.disk"),
        ("flow", "app/stores.py", "import engram.cli"),
        ("flow", "extra.py", "'''A room that nobody named.'''"),
        ("door", "app/proposals.py", "import engram.store.write"),
        ("door", "curate/plan.py", "from engram.store.write import replace"),
        ("pure", "model/note.py", "import os"),
        ("pure", "curate/plan.py", "import subprocess"),
        ("pure", "curate/check.py", "from engram.disk import write_whole"),
        ("library-git", "store/read.py", "import git"),
        ("library-jsonschema", "app/proposals.py", "import jsonschema"),
        ("library-unidiff", "cli/__init__.py", "import unidiff"),
        ("library-yaml", "config.py", "import yaml"),
        ("library-sqlite", "app/status.py", "import sqlite3"),
        ("library-numpy", "app/status.py", "import numpy"),
        ("library-lark", "app/adapting.py", "import lark"),
        ("library-tomlkit", "adapters/codex.py", "import tomlkit"),
        ("library-mcp", "app/status.py", "import mcp"),
        ("library-terminal", "app/status.py", "import click"),
        ("library-terminal", "curate/diff.py", "import rich.text"),
    ],
)
def test_a_law_that_is_broken_is_seen(copied: Path, law: str, module: str, line: str) -> None:
    with (copied / "engram" / module).open("a", encoding="utf-8") as file:
        file.write(f"\n{line}\n")
    done = lint(copied, "--contract", law)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "1 broken." in done.stdout

"""The wheel holds all that engram needs, and runs without what only developers install."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import venv
import zipfile
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import pytest

import engram
from tests.house.tree import ROOT, project

DEVELOPERS_ONLY = {"pytest", "hypothesis", "mypy", "ruff", "import-linter", "hatchling", "pexpect"}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns a wheel, built from a copy of what goes into it."""
    source, target = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("dist")
    for name in ("engram", "skills", "agents", "changesets"):
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(target)],
        cwd=source, check=True, capture_output=True,
    )  # fmt: skip
    (built,) = target.glob("*.whl")
    return built


def test_the_wheel_holds_schema_and_skills(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    files = [path.relative_to(ROOT).as_posix() for path in (ROOT / "skills").rglob("*") if path.is_file()]
    skills = {f"engram/_shipped/{path}" for path in files}
    assert names >= skills | {"engram/_shipped/changesets/changeset.schema.json", "engram/py.typed"}
    assert names >= {"engram/adapters/block.md", "engram/adapters/opencode.js"}
    assert wheel.name == f"engram_curator-{engram.__version__}-py3-none-any.whl"


def test_the_wheel_holds_nothing_else(wheel: Path) -> None:
    tops = {name.split("/")[0] for name in zipfile.ZipFile(wheel).namelist()}
    assert tops == {"engram", f"engram_curator-{engram.__version__}.dist-info"}


def test_the_wheel_puts_engram_on_the_path(wheel: Path) -> None:
    archive = zipfile.ZipFile(wheel)
    (points,) = [name for name in archive.namelist() if name.endswith("entry_points.txt")]
    assert archive.read(points).decode().split("\n")[:2] == ["[console_scripts]", "engram = engram.__main__:main"]


def needed(requirement: str) -> Iterator[metadata.Distribution]:
    """Yields the installed distribution that a requirement names, and those that it needs in turn."""
    if "extra ==" in requirement:
        return
    found = re.match(r"[\w.-]+", requirement)
    assert found is not None
    try:
        distribution = metadata.distribution(found[0])
    except metadata.PackageNotFoundError:
        return  # a requirement of other platforms or other versions of Python
    yield distribution
    for each in distribution.requires or ():
        yield from needed(each)


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns an environment with the wheel, what it says it needs, and nothing else; nothing is downloaded."""
    home = tmp_path_factory.mktemp("environment")
    builder = venv.EnvBuilder(with_pip=False, symlinks=os.name != "nt")
    builder.create(home)
    context = builder.ensure_directories(home)
    packages = Path(context.lib_path if hasattr(context, "lib_path") else next(home.glob("lib/python*/site-packages")))
    closure = {each.name: each for line in project()["project"]["dependencies"] for each in needed(line)}
    for distribution in closure.values():
        assert distribution.name.lower() not in DEVELOPERS_ONLY
        for file in distribution.files or ():
            if ".." in file.parts or file.suffix == ".pyc":
                continue
            (packages / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(str(file.locate()), packages / file)
    zipfile.ZipFile(wheel).extractall(packages)
    return Path(context.env_exe)


def run(python: Path, *arguments: str) -> str:
    """Runs engram of that environment, outside the checkout, and returns its stdout."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run(
        [str(python), "-m", "engram", *arguments],
        cwd=python.parent, env=environment, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_installed_engram_says_its_version(installed: Path) -> None:
    assert engram.__version__ in run(installed, "--version")


def test_the_installed_engram_prints_the_schema_it_ships(installed: Path) -> None:
    shipped = json.loads(run(installed, "curate", "schema"))
    assert shipped == json.loads((ROOT / "changesets" / "changeset.schema.json").read_text(encoding="utf-8"))


def test_every_command_of_the_installed_engram_loads(installed: Path) -> None:
    assert "curate" in run(installed, "--help")
    code = (
        "import pkgutil, importlib, engram\n"
        "for each in pkgutil.walk_packages(engram.__path__, 'engram.'):\n"
        "    if not each.name.endswith(('__main__', 'mcp.server', 'mcp.lines')): importlib.import_module(each.name)\n"
        "print(engram.__file__)"
    )
    line = [str(installed), "-c", code]
    done = subprocess.run(line, cwd=installed.parent, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert not Path(done.stdout.strip()).is_relative_to(ROOT)

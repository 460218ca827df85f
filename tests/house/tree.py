"""The project as files: what the house tests look at."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "engram"


def modules(package: Path = PACKAGE) -> Mapping[str, Path]:
    """Returns the package's modules by their dotted names; a package goes by its ``__init__.py``."""
    return {
        ".".join(path.relative_to(package.parent).with_suffix("").parts).removesuffix(".__init__"): path
        for path in sorted(package.rglob("*.py"))
        if "_shipped" not in path.parts
    }


def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def project() -> dict[str, Any]:
    """Returns what pyproject.toml says."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def contract(key: str) -> dict[str, Any]:
    """Returns the import contract with this id."""
    contracts: list[dict[str, Any]] = project()["tool"]["importlinter"]["contracts"]
    return next(each for each in contracts if each["id"] == key)


def pure_modules() -> Mapping[str, Path]:
    """Returns the modules that the contract "the core is pure" names."""
    patterns = contract("pure")["source_modules"]
    return {name: path for name, path in modules().items() if any(fnmatchcase(name, pattern) for pattern in patterns)}


def tracked_text() -> Iterator[tuple[str, str]]:
    """Yields each text file of the project as its path and text: code, tests, documents, settings."""
    skipped = {".git", ".venv", "__pycache__", "node_modules", ".agents-clients", "dist", "build"}
    for path in sorted(ROOT.rglob("*")):
        parts = path.relative_to(ROOT).parts
        if not path.is_file() or skipped.intersection(parts) or any(part.endswith("_cache") for part in parts):
            continue
        if ".hypothesis" in parts or path.suffix in {".pyc", ".whl", ".gz"}:
            continue
        yield path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8", errors="replace")

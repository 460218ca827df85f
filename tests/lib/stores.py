"""Builds stores for tests, with real git and real files."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path


def git(root: Path | str, *args: str, data: bytes | None = None, check: bool = True) -> str:
    """Runs git in a folder and returns what it printed, without the last line end."""
    done = subprocess.run(["git", *args], cwd=root, input=data, capture_output=True, check=False)
    if check and done.returncode:
        raise AssertionError(f"git {args} failed: {done.stderr.decode(errors='replace')}")
    return done.stdout.decode("utf-8", "surrogateescape").rstrip("\n")


def note(name: str, body: str = "One fact.", **fields: str) -> str:
    """Returns the text of a note."""
    head = {"name": name, "description": f"About {name}", "type": "project", **fields}
    return "---\n" + "".join(f"{key}: {value}\n" for key, value in head.items()) + f"---\n\n{body}\n"


def make_store(root: Path, files: Mapping[str, str | bytes], *, init: bool = True, commit: bool = True) -> Path:
    """Writes files into a folder, as a git repository with one commit unless told otherwise. Returns the folder."""
    root.mkdir(parents=True, exist_ok=True)
    for path, content in files.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content if isinstance(content, bytes) else content.encode())
    if init:
        git(root, "init", "-q", "-b", "main")
        (root / ".gitattributes").write_bytes(b"* -text\n")
        if commit:
            git(root, "add", "-A")
            git(root, "commit", "-q", "--allow-empty", "-m", "start")
    return root


def everything(root: Path, *, skip: tuple[str, ...] = ()) -> dict[str, bytes]:
    """Returns every file below a folder, ``.git`` included, as path to bytes."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and not path.relative_to(root).as_posix().startswith(skip or ("\0",))
    }

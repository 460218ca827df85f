"""Builds plans by hand for tests of the door's last step, and looks at what a commit left."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from engram.curate.commit import apply
from engram.model.plan import Approve, Edit, Plan
from engram.store import history
from engram.store.git import Repository
from tests.lib.stores import git

NOW = datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC)
ADA = Approve("Ada Tester <ada@example.com>", "terminal")


def repository(root: Path | str) -> Repository:
    found = Repository.find(str(root), enclosing_allowed=True)
    assert found is not None
    return found


def plan_of(root: Path | str, files: Mapping[str, bytes | None], **more: Any) -> Plan:
    """Returns a plan that gives each file these bytes (None: removes it), as the store stands now.

    Where the folder and HEAD differ, ``lines`` names bytes that both get behind what they have, as MEMORY.md does.
    """
    lines: Mapping[str, bytes] = more.pop("lines", {})
    found = repository(root)
    ref, head = found.head()
    old = history.texts(found, head, [*files, *lines])
    edits = []
    for path, after in files.items():
        edits.append(Edit(path, old[path], after, _standing(found.root, path), after))
    for path, line in lines.items():
        work = _standing(found.root, path)
        edits.append(Edit(path, old[path], (old[path] or b"") + line, work, (work or b"") + line))
    wanted = {"subject": "Add a fact", "trailers": (("Engram-Changeset", "0123456789abcdef"),), **more}
    return Plan(root=found.root, ref=ref, head=head, edits=tuple(edits), **wanted)


def commit(root: Path | str, files: Mapping[str, bytes | None], **more: Any) -> str:
    """Plans and applies at once; returns the commit."""
    return apply(plan_of(root, files, **more), ADA, repository(root), now=NOW)


def changed(root: Path | str, commit: str = "HEAD") -> set[str]:
    """Returns the paths in which a commit differs from its parent."""
    out = git(root, "diff-tree", "-r", "-z", "--root", "--no-commit-id", "--name-only", commit)
    return set(out.split("\0")[:-1])


def held(root: Path | str, path: str, commit: str = "HEAD") -> bytes:
    """Returns the bytes of a file in a commit."""
    found = repository(root)
    text = history.texts(found, found.commit_of(commit), [path])[path]
    assert text is not None
    return text


def state(root: Path | str) -> dict[str, Any]:
    """Returns all that a refused commit has to leave as it was: files, the index's entries, HEAD and its log."""
    top = Path(root)
    files = {
        path.relative_to(top).as_posix(): path.read_bytes()
        for path in sorted(top.rglob("*"))
        if path.is_file() and not {".git", ".engram"} & set(path.relative_to(top).parts)
    }
    return {
        "files": files,
        "index": git(top, "ls-files", "-s", "-z", "--debug"),
        "head": git(top, "for-each-ref") + git(top, "symbolic-ref", "-q", "HEAD", check=False),
        "intent": (top / ".engram" / "intent.json").exists(),
    }


def _standing(root: str, path: str) -> bytes | None:
    target = Path(root, path)
    return target.read_bytes() if target.is_file() else None

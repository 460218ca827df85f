"""Commits to a store again and again until it is killed: ``python -m tests.crash.writer STORE NAME NUMBER APPROVALS``.

Each commit changes a note of the writer's own and one that all writers share, makes a new one, removes an old one and
adds a line to MEMORY.md. A note ends in the digest of its own text, so that half a note is no note.
"""

from __future__ import annotations

import hashlib
import os
import sys
from datetime import UTC, datetime
from pathlib import Path

from engram.curate.commit import apply, recover
from engram.errors import EngramError, GitLocked
from tests.lib.commits import ADA, plan_of, repository


def note(words: str) -> bytes:
    """Returns the bytes of a note that tells whether it is whole."""
    text = f"{words}\n{'filling ' * 900}\n".encode()
    return text + hashlib.sha256(text).hexdigest().encode()


def is_whole(data: bytes) -> bool:
    return hashlib.sha256(data[:-64]).hexdigest().encode() == data[-64:]


def one_commit(root: str, writer: str, number: int, approvals: Path) -> None:
    files: dict[str, bytes | None] = {
        f"{writer}.md": note(f"{writer} {number}"),
        "shared.md": note(f"shared {writer} {number}"),
        f"{writer}/{number % 7}/{number}.md": note(f"new {number}"),
    }
    old = sorted((Path(root) / writer).rglob("*.md"))
    if len(old) > 5:
        files[old[0].relative_to(root).as_posix()] = None
    plan = plan_of(root, files, lines={"MEMORY.md": f"- {writer} {number}\n".encode()})
    if any(edit.path != "MEMORY.md" and edit.work_before != edit.head_before for edit in plan.edits):
        return  # another writer is in the middle of a commit
    trailers = (*plan.trailers, *(("Engram-Change", f"EDIT {edit.path}") for edit in plan.edits))
    plan = plan_of(root, files, lines={"MEMORY.md": f"- {writer} {number}\n".encode()}, trailers=trailers)
    if any(edit.path != "MEMORY.md" and edit.work_before != edit.head_before for edit in plan.edits):
        return
    apply(
        plan,
        ADA,
        repository(root),
        now=datetime.now(UTC),
        spend=lambda commit: (approvals / commit).write_text(str(os.getpid()), encoding="utf-8") and None,
    )


def main(root: str, writer: str, number: int, approvals: Path) -> None:
    print("ready", flush=True)
    while True:
        number += 1
        try:
            recover(root, repository(root))
            one_commit(root, writer, number, approvals)
        except GitLocked as error:
            # what its hint says: no other git is running here, so a killed one left the lock
            Path(error.place).unlink(missing_ok=True)
        except EngramError as error:
            if error.exit_status != 4:
                raise


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), Path(sys.argv[4]))

"""The queue on the command line."""

from __future__ import annotations

from pathlib import Path

from engram import queue
from engram.model.event import Event
from tests.lib.cli import context, run


def test_a_damaged_file_in_the_queue_is_named_and_hides_nothing(tmp_path: Path) -> None:
    folder = context().folder("queue")
    queue.append(folder, Event("claude-code", "s-1", "", str(tmp_path), "2026-11-30T11:00:00.000000Z"))
    Path(folder, "0123456789ab.json").write_bytes(b"{")
    ran = run("pending", "list")
    assert (ran.exit, "s-1" in ran.out, "0123456789ab.json can't be read" in ran.err) == (0, True, True)
    assert [one["session"] for one in run("pending", "list", "--json").json["sessions"]] == ["s-1"]

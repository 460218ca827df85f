"""Locks that end with their process, and a log that stays small."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from engram.disk import append_line, lock
from engram.errors import StoreLocked

HOLD = """
import sys
from engram.disk import lock
with lock(sys.argv[1]):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_lock_is_held_by_one_process_and_ends_with_it(tmp_path: Path) -> None:
    path = str(tmp_path / "lock")
    with subprocess.Popen([sys.executable, "-c", HOLD, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline().strip() == b"held"
        with pytest.raises(StoreLocked, match="has held"), lock(path, seconds=0.05):
            pass
        holder.kill()
    with lock(path, seconds=10):
        pass
    with lock(path, seconds=0):
        pass


def test_a_lock_is_let_go_where_its_block_fails(tmp_path: Path) -> None:
    path = str(tmp_path / "lock")
    with pytest.raises(KeyError), lock(path):
        raise KeyError
    with lock(path, seconds=0):
        pass


def test_a_full_log_makes_room(tmp_path: Path) -> None:
    path = tmp_path / "hook.log"
    for number in range(10):
        append_line(str(path), f"line {number} \udcff é", 40)
    assert path.read_text(encoding="utf-8").splitlines()[-1] == "line 9 \\udcff é"
    assert path.stat().st_size <= 60
    assert (tmp_path / "hook.log.old").stat().st_size <= 60

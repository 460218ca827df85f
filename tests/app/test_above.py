"""A yes that an agent gave itself at a terminal of its own making, without the client's marks: the audit says so."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from engram.app.above import agent_above
from tests.lib.cli import run
from tests.lib.proposed import add, write
from tests.lib.stores import git, make_store

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="no other system tells the environment of a process")
TYPES_YES = """
import os, pty, sys
child, terminal = pty.fork()
if not child:
    os.execv(sys.executable, [sys.executable, "-P", "-m", "engram", "review"])
shown = b""
try:
    while more := os.read(terminal, 4096):
        shown += more
        if b"[y/N" in shown:
            os.write(terminal, b"y\\n")
            shown = b""
except OSError:
    pass
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


def waiting(tmp_path: Path) -> Path:
    store = make_store(tmp_path / "memory", {})
    run("curate", "apply", write(tmp_path / "c.json", add("a")), "--dir", str(store))
    return store


def answered(folder: Path, marked: dict[str, str]) -> None:
    """Answers yes at a pseudo-terminal, from a program whose environment says nothing, below one whose does."""
    (folder / "answering_yes.py").write_text(TYPES_YES, encoding="utf-8")
    kept = {name: os.environ[name] for name in ("HOME", "PATH", "ENGRAM_HOME", "GIT_CONFIG_GLOBAL")}
    clean = ["env", "-i", *(f"{name}={value}" for name, value in kept.items()), "TERM=xterm", "PAGER=cat"]
    line = [*clean, f"PYTHONPATH={Path(__file__).parents[2]}", sys.executable, str(folder / "answering_yes.py")]
    below = [sys.executable, "-c", "import subprocess, sys; sys.exit(subprocess.call(sys.argv[1:]))", *line]
    subprocess.run(below, env={**os.environ, **marked}, cwd=folder, check=True, capture_output=True)


@LINUX
def test_the_audit_reports_a_yes_at_a_terminal_that_an_agent_opened(tmp_path: Path) -> None:
    store = waiting(tmp_path)
    answered(tmp_path, {"CLAUDECODE": "1"})
    assert git(store, "log", "-1", "--format=%(trailers:key=Approved-Via,valueonly)").strip() == "terminal"
    found = run("audit", "--dir", str(store), "--json")
    first = json.loads(found.out)["commits"][0]
    assert (found.exit, first["verdict"]) == (1, "unproven")
    assert "CLAUDECODE" in first["doubt"]


def test_what_nobody_tells_is_nothing(tmp_path: Path) -> None:
    assert agent_above(str(tmp_path)) == ""
    folder = tmp_path / str(os.getppid())
    folder.mkdir()
    (folder / "environ").write_bytes(b"A=1\0CLAUDECODE=0\0\xff=\xff\0odd\0")
    (folder / "stat").write_bytes(b"7 (a) b) S 1 7")
    assert agent_above(str(tmp_path)) == ""
    (folder / "environ").write_bytes(b"AI_AGENT=x\0")
    assert "AI_AGENT" in agent_above(str(tmp_path))
    (folder / "stat").write_bytes(b"")
    assert agent_above(str(tmp_path)) == ""

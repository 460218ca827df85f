"""Programs that are run to their end, or ended with all that they started."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from engram.app.curating import child
from engram.app.curating.calls import Ended
from engram.errors.agents import AgentFailed, AgentTimedOut
from tests.lib.curating import still_running

POSIX = pytest.mark.skipif(os.name != "posix", reason="looks at the processes of a POSIX system")


def ran(tmp_path: Path, body: str, prompt: str = "", seconds: float = 60, *words: str) -> Ended:
    script = tmp_path / "script.py"
    script.write_text(body, encoding="utf-8")
    return child.run(
        [sys.executable, str(script), *words],
        prompt,
        folder=str(tmp_path),
        env=dict(os.environ),
        seconds=seconds,
        name="a script",
    )


def test_the_prompt_goes_in_and_the_output_comes_out(tmp_path: Path) -> None:
    body = "import sys, os\nprint(len(sys.stdin.read()), os.getcwd())\nprint('é', file=sys.stderr)\nsys.exit(3)\n"
    ended = ran(
        tmp_path, "# coding: utf-8\nimport sys\nsys.stderr.reconfigure(encoding='utf-8')\n" + body, "x" * 300_000
    )
    assert ended == Ended(3, f"300000 {tmp_path}\n", "é\n")


def test_one_that_reads_nothing_of_a_long_prompt_is_no_fault(tmp_path: Path) -> None:
    assert ran(tmp_path, "print('[]')", "x" * 5_000_000).out == "[]\n"


def test_output_that_is_no_utf8_is_read_all_the_same(tmp_path: Path) -> None:
    assert ran(tmp_path, "import sys; sys.stdout.buffer.write(b'\\xff\\xfea')").out == "\ufffd\ufffda"


def test_one_without_end_of_output_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child, "MOST_BYTES", 1 << 20)
    with pytest.raises(AgentFailed, match="a script printed more than 1 MB"):
        ran(tmp_path, "while True: print('x' * 100000)")


def test_one_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(AgentFailed, match="a script can't be started"):
        child.run([str(tmp_path / "nothing")], "", folder=str(tmp_path), env={}, seconds=5, name="a script")


HANGS = """
import subprocess, sys, time
mark = sys.argv[1]
deaf = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('up', flush=True); time.sleep(600)"
other = subprocess.Popen([sys.executable, "-c", deaf, mark], stdout=subprocess.PIPE)
other.stdout.readline()
open(mark, "w").close()
"""


@POSIX
def test_one_that_hangs_is_ended_with_all_that_it_started(tmp_path: Path) -> None:
    mark = str(tmp_path / "up-and-running")
    with pytest.raises(AgentTimedOut, match="a script gave no answer within 6 seconds"):
        ran(tmp_path, HANGS + "time.sleep(600)\n", "", 6, mark)
    assert os.path.exists(mark)
    assert still_running(mark) == []


@POSIX
def test_what_it_leaves_behind_is_ended_too(tmp_path: Path) -> None:
    mark = str(tmp_path / "up-and-running")
    assert ran(tmp_path, HANGS + "print('[]')\n", "", 60, mark).out == "[]\n"
    assert still_running(mark) == []


@POSIX
def test_what_left_the_group_and_holds_the_pipes_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(child, "_LAST_WORDS", 0.5)
    mark = str(tmp_path / "end")
    waits = "import os, sys, time\nwhile not os.path.exists(sys.argv[1]): time.sleep(0.05)"
    words = f"[sys.executable, '-c', {waits!r}, {mark!r}]"
    body = f"import subprocess, sys\nsubprocess.Popen({words}, start_new_session=True)\nprint('[]')\n"
    assert ran(tmp_path, body).out == "[]\n"
    assert still_running(mark)
    Path(mark).touch()
    for thread in threading.enumerate():
        if thread is not threading.current_thread():
            thread.join()


@POSIX
def test_an_interrupt_while_a_program_is_started_leaves_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mark = str(tmp_path / "mark")
    started = subprocess.Popen

    def interrupted(*args: Any, **more: Any) -> subprocess.Popen[bytes]:
        made = started(*args, **more)
        signal.raise_signal(signal.SIGINT)  # before anybody knows of the process
        return made

    monkeypatch.setattr(subprocess, "Popen", interrupted)
    with pytest.raises(KeyboardInterrupt):
        ran(tmp_path, "import time; time.sleep(600)", "", 60, mark)
    monkeypatch.undo()
    assert still_running(mark) == []


def test_no_thread_is_left(tmp_path: Path) -> None:
    before = threading.active_count()
    for _ in range(5):
        ran(tmp_path, "print('[]')", "x")
    assert threading.active_count() == before

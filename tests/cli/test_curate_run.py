"""`engram curate run` as a process of its own: interrupted, ended by a scheduler, beside another, at a terminal."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.lib.cli import command_line, environment
from tests.lib.curating import Desk, desk, still_running

if sys.platform != "win32":
    import pexpect

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="sends signals as a POSIX system does")
GOOD = "answer(added(session))"
SLOW = f"(here / 'asked').touch(); time.sleep(600) if session == 's-2' else None; {GOOD}"


@pytest.fixture
def there(tmp_path: Path) -> Desk:
    made = desk(tmp_path / "desk")
    made.session("s-1", hour=1)
    made.session("s-2", hour=2)
    made.session("s-3", hour=3)
    return made


def started(there: Desk, agent: str, *words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        command_line("curate", "run", "--agent", agent, *words),
        cwd=there.project, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
        stdin=subprocess.DEVNULL,
    )  # fmt: skip


def wait_for_prompts(there: Desk, many: int) -> None:
    for _ in range(600):
        if len(there.prompts()) >= many:
            return
        time.sleep(0.1)
    raise AssertionError(f"the agent was asked {len(there.prompts())} times only")


@POSIX
@pytest.mark.parametrize("number", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_an_interrupted_run_keeps_what_it_had_and_the_next_one_resumes(there: Desk, number: str) -> None:
    before = there.kept()
    run = started(there, there.agent(SLOW))
    wait_for_prompts(there, 2)
    run.send_signal(getattr(signal, number))
    out, err = run.communicate(timeout=60)
    assert run.returncode == 130, err
    assert out.startswith("proposed  s-1  plan ")
    assert "interrupted; what 1 session taught waits for review; the rest stays queued" in err
    assert still_running(str(there.root / "agent.py")) == []
    assert [plan["sessions"] for plan in there.plans()] == [["s-1"]]
    assert there.queued() == ["s-1", "s-2", "s-3"]
    assert there.kept() == before

    assert there.results(there.agent(GOOD)) == {"s-1": "skipped", "s-2": "proposed", "s-3": "proposed"}
    assert len(there.prompts()) == 4


@POSIX
def test_a_hangup_that_is_ignored_stays_ignored(there: Desk) -> None:
    """Which is all that `nohup` does."""
    agent = there.agent(f"while not (here / 'go').exists(): time.sleep(0.05)\n{GOOD}")
    run = subprocess.Popen(
        ["sh", "-c", 'trap "" HUP; exec "$@"', "sh", *command_line("curate", "run", "--agent", agent)],
        cwd=there.project, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
        stdin=subprocess.DEVNULL,
    )  # fmt: skip
    wait_for_prompts(there, 1)
    run.send_signal(signal.SIGHUP)
    (there.root / "go").touch()
    _, err = run.communicate(timeout=60)
    assert run.returncode == 0, err
    assert len(there.plans()) == 3


@POSIX
def test_one_that_is_interrupted_at_its_first_session_does_not_say_that_none_waits(there: Desk) -> None:
    run = started(there, there.agent(SLOW.replace("s-2", "s-1")))
    wait_for_prompts(there, 1)
    run.send_signal(signal.SIGINT)
    out, err = run.communicate(timeout=60)
    assert (run.returncode, out) == (130, "")
    assert "no session waits" not in err
    assert "interrupted; nothing was written; the rest stays queued" in err


@POSIX
def test_an_impatient_interrupt_leaves_no_process_either(there: Desk) -> None:
    deaf = f"import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); {SLOW}"
    run = started(there, there.agent(deaf))
    wait_for_prompts(there, 2)
    for _ in range(3):
        run.send_signal(signal.SIGINT)
        time.sleep(0.3)
    run.communicate(timeout=60)
    assert still_running(str(there.root / "agent.py")) == []
    assert [plan["sessions"] for plan in there.plans()] == [["s-1"]]


def test_of_two_runs_one_reads_and_the_other_says_so(there: Desk) -> None:
    agent = there.agent(f"while not (here / 'go').exists(): time.sleep(0.05)\n{GOOD}")
    runs = [started(there, agent, "--json") for _ in range(2)]
    while all(run.poll() is None for run in runs):
        time.sleep(0.05)
    (there.root / "go").touch()
    ended = [(run, *run.communicate(timeout=120)) for run in runs]
    assert sorted(run.returncode for run, _, _ in ended) == [0, 4], [err for _, _, err in ended]
    results = [json.loads(out) for _, out, _ in ended]
    (refused,) = [one["error"]["code"] for one in results if "error" in one]
    assert refused == "store-locked"
    assert len(there.prompts()) == 3
    assert len(there.plans()) == 3


def test_words_go_to_stderr_and_results_to_stdout(there: Desk) -> None:
    run = started(there, there.agent(f"print('[]') if session == 's-1' else {GOOD}"), "--sessions", "2")
    out, err = run.communicate(timeout=60)
    assert [line.split("  ")[:2] for line in out.splitlines()] == [["nothing", "s-1"], ["proposed", "s-2"]]
    assert "s-1: asking python\ns-1: checking the answer\n" in err
    assert "1 proposal waits for you: `engram review`\n1 session left: the budget of sessions is used up\n" in err


@POSIX
def test_a_person_at_a_terminal_sees_what_is_under_way(there: Desk) -> None:
    words = command_line("curate", "run", "--agent", there.agent(f"time.sleep(1); {GOOD}"))
    child = pexpect.spawn(
        words[0], words[1:], cwd=str(there.project), env=environment(TERM="xterm"), encoding="utf-8", timeout=60,
        dimensions=(30, 200),
    )  # fmt: skip
    child.expect("s-2: asking python")
    child.expect("3 proposals wait for you")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0


def test_text_of_a_session_can_do_nothing_to_the_terminal(tmp_path: Path) -> None:
    one = desk(tmp_path / "one")
    one.session("s-\x1b[2J", hour=1)
    ran = one.curate(one.agent(r"print('\x1b]0;owned\x07 no', file=sys.stderr); sys.exit(1)"))
    assert "\x1b" not in ran.out + ran.err
    assert "<U+001B>]0;owned<U+0007> no" in ran.out

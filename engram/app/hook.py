"""`engram hook`: what an agent runs at every event of its own; engram answers, guards, queues, or keeps silent.

What an event asks for stands in :mod:`engram.app.events`; here is the process: its input, its voice and its deadline.
It returns 0 whatever happens, and what it prints is whole or nothing: a hook that fails is an error message in
somebody's work. What went wrong stands in ``$ENGRAM_HOME/.engram/log/hook.log``. No network, no model call, no child
that outlives it.

On the hot path: the standard library alone, and little of it; what an event needs besides is imported when it comes.
"""

from __future__ import annotations

import os
from _thread import allocate_lock, start_new_thread
from time import monotonic, sleep

from engram.capture.faults import note_fault
from engram.capture.heard import heard_of, host_in
from engram.capture.stdin import read_json
from engram.model.event import engram_home

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from engram.app.events import Answer

DEADLINE = 1.5
"""Seconds after which the process ends, silent, whatever it is doing."""
LONG_DEADLINE = 8.0
"""The same where a plan is made anew for the person to see: nobody waits for a prompt then."""
STDIN_SECONDS = 1.0
STDIN_LIMIT = 16 << 20


class Clock:
    """Is how long the process may take."""

    __slots__ = ("_began", "seconds")

    def __init__(self, seconds: float) -> None:
        self._began = monotonic()
        self.seconds = seconds

    def extend(self) -> None:
        """Gives the time that showing a plan may take."""
        self.seconds = max(self.seconds, LONG_DEADLINE)

    def left(self) -> float:
        return self._began + self.seconds - monotonic()


class Voice:
    """Is the standard output of a hook: it speaks once and whole, or never.

    Until it speaks, whatever else writes to the process's output (a library, a child) writes to nowhere.
    """

    def __init__(self) -> None:
        self._turn = allocate_lock()
        self._real = os.dup(1)
        nowhere = os.open(os.devnull, os.O_RDWR)
        os.dup2(nowhere, 1)
        os.close(nowhere)

    def say(self, text: str) -> None:
        """Writes one line and speaks no more. Does nothing where the time is over."""
        data = text.encode("utf-8", "backslashreplace") + b"\n"
        if not self._turn.acquire(False):
            return
        try:
            while data:
                try:
                    data = data[os.write(self._real, data) :]
                except BlockingIOError:  # the host shares a pipe that it made non-blocking
                    sleep(0.005)
        except OSError:
            pass  # nobody listens any more

    def over(self) -> bool:
        """Takes the word away; False where it is being spoken just now."""
        return self._turn.acquire(False)


def run(arguments: Sequence[str], env: Mapping[str, str], user_home: str) -> int:
    """Answers what a hook reports on stdin, as a process of its own does it: with a deadline, and gone at once.

    ``--host NAME``: the agent that runs it. Other arguments are passed over: a hook's command line outlives the version
    it was written for.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # a pool of threads starts slower than one small product runs
    try:
        voice, clock = Voice(), Clock(DEADLINE)
        start_new_thread(_watch, (voice, engram_home(env, user_home), clock, os._exit))
        found = answered(env, user_home, host_in(arguments), clock)
        if found is not None:
            if found.text:
                voice.say(found.text)
            _remember(found, engram_home(env, user_home))
    finally:
        os._exit(0)


def answered(env: Mapping[str, str], user_home: str, host: str = "", clock: Clock | None = None) -> Answer | None:
    """Does what an event on stdin asks for, and returns what is to be said; None where there is nothing to say.

    Raises nothing; what went wrong goes into the log.
    """
    home = engram_home(env, user_home)
    if not os.path.isabs(home):  # no home directory is known; a relative one would be looked for in somebody's project
        return None
    try:
        heard = heard_of(read_json(0, STDIN_SECONDS, STDIN_LIMIT), env, host)
        if heard is None:
            return None
        from engram.app.events import answer_to  # noqa: PLC0415 - what is none of ours needs none of it

        return answer_to(heard, env, user_home, (clock or Clock(DEADLINE)).extend)
    except BaseException as error:  # noqa: BLE001 - never in the way of the work
        note_fault(home, "hook", f"{type(error).__name__}: {error}")
        return None


def _remember(found: Answer, home: str) -> None:
    try:
        found.remember()
    except BaseException as error:  # noqa: BLE001 - at worst a note comes again
        note_fault(home, "hook", f"{type(error).__name__}: {error}")


def _watch(voice: Voice, home: str, clock: Clock, leave: Callable[[int], object]) -> None:
    """Ends the process when its time is over: silent, or with what it has just said."""
    while (left := clock.left()) > 0:
        sleep(left)
    if not voice.over():
        sleep(0.2)  # what is being written gets this long, and nobody is waited for who doesn't read
        leave(0)
    start_new_thread(_leave_soon, (leave,))
    note_fault(home, "hook", f"took longer than {clock.seconds:g} s: nothing was said")
    leave(0)


def _leave_soon(leave: Callable[[int], object]) -> None:
    sleep(0.1)  # a disk that doesn't answer must not hold the process
    leave(0)

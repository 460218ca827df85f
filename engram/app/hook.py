"""`engram hook`: what an agent runs before each prompt and at each session's start; memory answers or keeps silent.

It returns 0 whatever happens, and what it prints is whole or nothing: a hook that fails is an error message in
somebody's work. What went wrong stands in ``$ENGRAM_HOME/.engram/log/hook.log``. No network, no model call, no child
that outlives it.

On the hot path: the standard library alone, and little of it; what a prompt's recall needs besides is imported when
there is a prompt to recall for.
"""

from __future__ import annotations

import os
from _thread import allocate_lock, start_new_thread
from time import sleep

from engram.capture.asked import PROMPT, asked_of
from engram.capture.faults import note_fault
from engram.capture.stdin import read_json
from engram.model.event import engram_home

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from engram.app.answering import Answer

DEADLINE = 1.5
"""Seconds after which the process ends, silent, whatever it is doing."""
STDIN_SECONDS = 1.0
STDIN_LIMIT = 16 << 20
REFRESH_SECONDS = 0.25
"""What looking for changed notes may take, in all stores together."""
LONGEST_PROMPT = 20_000
"""Characters of a prompt that are looked at: its beginning and its end."""


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

    ``--host NAME`` and other arguments are passed over: a hook's command line outlives the version it was written for.
    """
    del arguments
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # a pool of threads starts slower than one small product runs
    try:
        voice = Voice()
        start_new_thread(_watch, (voice, engram_home(env, user_home), DEADLINE, os._exit))
        found = answered(env, user_home)
        if found is not None:
            if found.text:
                voice.say(found.text)
            _remember(found, engram_home(env, user_home))
    finally:
        os._exit(0)


def answered(env: Mapping[str, str], user_home: str) -> Answer | None:
    """Returns what a hook has to say to what stands on stdin; None where there is nothing to say.

    Raises nothing; what went wrong goes into the log.
    """
    home = engram_home(env, user_home)
    if not os.path.isabs(home):  # no home directory is known; a relative one would be looked for in somebody's project
        return None
    try:
        asked = asked_of(read_json(0, STDIN_SECONDS, STDIN_LIMIT), env)
        if asked is None or (asked.event == PROMPT and _says_nothing(asked.prompt)):
            return None
        if len(asked.prompt) > LONGEST_PROMPT:
            half = LONGEST_PROMPT // 2
            asked.prompt = f"{asked.prompt[:half]}\n{asked.prompt[-half:]}"
        from engram.app.answering import answer  # noqa: PLC0415 - an acknowledgement needs none of it

        return answer(asked, env, user_home, refresh_seconds=REFRESH_SECONDS)
    except BaseException as error:  # noqa: BLE001 - never in the way of the work
        note_fault(home, "hook", f"{type(error).__name__}: {error}")
        return None


def _says_nothing(prompt: str) -> bool:
    from engram.recall.prompts import is_acknowledgement  # noqa: PLC0415 - other events need none of it

    return is_acknowledgement(prompt)


def _remember(found: Answer, home: str) -> None:
    try:
        found.remember()
    except BaseException as error:  # noqa: BLE001 - at worst a note comes again
        note_fault(home, "hook", f"{type(error).__name__}: {error}")


def _watch(voice: Voice, home: str, seconds: float, leave: Callable[[int], object]) -> None:
    """Ends the process when its time is over: silent, or with what it has just said."""
    sleep(seconds)
    if not voice.over():
        sleep(0.2)  # what is being written gets this long, and nobody is waited for who doesn't read
        leave(0)
    start_new_thread(_leave_soon, (leave,))
    note_fault(home, "hook", f"took longer than {seconds:g} s: nothing was said")
    leave(0)


def _leave_soon(leave: Callable[[int], object]) -> None:
    sleep(0.1)  # a disk that doesn't answer must not hold the process
    leave(0)

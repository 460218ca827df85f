"""What each event of an agent asks for, and what engram says to it.

A session's start and a prompt are answered from memory; a turn's end, a compaction and a session's end put the session
into the queue; a tool's call that has to do with engram is judged. Where a plan waits for the person, a turn's end
shows it and the next prompt may approve it.

On the hot path of every hook: the standard library alone, and little of it; what an event needs is imported with it.
"""

from __future__ import annotations

import os

from engram.capture.heard import FORGETTING, RESTING
from engram.model.event import CALLS, PROMPT, START, TURN_END, engram_home

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from engram.adapters import Speaker
    from engram.app.context import Context
    from engram.capture.heard import Heard
    from engram.model.event import Verdict

REFRESH_SECONDS = 0.25
"""What looking for changed notes may take, in all stores together."""
LONGEST_PROMPT = 20_000
"""Characters of a prompt that memory looks at: its beginning and its end."""


class Answer:
    """Is what a hook prints, and what it has to remember once that was printed."""

    __slots__ = ("_after", "text")

    def __init__(self, text: str = "", after: Callable[[], None] | None = None) -> None:
        self.text = text
        """A line of JSON; "" for silence."""
        self._after = after

    def remember(self) -> None:
        """Keeps what was served and why, for the next prompt and for `engram recall --last`."""
        if self._after is not None:
            self._after()


def answer_to(heard: Heard, env: Mapping[str, str], user_home: str, more_time: Callable[[], None]) -> Answer | None:
    """Does what an event asks for, and returns what is to be said; None for silence. Raises whatever goes wrong.

    ``more_time`` is called before something that may take longer than a prompt may be held up.
    """
    home = engram_home(env, user_home)
    if heard.event in RESTING:
        from engram.capture.pending import put  # noqa: PLC0415 - nothing else is queued

        put(heard, home)
        if heard.event == TURN_END and not holds(home, "review"):
            return None
    elif heard.event in CALLS:
        from engram.capture.commands import concerns_engram  # noqa: PLC0415 - no other event is a command

        if not concerns_engram(heard.tool, heard.tool_input):
            return None
    from engram.adapters import speaker_for  # noqa: PLC0415 - most tools and turns have no answer

    speaker = speaker_for(heard.host)
    if speaker is None:
        return None
    if heard.event in RESTING:
        return _rested(heard, speaker, env, user_home, more_time)
    if heard.event in CALLS:
        more_time()
        return _judged(heard, speaker, context_of(heard, env, user_home))
    return _asked(heard, speaker, env, user_home)


def holds(engram_home: str, folder: str) -> bool:
    """Tells whether a folder of state holds any record: ``review`` a plan that waits, ``shown`` one that was shown."""
    try:
        return any(name.endswith(".json") for name in os.listdir(os.path.join(engram_home, ".engram", folder)))
    except OSError:
        return False


def context_of(heard: Heard, env: Mapping[str, str], user_home: str) -> Context:
    """Returns the surroundings of the session that a hook reports of."""
    from datetime import UTC, datetime  # noqa: PLC0415 - silence has no surroundings

    from engram.app.context import Context  # noqa: PLC0415

    return Context(env=env, home=user_home, cwd=heard.cwd or user_home, now=lambda: datetime.now(UTC))


def line_of(heard: Heard, speaker: Speaker, context: str = "", notice: str = "", verdict: Verdict | None = None) -> str:
    """Returns what the host is told, as one line of JSON; "" where it takes none of it."""
    from engram.model.wire import quoted  # noqa: PLC0415 - loaded with the payload

    fields = speaker.spoken(heard.host, heard.event, context, notice, verdict)
    return quoted(fields) if fields else ""


def _rested(
    heard: Heard, speaker: Speaker, env: Mapping[str, str], user_home: str, more_time: Callable[[], None]
) -> Answer | None:
    home = engram_home(env, user_home)
    if heard.event in speaker.FORGETS:
        from engram.app import seen  # noqa: PLC0415

        seen.forget(seen.folder_in(home), heard.session)
    if heard.event != TURN_END or TURN_END not in speaker.NOTICES or not _claimed(home, heard):
        return None
    more_time()
    from engram.app.approving import shown  # noqa: PLC0415 - a plan waits, which is rare

    return Answer(line_of(heard, speaker, notice=shown(heard, context_of(heard, env, user_home))))


def _judged(heard: Heard, speaker: Speaker, context: Context) -> Answer | None:
    from engram.app.guarding import judged  # noqa: PLC0415 - the command names something of ours, which is rare

    verdict = judged(heard, context)
    if verdict is None or (verdict.decision != "deny" and not _claimed(context.engram_home, heard)):
        return None  # two refusals of one call hurt nobody, two questions would
    return Answer(line_of(heard, speaker, verdict=verdict))


def _asked(heard: Heard, speaker: Speaker, env: Mapping[str, str], user_home: str) -> Answer | None:
    """Answers a session's start or a prompt."""
    home = engram_home(env, user_home)
    if heard.event == START and speaker.OPENS != START:
        return _started(heard, speaker, home)
    if speaker.spoken(heard.host, heard.event, "something", "", None) is None:
        return None
    opens = heard.event == speaker.OPENS and (heard.event == START or _unopened(home, heard))
    shown = heard.event == PROMPT and TURN_END in speaker.NOTICES and holds(home, "shown")
    idle = heard.event == PROMPT and _says_nothing(heard.prompt)
    if (idle and not (shown or opens)) or not _claimed(home, heard):
        return None
    if shown:
        from engram.app.approving import answered  # noqa: PLC0415 - a plan was shown, which is rare

        words = answered(heard, context_of(heard, env, user_home))
        if words or (idle and not opens):  # an answer to a plan asks memory nothing, and nothing may come in its way
            return Answer(line_of(heard, speaker, words)) if words else None
    if len(heard.prompt) > LONGEST_PROMPT:
        half = LONGEST_PROMPT // 2
        heard.prompt = f"{heard.prompt[:half]}\n{heard.prompt[-half:]}"
    from engram.app.answering import answer  # noqa: PLC0415 - an acknowledgement needs none of it

    context = context_of(heard, env, user_home)
    greeting = (lambda: _greeting(heard, speaker, home)) if heard.event == START else str
    asks = heard.event == PROMPT and not idle
    return answer(heard, speaker, context, opens=opens, asks=asks, notice=greeting, refresh_seconds=REFRESH_SECONDS)


def _started(heard: Heard, speaker: Speaker, home: str) -> Answer | None:
    """Answers a session's start in an agent that is given what a session opens with at the next prompt."""
    from engram.app import seen  # noqa: PLC0415 - other events need none of it

    if not _claimed(home, heard):
        return None
    if heard.source in FORGETTING:
        seen.forget(seen.folder_in(home), heard.session)
    seen.close(seen.folder_in(home), heard.session)
    return Answer(line_of(heard, speaker, notice=_greeting(heard, speaker, home)))


def _unopened(home: str, heard: Heard) -> bool:
    from engram.app import seen  # noqa: PLC0415 - one agent's prompt alone

    return not seen.opened(seen.folder_in(home), heard.session)


def _greeting(heard: Heard, speaker: Speaker, home: str) -> str:
    """Returns the banner where this is the first session that can show it to somebody."""
    if START not in speaker.NOTICES or heard.attended is False:
        return ""
    from engram.app.greeting import greeting  # noqa: PLC0415 - once per start

    return greeting(home)


def _says_nothing(prompt: str) -> bool:
    from engram.recall.prompts import is_acknowledgement  # noqa: PLC0415 - other events need none of it

    return is_acknowledgement(prompt)


def _claimed(home: str, heard: Heard) -> bool:
    from engram.app.once import claimed  # noqa: PLC0415 - silence needs no marker

    return claimed(home, heard)

"""Approval in the conversation: the person is shown a plan at the end of a turn, and their next prompt decides.

This is the door's bell on the hot path: one look at the disk where nothing was shown and nothing waits. What a plan is
shown and approved with stands in ``app.showing``, which is imported only then.

Only Claude Code gives the evidence that this rests on: what a hook displays to the person whole and not to the model
alone, whether somebody sits there, an id for each prompt, and a transcript that tells typed from sent. In every other
client the channel is off (docs/threat-model.md).
"""

from __future__ import annotations

import os

from engram.model.event import PROMPT, TURN_END
from engram.queue import id_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engram.app.context import Context
    from engram.capture.heard import Heard

HOSTS = ("claude-code",)


def answered(heard: Heard, context: Context) -> str:
    """Returns words for the model where a prompt answers what was shown; "" where it doesn't."""
    if heard.event != PROMPT or not _has_channel(heard):
        return ""
    folder, id_ = context.folder("shown"), id_of(heard.host, heard.session)
    if not os.path.exists(os.path.join(folder, f"{id_}.json")):
        return ""
    from engram.app.showing import decided  # noqa: PLC0415 - nothing was shown, as a rule

    return decided(heard, context, id_)


def shown(heard: Heard, context: Context) -> str:
    """Returns what a person is shown at a turn's end, "" for nothing; an answer to it counts from now on.

    A plan is shown once in a session, at the first end of a turn after it was proposed; where another hook makes the
    agent go on, that was it, and the answer still has to come under a new prompt's id.
    """
    if heard.event != TURN_END or not _has_channel(heard) or heard.attended is not True or not heard.turn:
        return ""
    if not waits(context):
        return ""
    from engram.app.showing import displayed  # noqa: PLC0415 - nothing waits, as a rule

    return displayed(heard, context, id_of(heard.host, heard.session))


def waits(context: Context) -> bool:
    """Tells whether any plan waits: then a turn's end may take as long as planning takes (``SECONDS``)."""
    try:
        with os.scandir(context.folder("review")) as entries:
            return any(one.name.endswith(".json") for one in entries)
    except OSError:
        return False


SECONDS = 8.0
"""What planning anew may take where something waits, at a turn's end or before the command that commits."""


def _has_channel(heard: Heard) -> bool:
    return heard.host in HOSTS and heard.session != ""

"""What memory answers to a hook: the notes for a prompt, or what a session opens with.

On the hot path of the prompt hook: little is imported, and nothing that a prompt doesn't need.
"""

from __future__ import annotations

import os
from datetime import UTC, datetime
from time import monotonic

from engram.app import recalling, seen
from engram.app.context import Context
from engram.capture.asked import FORGETTING, PROMPT
from engram.capture.faults import note_fault
from engram.index import embed
from engram.model.secret_signs import may_hold_secret
from engram.model.wire import quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from engram.app.recalling import Hit, Source
    from engram.capture.asked import Asked
    from engram.index.embed import Embedder
    from engram.recall.packet import Item, Mask, Packet

MOST_HITS = 8
"""Notes that a prompt may bring, stubs included."""
BELOW = 3
"""Notes below the floor that the log of recalls keeps for `engram recall --last`."""
LONGEST_SHOWN = 160
LONGEST_NAME = 200


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


def answer(asked: Asked, env: Mapping[str, str], user_home: str, *, refresh_seconds: float) -> Answer:
    """Returns the answer to what a session asks of memory. Raises whatever goes wrong beyond a single store."""
    started = monotonic()
    context = Context(env=env, home=user_home, cwd=asked.cwd or user_home, now=lambda: datetime.now(UTC))
    places = recalling.places(context)
    if asked.event != PROMPT:
        return _opening(context, asked, places, refresh_seconds)
    if not places:
        return Answer()
    log = _log(context)
    embedder, _ = embed.choose(context.folder("models"), context.settings().embedder, env, hook=True)
    sources = recalling.opened(context, places, embedder=embedder, seconds=refresh_seconds, log=log)
    try:
        return _recalled(context, asked, sources, embedder, log, started)
    finally:
        for source in sources:
            source.close()


def _recalled(
    context: Context,
    asked: Asked,
    sources: Sequence[Source],
    embedder: Embedder | None,
    log: Callable[[str], None],
    started: float,
) -> Answer:
    now = f"{context.now():%Y-%m-%dT%H:%M:%SZ}"
    hits = recalling.search(
        sources,
        asked.prompt,
        embedder,
        now=now,
        env=context.env,
        serves=recalling.unasked,
        log=log,
    )
    from engram.recall.packet import packet  # noqa: PLC0415 - the search comes first, and its deadline

    brought = [hit for hit in hits if hit.over][:MOST_HITS]
    mask = mask_of(sources)
    made = packet(
        [hit.item for hit in brought],
        budget=min((source.settings.recall_token_budget for source in sources), default=0),
        seen=seen.served(seen.folder_in(context.engram_home), asked.session),
        linked=_linked(brought, now[:10]),
        mask=mask,
    )
    below = [hit for hit in hits if not hit.over][:BELOW]
    entry = _entry(asked, now, made, brought, below, embedder, mask, started)
    return _answered(context, asked, made, entry)


def _opening(context: Context, asked: Asked, places: Sequence[recalling.Place], seconds: float) -> Answer:
    folder = seen.folder_in(context.engram_home)
    if asked.source in FORGETTING:
        seen.forget(folder, asked.session)
    if not os.path.isdir(context.engram_home) and not places:
        return Answer()
    from engram.app.opening import opening_of  # noqa: PLC0415 - a prompt needs none of it

    sources = recalling.opened(context, places, seconds=seconds, log=_log(context))
    try:
        made = opening_of(context, sources, seen.served(folder, asked.session), mask_of(sources))
    finally:
        for source in sources:
            source.close()
    seen.sweep(folder)
    return _answered(context, asked, made, None)


def _answered(context: Context, asked: Asked, made: Packet, entry: Mapping[str, object] | None) -> Answer:
    inner = {"hookEventName": asked.event, "additionalContext": made.text}
    served = [(item.base, how, item.key) for how, item in made.items]

    def remember() -> None:
        seen.serve(seen.folder_in(context.engram_home), asked.session, served)
        if entry is not None:
            seen.note_recall(context.engram_home, entry)

    return Answer(quoted({"hookSpecificOutput": inner}) if made.text else "", remember)


def mask_of(sources: Sequence[Source]) -> Mask:
    """Returns what takes the secrets out of a text: those of engram's own rules and of the user's patterns."""
    extra = tuple(dict.fromkeys(each for source in sources for each in source.settings.redaction_patterns_extra))

    def mask(text: str) -> str:
        if not extra and not may_hold_secret(text):
            return text
        from engram.model.secrets import masked  # noqa: PLC0415 - most texts hold nothing that could be one

        return masked(text, extra)

    return mask


def _linked(brought: Sequence[Hit], today: str) -> list[Item]:
    found: list[Item] = []
    for source in dict.fromkeys(hit.source for hit in brought):
        ids = [hit.row.id for hit in brought if hit.source is source]
        found += recalling.linked_items(source, ids, today)
    return found


def _entry(
    asked: Asked,
    now: str,
    made: Packet,
    brought: Sequence[Hit],
    below: Sequence[Hit],
    embedder: Embedder | None,
    mask: Mask,
    started: float,
) -> dict[str, object]:
    """Returns a line for the log of recalls. The prompt is shortened, and secrets are taken out of it."""
    from engram.recall.packet import beginning  # noqa: PLC0415 - loaded with the packet

    came = {item.key: how for how, item in made.items}
    shown = mask(" ".join(beginning(asked.prompt, LONGEST_SHOWN * 4).split()))
    return {
        "at": now,
        "session": asked.session,
        "prompt": shown if len(shown) <= LONGEST_SHOWN else f"{shown[:LONGEST_SHOWN]}…",
        "embedder": "" if embedder is None else embedder.id,
        "tokens": made.tokens,
        "milliseconds": round((monotonic() - started) * 1000),
        "notes": [_line(hit, came.get(hit.item.key, "served before"), mask) for hit in brought],
        "below": [_line(hit, "below the floor", mask) for hit in below],
    }


def _line(hit: Hit, how: str, mask: Mask) -> dict[str, object]:
    return {
        "name": mask(hit.row.name[:LONGEST_NAME]),
        "path": mask(hit.row.path),
        "store": hit.source.place.root,
        "how": how,
        "relevance": round(hit.ranked.relevance, 4),
        "floor": round(hit.floor, 4),
        "score": round(hit.ranked.score, 4),
    }


def _log(context: Context) -> Callable[[str], None]:
    return lambda line: note_fault(context.engram_home, "hook", line)

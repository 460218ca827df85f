"""What memory answers to a hook: the notes for a prompt, or what a session opens with.

On the hot path of the prompt hook: little is imported, and nothing that a prompt doesn't need.
"""

from __future__ import annotations

import os
from time import monotonic

from engram.app import recalling, seen
from engram.app.events import Answer, line_of
from engram.capture.faults import note_fault
from engram.capture.heard import FORGETTING
from engram.index import embed
from engram.model.event import PROMPT
from engram.model.secret_signs import may_hold_secret

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from engram.adapters import Speaker
    from engram.app.context import Context
    from engram.app.recalling import Hit, Source
    from engram.capture.heard import Heard
    from engram.index.embed import Embedder
    from engram.recall.packet import Item, Mask, Packet, Seen

MOST_HITS = 8
"""Notes that a prompt may bring, stubs included."""
BELOW = 3
"""Notes below the floor that the log of recalls keeps for `engram recall --last`."""
_BETWEEN = "\n\n"
LONGEST_SHOWN = 160
LONGEST_NAME = 200


def answer(
    heard: Heard,
    speaker: Speaker,
    context: Context,
    *,
    opens: bool,
    asks: bool,
    notice: Callable[[], str] = str,
    refresh_seconds: float,
) -> Answer:
    """Returns the answer to what a session asks of memory. Raises whatever goes wrong beyond a single store.

    ``opens``: the session is given what it opens with; ``asks``: there is a prompt to find notes for. Both may be, and
    together stay under the host's limit. ``notice`` gives what the person is told; it is called last, when nothing can
    come in between any more.
    """
    started = monotonic()
    places = recalling.places(context)
    folder = seen.folder_in(context.engram_home)
    texts: list[str] = []
    served: list[tuple[str, str, str]] = []
    entry: dict[str, object] | None = None
    if opens:
        opening = _opening(context, heard, places, speaker.LIMIT, refresh_seconds)
        texts.append(opening.text)
        served += [(item.base, how, item.key) for how, item in opening.items]
    if asks:
        known = seen.served(folder, heard.session) | {key: (base, how) for base, how, key in served}
        limit = speaker.LIMIT - sum(len(text.encode("utf-8", "replace")) + len(_BETWEEN) for text in texts)
        made, entry = _recalled(context, heard, places, known, limit, refresh_seconds, started)
        texts.append(made.text)
        served += [(item.base, how, item.key) for how, item in made.items]

    def remember() -> None:
        seen.serve(folder, heard.session, served)
        if opens and heard.event == PROMPT:
            seen.open_(folder, heard.session)
        if entry is not None:
            seen.note_recall(context.engram_home, entry)

    return Answer(line_of(heard, speaker, _BETWEEN.join(filter(None, texts)), notice()), remember)


def _recalled(
    context: Context,
    heard: Heard,
    places: Sequence[recalling.Place],
    known: Seen,
    limit: int,
    seconds: float,
    started: float,
) -> tuple[Packet, dict[str, object] | None]:
    """Returns the notes for a prompt, and the line about them for the log of recalls."""
    from engram.recall.packet import EMPTY, packet  # noqa: PLC0415 - loaded with the search

    if not places:
        return EMPTY, None
    log = _log(context)
    embedder, _ = embed.choose(context.folder("models"), context.settings().embedder, context.env, hook=True)
    sources = recalling.opened(context, places, embedder=embedder, seconds=seconds, log=log)
    now = f"{context.now():%Y-%m-%dT%H:%M:%SZ}"
    try:
        hits = recalling.search(
            sources, heard.prompt, embedder, now=now, env=context.env, serves=recalling.unasked, log=log
        )
        brought = [hit for hit in hits if hit.over][:MOST_HITS]
        mask = mask_of(sources)
        items, linked = [hit.item for hit in brought], _linked(brought, now[:10])
        budget = min((source.settings.recall_token_budget for source in sources), default=0)
        made = _within(
            limit,
            lambda chars: packet(items, budget=budget, seen=known, linked=linked, mask=mask, chars=chars),
        )
        below = [hit for hit in hits if not hit.over][:BELOW]
        return made, _entry(heard, now, made, brought, below, embedder, mask, started)
    finally:
        for source in sources:
            source.close()


def _opening(context: Context, heard: Heard, places: Sequence[recalling.Place], limit: int, seconds: float) -> Packet:
    from engram.recall.packet import EMPTY  # noqa: PLC0415 - a prompt's search comes first

    folder = seen.folder_in(context.engram_home)
    if heard.source in FORGETTING:
        seen.forget(folder, heard.session)
    if not os.path.isdir(context.engram_home) and not places:
        return EMPTY
    from engram.app import once  # noqa: PLC0415
    from engram.app.opening import opening_of  # noqa: PLC0415 - a prompt needs none of it

    sources = recalling.opened(context, places, seconds=seconds, log=_log(context))
    try:
        known, mask = seen.served(folder, heard.session), mask_of(sources)
        made = _within(limit, lambda chars: opening_of(context, sources, known, mask, chars=chars))
    finally:
        for source in sources:
            source.close()
    seen.sweep(folder)
    seen.sweep(folder, seen.OPENED)
    seen.sweep(once.folder_in(context.engram_home), once.SUFFIX, days=1)
    return made


def _within(limit: int, make: Callable[[int], Packet]) -> Packet:
    """Returns what is made with as many characters as give no more than ``limit`` bytes. One has four bytes at most."""
    from engram.recall.packet import EMPTY, MOST_CHARS  # noqa: PLC0415 - loaded by then

    chars = min(MOST_CHARS, limit)
    while chars > 0:
        made = make(chars)
        if len(made.text.encode("utf-8", "replace")) <= limit:
            return made
        chars //= 2
    return EMPTY


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
    heard: Heard,
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
    shown = mask(" ".join(beginning(heard.prompt, LONGEST_SHOWN * 4).split()))
    return {
        "at": now,
        "session": heard.session,
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

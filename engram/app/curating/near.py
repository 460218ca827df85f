"""The notes nearest to a session, as a curator needs them: name, description, body, and `base`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from engram.app import recalling
from engram.app.asking import SECONDS, held
from engram.app.context import Context
from engram.app.recalling import Hit, Place
from engram.index import embed
from engram.model.tokens import middle_out, tokens_of

MOST = 20
TOKENS = 6000
"""What all of them together may take of the prompt."""
_QUERIES = 30
"""Texts of a session that are searched for: the person's words and what the agent concluded."""
_LONGEST_QUERY = 600
_LONGEST_BODY = 6000
_LEAST = 0.15
"""The relevance below which a note has nothing to do with the session."""

_ENTRY = re.compile(r"^\[[ua]\d+\] ((?:.*)(?:\n {6}.*)*)", re.MULTILINE)
"""An entry of a digest: the person's words, or the assistant's; further lines are indented."""


def neighbours(
    context: Context, places: Sequence[Place], digest: str, mask: Callable[[str], str]
) -> list[Mapping[str, object]]:
    """Returns the notes of some stores that have to do with a session, the nearest first, within their room."""
    embedder, _ = embed.choose(context.folder("models"), context.settings().embedder, context.env, hook=False)
    sources = recalling.opened(context, places, embedder=embedder, seconds=SECONDS)
    best: dict[tuple[str, str], Hit] = {}
    try:
        for query in _queries(digest):
            now = f"{context.now():%Y-%m-%dT%H:%M:%SZ}"
            for hit in recalling.search(sources, query, embedder, now=now, env=context.env, serves=held):
                key = (hit.source.place.root, hit.row.path)
                known = best.get(key)
                if hit.ranked.relevance >= max(_LEAST, known.ranked.relevance if known else 0):
                    best[key] = hit
        found = sorted(best.values(), key=lambda hit: -hit.ranked.relevance)[:MOST]
        return list(_within([_row(hit, mask) for hit in found]))
    finally:
        for source in sources:
            source.close()


def _queries(digest: str) -> list[str]:
    """Returns what is searched for, the person's own last words among it."""
    texts = [" ".join(match[1].split())[:_LONGEST_QUERY] for match in _ENTRY.finditer(digest)]
    return list(dict.fromkeys(texts))[-_QUERIES:]


def _row(hit: Hit, mask: Callable[[str], str]) -> Mapping[str, object]:
    item = hit.item
    return {
        "name": mask(item.name),
        "path": mask(item.path),
        "scope": item.scope,
        "type": item.kind,
        "status": item.status,
        "description": mask(item.description),
        "base": item.base,
        "body": middle_out(mask(item.body), _LONGEST_BODY),
    }


def _within(rows: Sequence[Mapping[str, object]]) -> Iterator[Mapping[str, object]]:
    """Yields rows while there is room; one that is too long comes without its body."""
    room = TOKENS
    for row in rows:
        for one in (row, {**row, "body": "left out for length: propose no edit of it"}):
            cost = sum(tokens_of(str(value)) for value in one.values()) + 20
            if cost <= room:
                room -= cost
                yield one
                break

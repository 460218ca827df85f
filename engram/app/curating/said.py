"""A changeset from what an agent said: found among words and fences, and given its session's name. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engram.curate.validate import validate
from engram.errors import ChangesetInvalid
from engram.model.change import ChangeSet

LONGEST = 2_000_000
"""Characters of an answer that are looked at; a changeset that is worth a look has far fewer."""
_TRIES = 500
"""Brackets of an answer that may prove not to be the beginning of its JSON; each try is linear."""
_NOTHING = re.compile(r"\[\s*\][\s`.]*\Z")
"""An empty list that ends an answer. One in its middle says nothing: errors and code have such."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """Is from which session a changeset was drawn, by whom, and where it may belong."""

    session: str
    agent: str
    scopes: tuple[str, ...]
    """The stores that there are, the first being the default; () where ``--dir`` names the only one."""


def changesets(text: str, drawn: Drawn, schema: Mapping[str, Any]) -> tuple[str, ...]:
    """Returns the changesets of an answer, as JSON that can be proposed; () where the session teaches nothing.

    Whatever the answer says, each names the agent that was asked, this one session, and a store that is there.
    Raises ChangesetInvalid with what is wrong with it.
    """
    found = _found(text)
    made = []
    for number, (source, value) in enumerate(found):
        try:
            _refuse(validate(source, schema), value, drawn)
        except ChangesetInvalid as error:
            where = f"$[{number}]" if len(found) > 1 else "$"
            raise ChangesetInvalid([(where + path[1:], words) for path, words in error.problems]) from None
        own: dict[str, Any] = {"agent": drawn.agent, "sessions": [drawn.session]}
        if drawn.scopes:
            own["scope"] = value.get("scope") or drawn.scopes[0]
        made.append({**{name: kept for name, kept in value.items() if name != "scope"}, **own})
    if len({one.get("scope") for one in made}) < len(made):
        raise ChangesetInvalid([("$", "two changesets for one store; make them one, or give each its `scope`")])
    return tuple(json.dumps(one, ensure_ascii=False, indent=1) for one in made)


def _refuse(changeset: ChangeSet, value: Mapping[str, Any], drawn: Drawn) -> None:
    """Raises ChangesetInvalid for a store that isn't there, and for evidence of sessions that weren't shown."""
    problems = []
    if drawn.scopes and value.get("scope", drawn.scopes[0]) not in drawn.scopes:
        known = " or ".join(f"`{scope}`" for scope in drawn.scopes)
        problems.append(("$.scope", f"there is no such store here; it can be {known}"))
    for index, change in enumerate(changeset.changes):
        for number, one in enumerate(change.evidence):
            if one.session != drawn.session:
                place = f"$.changes[{index}].evidence[{number}].session"
                problems.append((place, f"must be the session that was read, {drawn.session}"))
    if problems:
        raise ChangesetInvalid(problems)


def _found(text: str) -> Sequence[tuple[str, dict[str, Any]]]:
    """Returns the changesets of an answer as text and value: its last JSON value that is one, or a list of some.

    Raises ChangesetInvalid where there is none. An empty list counts in an answer alone that begins no changeset: a
    broken one has empty lists in it.
    """
    text = text[:LONGEST]
    values = list(_values(text))
    for source, value in reversed(values):
        rows = value if isinstance(value, list) else [value]
        if rows and all(isinstance(one, dict) and "changes" in one for one in rows):
            alone = len(rows) == 1 and isinstance(value, dict)
            written = [(source if alone else json.dumps(one, ensure_ascii=False), one) for one in rows]
            return [pair for pair in written if pair[1]["changes"] != []]
    if '"changes"' in text:
        return [(text[max(text.find("{"), 0) : text.rfind("}") + 1], {})]  # what is wrong with it, validation tells
    if _NOTHING.search(text):
        return []
    raise ChangesetInvalid([("$", "the answer holds no changeset: no JSON object with `changes`, and no empty list")])


def _values(text: str) -> Iterator[tuple[str, Any]]:
    """Yields the outermost JSON objects and lists of a text, with the text of each."""
    decoder = json.JSONDecoder()
    place = 0
    failures = 0
    while failures < _TRIES:
        starts = [at for at in (text.find("{", place), text.find("[", place)) if at >= 0]
        if not starts:
            return
        start = min(starts)
        try:
            value, place = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            place = start + 1
            failures += 1
        else:
            yield text[start:place], value

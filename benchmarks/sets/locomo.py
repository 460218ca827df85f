"""LoCoMo, conversations 1 to 3: each observed fact, or each turn, is a note; a question must find its evidence."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from benchmarks.sets import Bench, Question, Store, note

_TURN = re.compile(r"D\d+:\d+")


def locomo(corpus: Path, quick: bool) -> list[Bench]:
    """Returns two sets; questions of category 5 (about what was never said) are left out, as is usual."""
    talks = json.loads((corpus / "bench" / "locomo-1to3.json").read_text(encoding="utf-8"))
    facts = tuple(_facts(talk) for talk in talks)
    if quick:
        return [Bench("locomo facts", facts)]
    return [Bench("locomo facts", facts), Bench("locomo turns", tuple(_turns(talk) for talk in talks))]


def _facts(talk: dict[str, Any]) -> Store:
    notes, holders = [], {}
    for session in talk["observation"].values():
        for said in session.values():
            for text, turns in said:
                path = f"o{len(notes)}.md"
                notes.append(note(path, body=text))
                for turn in _TURN.findall(str(turns)):
                    holders.setdefault(turn, set()).add(path)
    return Store(talk["sample_id"], tuple(notes), _questions(talk, holders))


def _turns(talk: dict[str, Any]) -> Store:
    notes, holders = [], {}
    for key, session in talk["conversation"].items():
        if re.fullmatch(r"session_\d+", key):
            for turn in session:
                path = f"t{len(notes)}.md"
                shows = f" [{turn['blip_caption']}]" if turn.get("blip_caption") else ""
                notes.append(note(path, body=f"{turn['speaker']}: {turn['text']}{shows}"))
                holders[turn["dia_id"]] = {path}
    return Store(talk["sample_id"], tuple(notes), _questions(talk, holders))


def _questions(talk: dict[str, Any], holders: dict[str, set[str]]) -> tuple[Question, ...]:
    found = []
    for asked in talk["qa"]:
        turns = _TURN.findall(" ".join(asked.get("evidence", ())))
        gold = frozenset(path for turn in turns for path in holders.get(turn, ()))
        if asked["category"] != 5 and gold:
            found.append(Question(asked["question"], gold, f"category {asked['category']}"))
    return tuple(found)

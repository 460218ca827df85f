"""paraphrase-60: 60 short notes and questions in other words, some across Russian and English.

A development set: the formula of relevance was chosen on it among others, so that its figures are slightly better than
those of new questions.
"""

from __future__ import annotations

import json
from pathlib import Path

from benchmarks.sets import Bench, Question, Store, note


def paraphrase(corpus: Path, _quick: bool) -> list[Bench]:
    """Returns the set; questions without an answer are of kind ``off``."""
    data = json.loads((corpus / "bench" / "paraphrase-60.json").read_text(encoding="utf-8"))
    notes = tuple(
        note(f"{one['id']}.md", name=one["name"], description=one["description"], body=one["body"])
        for one in data["notes"]
    )
    questions = tuple(
        Question(one["q"], frozenset([f"{one['gold']}.md"] if one["gold"] else []), one["kind"])
        for one in data["queries"]
    )
    return [Bench("paraphrase-60", (Store("paraphrase", notes, questions),), "development set")]

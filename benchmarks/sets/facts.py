"""FactConsolidation: short facts, later ones supersede earlier ones; a new fact must find the one it supersedes."""

from __future__ import annotations

import json
import re
from pathlib import Path

from benchmarks.sets import Bench, Question, Store, note

_JOINTS = frozenset(("to", "of", "by", "in", "on", "with", "as", "is", "at", "from"))


def facts(corpus: Path, quick: bool) -> list[Bench]:
    """Returns the small set, and the large one unless it has to be quick.

    A pair is two facts that share all words up to where they part, if they part after ``is`` (``The capital of X
    is``) or, for other sentences, after a preposition (``X was born in the city of``).
    """
    data = json.loads((corpus / "bench" / "factconsolidation-6k-32k.json").read_text(encoding="utf-8"))
    texts = sorted({one["context"] for one in data}, key=len)
    stores = [_store(text) for text in (texts[:1] if quick else texts)]
    return [Bench("superseded facts", tuple(stores), "neighbour search")]


def _store(text: str) -> Store:
    lines = [line.split(". ", 1)[1].strip() for line in text.splitlines() if re.match(r"\d+\. ", line)]
    found: dict[str, int] = {}
    notes, questions = [], []
    for at, line in enumerate(lines):
        notes.append(note(f"f{at}.md", body=line))
        words = line.split()
        for many in range(len(words) - 1, 2, -1):
            start = " ".join(words[:many])
            last = words[many - 1]
            if last not in _JOINTS or (words[0] == "The" and last != "is"):
                continue
            if start in found and lines[found[start]] != line:
                questions.append(Question(line, frozenset([f"f{found[start]}.md"]), "superseded", f"f{at}.md"))
                break
        for many in range(3, len(words)):
            if words[many - 1] in _JOINTS and not (words[0] == "The" and words[many - 1] != "is"):
                found[" ".join(words[:many])] = at
    return Store(f"facts-{len(lines)}", tuple(notes), tuple(questions[:300]))

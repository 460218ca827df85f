"""A slice of LongMemEval-S: whole sessions of several kB as notes, questions about a detail in one of them."""

from __future__ import annotations

import json
from pathlib import Path

from benchmarks.sets import Bench, Question, Store, note


def longmemeval(corpus: Path, _quick: bool) -> list[Bench]:
    """Returns the set: 82 sessions, 16 questions."""
    folder = corpus / "bench" / "longmemeval-s-slice" / "processed"
    sessions = [json.loads(line) for line in (folder / "sessions.jsonl").read_text(encoding="utf-8").splitlines()]
    asked = [json.loads(line) for line in (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines()]
    notes = tuple(
        note(f"{session['id']}.md", body="\n\n".join(f"{turn['role']}: {turn['content']}" for turn in session["turns"]))
        for session in sessions
    )
    questions = tuple(
        Question(one["question"], frozenset(f"{key}.md" for key in one["ground_truth"]["supporting_session_ids"]))
        for one in asked
    )
    return [Bench("longmemeval slice", (Store("longmemeval", notes, questions),), "16 questions: ±11 points")]

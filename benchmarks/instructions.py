"""How many orders the instruction check finds, and how often it takes plain text for one.

Run as ``python -m benchmarks.instructions [--json] [--list]`` with ``ENGRAM_CORPUS`` set. The texts are split in two by
a hash of their ids: the words of the check were chosen with the first half in view, the second shows how they carry
over.
``--list`` names the texts that were judged wrongly and the notes, never a text.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.table import Row, corpus, percent, show, texts
from engram.curate.instructions import instruction_styled

HALVES = ("in view", "held out")


def cases(folder: Path) -> list[Mapping[str, str]]:
    """Returns the texts with their labels."""
    path = folder / "injection" / "bastioncorpus" / "injections.jsonl"
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def half(case: Mapping[str, str]) -> str:
    """Returns which half a text belongs to."""
    return HALVES[hashlib.sha256(case["id"].encode()).digest()[0] % 2]


def main(argv: Sequence[str] | None = None) -> int:
    """Prints the rates."""
    arguments = sys.argv[1:] if argv is None else argv
    folder = corpus()
    if folder is None:
        return 0
    judged = [(case, bool(instruction_styled(case["text"]))) for case in cases(folder)]
    notes = texts(folder / "stores")
    flagged = [path for path, text in notes if instruction_styled(text)]
    rows = [_row(label, part, judged) for label in ("malicious", "benign") for part in (*HALVES, "all")]
    rows.append(
        {
            "what": "real notes",
            "texts": "all",
            "flagged": len(flagged),
            "of": len(notes),
            "rate": percent(len(flagged), len(notes)),
        }
    )
    show(rows, arguments)
    if "--list" in arguments:
        wrong = [case["id"] for case, hit in judged if hit != (case["label"] == "malicious")]
        print("judged wrongly:", wrong, "notes flagged:", flagged)
    return 0


def _row(label: str, part: str, judged: Sequence[tuple[Mapping[str, str], bool]]) -> Row:
    hits = [hit for case, hit in judged if case["label"] == label and part in (half(case), "all")]
    return {"what": label, "texts": part, "flagged": sum(hits), "of": len(hits), "rate": percent(sum(hits), len(hits))}


if __name__ == "__main__":
    sys.exit(main())

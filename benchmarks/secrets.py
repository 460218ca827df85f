"""How many secrets the scan finds, and how often it cries wolf: on gitleaks' own cases and on real notes.

Run as ``python -m benchmarks.secrets [--json] [--list]`` with ``ENGRAM_CORPUS`` set. gitleaks gives, rule by rule,
texts that the rule must find and texts that it must not; a text of the second kind may well be a key of another rule,
so that its false alarms are an upper bound. ``--list`` names the rules of misses and alarms and the notes, never a
text.
Fails where fewer than 30 of 33 are found or more than one note in 200 would be refused.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from benchmarks.table import Row, corpus, percent, show, texts
from engram.model.secrets import scan

LEAST_FOUND = 30 / 33
MOST_REFUSED = 1 / 200


def cases(folder: Path) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Returns gitleaks' positives and negatives as pairs of rule and text."""
    rules = json.loads((folder / "secrets" / "gitleaks" / "rule_cases.json").read_text(encoding="utf-8"))
    return (
        [(rule["rule"], text) for rule in rules for text in rule["true_positive_literals"]],
        [(rule["rule"], text) for rule in rules for text in rule["false_positives"]],
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Prints the rates; returns 1 where one is worse than promised."""
    arguments = sys.argv[1:] if argv is None else argv
    folder = corpus()
    if folder is None:
        return 0
    positives, negatives = cases(folder)
    notes = texts(folder / "stores")
    missed = [rule for rule, text in positives if not scan(text)]
    alarmed = [rule for rule, text in negatives if scan(text)]
    refused = [path for path, text in notes if scan(text)]
    show([_row("gitleaks: secrets found", len(positives) - len(missed), len(positives)),
          _row("gitleaks: false alarms", len(alarmed), len(negatives)),
          _row("real notes: refused", len(refused), len(notes))], arguments)  # fmt: skip
    if "--list" in arguments:
        print("missed:", dict(Counter(missed)), "alarms:", dict(Counter(alarmed)), "refused:", refused)
    good = len(positives) - len(missed) >= LEAST_FOUND * len(positives) and len(refused) <= MOST_REFUSED * len(notes)
    return 0 if good else 1


def _row(what: str, part: int, whole: int) -> Row:
    return {"what": what, "hits": part, "of": whole, "rate": percent(part, whole)}


if __name__ == "__main__":
    sys.exit(main())

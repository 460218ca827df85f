"""Writes ``engram/index/talk_words.py``, the words of the shipped everyday prompts, after these were changed.

Run as ``python -m benchmarks.talk_words``.
"""

from __future__ import annotations

import sys
import textwrap
from pathlib import Path

TARGET = Path(__file__).resolve().parent.parent / "engram" / "index" / "talk_words.py"


def text() -> str:
    """Returns what the module has to be for the prompts as they are."""
    from engram.index.calibrate import everyday  # noqa: PLC0415
    from engram.index.talk import times  # noqa: PLC0415
    from engram.index.terms import query_terms  # noqa: PLC0415

    prompts = [query_terms(prompt) for kind in everyday().values() for prompt in kind]
    by_times: dict[int, list[str]] = {}
    for term, many in times(prompts).items():
        by_times.setdefault(many, []).append(term)
    lines = []
    for many, terms in sorted(by_times.items(), reverse=True):
        lines += textwrap.wrap(f"{many}: {' '.join(terms)}", 118, break_long_words=False)
    words = "\n".join(lines)
    return f'''"""The terms of everyday prompts, by how many others have them. Made by ``benchmarks/talk_words.py``."""

from __future__ import annotations

# ruff: noqa: E501 - tables of words

PROMPTS = {len(prompts)}

_WORDS = """
{words}
"""


def _read() -> dict[str, int]:
    found, many = {{}}, 0
    for word in _WORDS.split():
        if word[-1] == ":":
            many = int(word[:-1])
        else:
            found[word] = many
    return found


TIMES = _read()
"""Terms and in how many prompts besides one they stand."""
'''


def main() -> int:
    """Writes the module."""
    if not TARGET.exists():
        TARGET.write_text("PROMPTS, TIMES = 1, {}\n", encoding="utf-8")
    TARGET.write_text(text(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Tables for a terminal, and the same rows for a machine."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

Row = Mapping[str, str | int | float]


def shown(rows: Sequence[Row]) -> str:
    """Returns rows as a table, columns by the keys of the first one; numbers to the right."""
    heads = list(rows[0]) if rows else []
    cells = [heads, *([_cell(row.get(head, "")) for head in heads] for row in rows)]
    widths = [max(len(line[place]) for line in cells) for place in range(len(heads))]
    right = [all(isinstance(row.get(head, 0), int | float) for row in rows) for head in heads]
    lines = [
        "  ".join(
            text.rjust(width) if to_right else text.ljust(width)
            for text, width, to_right in zip(line, widths, right, strict=True)
        ).rstrip()
        for line in cells
    ]
    return "\n".join([lines[0], "  ".join("-" * width for width in widths), *lines[1:]]) if rows else ""


def show(rows: Sequence[Row], argv: Sequence[str]) -> None:
    """Prints rows: as JSON where ``--json`` stands among the arguments, as a table otherwise."""
    print(json.dumps(list(rows), ensure_ascii=False, indent=2) if "--json" in argv else shown(rows))


def corpus() -> Path | None:
    """Returns the folder of real data that ``ENGRAM_CORPUS`` names; None, said on stderr, where there is none."""
    named = os.environ.get("ENGRAM_CORPUS", "")
    if named and Path(named).is_dir():
        return Path(named)
    print("NOT MEASURED: set ENGRAM_CORPUS to the corpus folder to run this", file=sys.stderr)
    return None


def texts(folder: Path) -> list[tuple[str, str]]:
    """Returns every note below a folder as pairs of path and text."""
    return [
        (path.relative_to(folder).as_posix(), path.read_bytes().decode("utf-8", "replace"))
        for path in sorted(folder.rglob("*.md"))
    ]


def percent(part: int, whole: int) -> str:
    """Returns a share in words: ``97.0 %``; ``-`` where there is no whole."""
    return f"{100 * part / whole:.1f} %" if whole else "-"


def _cell(value: str | int | float) -> str:
    return f"{value:.3f}" if isinstance(value, float) else str(value)

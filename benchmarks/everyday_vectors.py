"""Writes ``engram/index/everyday.i8``, the vectors of the shipped everyday prompts, after these were changed.

Run as ``python -m benchmarks.everyday_vectors``.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from engram.index.calibrate import everyday, packed
from engram.index.embed import choose

TARGET = Path(__file__).resolve().parent.parent / "engram" / "index" / "everyday.i8"


def main() -> int:
    """Writes the file; 1 where the default embedder can't be had."""
    with tempfile.TemporaryDirectory() as folder:
        embedder, reason = choose(folder, "use", {}, hook=False)
        if embedder is None:
            print(reason, file=sys.stderr)
            return 1
        prompts = [prompt for kind in everyday().values() for prompt in kind]
        TARGET.write_bytes(packed(prompts, embedder))
    print(f"{len(prompts)} prompts, {TARGET.stat().st_size:,} bytes: {TARGET.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

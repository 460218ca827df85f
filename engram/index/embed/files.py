"""Where the repacked model lies, and what lies in it: three flat files of a size that is known beforehand.

All numbers are little-endian. The shapes are those of the pinned package's weights, so nothing has to be parsed to load
them, and a truncated file is told by its size.

On the hot path of the prompt hook: the standard library alone, and little of it.
"""

from __future__ import annotations

import os

WEIGHTS = "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9"
"""SHA-256 of the pinned package's ``weights.npz``. Other weights give other vectors, so they are refused."""
PIECES = "994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9"
"""SHA-256 of its ``sp.model``."""
ID = f"use-multilingual-3-{WEIGHTS[:12]}"
FOLDER = f"{ID}.1"
"""The folder's name; the number at its end changes with the layout of the files."""

DIM = 512
CONV = 256
CHUNKS = 17
"""A row of the table belongs to chunk ``row % CHUNKS``, which has a scale and an offset of its own."""
ROWS = 7530 * CHUNKS
ORDERS = ((2, 0), (3, 1), (5, 2))
"""The n-gram branches: how many tokens a window holds, and how many of them lie left of its own token."""

TABLE, LAYERS, TOKENS, MANIFEST = "table.u8", "layers.f32", "tokens.bin", "manifest.json"

SHAPES: tuple[tuple[str, tuple[int, ...]], ...] = (
    ("scale", (CHUNKS,)),
    ("offset", (CHUNKS,)),
    ("project", (DIM, 3 * CONV)),
    ("project_bias", (3 * CONV,)),
    ("inner_gain", (3 * CONV,)),
    ("inner_bias", (3 * CONV,)),
    *(
        entry
        for size, _ in ORDERS
        for entry in (
            (f"first{size}", (CONV, size * CONV)),
            (f"first_bias{size}", (CONV,)),
            (f"second{size}", (CONV, size * CONV)),
            (f"second_bias{size}", (CONV,)),
        )
    ),
    ("outer_gain", (DIM + 3 * CONV,)),
    ("outer_bias", (DIM + 3 * CONV,)),
    ("pool", (DIM + 3 * CONV, DIM)),
    ("pool_bias", (DIM,)),
    ("d0", (512, 320)),
    ("d1", (320, 320)),
    ("d2", (320, 512)),
    ("d3", (512, 512)),
    ("p1", (512, 320)),
    ("p3", (320, 512)),
)
"""The float32 layers in their order. A branch's weights lie as (input, position in the window, output)."""
EPSILON = 9.999999960041972e-13
UNKNOWN_COST = -28.833036422729492
"""The score of a character that no piece covers: ten below the worst piece."""

PIECE_COUNT = 128_000
LONGEST_PIECE = 16
PARTS: tuple[tuple[str, str, int], ...] = (
    ("hashes", "<u8", PIECE_COUNT),
    ("ids", "<i4", PIECE_COUNT),
    ("scores", "<f4", PIECE_COUNT),
    ("units", "<u4", 44_288),
    ("replacements", "<u1", 60_386),
)
"""``tokens.bin``: pieces by hash, then the normaliser: its trie and the texts that the trie points into."""


def _layers_size() -> int:
    total = 0
    for _, shape in SHAPES:
        count = 1
        for side in shape:
            count *= side
        total += count
    return 4 * total


SIZES = {
    TABLE: ROWS * DIM,
    LAYERS: _layers_size(),
    TOKENS: sum(int(kind[2:]) * count for _, kind, count in PARTS),
}


def missing(models_dir: str) -> str:
    """Returns "" where the repacked model stands whole, by the sizes of its files; else what is amiss, in words."""
    folder = os.path.join(models_dir, FOLDER)
    for name, size in SIZES.items():
        try:
            found = os.stat(os.path.join(folder, name)).st_size
        except OSError:
            return "the model isn't prepared yet; `engram index` prepares it"
        if found != size:
            return f"{name} of the prepared model is damaged ({found} bytes for {size}); `engram index` mends it"
    return ""

"""The package's ``sp.model``, read: pieces with their scores, and the normaliser's trie.

It is a protocol buffer in an older layout: field 1 holds the pieces (1: text, 2: score), field 3 the trainer's
settings, of which field 2 is the normaliser: the size of a double-array trie, the trie, and what its keys become.
"""

from __future__ import annotations

import struct

import numpy as np

from engram.index.embed.files import LONGEST_PIECE, PARTS
from engram.index.embed.tokens import hash_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray


def token_parts(data: bytes) -> dict[str, NDArray[np.generic]]:
    """Returns the arrays of ``tokens.bin`` by name. Raises ValueError where the model isn't the expected one."""
    texts: list[str] = []
    scores: list[float] = []
    normaliser = b""
    for field, value in _fields(data):
        if field == 1:
            piece = dict(_fields(value))
            texts.append(piece[1].decode("utf-8"))
            scores.append(struct.unpack("<f", piece[2])[0] if 2 in piece else 0.0)
        elif field == 3:
            normaliser = dict(_fields(value)).get(2, b"")
    (size,) = struct.unpack("<I", normaliser[:4])
    hashes = np.array([hash_of(text) for text in texts], np.uint64)
    order = np.argsort(hashes, kind="stable")
    parts: dict[str, NDArray[np.generic]] = {
        "hashes": hashes[order],
        "ids": order.astype(np.int32),
        "scores": np.array(scores, np.float32)[order],
        "units": np.frombuffer(normaliser, "<u4", size // 4, 4),
        "replacements": np.frombuffer(normaliser, np.uint8, -1, 4 + size),
    }
    if {name: len(part) for name, part in parts.items()} != {name: count for name, _, count in PARTS}:
        raise ValueError("the pieces aren't those that engram was made for")
    if (np.diff(parts["hashes"]) == 0).any() or max(map(len, texts)) > LONGEST_PIECE:
        raise ValueError("the pieces can't be told apart by their hashes")
    return parts


def _fields(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yields a message's fields as number and bytes; whole numbers are left out."""
    place = 0
    while place < len(data):
        tag, place = _number(data, place)
        kind = tag & 7
        if kind == 0:
            _, place = _number(data, place)
            continue
        size, place = _number(data, place) if kind == 2 else ({1: 8, 5: 4}[kind], place)
        yield tag >> 3, data[place : place + size]
        place += size


def _number(data: bytes, place: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[place]
        place += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, place

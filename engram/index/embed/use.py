"""The multilingual Universal Sentence Encoder, from files that were repacked for memory mapping: ready in milliseconds.

The model, as the pinned package computes it: each token's vector from the table; three branches of windows over 2, 3
and 5 tokens, two layers each; all joined, levelled, summed over the text, and led through two blocks of dense layers.
Here a token's share in a window's sum is computed once for each token and not once for each window it stands in, which
gives the same vectors but for rounding.

On the hot path of the prompt hook, behind numpy.
"""

from __future__ import annotations

import mmap
import os

import numpy as np

from engram.index.embed import files
from engram.index.embed.tokens import Tokeniser

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float32]
    Places = NDArray[np.intp]

_BATCH = 4096
"""Tokens that are worked on together, and the most that are read of one text: what stands behind them, some 15 kB,
would add little to a sum and much to memory. A window of five rows, each at most this, has a key below 2**63."""
_FEW = 256
"""Rows up to which the table is read row by row: a mapped row brings half a megabyte around it into memory."""


def load(models_dir: str) -> Use:
    """Returns the embedder. Raises OSError or ValueError where the prepared model isn't there or isn't whole."""
    amiss = files.missing(models_dir)
    if amiss:
        raise ValueError(amiss)
    return Use(os.path.join(models_dir, files.FOLDER))


class Use:
    """Is the embedder over one folder of repacked files."""

    id = files.ID
    name = "use"
    dim = files.DIM

    def __init__(self, folder: str) -> None:
        self._path = os.path.join(folder, files.TABLE)
        self._table = np.frombuffer(_mapped(folder, files.TABLE), np.uint8).reshape(files.ROWS, files.DIM)
        flat = np.frombuffer(_mapped(folder, files.LAYERS), "<f4")
        self._layers: dict[str, Floats] = {}
        place = 0
        for name, shape in files.SHAPES:
            count = shape[0] * (shape[1] if len(shape) > 1 else 1)
            self._layers[name] = flat[place : place + count].reshape(shape)
            place += count
        self._tokeniser = Tokeniser(_parts(_mapped(folder, files.TOKENS)))

    def tokens(self, texts: Sequence[str]) -> list[list[int]]:
        """Returns each text's piece numbers, as the package's own tokeniser gives them."""
        return self._tokeniser.cut(texts)

    def encode(self, texts: Sequence[str], *, query: bool = False) -> Floats:  # noqa: ARG002 - other models ask
        """Returns the texts' vectors as (n, 512) float32 of length 1. Questions and passages are the same to it."""
        out = np.empty((len(texts), files.DIM), np.float32)
        group: list[list[int]] = []
        tokens = first = 0
        for number, cut in enumerate(self.tokens(texts)):
            if len(cut) > _BATCH:
                cut = [*cut[: _BATCH - 1], cut[-1]]  # noqa: PLW2901
            if group and tokens + len(cut) > _BATCH:
                out[first:number] = self._forward(group)
                group, tokens, first = [], 0, number
            group.append(cut)
            tokens += len(cut)
        if group:
            out[first:] = self._forward(group)
        return out

    def _forward(self, group: list[list[int]]) -> Floats:
        layers = self._layers
        lengths = np.array([len(cut) for cut in group])
        ends = np.cumsum(lengths)
        pieces, tokens = np.unique(np.array([number for cut in group for number in cut]), return_inverse=True)
        chunk = pieces % files.CHUNKS
        vectors = np.multiply(self._rows(pieces), layers["scale"][chunk, None], dtype=np.float32)
        vectors += layers["offset"][chunk, None]

        inner = vectors @ layers["project"]
        inner += layers["project_bias"]
        _level(inner, layers["inner_gain"], layers["inner_bias"])

        windows = _windows(ends - lengths, lengths, len(tokens))
        blocks = [(vectors, tokens)]
        for branch, (size, left) in enumerate(files.ORDERS):
            rows = inner[:, branch * files.CONV : (branch + 1) * files.CONV]
            blocks.append(self._branch(rows, tokens, windows[:, 2 - left : 2 - left + size], (size, left)))

        count = lengths.astype(np.float32)[:, None]
        summed = _levelled_sums(blocks, ends) * layers["outer_gain"] + count * layers["outer_bias"]
        summed = summed @ layers["pool"]
        summed += count * layers["pool_bias"]
        summed /= np.sqrt(count)
        middle = _positive(summed @ layers["p1"] + _positive(summed @ layers["d0"]) @ layers["d1"])
        last: Floats = np.tanh(middle @ layers["p3"] + _positive(middle @ layers["d2"]) @ layers["d3"])
        last /= np.sqrt(np.einsum("ij,ij->i", last, last))[:, None]
        return last

    def _rows(self, pieces: Places) -> NDArray[np.uint8]:
        if len(pieces) > _FEW:
            return self._table[pieces]
        rows = np.empty((len(pieces), files.DIM), np.uint8)
        with open(self._path, "rb", buffering=0) as file:
            for row, piece in zip(rows, pieces.tolist(), strict=True):
                file.seek(piece * files.DIM)
                file.readinto(row.data)
        return rows

    def _branch(self, inner: Floats, tokens: Places, windows: Places, order: tuple[int, int]) -> tuple[Floats, Places]:
        """Returns one branch's features as the rows that differ, (rows, 256), and each token's row.

        ``inner``: the layer below, a row for each piece; ``windows``: the places around each token.
        """
        size, left = order
        layers = self._layers
        slots, which = _distinct(tokens, windows, len(inner))
        hidden = _summed(inner @ layers[f"first{size}"], slots)
        hidden += layers[f"first_bias{size}"]
        _positive(hidden)
        hidden += inner[slots[:, left]]

        slots, which = _distinct(which, windows, len(hidden))
        found = _summed(hidden @ layers[f"second{size}"], slots)
        found += layers[f"second_bias{size}"]
        _positive(found)
        found += hidden[slots[:, left]]
        return found, which


def _distinct(rows: Places, windows: Places, count: int) -> tuple[Places, Places]:
    """Returns the windows that differ, as the rows in them, and for each token which of these is its own.

    A slot outside the token's own text holds row ``count``, which stands for nothing.
    """
    slots = np.append(rows, count)[windows]
    keys = slots[:, 0].astype(np.int64)
    for step in range(1, slots.shape[1]):
        keys = keys * (count + 1) + slots[:, step]
    _, chosen, which = np.unique(keys, return_index=True, return_inverse=True)
    return slots[chosen], which


def _levelled_sums(blocks: list[tuple[Floats, Places]], ends: Places) -> Floats:
    """Returns each text's sum over its tokens' features, every token's brought to mean 0 and variance 1 before.

    ``blocks``: parts of the features, side by side: the rows that differ and each token's row. The features of all
    tokens would be by far the largest thing in memory, so they are never made.
    """
    width = sum(rows.shape[1] for rows, _ in blocks)
    mean = np.zeros(int(ends[-1]), np.float32)
    square = np.zeros(int(ends[-1]), np.float32)
    for rows, which in blocks:
        mean += (rows.sum(axis=1) / np.float32(width))[which]
        square += (np.einsum("ij,ij->i", rows, rows) / np.float32(width))[which]
    weight = 1 / np.sqrt(np.maximum(square - mean * mean, 0) + np.float32(files.EPSILON))
    shift = weight * mean
    sums = np.empty((len(ends), width), np.float32)
    first = 0
    for number, end in enumerate(ends.tolist()):
        here, place = weight[first:end], 0
        for rows, which in blocks:
            sums[number, place : place + rows.shape[1]] = here @ rows[which[first:end]]
            place += rows.shape[1]
        sums[number] -= shift[first:end].sum()
        first = end
    return sums


def _summed(shares: Floats, slots: Places) -> Floats:
    """Returns, for each window, the sum of its slots' shares. ``shares``: (rows, slots * 256), a slot's own in turn."""
    padded = np.zeros((len(shares) + 1, shares.shape[1]), np.float32)
    padded[:-1] = shares
    total: Floats = padded[:, : files.CONV][slots[:, 0]]
    for step in range(1, slots.shape[1]):
        total += padded[:, step * files.CONV : (step + 1) * files.CONV][slots[:, step]]
    return total


def _windows(starts: Places, lengths: Places, count: int) -> Places:
    """Returns, for each token, the places of two before it, itself and two after; ``count`` outside its text."""
    places = np.arange(count)[:, None] + np.arange(-2, 3)
    inside = places >= np.repeat(starts, lengths)[:, None]
    inside &= places < np.repeat(starts + lengths, lengths)[:, None]
    return np.where(inside, places, count)


def _level(rows: Floats, gain: Floats, bias: Floats) -> None:
    """Gives each row mean 0 and variance 1, then gain and bias, in place."""
    rows -= rows.mean(axis=-1, keepdims=True)
    spread = np.einsum("ij,ij->i", rows, rows)
    spread /= rows.shape[-1]
    spread += files.EPSILON
    rows /= np.sqrt(spread)[:, None]
    rows *= gain
    rows += bias


def _positive(values: Floats) -> Floats:
    return np.maximum(values, 0, out=values)


def _parts(mapped: mmap.mmap) -> dict[str, NDArray[np.generic]]:
    parts: dict[str, NDArray[np.generic]] = {}
    place = 0
    for name, kind, count in files.PARTS:
        parts[name] = np.frombuffer(mapped, kind, count, place)
        place += parts[name].nbytes
    return parts


def _mapped(folder: str, name: str) -> mmap.mmap:
    """Returns a file of the folder, mapped for reading. Raises OSError; ValueError where it is cut short."""
    with open(os.path.join(folder, name), "rb") as file:
        mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    if len(mapped) != files.SIZES[name]:
        raise ValueError(f"{name} of the prepared model is damaged; `engram index` mends it")
    return mapped

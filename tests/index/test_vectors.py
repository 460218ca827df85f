from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray

from engram.index import vectors
from engram.index.file import Index, in_memory, writing


@pytest.fixture
def index() -> Iterator[Index]:
    with in_memory() as made:
        yield made


def unit(many: int, dim: int, seed: int = 1) -> NDArray[np.float32]:
    rows = np.random.default_rng(seed).normal(size=(many, dim)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def kept(index: Index, ids: list[int], rows: NDArray[np.float32]) -> int:
    with writing(index):
        number = vectors.register(index, "one", rows.shape[1])
        vectors.keep(index, number, rows.shape[1], ids, rows)
    return number


def test_cosines_are_those_of_the_vectors_within_two_thousandths(index: Index) -> None:
    ids = [1, 2, 255, 256, 257, 700, 5000]
    rows = unit(len(ids), 512)
    kept(index, ids, rows)
    asked = unit(3, 512, 2)
    found, near = vectors.cosines(index, "one", asked)
    assert found.tolist() == ids
    assert near.shape == (len(ids), 3)
    assert np.abs(near - rows @ asked.T).max() < 0.002
    assert np.abs(vectors.vectors_of(index, "one", ids) - rows).max() < 0.002


def test_one_can_be_changed_copied_and_dropped_without_the_others(index: Index) -> None:
    rows = unit(3, 64)
    kept(index, [1, 2, 3], rows)
    changed = unit(1, 64, 9)
    kept(index, [2], changed)
    with writing(index):
        vectors.copy(index, 1, 600)
        vectors.copy(index, 77, 601)
        vectors.drop(index, 3)
        vectors.drop(index, 9999)
    assert vectors.cosines(index, "one", rows)[0].tolist() == [1, 2, 600]
    got = vectors.vectors_of(index, "one", [1, 2, 3, 600, 601])
    assert np.abs(got - np.stack([rows[0], changed[0], 0 * rows[0], rows[0], 0 * rows[0]])).max() < 0.01


def test_nothing_is_near_where_nothing_is_known(index: Index) -> None:
    ids, near = vectors.cosines(index, "one", unit(2, 8))
    assert (ids.tolist(), near.shape) == ([], (0, 2))
    assert vectors.vectors_of(index, "one", [1]).tolist() == [[0.0]]


def test_a_vector_of_zeros_is_one(index: Index) -> None:
    kept(index, [1], np.zeros((1, 8), np.float32))
    ids, near = vectors.cosines(index, "one", unit(1, 8))
    assert (ids.tolist(), near.tolist()) == ([1], [[0.0]])


def test_another_shape_is_refused(index: Index) -> None:
    with pytest.raises(ValueError, match="vectors"):
        kept(index, [1, 2], unit(1, 8))


def test_another_embedder_or_another_size_starts_anew(index: Index) -> None:
    kept(index, [1], unit(1, 8))
    with writing(index):
        vectors.register(index, "one", 16)
    assert vectors.cosines(index, "one", unit(1, 16))[0].tolist() == []

"""Numbers with their words."""

from __future__ import annotations

import pytest

from engram.model.counted import counted


@pytest.mark.parametrize(("count", "told"), [(0, "0 notes"), (1, "1 note"), (2, "2 notes"), (1022, "1,022 notes")])
def test_a_number_has_its_word(count: int, told: str) -> None:
    assert counted(count, "note") == told


def test_a_word_may_have_another_plural() -> None:
    assert (counted(1, "file differs", "files differ"), counted(3, "file differs", "files differ")) == (
        "1 file differs",
        "3 files differ",
    )

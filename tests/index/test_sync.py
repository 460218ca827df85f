from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram.index.sync import differences, is_below, settled

BASE = "0123456789abcdef"
PATHS = st.sampled_from(["a.md", "b.md", "d/a.md", "d/e/b.md", "da.md"])
SEEN = st.tuples(st.integers(0, 3), st.integers(0, 3))


def test_what_is_new_or_differs_is_read_the_last_changed_first() -> None:
    known = {"same.md": (1, 5, BASE), "longer.md": (1, 5, BASE), "later.md": (1, 5, BASE), "again.md": (1, 5, "")}
    found = {"same.md": (1, 5), "longer.md": (2, 5), "later.md": (1, 6), "again.md": (1, 5), "new.md": (1, 9)}
    todo = differences(known, found, ())
    assert todo.read == ("new.md", "later.md", "again.md", "longer.md")
    assert todo.gone == ()
    assert todo


def test_what_is_not_found_is_gone() -> None:
    todo = differences({"a.md": (1, 1, BASE), "d/b.md": (1, 1, BASE)}, {"a.md": (1, 1)}, ())
    assert (todo.read, todo.gone) == ((), ("d/b.md",))
    assert not differences({"a.md": (1, 1, BASE)}, {"a.md": (1, 1)}, ())


@pytest.mark.parametrize("unreadable", [("d",), (".",), ("d/e/b.md",), ("d/e",)])
def test_what_could_not_be_looked_at_is_not_gone(unreadable: tuple[str, ...]) -> None:
    assert differences({"d/e/b.md": (1, 1, BASE)}, {}, unreadable).gone == ()


def test_only_whole_parts_of_a_path_count() -> None:
    assert not is_below("da/b.md", {"d"})
    assert is_below("d/b.md", {"d"})


@given(st.dictionaries(PATHS, st.tuples(st.integers(0, 3), st.integers(0, 3), st.sampled_from(["", BASE]))),
       st.dictionaries(PATHS, SEEN))  # fmt: skip
def test_doing_it_makes_both_sides_equal(
    known: dict[str, tuple[int, int, str]], found: dict[str, tuple[int, int]]
) -> None:
    todo = differences(known, found, ())
    after = {path: row for path, row in known.items() if path not in todo.gone}
    after |= {path: (*found[path], BASE) for path in todo.read}
    assert after == {path: (*seen, BASE) for path, seen in found.items()}


@pytest.mark.parametrize(
    ("mtime", "looked", "answer"),
    [
        (1_000_000_001, 1_050_000_000, False),  # fine times: a tenth of a second
        (1_000_000_001, 1_200_000_000, True),
        (1_000_000_000, 1_200_000_000, False),  # whole seconds: two of them
        (1_000_000_000, 3_200_000_000, True),
        (9_000_000_001, 1_000_000_000, False),  # ahead of this machine's clock
    ],
)
def test_a_time_tells_something_once_it_is_over(mtime: int, looked: int, answer: bool) -> None:
    assert settled(mtime, looked) is answer

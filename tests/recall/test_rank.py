"""Relevance and order: what carries a question, and that small terms reorder near ties and nothing else."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram.config import WEIGHTS
from engram.index.search import Candidate, View
from engram.recall.rank import TERMS, rank, relevance

NOW = "2026-06-01T12:00:00Z"


class Some:
    def __init__(self, weights: Mapping[str, float]) -> None:
        self.weights = weights


def candidate(id_: int = 1, *views: View, **known: object) -> Candidate:
    found = Candidate(id_, views or (View(0.4, 0.3, 9.0, 0.9, 0.3),))
    for name, value in known.items():
        setattr(found, name, value)
    return found


def test_relevance_rises_with_cosine_and_coverage_and_falls_with_talk() -> None:
    plain = relevance(candidate())
    assert relevance(candidate(1, View(0.5, 0.3, 9.0, 0.9, 0.3))) > plain
    assert relevance(candidate(1, View(0.4, 0.4, 9.0, 0.9, 0.3))) > plain
    assert relevance(candidate(1, View(0.4, 0.3, 9.0, 0.9, 0.4))) < plain
    assert relevance(candidate(1, View(0.4, 0.3, 9.0, 0.2, 0.3))) < plain
    assert relevance(candidate(1, View(0.4, 0.3, 9.0, 0.9, 0.3, 1.0))) < plain


def test_as_near_as_everyday_talk_is_one_half() -> None:
    assert relevance(candidate(1, View(0.3, 0.0, 9.0, 0.9, 0.3))) == 0.5


def test_words_alone_have_relevance_too() -> None:
    assert (
        relevance(candidate(1, View(None, 0.9, 9.0, 1.0, 0.0)))
        > 0.5
        > relevance(candidate(1, View(None, 0.0, 9.0, 1.0, 0.0)))
    )


def test_one_sentence_of_a_long_prompt_counts_half() -> None:
    weak, strong = View(0.0, 0.0, 9.0, 1.0, 0.3), View(0.6, 0.8, 9.0, 1.0, 0.3)
    assert (
        relevance(candidate(1, weak, weak))
        < relevance(candidate(1, weak, weak, strong))
        < relevance(candidate(1, strong))
    )


@given(
    st.floats(-1, 1), st.floats(0, 1), st.floats(0, 200), st.floats(0, 1), st.floats(-1, 1),
)  # fmt: skip
def test_relevance_stays_between_0_and_1(cosine: float, coverage: float, nats: float, own: float, talk: float) -> None:
    assert 0 <= relevance(candidate(1, View(cosine, coverage, nats, own, talk))) <= 1


def test_terms_are_named_and_add_up() -> None:
    (one,) = rank([candidate(importance=9, updated="2026-05-30", kind="lesson", applied=3)], NOW, Some(WEIGHTS))
    assert list(one.terms) == ["relevance", *TERMS]
    assert sum(one.terms.values()) == pytest.approx(one.score)
    assert one.terms["relevance"] == one.relevance == relevance(one.candidate)


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ({"importance": 9}, {"importance": 2}),
        ({"updated": "2026-05-01"}, {"updated": "2023-05-01"}),
        ({"updated": "2023-05-01"}, {"updated": ""}),
        ({"kind": "lesson"}, {"kind": "reference"}),
        ({"applied": 5}, {"applied": 0}),
    ],
)
def test_each_term_settles_a_tie(better: Mapping[str, object], worse: Mapping[str, object]) -> None:
    ranked = rank([candidate(1, **worse), candidate(2, **better)], NOW, Some(WEIGHTS))
    assert [one.id for one in ranked] == [2, 1]


def test_a_link_of_a_strong_hit_settles_a_tie() -> None:
    strong = candidate(9, View(0.9, 0.9, 9.0, 1.0, 0.1), links=(2,))
    ranked = rank([strong, candidate(1), candidate(2, links=(9,))], NOW, Some(WEIGHTS))
    assert [one.id for one in ranked] == [9, 2, 1]


def test_all_terms_together_never_reach_over_a_clear_difference() -> None:
    """Together they are worth 0.14 of cosine."""
    best = {"importance": 10, "updated": NOW[:10], "kind": "lesson", "applied": 99, "links": (1,)}
    clear = candidate(1, View(0.7, 0.3, 9.0, 0.9, 0.3), importance=1, kind="journal")
    ranked = rank([candidate(2, **best), clear], NOW, Some(WEIGHTS))
    assert [one.id for one in ranked] == [1, 2]


def test_no_term_changes_relevance() -> None:
    """What the floor is compared with is relevance alone."""
    (plain,) = rank([candidate()], NOW, Some({}))
    (lifted,) = rank([candidate(importance=10, updated=NOW, kind="lesson", applied=50)], NOW, Some(WEIGHTS))
    assert lifted.relevance == plain.relevance == plain.score < lifted.score

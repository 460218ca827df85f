"""The relevance floor: found from the shipped prompts, kept with the index, found anew when the store has moved."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram.index import calibrate, floor, talk
from engram.index.embed import choose
from engram.index.file import Index, in_memory
from tests.house.tree import ROOT

HELD_OUT = ROOT / "benchmarks" / "sets" / "heldout_prompts.json"


def prompts_of(path: Path) -> dict[str, dict[str, list[str]]]:
    found: dict[str, dict[str, list[str]]] = json.loads(path.read_text(encoding="utf-8"))["prompts"]
    return found


def every(path: Path) -> list[str]:
    return [prompt for kinds in prompts_of(path).values() for prompts in kinds.values() for prompt in prompts]


def plainly(text: str) -> str:
    return re.sub(r"\W+", " ", text.casefold()).strip()


@pytest.fixture
def index() -> Index:
    """Returns an index of a hundred notes."""
    made = in_memory()
    put(made, range(100))
    return made


def put(index: Index, numbers: Sequence[int]) -> None:
    index.db.executemany(
        "INSERT OR REPLACE INTO notes(id, base) VALUES (?, ?)",
        [(each, calibrate.key_of(str(each)).hex()) for each in numbers],
    )
    index.set_meta("notes", index.db.execute("SELECT count(*) FROM notes").fetchone()[0])


class Embedder:
    """Is a model that says for which texts it was asked, and how."""

    name = "use"
    dim = 512

    def __init__(self, id_: str = "another-model-0123") -> None:
        self.id = id_
        self.asked: list[tuple[str, bool]] = []

    def encode(self, texts: Sequence[str], *, query: bool = False) -> Any:
        self.asked += [(text, query) for text in texts]
        return np.full((len(texts), self.dim), 0.0442, np.float32)


# -- the prompts -----------------------------------------------------------------------------------------------------


def test_the_shipped_prompts_are_many_half_of_them_coding_talk_in_several_languages() -> None:
    kinds = calibrate.everyday()
    assert list(kinds) == ["code", "talk", "people"]
    assert len(kinds["code"]) >= 200
    assert len(kinds["talk"]) >= 200
    assert len(kinds["people"]) >= 180
    everything = [prompt for prompts in kinds.values() for prompt in prompts]
    assert len({plainly(prompt) or prompt for prompt in everything}) == len(everything)
    shipped = ROOT / "engram" / "index" / "everyday.json"
    assert sorted(every(shipped)) == sorted(everything)
    assert {"en", "ru", "de", "es", "fr", "zh", "ja", "ko", "ar", "hi"} <= set(prompts_of(shipped))


def test_the_held_out_prompts_are_others() -> None:
    held = every(HELD_OUT)
    coding = sum(len(kinds["code"]) for kinds in prompts_of(HELD_OUT).values())
    assert len(held) == len(set(held)) >= 150
    assert 0.45 < coding / len(held) < 0.55
    shipped = {plainly(prompt) for prompts in calibrate.everyday().values() for prompt in prompts}
    assert [prompt for prompt in held if plainly(prompt) in shipped] == []


def test_the_shipped_vectors_are_those_of_the_shipped_prompts(tmp_path: Path) -> None:
    embedder, reason = choose(str(tmp_path), "use", {}, hook=False)
    assert embedder is not None, reason
    prompts = [prompt for kind in calibrate.everyday().values() for prompt in kind]
    known = calibrate._vectors(embedder)
    assert set(known) == {calibrate.key_of(prompt) for prompt in prompts}, "python -m benchmarks.everyday_vectors"
    shipped = np.stack([known[calibrate.key_of(prompt)] for prompt in prompts])
    assert np.einsum("ij,ij->i", shipped, embedder.encode(prompts, query=True)).min() > 0.999


# -- the floor -------------------------------------------------------------------------------------------------------


@given(
    best=st.lists(st.floats(min_value=0, max_value=2, allow_subnormal=False), min_size=1, max_size=300),
    share=st.sampled_from([0.0, 0.01, 0.025, 0.5]),
)
def test_at_most_a_share_comes_over_the_floor(best: list[float], share: float) -> None:
    found = calibrate.floor_over(best, share)
    assert sum(score >= found for score in best) <= share * len(best)
    assert found <= max(best) + 1e-6


def test_without_scores_there_is_no_floor() -> None:
    assert calibrate.floor_over([], 0.03) == 0.0


def test_the_kind_that_the_store_is_about_sets_the_floor(index: Index) -> None:
    kinds = calibrate.everyday()
    scores = {prompt: 0.8 if at < 8 else 0.5 if at < 20 else 0.1 for at, prompt in enumerate(kinds["code"])}

    def best(prompts: Sequence[str], embedder: Any) -> list[float]:
        assert embedder is None
        assert list(prompts) == [prompt for kind in kinds.values() for prompt in kind]
        return [scores.get(prompt, 0.2) for prompt in prompts]

    found = calibrate.calibrate(index, None, best, "rules")
    assert found == pytest.approx(0.8, abs=1e-5)  # 3 of 222 may come over it; 8 share the highest score
    assert floor.kept(index, "") == found


def test_a_floor_belongs_to_its_embedder(index: Index) -> None:
    embedder = Embedder()
    first = calibrate.calibrate(index, embedder, lambda prompts, _: [0.3] * len(prompts), "rules")
    second = calibrate.calibrate(index, None, lambda prompts, _: [0.6] * len(prompts), "rules")
    assert floor.kept(index, embedder.id) == first == pytest.approx(0.3, abs=1e-5)
    assert floor.kept(index, "") == second == pytest.approx(0.6, abs=1e-5)
    assert floor.kept(index, "yet-another") is None


def test_an_empty_store_has_no_floor() -> None:
    index = in_memory()
    assert calibrate.calibrate(index, None, lambda prompts, _: [0.0] * len(prompts), "rules") is None
    assert floor.kept(index, "") is None
    assert calibrate.due(index, None, "rules")


def test_large_stores_are_asked_fewer_prompts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calibrate, "THIN", ((400, 4), (200, 2)))
    whole = sum(map(len, calibrate.everyday().values()))
    for notes, step in ((199, 1), (200, 2), (400, 4)):
        index = in_memory()
        put(index, range(notes))
        asked: list[str] = []
        calibrate.calibrate(
            index, None, lambda prompts, _, asked=asked: asked.extend(prompts) or [0.0] * len(prompts), ""
        )
        assert whole / step <= len(asked) <= whole / step + 3


# -- when it is found anew -------------------------------------------------------------------------------------------


def calibrated(index: Index, embedder: Any = None, rules: str = "rules") -> None:
    calibrate.calibrate(index, embedder, lambda prompts, _: [0.4] * len(prompts), rules)


def test_a_store_that_stands_still_is_not_asked_again(index: Index) -> None:
    assert calibrate.due(index, None, "rules")
    calibrated(index)
    assert not calibrate.due(index, None, "rules")


def test_other_rules_or_another_embedder_need_another_floor(index: Index) -> None:
    calibrated(index)
    assert calibrate.due(index, None, "other rules")
    assert calibrate.due(index, Embedder(), "rules")
    calibrated(index, Embedder())
    assert not calibrate.due(index, Embedder(), "rules")
    assert not calibrate.due(index, None, "rules")


@pytest.mark.parametrize(("new", "due"), [(5, False), (20, True)])
def test_a_store_that_grew(index: Index, new: int, due: bool) -> None:
    calibrated(index)
    put(index, range(100, 100 + new))
    assert calibrate.due(index, None, "rules") == due


@pytest.mark.parametrize(("changed", "due"), [(4, False), (20, True)])
def test_a_store_of_the_same_size_with_other_notes(index: Index, changed: int, due: bool) -> None:
    calibrated(index)
    index.db.executemany("UPDATE notes SET base = ? WHERE id = ?", [(f"{each:016x}", each) for each in range(changed)])
    assert calibrate.due(index, None, "rules") == due


@pytest.mark.parametrize(("changed", "due"), [(50, False), (1000, True)])
def test_of_a_large_store_a_few_hashes_tell(changed: int, due: bool) -> None:
    index = in_memory()
    put(index, range(3000))
    calibrated(index)
    index.db.executemany(
        "UPDATE notes SET base = ? WHERE id = ?",
        [(calibrate.key_of(f"new {each}").hex(), each) for each in range(changed)],
    )
    assert calibrate.due(index, None, "rules") == due


@pytest.mark.parametrize("written", ["", "[]", "{}", "nonsense", '{"rules": 1, "notes": "x", "sketch": 3}'])
def test_what_was_written_by_nobody_knows_whom_counts_as_nothing(index: Index, written: str) -> None:
    index.set_meta("calibrated/words", written)
    assert calibrate.due(index, None, "rules")


def test_a_floor_rises_with_the_store_until_it_is_found_anew(index: Index) -> None:
    calibrated(index)
    found = floor.kept(index, "")
    put(index, range(1000))
    assert found is not None
    assert floor.kept(index, "") == pytest.approx(found + floor.GROWTH * 2.302585, abs=1e-6)
    index.set_meta("notes", 10)
    assert floor.kept(index, "") == found
    index.set_meta("notes", 10**12)
    assert floor.kept(index, "") == floor.HIGHEST
    assert floor.grown(0.99, 1, 10**12) == 0.99


def test_a_floor_that_is_no_number_is_none(index: Index) -> None:
    index.set_meta("floor/words", "high")
    assert floor.kept(index, "") is None


# -- the vectors -----------------------------------------------------------------------------------------------------


def test_only_what_is_not_shipped_is_embedded(tmp_path: Path) -> None:
    real, _ = choose(str(tmp_path), "use", {}, hook=False)
    assert real is not None
    embedder = Embedder(real.id)
    ready = calibrate.Remembered(embedder)
    prompt = calibrate.everyday()["code"][0]
    vectors = ready.encode(["what only this test asks", prompt], query=True)
    assert embedder.asked == [("what only this test asks", True)]
    assert float(vectors[1] @ real.encode([prompt])[0]) > 0.999
    assert vectors[0] == pytest.approx(0.0442)
    ready.encode([prompt])
    assert embedder.asked[1:] == [(prompt, False)], "a passage is no prompt"


def test_another_embedders_prompts_are_embedded(index: Index) -> None:
    embedder = Embedder()

    def best(prompts: Sequence[str], ready: Any) -> list[float]:
        assert (ready.id, ready.dim) == (embedder.id, embedder.dim)
        return [float(vector[0]) for vector in ready.encode(prompts, query=True)]

    assert calibrate.calibrate(index, embedder, best, "rules") == pytest.approx(0.0442, abs=1e-5)
    assert len(embedder.asked) == sum(map(len, calibrate.everyday().values()))
    assert talk.nearest(index, embedder.id, embedder.encode(["anything"])) != [0.0]

"""Search on a real index: exact and partial words in six languages, vectors beside words, long prompts, bounds."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from benchmarks.recalled import NoWeights, index_of
from benchmarks.sets import Question, Store, note, own
from benchmarks.sets.languages import EXACT, PARTIAL
from engram.index import fill, talk
from engram.index.file import Index, in_memory
from engram.index.rows import Indexed
from engram.index.search import MOST_TERMS, Query, candidates
from engram.model.note import Note
from engram.recall.rank import rank, relevance
from tests.lib.embedder import Hashing

NOW = "2026-01-01T00:00:00Z"


def built(*notes: Note, embedder: Hashing | None = None) -> Index:
    index = in_memory()
    fill.put(index, [Indexed(one.path, 0, 0, f"{number:016x}", one) for number, one in enumerate(notes)])
    if embedder is not None:
        fill.embed(index, embedder)
    return index


def first(index: Index, text: str, embedder: Hashing | None = None) -> list[str]:
    """Returns the paths of what recall ranks, the best first."""
    paths = dict(index.db.execute("SELECT id, path FROM notes"))
    return [paths[one.id] for one in rank(candidates(index, Query(text), embedder), NOW, NoWeights())]


@pytest.fixture(scope="module")
def six_languages() -> Index:
    index, _ = index_of(Store("six", own.language_notes(), ()), None)
    return index


@pytest.mark.parametrize(("asked", "wanted"), [*EXACT, *PARTIAL])
def test_exact_and_partial_questions_in_six_languages_find_their_note_first(
    six_languages: Index, asked: str, wanted: str
) -> None:
    assert first(six_languages, asked)[0] == f"{wanted}.md"


def test_several_words_are_no_phrase() -> None:
    index = built(note("a.md", body="The worker retries the upload twice."), note("b.md", body="Nothing of it."))
    assert first(index, "upload worker twice missingword") == ["a.md"]


def test_the_rarer_word_decides() -> None:
    notes = [note(f"n{number}.md", body=f"deploy notes number {number}") for number in range(20)]
    index = built(*notes, note("z.md", body="deploy with helmfile"))
    assert first(index, "deploy helmfile")[0] == "z.md"


def test_a_passage_of_a_long_note_is_found() -> None:
    filler = " ".join(f"Paragraph {number} speaks of weather and trees." for number in range(300))
    index = built(
        note("long.md", body=f"{filler} The kestrel build needs clang twelve. {filler}"),
        note("short.md", body="clang is fine"),
    )
    assert first(index, "kestrel build clang twelve")[0] == "long.md"


def test_vectors_find_what_no_word_does() -> None:
    embedder = Hashing()
    index = built(note("a.md", body="alpha beta gamma"), note("b.md", body="delta"), embedder=embedder)
    embedder.encode = lambda texts, query=False: np.stack([Hashing().encode(["alpha beta gamma"])[0]] * len(texts))  # type: ignore[method-assign]
    found = {one.id: one for one in candidates(index, Query("unknownword"), embedder)}
    paths = dict(index.db.execute("SELECT id, path FROM notes"))
    best = max(found.values(), key=relevance)
    assert paths[best.id] == "a.md"
    assert best.views[0].coverage == 0.0
    assert best.views[0].cosine == pytest.approx(0.9, abs=0.15)


def test_a_note_without_a_vector_yet_is_found_by_its_words() -> None:
    embedder = Hashing()
    index = built(note("a.md", body="alpha beta"), embedder=embedder)
    fill.put(index, [Indexed("new.md", 0, 0, "f" * 16, note("new.md", body="zebra crossing"))])
    assert "new.md" in first(index, "zebra", embedder)


def test_a_long_prompt_is_looked_at_by_its_sentences() -> None:
    query = Query("I was at lunch with people. It rained the whole day. Where do we keep the zebra keys?")
    assert len(query.texts) == 4
    index = built(note("keys.md", body="zebra keys are in the safe"), note("rain.md", body="umbrella"))
    assert first(index, query.text)[0] == "keys.md"


@pytest.mark.parametrize(
    "text", ["", " ", "?!", '"', 'a" OR whole:b', "NEAR(", "x*", "-a", "\x00", "🙂", "a" * 100_000]
)
def test_any_text_may_be_asked(text: str) -> None:
    index = built(note("a.md", body="some words"))
    candidates(index, Query(text), None)


def test_a_huge_prompt_is_bounded() -> None:
    query = Query(" ".join(f"word{number}" for number in range(5000)))
    assert len(query.text) <= 2000
    assert MOST_TERMS < 100
    candidates(built(note("a.md", body="word4999")), query, None)


def test_an_empty_index_gives_nothing() -> None:
    assert candidates(in_memory(), Query("anything"), None) == []
    assert candidates(in_memory(), Query("anything"), Hashing()) == []


def test_links_among_the_candidates_are_told() -> None:
    index = built(note("a.md", body="zebra one [[b]]", links=["b"]), note("b.md", body="zebra two"))
    links = {one.id: one.links for one in candidates(index, Query("zebra"), None)}
    assert links == {1: (2,), 2: (1,)}


def test_a_word_that_no_note_has_counts_as_the_rarest() -> None:
    index = built(note("a.md", body="zebra"), note("b.md", body="lion"))
    (alone,) = [one for one in candidates(index, Query("zebra"), None) if one.id == 1]
    (beside,) = [one for one in candidates(index, Query("zebra quagga"), None) if one.id == 1]
    assert beside.views[0].coverage < alone.views[0].coverage / 2


def test_everyday_words_are_talk_and_identifiers_are_not() -> None:
    assert talk.share_of_talk(["test", "file"], [1.0, 1.0]) > 0.3
    assert talk.share_of_talk(["errquotaexceed"], [1.0]) == 0.0
    assert talk.share_of_talk([], []) == 1.0


@pytest.mark.parametrize(
    ("text", "strange"),
    [
        ("What did Zelda say?", 0.0), ("What did Ludwig say?", 1.0), ("Did Zelda meet Ludwig?", 0.5),
        ("Ludwig said so. Then what?", 0.0), ("was hat der Ludwig gesagt?", 0.0), ("что сказал Людвиг?", 1.0),
        ("what is in a name?", 0.0), ("", 0.0),
    ],
)  # fmt: skip
def test_names_that_no_note_has_are_strange(text: str, strange: float) -> None:
    index = built(note("a.md", body="Zelda said: what is asked is met."))
    (view, *_) = next(one.views for one in candidates(index, Query(f"zelda. {text}"), None))
    assert view.strange == strange


def test_a_prompt_is_not_its_own_neighbour() -> None:
    index, embedder = in_memory(), Hashing()
    vectors = embedder.encode([f"prompt number {number}" for number in range(5)])
    talk.remember(index, embedder.id, vectors)
    near = talk.nearest(index, embedder.id, vectors[:1])
    others = sorted((float(vectors[0] @ other) for other in vectors[1:]), reverse=True)[:3]
    assert near[0] == pytest.approx(sum(others) / 3, abs=0.01)


def test_the_shipped_vectors_are_those_of_the_default_embedder_alone() -> None:
    assert talk.nearest(in_memory(), "another-embedder", Hashing().encode(["x"])) == [0.0]


def test_words_alone_bring_no_numpy() -> None:
    code = (
        "import sys; from engram.index.file import in_memory; from engram.index.search import Query, candidates; "
        "candidates(in_memory(), Query('a zebra'), None); sys.exit('numpy' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_questions_of_the_sets_name_notes_that_are_there() -> None:
    for bench in own.sets():
        for store in bench.stores:
            paths = {one.path for one in store.notes}
            assert len(paths) == len(store.notes)
            assert all(isinstance(one, Question) and one.gold <= paths for one in store.questions)

from __future__ import annotations

from random import Random

from engram.curate.neighbours import NEAR, Neighbours, near, text_of
from engram.model.note import Note


def note(name: str, description: str, body: str) -> Note:
    return Note(path=f"{name}.md", name=name, fields={"description": description}, body=body)


STORE = (
    note("prefers-pnpm", "User wants pnpm, never npm", "Use pnpm in every repository; npm broke the lockfile."),
    note("deploy-runbook", "How the shop is deployed", "Deploy blue first, then switch the load balancer to green."),
    note("port-8080", "The API listens on 8080", "The API server listens on port 8080."),
)


def best(*text: str) -> tuple[str, float]:
    found, score = near(text_of(*text), STORE)[0]
    return found.name, score


def test_the_same_words_score_one() -> None:
    name, score = best("prefers-pnpm", STORE[0].description, STORE[0].body)
    assert (name, round(score, 6)) == ("prefers-pnpm", 1.0)


def test_the_same_fact_in_other_words_is_near() -> None:
    name, score = best(
        "shop-deploy", "How the shop gets deployed", "Deploy blue first, then switch balancers to green."
    )
    assert name == "deploy-runbook"
    assert score >= NEAR


def test_another_fact_in_like_words_is_not_near() -> None:
    assert best("prefers-yarn", "User wants yarn", "Use yarn in every repository.")[1] < NEAR


def test_nothing_in_common_ranks_nothing_and_an_empty_store_too() -> None:
    assert near("quantum gravity", STORE) == ()
    assert near("anything", ()) == ()
    assert near("", STORE) == ()


def test_scripts_without_spaces_are_compared() -> None:
    store = (note("a", "用户喜欢简短的回答", "回答要简短。"), note("b", "部署在周五", "每个周五部署。"))
    assert near("用户喜欢简短的答案", store)[0][0].name == "a"


def test_a_store_of_ten_thousand_is_weighed_once_and_asked_often() -> None:
    many = tuple(
        note(f"n{i}", f"about part {i}", f"part {i} listens on {i * 7} for client {i % 97}") for i in range(10_000)
    )
    neighbours = Neighbours((*many, *STORE))
    for _ in range(20):
        assert (
            neighbours.near(text_of("p", "User wants pnpm, never npm", "npm broke the lockfile"))[0][0].name
            == "prefers-pnpm"
        )


def test_a_least_score_leaves_out_the_others_and_changes_no_score() -> None:
    text = text_of(
        "shop-deploy", "How the shop gets deployed to port 8080", "Deploy blue first; npm broke the lockfile."
    )
    every = near(text, STORE)
    assert len(every) == 3
    for least in (score for _, score in every):
        assert Neighbours(STORE).near(text, least=least) == tuple(pair for pair in every if pair[1] >= least)
    assert Neighbours(STORE, [text, "quantum"]).near(text) == every


def test_the_pairs_of_a_store_are_those_that_asking_one_by_one_finds() -> None:
    chance = Random(7)
    words = [f"{one}{other}" for one in "bdfglmnprt" for other in ("ovar", "illa", "enst", "urko", "arri", "ombe")]
    notes = []
    for number in range(60):
        if number % 4 == 0:
            base = [chance.choice(words) for _ in range(12)]
        body = [chance.choice(words) if chance.random() < 0.15 else word for word in base]
        notes.append(Note(f"n{number}.md", f"n{number}", body=" ".join(body)))
    asked = {
        frozenset((one.path, other.path)): round(score, 9)
        for one in notes
        for other, score in near(text_of(one.name, one.description, one.body), notes, limit=100)
        if other is not one and score >= NEAR
    }
    pairs = {frozenset((one.path, other.path)): round(score, 9) for one, other, score in Neighbours(notes).pairs()}
    assert 20 < len(asked) < 90
    assert pairs == asked

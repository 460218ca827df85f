"""Changesets found in what an agent said."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engram import resources
from engram.app.curating.said import Drawn, changesets
from engram.errors import ChangesetInvalid
from tests.lib.proposed import add

DRAWN = Drawn("s-1", "claude-code", ("project", "user"))


def of(text: str, drawn: Drawn = DRAWN) -> list[dict[str, Any]]:
    return [json.loads(one) for one in changesets(text, drawn, resources.schema())]


def problems(text: str, drawn: Drawn = DRAWN) -> list[tuple[str, str]]:
    with pytest.raises(ChangesetInvalid) as caught:
        changesets(text, drawn, resources.schema())
    return list(caught.value.problems)


def one(**more: Any) -> str:
    return json.dumps({"version": 1, "changes": [add("uses-pnpm")], **more}, indent=2)


@pytest.mark.parametrize(
    "around",
    [
        "%",
        "```json\n%\n```",
        "Here is what I found in [u1]:\n\n```\n%\n```\nI left [] and {braces} alone.",
        'First thought: {"version": 1}\nThen:\n%\n',
        "\ufeff\n%",
    ],
)
def test_a_changeset_is_found_whatever_stands_around_it(around: str) -> None:
    (found,) = of(around.replace("%", one()))
    assert [change["note"]["name"] for change in found["changes"]] == ["uses-pnpm"]


def test_a_changeset_is_found_behind_many_lists() -> None:
    (found,) = of("[1] as [2] says\n" * 400 + one())
    assert found["changes"][0]["note"]["name"] == "uses-pnpm"


def test_the_last_of_several_counts() -> None:
    first = json.dumps({"version": 1, "changes": [add("a-draft")]})
    (found,) = of(f"{first}\nNo, rather:\n{one()}")
    assert found["changes"][0]["note"]["name"] == "uses-pnpm"


def test_it_names_who_was_asked_and_the_one_session_whatever_it_says() -> None:
    (found,) = of(one(agent="somebody", sessions=["s-9", "s-8"]))
    assert (found["agent"], found["sessions"], found["scope"]) == ("claude-code", ["s-1"], "project")


def test_a_store_is_the_one_that_it_names_or_the_first_there_is() -> None:
    assert of(one(scope="user"))[0]["scope"] == "user"
    assert of(one(), Drawn("s-1", "x", ("user",)))[0]["scope"] == "user"
    assert "scope" not in of(one(scope="user"), Drawn("s-1", "x", ()))[0]
    assert problems(one(scope="project"), Drawn("s-1", "x", ("user",))) == [
        ("$.scope", "there is no such store here; it can be `user`")
    ]


def test_two_changesets_are_for_two_stores() -> None:
    both = f"[{one(scope='project')}, {one(scope='user')}]"
    assert [found["scope"] for found in of(both)] == ["project", "user"]
    assert problems(f"[{one()}, {one(scope='project')}]")[0][0] == "$"


@pytest.mark.parametrize("text", ["[]", "```json\n[]\n```", '{"version": 1, "changes": []}', "Nothing durable: []\n"])
def test_nothing_is_an_answer(text: str) -> None:
    assert of(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Error: list [] is empty: quota exceeded",
        "\ufffd[]\x07 binary",
        "I found nothing.",
        "{}",
        '{"version": 1}',
        "[1]",
        "null",
        "[" * 200_000,
        "{" * 200_000,
    ],
)
def test_no_changeset_is_said(text: str) -> None:
    assert problems(text) == [("$", "the answer holds no changeset: no JSON object with `changes`, and no empty list")]


def test_a_broken_changeset_is_no_empty_list() -> None:
    """A changeset that ends in the middle has whole empty lists in it: `"evidence": []`."""
    ((path, words),) = problems(one()[:-20])
    assert path == "$"
    assert words.startswith("not JSON: line ")


def test_what_is_wrong_is_told_with_its_place() -> None:
    bad = json.dumps({"version": 1, "changes": [{**add("UPPER"), "confidence": 7}]})
    assert {path for path, _ in problems(bad)} == {"$.changes[0].confidence", "$.changes[0].note.name"}
    assert {path for path, _ in problems(f"[{one(scope='user')}, {bad}]")} == {
        "$[1].changes[0].confidence",
        "$[1].changes[0].note.name",
    }


def test_keys_given_twice_are_no_changeset() -> None:
    twice = one().replace('"version": 1,', '"version": 1, "version": 1,')
    assert ("$.version", "given more than once") in problems(twice)


def test_evidence_of_another_session_is_refused() -> None:
    foreign = {**add("uses-pnpm"), "evidence": [{"session": "s-2", "ref": "u1", "quote": "never seen"}]}
    assert problems(json.dumps({"version": 1, "changes": [foreign]})) == [
        ("$.changes[0].evidence[0].session", "must be the session that was read, s-1")
    ]

"""What a session opens with: sections, shares, and what stays out."""

from __future__ import annotations

from engram.recall.opening import Fact, chosen, opening
from engram.recall.packet import EMPTY, Item


def fact(
    id_: str, kind: str, *, scope: str = "project", importance: int = 5, date: str = "2026-11-01", age: float = 9
) -> Fact:
    return Fact(id_, kind, scope, importance, date, age)


def item(name: str, body: str = "One fact.") -> Item:
    return Item(name, f"{name}.md", root="/s", kind="project", date="2026-11-01", base=name, description="d", body=body)


def test_each_kind_goes_to_its_section() -> None:
    facts = [
        fact("me", "user"), fact("rule", "feedback"), fact("slip", "lesson"), fact("goal", "project"),
        fact("where", "reference"), fact("odd", "gotcha"), fact("day", "journal"),
    ]  # fmt: skip
    found = chosen(facts, "2026-11")
    assert found == {"user": ["me"], "learnt": ["rule", "slip"], "state": ["goal", "odd"], "journal": ["day"]}


def test_the_state_of_another_project_is_not_this_one_s() -> None:
    assert chosen([fact("other", "project", scope="user")], "2026-11")["state"] == []


def test_importance_and_recency_weigh_against_each_other() -> None:
    facts = [
        fact("old-and-weighty", "project", importance=9, age=400),
        fact("new", "project", importance=6, age=1),
        fact("old", "project", importance=6, age=400),
        fact("nobody-knows-when", "project", importance=5, age=1e6),
    ]
    assert chosen(facts, "2026-11")["state"] == ["new", "old-and-weighty", "old", "nobody-knows-when"]


def test_of_the_journal_come_the_newest_two_and_this_month() -> None:
    days = ["2026-11-03", "2026-10-30", "2026-09-01", "2026-11-29", "2026-11-02"]
    facts = [fact(day, "journal", date=day) for day in days]
    assert chosen(facts, "2026-11")["journal"] == ["2026-11-29", "2026-11-03", "2026-11-02"]
    assert chosen(facts, "2026-12")["journal"] == ["2026-11-29", "2026-11-03"]


def test_sections_come_in_order_under_their_headings() -> None:
    made = opening(
        {"user": [item("me")], "journal": [item("day")], "learnt": [item("rule")]}, notice="Waiting: 1 session."
    )
    lines = [line for line in made.text.split("\n") if not line.startswith("  |")]
    assert [line.split(" (")[0] for line in lines[2:]] == [
        "Who the user is:", "* me", "Lessons and feedback:", "* rule", "Journal, newest first:", "* day",
        "Waiting: 1 session.",
    ]  # fmt: skip


def test_no_section_takes_the_room_of_the_others() -> None:
    long = "A long story that goes on and on without an end. " * 100
    sections = {key: [item(f"{key}-1", long), item(f"{key}-2", long)] for key in ("user", "learnt", "state", "journal")}
    made = opening(sections, budget=1500)
    assert {one.name.split("-")[0] for one in made.whole} == set(sections)
    assert made.tokens <= 1500


def test_the_notice_comes_even_where_nothing_else_does() -> None:
    assert opening({}, notice="Waiting: 2 plans.").text == "Waiting: 2 plans."
    assert opening({}) is EMPTY
    me = item("me")
    assert opening({"user": [me]}, seen={me.key: (me.base, "whole")}, notice="W").text == "W"
    assert opening({"user": [me]}, budget=3, notice="A notice that is too long for the budget") is EMPTY


def test_a_note_in_two_sections_comes_once() -> None:
    me = item("me")
    assert opening({"user": [me], "learnt": [me]}).whole == (me,)

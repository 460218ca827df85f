"""Topic keys and names made of titles."""

from __future__ import annotations

import pytest

from engram.model.topic import FAMILIES, kebab, name_of, problem_with, suggested
from engram.store.paths import problem_with_name


@pytest.mark.parametrize(
    "key", ["architecture/auth-model", "bug/nil-panic-in-user-list", "config/ci", "learning/x2", "decision/a-1"]
)
def test_a_key_is_a_family_and_what_it_is_about(key: str) -> None:
    assert problem_with(key) == ""


@pytest.mark.parametrize(
    ("key", "why"),
    [
        ("authModel", "no family/kebab-case"),
        ("auth model", "no family/kebab-case"),
        ("ARCHITECTURE/AUTH", "no family/kebab-case"),
        ("architecture/auth/model", "more than two levels"),
        ("bugfix", "no family/kebab-case"),
        ("bugfix/x", "no known family"),
        ("bug/", "no family/kebab-case"),
        ("bug/a--b", "no family/kebab-case"),
        ("bug/x\n", "no family/kebab-case"),
        ("../bug", "no family/kebab-case"),
        ("bug/" + "x" * 100, "104 characters"),
        ("", "no family/kebab-case"),
    ],
)
def test_what_is_no_key_is_told_why(key: str, why: str) -> None:
    assert why in problem_with(key)


@pytest.mark.parametrize(
    ("kind", "title", "key"),
    [
        ("architecture", "Auth model", "architecture/auth-model"),
        ("bugfix", "Nil panic in user list", "bug/nil-panic-in-user-list"),
        ("bugfix", "Bug: nil panic", "bug/nil-panic"),
        ("manual", "Decision: SQLite", "decision/sqlite"),
        ("manual", "Naming convention for tests", "pattern/naming-convention-for-tests"),
        ("preference", "Tabs", "pattern/tabs"),
        ("", "The cache is cold", "discovery/the-cache-is-cold"),
        ("config", "Über CI", "config/uber-ci"),
    ],
)
def test_a_key_is_suggested_by_type_and_title(kind: str, title: str, key: str) -> None:
    assert suggested(kind, title) == key


@pytest.mark.parametrize("title", ["Привет мир", "日本語", "!!!", "", "x" * 500, "a/b/../c", "-", "\ud800"])
@pytest.mark.parametrize("kind", ["decision", "", "../x", "Ж"])
def test_whatever_is_asked_the_suggestion_is_a_key_and_the_name_one(kind: str, title: str) -> None:
    key = suggested(kind, title)
    assert problem_with(key) == ""
    assert key.split("/")[0] in FAMILIES
    assert problem_with_name(name_of(title, kind, lambda name: True, 64)) == ""


def test_a_name_is_numbered_until_it_is_free() -> None:
    taken = {"a-title", "a-title-2"}
    assert name_of("A Title!", "note", lambda name: name not in taken, 64) == "a-title-3"
    long = "word " * 30
    first = name_of(long, "note", lambda name: True, 64)
    second = name_of(long, "note", lambda name: name != first, 64)
    assert len(first) <= 64
    assert first.endswith("word")
    assert second.endswith("-2")
    assert len(second) <= 64


def test_a_kebab_is_cut_at_a_word() -> None:
    assert kebab("Fixed N+1 query in user list", 64) == "fixed-n-1-query-in-user-list"
    assert kebab("one two three", 8) == "one-two"
    assert kebab("x" * 20, 8) == "x" * 8

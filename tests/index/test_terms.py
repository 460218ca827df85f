"""Terms: the forms of a word meet, identifiers are found whole and in part, and every script gives something."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.talk_words import TARGET, text
from engram.index.stems import stem
from engram.index.stop_words import STOP_WORDS
from engram.index.terms import LONGEST, query_terms, terms


@pytest.mark.parametrize(
    "forms",
    [
        "deploy deploys deployed deploying",
        "configure configured configuring configuration configurations",
        "run running ran runs",
        "library libraries",
        "index indexes indices",
        "stop stopped stopping",
        "ошибка ошибки ошибку ошибкой ошибками",
        "развёртывание развертывания развертыванием",
        "сборка сборки сборку",
        "настройка настройки настройками",
        "тестовый тестового тестовые",
    ],
)
def test_the_forms_of_a_word_are_one_term(forms: str) -> None:
    assert len({terms(form)[0] for form in forms.split()}) == 1


@pytest.mark.parametrize("pair", ["news new", "test toast", "кот код", "порт порог"])
def test_other_words_stay_apart(pair: str) -> None:
    one, other = pair.split()
    assert terms(one) != terms(other)


@pytest.mark.parametrize(
    ("written", "asked"),
    [
        ("user_id", "userId"), ("user_id", "user-id"), ("user_id", "USER_ID"), ("user_id", "user id"),
        ("src/app_config.py", "app_config.py"), ("src/app_config.py", "app_config"), ("src/app_config.py", "config"),
        ("ENG-1234", "eng-1234"), ("ENG-1234", "1234"), ("HTTPServer", "http server"), ("café", "cafe"),
        ("Größe", "grosse"), ("größe", "große"), ("naïve", "naive"), ("ёлка", "елка"), ("l'équipe", "equipe"),
        ("don’t", "don't"), ("utf-8", "utf8"), ("ＦＯＯ１２", "foo12"), ("a.b.c:run", "a.b.c"),
    ],
)  # fmt: skip
def test_what_is_asked_is_among_what_is_written(written: str, asked: str) -> None:
    assert set(query_terms(asked)) & set(terms(written)), (terms(asked), terms(written))


def test_an_identifier_has_its_whole_its_pieces_and_its_atoms() -> None:
    assert terms("src/app_config.py") == ["srcappconfigpi", "appconfigpi", "src", "appconfig", "app", "config", "py"]


def test_versions_of_the_same_digits_stay_apart() -> None:
    assert terms("v1.23")[0] != terms("v12.3")[0]


def test_scripts_without_spaces_are_cut_in_pairs() -> None:
    assert terms("数据库 连接") == ["数据", "据库", "连接"]
    assert terms("設") == ["設"]
    assert terms("データ") == ["デー", "ータ"]
    assert terms("설정") == ["설정"]


def test_a_question_loses_its_stop_words_and_its_repetitions() -> None:
    assert query_terms("Where is the config of the config file?") == ["config", "file"]
    assert query_terms("где лежат ключи?") == ["лежат", "ключ"]


def test_a_question_of_stop_words_keeps_them() -> None:
    assert query_terms("to be or not to be") == ["to", "be", "or", "not"]


def test_names_of_things_are_no_stop_words() -> None:
    assert not STOP_WORDS & {stem(word) for word in ("ai", "os", "mit", "ci", "go", "rust", "test", "error")}


@given(st.text(max_size=200))
def test_any_text_gives_terms_that_can_be_stored_in_one_line(given_text: str) -> None:
    for term in terms(given_text):
        assert term
        assert len(term) <= LONGEST
        assert all(letter.isalnum() or letter == "_" or letter > "\x7f" for letter in term)
        assert not any(letter.isspace() for letter in term)


@given(st.text(max_size=200))
def test_a_text_covers_itself(given_text: str) -> None:
    assert set(query_terms(given_text)) <= set(terms(given_text))


def test_the_words_of_everyday_talk_are_those_of_the_prompts() -> None:
    assert TARGET.read_text(encoding="utf-8") == text(), "run `python -m benchmarks.talk_words`"

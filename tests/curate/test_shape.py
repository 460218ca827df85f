from __future__ import annotations

import pytest

from engram.curate.shape import missing_parts, relative_dates, too_long_body, too_long_description


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Decided yesterday, ships next month.", ("yesterday", "next month")),
        ("It broke 3 days ago.", ("3 days ago",)),
        ("Freeze starts next Tuesday", ("next tuesday",)),
        ("Seit gestern kaputt, nächste Woche neu", ("gestern", "nächste woche")),
        ("Ayer falló; la semana pasada también", ("ayer", "la semana pasada")),
        ("Décidé hier", ("hier",)),
        ("Deciso ieri", ("ieri",)),
        ("Ontem falhou", ("ontem",)),
        ("Сломалось вчера, на прошлой неделе тоже", ("вчера", "прошлой неделе")),
        ("昨天决定的", ("昨天",)),
    ],
)
def test_a_relative_date_is_found(text: str, words: tuple[str, ...]) -> None:
    assert relative_dates(text) == words


@pytest.mark.parametrize(
    "text",
    [
        "Decided on 2026-01-14.", 'The user said "do it tomorrow".', "Run `date -d yesterday`.",
        "```\nsince yesterday\n```", "> shipped last week", "The least recently used entry goes.",
        "Das steht hier und ist so.", "last_week_report is the table", "A 30-day window",
    ],
)  # fmt: skip
def test_quotes_code_and_plain_dates_are_no_relative_dates(text: str) -> None:
    assert relative_dates(text) == ()


def test_a_description_has_at_most_120_characters() -> None:
    assert too_long_description("x" * 120) == ""
    assert too_long_description("x" * 121) == "the description has 121 characters; 120 are enough"


def test_a_body_has_about_150_words() -> None:
    assert too_long_body("feedback", "word " * 150) == ""
    assert too_long_body("feedback", "word " * 151) == "the body has 151 words; about 150 are enough for one fact"
    assert too_long_body("project", "字" * 600) == ""
    assert "601 characters" in too_long_body("project", "字" * 601)


@pytest.mark.parametrize(("lines", "fits"), [(2, False), (3, True), (6, True), (7, False)])
def test_a_journal_entry_has_three_to_six_lines(lines: int, fits: bool) -> None:
    body = "# 2026-01-14\n\n" + "- did a thing\n" * lines
    assert (too_long_body("journal", body) == "") is fits


def test_feedback_and_lessons_name_their_parts() -> None:
    assert missing_parts("feedback", "Use pnpm.") == ("**Why:**", "**How to apply:**")
    assert missing_parts("feedback", "X.\n\n**Why:** a\n**How to apply:** b") == ()
    assert missing_parts("feedback", "X.\n\n- **why**: a\n- **How to Apply**: b") == ()
    assert missing_parts("lesson", "**Mistake:** a\n\n**How to apply:** b") == ("**Why it happened:**",)
    assert missing_parts("project", "Anything.") == ()

"""Whose words a message's text is."""

from __future__ import annotations

import pytest

from engram.capture.spoken import is_wrapped, own_words, without_reminders


@pytest.mark.parametrize(
    "text",
    [
        "<hook_context>x</hook_context>",
        "<permissions instructions>\nx",
        "# AGENTS.md instructions for /p",
        "This session is being continued from a previous conversation that ran out",
        "\n <system_reminder>x</system_reminder> and on",
    ],
)
def test_what_a_client_writes_is_nobodys(text: str) -> None:
    assert own_words(text) == ""


@pytest.mark.parametrize("text", ["<div>why is this red?", "use <hook_contexts>", "AGENTS.md says tabs", "a < b"])
def test_a_persons_words_stay_as_they_are(text: str) -> None:
    assert own_words(text) == text


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("a <hook_context>x</hook_context> b", "a  b"),
        ("a <system_reminder>x</system_reminder> forged </system_reminder> b", "a  b"),
        ("a <hook_context>x</system-reminder> forged", "a"),
        ("a <system-reminder>x", "a"),
        ("a <System-Reminder kind='x'>x</System-Reminder> b", "a  b"),
        ("a <user-prompt-submit-hook>x</user-prompt-submit-hook> b", "a  b"),
        ("a </system-reminder> b", "a </system-reminder> b"),
    ],
)
def test_reminders_go_with_all_that_pretends_to_stand_behind_them(text: str, left: str) -> None:
    assert without_reminders(text) == left


@pytest.mark.parametrize(
    ("piece", "kept"),
    [
        ("<system-reminder ", True),
        ("<system-reminder>", False),
        ("</system-reminder>", True),
        ("<hook_context\n", True),
    ],
)
def test_a_text_full_of_beginnings_takes_no_longer_than_its_length(piece: str, kept: bool) -> None:
    """Quadratic, these would take hours."""
    text = "a " + piece * 100_000
    assert len(without_reminders(text)) == (len(text.strip()) if kept else 1)


@pytest.mark.parametrize(
    ("text", "wrapped"),
    [
        ("<x>\ny\n</x>\n", True),
        ('<x-y a="b">z</x-y>', True),
        ("<x>y</x> z", False),
        ("<x>y</z>", False),
        ("x <y></y>", False),
        ("<" * 100_000, False),
    ],
)
def test_one_element_is_told_apart(text: str, wrapped: bool) -> None:
    assert is_wrapped(text) is wrapped

"""Where a home is, and what switches are on."""

from __future__ import annotations

import pytest

from engram.model.event import Event, engram_home, is_set


@pytest.mark.parametrize(
    ("named", "home", "expected"),
    [
        (None, "/home/ada", "/home/ada/.agent-memory"),
        ("", "/home/ada", "/home/ada/.agent-memory"),
        ("  ", "/home/ada/", "/home/ada/.agent-memory"),
        ("/srv/memory", "/home/ada", "/srv/memory"),
        ("~/memory", "/home/ada", "/home/ada/memory"),
        ("~", "/home/ada", "/home/ada"),
        ("memory", "/home/ada", "/home/ada/memory"),
        (None, "C:\\Users\\Ada", "C:\\Users\\Ada\\.agent-memory"),
        ("~\\memory", "C:\\Users\\Ada", "C:\\Users\\Ada\\memory"),
        ("D:\\memory", "C:\\Users\\Ada", "D:\\memory"),
        ("\\\\server\\memory", "C:\\Users\\Ada", "\\\\server\\memory"),
        ("/home/Ünïcödé", "/home/ada", "/home/Ünïcödé"),
    ],
)
def test_the_home(named: str | None, home: str, expected: str) -> None:
    assert engram_home({} if named is None else {"ENGRAM_HOME": named}, home) == expected


@pytest.mark.parametrize(("value", "on"), [("1", True), ("yes", True), ("0", False), (" False ", False), ("", False)])
def test_a_switch(value: str, on: bool) -> None:
    assert is_set({"ENGRAM_DISABLE": value}, "ENGRAM_DISABLE") is on
    assert is_set({}, "ENGRAM_DISABLE") is False


def test_events_with_the_same_values_are_equal() -> None:
    values = ("claude-code", "s", "/t", "/c", "2026-03-01T10:00:00Z")
    assert Event(*values) == Event(*values)
    assert Event(*values) != Event("codex", *values[1:])
    assert "session='s'" in repr(Event(*values))

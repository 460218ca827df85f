"""MEMORY.md: one line per note, and no other line moves."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram.store.toc import BYTES_LIMIT, LINES_LIMIT, crowded, listed, with_note, without_note

PROJECT = """# Memory

- [One](one.md) — first
- [Two](sub/two.md) — second

Read [the guide](guide.md) before you touch anything.
"""


def add(text: str, path: str = "new.md", title: str = "New", hook: str = "a hook", kind: str = "project") -> str:
    return with_note(text.encode(), path, title=title, description=hook, kind=kind, user_store=False).decode()


def test_lists_what_is_linked() -> None:
    text = (
        "- [A](a.md)\n* [B](<b c.md>) - x\n1. see [C](./c%20d.md#part)\n"
        "[U](https://x.example/u.md) [P](/p.md) [Q](../q.md)\n"
        "```\n- [F](f.md)\n```\nSee [D](d.md), [E](e.txt).\n- [D2](d.md): listed\n- [x [y] \\] z](g.md)\n"
    )
    assert listed(text.encode()) == {"a.md": 1, "b c.md": 2, "c d.md": 3, "d.md": 9, "g.md": 10}
    assert listed(b"") == {}
    assert listed("﻿- [A](a.md)\r\n- [B](b.md)\r\n".encode()) == {"a.md": 1, "b.md": 2}


def test_adds_behind_the_list_and_not_behind_the_prose() -> None:
    assert add(PROJECT) == PROJECT.replace("second\n", "second\n- [New](new.md) — a hook\n")


@pytest.mark.parametrize(("dash", "kept"), [("—", " — "), ("–", " – "), ("-", " - "), ("--", " -- "), (":", ": ")])
def test_keeps_the_files_dash(dash: str, kept: str) -> None:
    lead = "" if dash == ":" else " "
    text = f"* [A](a.md){lead}{dash} one\n* [B](b.md){lead}{dash} two\n* [C](c.md)\n"
    assert add(text) == f"{text}* [New](new.md){kept}a hook\n"


def test_keeps_line_ends_and_a_missing_final_one() -> None:
    assert add("# M\r\n\r\n- [A](a.md): x\r\n") == "# M\r\n\r\n- [A](a.md): x\r\n- [New](new.md): a hook\r\n"
    assert add("- [A](a.md): x") == "- [A](a.md): x\n- [New](new.md): a hook"
    assert add("- [A](a.md): x\r\n- [B](b.md): y") == "- [A](a.md): x\r\n- [B](b.md): y\r\n- [New](new.md): a hook"


def test_a_byte_order_mark_is_no_part_of_the_first_line() -> None:
    text = "\ufeff- [A](a.md): x\n"
    assert add(text, "a.md") == "\ufeff- [A](a.md): a hook\n"
    assert without_note(text.encode(), "a.md") == b""


def test_lines_that_are_no_utf8_stay_as_they_are() -> None:
    data = b"- [A\xe9](a.md): x\xe9\n- [B](b.md): y\xe9\n"
    after = with_note(data, "a.md", title="A", description="z", kind="", user_store=False)
    assert after == b"- [A\xe9](a.md): z\n- [B](b.md): y\xe9\n"


def test_fresh_and_empty_files() -> None:
    fresh = with_note(None, "new.md", title="New", description="a hook", kind="x", user_store=False)
    assert fresh == b"# Memory\n\n- [New](new.md): a hook\n"
    assert add("") == "- [New](new.md): a hook\n"
    assert add("# M\n\nProse.\n") == "# M\n\nProse.\n\n- [New](new.md): a hook\n"
    assert add("- a plain bullet\n") == "- a plain bullet\n- [New](new.md): a hook\n"
    assert add("# M\n", hook="") == "# M\n\n- [New](new.md)\n"


SECTIONS = (
    "# M\n\n## Project Memories\n- [A](a.md) - x\n  more of it\n\n## Feedback\n\n"
    "## Decisions\nProse.\n\n## References\n- [R](r.md) - y\n"
)


@pytest.mark.parametrize(
    ("kind", "old", "new"),
    [
        ("project", "more of it\n", "more of it\n- [New](new.md) - a hook\n"),
        ("feedback", "## Feedback\n\n", "## Feedback\n\n- [New](new.md) - a hook\n\n"),
        ("decision", "## Decisions\n", "## Decisions\n\n- [New](new.md) - a hook\n\n"),
        ("reference", "y\n", "y\n- [New](new.md) - a hook\n"),
        ("lesson", "y\n", "y\n- [New](new.md) - a hook\n"),
        ("", "y\n", "y\n- [New](new.md) - a hook\n"),
    ],
)
def test_goes_under_the_heading_of_its_type(kind: str, old: str, new: str) -> None:
    assert add(SECTIONS, kind=kind) == SECTIONS.replace(old, new)


def test_replaces_the_hook_of_the_line_that_lists_the_note() -> None:
    assert add(PROJECT, "one.md", hook="other") == PROJECT.replace("— first", "— other")
    assert add("- [A](a.md)\n", "a.md") == "- [A](a.md): a hook\n"
    assert add("- [A](a.md) — x\r\n- [B](b.md)", "b.md") == "- [A](a.md) — x\r\n- [B](b.md) — a hook"
    kept = with_note(PROJECT.encode(), "one.md", title="T", description="x", kind="", user_store=False, new_hook=False)
    assert kept == PROJECT.encode()
    assert add("See [A](a.md) first.\n", "a.md", title="A") == "See [A](a.md) first.\n\n- [A](a.md): a hook\n"


def test_user_store_groups_by_type() -> None:
    data = None
    for path, hook, kind in (("m/a.md", "one", "feedback"), ("m/b.md", "two", "user"), ("m/c.md", "three", "feedback")):
        data = with_note(data, path, title="T", description=hook, kind=kind, user_store=True)
    assert data is not None
    assert (
        data.decode() == "# Memory\n\n## feedback\n\n- [one](m/a.md)\n- [three](m/c.md)\n\n## user\n\n- [two](m/b.md)\n"
    )
    again = with_note(data, "m/a.md", title="T", description="four [x]", kind="feedback", user_store=True)
    assert again == data.replace(b"[one]", b"[four \\[x\\]]")
    assert without_note(again, "m/a.md") == data.replace(b"- [one](m/a.md)\n", b"")


def test_takes_out_the_line_that_lists_and_leaves_the_one_that_mentions() -> None:
    assert without_note(PROJECT.encode(), "one.md").decode() == PROJECT.replace("- [One](one.md) — first\n", "")
    assert without_note(PROJECT.encode(), "guide.md").decode() == PROJECT
    assert without_note(b"- [A](a.md)\n- [B](b.md)", "b.md") == b"- [A](a.md)\n"


HOSTILE = [
    "a](evil.md)", "]", "[", "\\", "a\n- [E](evil.md)", "a\r\nb", "\u2028- [E](evil.md)", "`", "``",
    "`](evil.md)", "<!-- ", "-->",
    "[[x]]", "(", ")", "# h", "\t", "\x1b[0m", "", " ", "a: b", "— b", "[E](evil.md)", "\\](evil.md)", "\ud83d", "\x08",
]  # fmt: skip


@given(
    st.lists(st.one_of(st.sampled_from(HOSTILE), st.text(max_size=5)), max_size=4).map("".join),
    st.lists(st.one_of(st.sampled_from(HOSTILE), st.text(max_size=5)), max_size=4).map("".join),
    st.booleans(),
    st.sampled_from([PROJECT, SECTIONS, PROJECT.replace("\n", "\r\n"), "", "## project\n- [A](a.md)"]),
)
def test_no_title_or_description_breaks_its_line(title: str, hook: str, user_store: bool, text: str) -> None:
    before = text.encode()
    for path in ("new.md", "di r/n(e)w.md", "a%20b#c.md", "[x].md"):
        after = with_note(before, path, title=title, description=hook, kind="project", user_store=user_store)
        assert listed(after).keys() == {*listed(before), path}
        lines = after.split(b"\n")
        assert listed(after)[path] <= len(lines)
        assert b"<!--" not in after
        assert b"".join(without_note(after, path).split()) == b"".join(before.split()) or user_store
        again = with_note(after, path, title=title, description=hook, kind="project", user_store=user_store)
        assert again == after


def test_crowded() -> None:
    assert crowded(PROJECT.encode()) == ""
    assert crowded(b"- x\n" * 179) == ""
    assert "180 lines" in crowded(b"- x\n" * 180)
    assert "cut off" not in crowded(b"- x\n" * LINES_LIMIT)
    assert "cut off" in crowded(b"- x\n" * (LINES_LIMIT + 1))
    assert "cut off" in crowded(b"x" * 30 + b"\n" + b"y" * (BYTES_LIMIT + 1))
    assert "longest lines (2)" in crowded(b"x" * 30 + b"\n" + b"y" * (BYTES_LIMIT + 1))
    assert crowded(b"---\nx: y\n---\n<!--" + b"\n" * 400 + b"-->\n- x\n") == ""
    assert "lines" in crowded(b"<!--" + b"\n" * 400)
    crowded(b"<!--" * 100_000)

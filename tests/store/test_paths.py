"""Paths: nothing untrusted reaches out of the store, nor for a file that means something else."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram.store.paths import path_for, problem_with_name, problem_with_path, same_place, twins


@pytest.mark.parametrize("name", ["a", "0", "prefers-pnpm", "a-", "x" * 64, "con-fig", "com10", "skills", "9-lives"])
def test_good_names(name: str) -> None:
    assert problem_with_name(name) == ""
    assert problem_with_path(f"{name}.md") == ""


@pytest.mark.parametrize(
    "name",
    [
        "", "-a", "A", "a_b", "a b", "a.b", "a/b", "a\n", "a\0", "é", "ａ", "x" * 65, "..", "memory", "claude",
        "agents", "gemini",
        "readme", "skill", "con", "prn", "aux", "nul", "com1", "lpt9", "com0", "а-b",
    ],
)  # fmt: skip
def test_bad_names(name: str) -> None:
    assert problem_with_name(name)


@pytest.mark.parametrize(
    "path",
    [
        "a.md",
        "dir/a.md",
        "claude/git/a.md",
        "Two Words.md",
        "日本語.md",
        ".hidden.md",
        "a.b.md",
        "gitfoo/a.md",
        "memory/x.md",
    ],
)
def test_good_paths(path: str) -> None:
    assert problem_with_path(path) == ""


@pytest.mark.parametrize(
    "path",
    [
        "", "/a.md", "//host/a.md", "~/a.md", "C:/a.md", "c:a.md", "C:\\a.md", "..\\a.md", "a\\b.md",
        "../a.md", "a/../b.md", "a/..",
        "./a.md", "a//b.md", "a/", ".git/a.md", "a/.git/b.md", ".GIT/a.md", ".git./a.md", ".git /a.md",
        "git~1/a.md", "GIT~2/a.md",
        ".g\u200cit/a.md", ".engram/a.md", ".Engram/a.md", "a.txt", "a", ".md", "a.MD", "a.md/b", "MEMORY.md",
        "memory.md",
        "x/MEMORY.md", "x/Memory.md", "CLAUDE.md", "x/agents.md", "Gemini.md", "README.md", "SKILL.md",
        "con.md", "dir/NUL.md",
        "nul.tar.md", "com1/a.md", "LPT9.x/a.md", "com¹.md", "conin$.md", "a\0.md", "a\n.md", "a\x1b.md",
        "a.md:stream", "a:b.md",
        "a?.md", "a*.md", "a<b.md", 'a".md', "a|b.md", "dir./a.md", "dir /a.md", "a.md ", "a.md.",
        "half\ud83d.md", "x" * 260 + ".md",
        "MEMORY .md", "memo\u200dry.md",
    ],
)  # fmt: skip
def test_bad_paths(path: str) -> None:
    assert problem_with_path(path)


@given(st.text(alphabet="aM./\\:~ gitGIT\0-\u200c", max_size=20))
def test_whatever_passes_stays_inside(path: str) -> None:
    if problem_with_path(path) == "":
        parts = path.split("/")
        assert path.endswith(".md")
        assert not {"", ".", ".."} & set(parts)
        assert ".git" not in {part.lower() for part in parts}
        assert not set(path) & set("\\:\0")


@pytest.mark.parametrize(
    ("kind", "path"),
    [
        ("project", "memories/project/x.md"),
        ("session_summary", "memories/session_summary/x.md"),
        ("lesson", "lessons/x.md"),
        ("journal", "journal/2026/2026-02/x.md"),
        ("", "memories/x.md"),
        ("con", "memories/x.md"),
        ("../up", "memories/x.md"),
    ],
)
def test_path_for(kind: str, path: str) -> None:
    assert path_for("x", kind, user_store=True, today=date(2026, 2, 3)) == path
    assert path_for("x", kind, user_store=False, today=date(2026, 2, 3)) == "x.md"
    assert problem_with_path(path) == ""


def test_twins_are_files_that_some_file_system_confuses() -> None:
    assert twins(["b.md", "a.md", "A.md", "dir/a.md"]) == (("A.md", "a.md"),)
    assert twins(["e\u0301.md", "\u00e9.md"]) == (("e\u0301.md", "\u00e9.md"),)
    assert twins(["Straße.md", "STRASSE.md"]) == (("STRASSE.md", "Straße.md"),)
    assert same_place("Dir/A.md") == "dir/a.md"

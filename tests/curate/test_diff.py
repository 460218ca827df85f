from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from unidiff import PatchSet

from engram.curate import hunks as hunks_module
from engram.curate.diff import render, unified
from engram.curate.hunks import hunks, runs
from engram.curate.shown import shown_content
from engram.errors import Bug
from engram.model.lines import lines_of
from engram.model.plan import Concern, Edit, Line, Plan
from tests.lib.changesets import folder
from tests.lib.stores import git, make_store


def plan_of(*edits: Edit, **more: object) -> Plan:
    whole = {"root": "/store", "ref": "refs/heads/main", "head": "a" * 40, "subject": "s", "trailers": (), **more}
    return Plan(edits=edits, **whole)  # type: ignore[arg-type]


def edit(before: bytes | None, after: bytes | None, path: str = "a.md") -> Edit:
    return Edit(path, before, after, before, after)


def patched(diff: bytes, before: bytes) -> bytes:
    """Applies the hunks of one file's diff, by the letter of the format: an applier that shares no line with ours."""
    rows = diff.split(b"\n")[:-1]
    lines = re.findall(rb"[^\n]*\n|[^\n]+", before)
    out, place, index = [], 0, 0
    while index < len(rows):
        header = re.match(rb"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@$", rows[index])
        index += 1
        if header is None:
            continue
        length, new_length = int(header[2] or 1), int(header[4] or 1)
        start = int(header[1]) - (1 if length else 0)
        out += lines[place:start]
        place = start
        assert len(out) == int(header[3]) - (1 if new_length else 0)
        while length or new_length:
            sign, text = rows[index][:1], rows[index][1:] + b"\n"
            index += 1
            if rows[index : index + 1] == [b"\\ No newline at end of file"]:
                text = text[:-1]
                index += 1
            if sign in (b" ", b"-"):
                assert lines[place] == text
                place, length = place + 1, length - 1
            if sign in (b" ", b"+"):
                out.append(text)
                new_length -= 1
    return b"".join([*out, *lines[place:]])


messy_line = st.one_of(
    st.sampled_from(
        [b"", b"\r", b"same", b"--- a/x", b"+++ b/x", b"@@ -1 +1 @@", b"\\ No newline at end of file", b"-- x", b"++ x",
         b"diff --git a/x b/x", b"\x0c", b"\xe2\x80\xa8", b"\x85", b"\xff\xfe", b"\x1b[2J", b" ", b"\t", b"a\rb"]
    ),
    st.binary(max_size=6).map(lambda data: data.replace(b"\n", b"")),
)  # fmt: skip
messy = st.builds(
    lambda lines, end: b"\n".join(lines) + end,
    st.lists(messy_line, max_size=12),
    st.sampled_from([b"", b"\n", b"\r\n"]),
)


@given(messy, messy)
def test_applied_to_before_it_gives_after(before: bytes, after: bytes) -> None:
    text = unified(plan_of(edit(before, after)))
    assert patched(text.encode("utf-8", "surrogateescape"), before) == after
    assert len(PatchSet(io.StringIO(text, newline="\n"))) == (before != after)


@given(st.lists(messy, min_size=2, max_size=4), st.data())
def test_nearly_equal_texts_and_several_files(texts: list[bytes], data: st.DataObject) -> None:
    common = b"".join(b"line %d\n" % number for number in range(20))
    place = data.draw(st.integers(0, len(common)))
    edits = [edit(common, common[:place] + text + common[place:], f"{index}.md") for index, text in enumerate(texts)]
    text = unified(plan_of(*edits)).encode("utf-8", "surrogateescape")
    parts = re.split(rb"(?m)^(?=diff --git a/\d\.md b/\d\.md\n)", text)[1:]
    changed = [one for one in edits if one.head_before != one.head_after]
    assert len(parts) == len(changed)
    for one, part in zip(changed, parts, strict=True):
        assert patched(part, one.head_before or b"") == one.head_after


@given(messy)
def test_new_and_removed_files(content: bytes) -> None:
    added, removed = unified(plan_of(edit(None, content))), unified(plan_of(edit(content, None)))
    assert patched(added.encode("utf-8", "surrogateescape"), b"") == content
    assert patched(removed.encode("utf-8", "surrogateescape"), content) == b""


GIT_CASES = {
    "new": (None, b"one\ntwo\n"),
    "new and empty": (None, b""),
    "removed": (b"one\n", None),
    "no final newline before": (b"one\ntwo", b"one\nthree\n"),
    "no final newline after": (b"one\ntwo\n", b"one\nthree"),
    "no final newline at all": (b"one\ntwo", b"zero\ntwo"),
    "crlf": (b"one\r\ntwo\r\n", b"one\r\ntwo!\r\n"),
    "crlf to lf": (b"one\r\ntwo\r\n", b"one\ntwo\n"),
    "lone carriage returns": (b"a\rb\nc\n", b"a\rB\nc\n"),
    "line separators": ("a\u2028b\nc\x0cd\n".encode(), "a\u2028B\nc\x0cD\n".encode()),
    "not UTF-8": (b"\xff\n", b"\xfe\n"),
    "far apart": (b"a\n" + b"x\n" * 30 + b"b\n", b"A\n" + b"x\n" * 30 + b"B\n"),
    "like a header": (b"-- a/x\n", b"++ b/x\n"),
    "emptied": (b"one\n", b""),
}


@pytest.mark.parametrize("what", GIT_CASES)
@pytest.mark.parametrize("path", ["a.md", "with space/ä b.md", 'quo"te\\.md', "x b/y.md", "-dash.md"])
def test_git_apply_takes_it(what: str, path: str, tmp_path: Path) -> None:
    before, after = GIT_CASES[what]
    store = make_store(tmp_path / "store", {} if before is None else {path: before})
    diff = unified(plan_of(edit(before, after, path))).encode("utf-8", "surrogateescape")
    git(store, "apply", "--whitespace=nowarn", "-", data=diff)
    left = {name: data for name, data in folder(store).items() if not name.startswith(".git")}
    assert left == ({} if after is None else {path: after})


def test_reads_as_git_writes() -> None:
    text = unified(plan_of(edit(b"a\nb\nc\n", b"a\nB\nc\n"), edit(None, b"new\n", "n.md"), edit(b"old", None, "o.md")))
    assert text == (
        "diff --git a/a.md b/a.md\n--- a/a.md\n+++ b/a.md\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n"
        "diff --git a/n.md b/n.md\nnew file mode 100644\n--- /dev/null\n+++ b/n.md\n@@ -0,0 +1 @@\n+new\n"
        "diff --git a/o.md b/o.md\ndeleted file mode 100644\n--- a/o.md\n+++ /dev/null\n@@ -1 +0,0 @@\n-old\n"
        "\\ No newline at end of file\n"
    )
    assert unified(plan_of()) == ""


def test_a_wrong_diff_is_a_bug_and_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = plan_of(edit(b"a\nb\n", b"a\nc\n"))
    monkeypatch.setattr("engram.curate.diff.hunks", lambda before, after: hunks(before, after.replace(b"c", b"d")))
    with pytest.raises(Bug):
        unified(plan)
    with pytest.raises(Bug):
        render(plan, (), ())


def test_equal_lines_in_great_number_are_compared_in_reasonable_time(monkeypatch: pytest.MonkeyPatch) -> None:
    compared = []
    monkeypatch.setattr(hunks_module, "SequenceMatcher", lambda *args: compared.append(args))
    old, new = lines_of(b"x\n" + b"\n" * 5000), lines_of(b"\n" * 5000 + b"y\n")
    assert runs(old, new) == [(0, 5001, 0, 5001)]
    assert compared == []


# -- what a person reads ----------------------------------------------------------------------------------------------

ADDED = edit(None, b"---\nname: x\n---\n\nUse pnpm.  \n", "x.md")
LINES = (
    Line("ADD", "x.md", "x", "stated twice", "compatible", 0.94),
    Line("UPDATE", "odd name.md", "Odd name", "moved\u202e", "subsumes", 0.9, rewrites_prose=True),
    Line("NOOP", "", "", "nothing durable", "subsumed", 1.0),
)


def test_render_tells_all_and_ends_in_the_digest() -> None:
    plan = plan_of(ADDED, lines=LINES, agent="claude-code", sessions=("0f3c",), hand_edits=("odd name.md",))
    concerns = (
        Concern("relative-date", "says `yesterday`", change=0),
        Concern("secret", "looks like a github-token", "refuse", 1),
        Concern("toc-crowded", "MEMORY.md has 199 lines", "note"),
    )
    assert render(plan, concerns, ("user", "tool", "none")) == (
        "3 changes, proposed by claude-code, from 0f3c, to\n/store\n"
        "\n"
        "1. ADD x (compatible, confidence 0.94, said by the user): stated twice\n"
        "   ! relative-date: says `yesterday`\n"
        '2. UPDATE "Odd name" (subsumes, confidence 0.90, seen in tool output, untrusted): moved<U+202E>\n'
        "   REFUSED secret: looks like a github-token\n"
        "3. NOOP (subsumed, confidence 1.00, no evidence given): nothing durable\n"
        "   note toc-crowded: MEMORY.md has 199 lines\n"
        '* "odd name.md" was edited by hand since the last commit; that edit is adopted first, as your\n'
        "   | own commit\n"
        "\n"
        "diff --git a/x.md b/x.md\n"
        "new file mode 100644\n"
        "--- /dev/null\n"
        "+++ b/x.md\n"
        "@@ -0,0 +1,5 @@\n"
        "+---\n"
        "+name: x\n"
        "+---\n"
        "+\n"
        "+Use pnpm.··\n"
        "\n"
        f"plan {plan.digest}\n"
    )


def test_a_dirty_table_of_contents_is_told_and_shown_where_it_moves_otherwise() -> None:
    same = Edit("MEMORY.md", b"a\n", b"a\n- x\n", b"a\nmine\n", b"a\nmine\n- x\n")
    view = render(plan_of(same), (), ())
    assert "* MEMORY.md differs from the last commit's; only the lines below change in either\n" in view
    assert "mine" not in view
    other = Edit("MEMORY.md", b"a\n", b"a\n", b"a\n- gone\n", b"a\n")
    view = render(plan_of(other), (), ())
    assert "* MEMORY.md as it stands in the folder, not in the commit:\ndiff --git" in view
    assert "\n-- gone\n" in view


def test_line_ends_of_a_checkout_are_no_difference() -> None:
    checkout = Edit("a.md", b"a\n", b"b\n", b"a\r\n", b"b\r\n")
    assert "differs" not in render(plan_of(checkout), (), ())


def test_long_lines_are_broken_visibly_and_escapes_are_not() -> None:
    text = "x" * 96 + "\u200b" + "字" * 60
    rows = render(plan_of(edit(None, text.encode())), (), (), width=100).splitlines()
    rows = [row for row in rows if row.startswith("+") and "b/a.md" not in row]
    assert rows == ["+" + "x" * 96, "+↪<U+200B>" + "字" * 45, "+↪" + "字" * 15]


@given(
    st.lists(
        st.text(alphabet=st.sampled_from("ab \t\r·⇥␍↪<U+1>\u200b\u0430"), max_size=6),
        unique=True,
        min_size=2,
        max_size=2,
    )
)
def test_two_lines_that_differ_are_never_shown_alike(pair: list[str]) -> None:
    assert shown_content(pair[0]) != shown_content(pair[1])


@given(st.text(alphabet=st.characters(exclude_characters="\n")))
def test_a_shown_line_is_one_line_and_ends_visibly(text: str) -> None:
    shown = shown_content(text)
    assert shown.splitlines() in ([], [shown])
    assert shown == shown.rstrip()

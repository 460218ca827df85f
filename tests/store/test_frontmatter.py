"""Frontmatter: read leniently, changed by the line. Real notes are tried in ``test_corpus.py``."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engram.errors import FrontmatterBroken
from engram.model.change import Replace, SetValue
from engram.model.note import Note
from engram.store.frontmatter import edit, parse, render, replace_in_body

NOTE = b"""---
name: prefer-pnpm
description: User wants pnpm, never npm
metadata:
  node_type: memory
  type: feedback
  modified: 2026-11-30T03:13:37.748Z
tags: [tooling, node]
importance: 7  # high
review_after: null
flag: yes
---

Use pnpm. See [[deploy-runbook]].
"""


def note(data: bytes | str) -> Note:
    found, _ = parse(data.encode() if isinstance(data, str) else data, "dir/some-note.md")
    assert found is not None
    return found


def codes(data: bytes | str) -> list[str]:
    return [finding.code for finding in parse(data.encode() if isinstance(data, str) else data, "n.md")[1]]


# -- reading ----------------------------------------------------------------------------------------------------------


def test_reads_fields_as_text_and_lifts_those_below_metadata() -> None:
    found = note(NOTE)
    assert found.name == "prefer-pnpm"
    assert found.type == "feedback"
    assert found.fields["metadata"] == {
        "node_type": "memory",
        "type": "feedback",
        "modified": "2026-11-30T03:13:37.748Z",
    }
    assert found.fields["modified"] == "2026-11-30T03:13:37.748Z"
    assert found.tags == ("tooling", "node")
    assert found.importance == 7
    assert found.fields["review_after"] is None
    assert found.fields["flag"] == "yes"
    assert found.body == "\nUse pnpm. See [[deploy-runbook]].\n"
    assert found.links == ("deploy-runbook",)
    assert codes(NOTE) == []


def test_top_level_field_counts_before_one_below_metadata() -> None:
    data = b"---\nmetadata:\n  type: user\ntype: project\n---\n"
    assert note(data).type == "project"
    assert edit(data, {"type": "lesson"}) == b"---\nmetadata:\n  type: user\ntype: lesson\n---\n"


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("plain", "plain"),
        ("  spaced out \t", "spaced out"),
        ('"a # b"', "a # b"),
        ("'it''s'", "it's"),
        (r'"tab\tquote\"\u00e9"', 'tab\tquote"é'),
        ("text # comment", "text"),
        ("C#", "C#"),
        ("http://x.example/a:b", "http://x.example/a:b"),
        ("# nothing but a comment", None),
        ("", None),
        ("~", None),
        ("Null", None),
        ('"null"', "null"),
        ("2026-01-31", "2026-01-31"),
        ("0x1F", "0x1F"),
        ("no", "no"),
        ("-5", "-5"),
        ("[]", ()),
        ("[a, b c, null]", ("a", "b c", None)),
        ("[a, b,]", ("a", "b")),
        ("[\"a, b\", 'c'] # x", ("a, b", "c")),
        ("{a: 1, b: [x]}", {"a": "1", "b": ("x",)}),
        ("[[a, b]]", (("a", "b"),)),
        ("|\n  one\n   two\n\n  three", "one\n two\n\nthree\n"),
        (">-\n  one\n  two", "one two"),
        ("|+\n  one\n", "one\n\n"),
        ('"over\n  two lines"', "over two lines"),
        ("over\n  two lines", "over two lines"),
        ("\n- a\n- b", ("a", "b")),
        ("\n  - a # first\n  # between\n  - 'b: c'", ("a", "b: c")),
        ("\n  - k: v\n    l: w\n  - x", ({"k": "v", "l": "w"}, "x")),
        ("[\n  a,\n  b\n]", ("a", "b")),
        ("&anchor value", "value"),
        ("!tag value", "value"),
        ("a\u2028b\u0085c\x0cd", "a\u2028b\u0085c\x0cd"),
        ('"a\u2028b"', "a\u2028b"),
        ('"\\t\u2028\x0b"', "\t\u2028\x0b"),
        ("\n  k: \u2029x", {"k": "\u2029x"}),
    ],
)
def test_reads_what_yaml_means(written: str, read: object) -> None:
    for newline in ("\n", "\r\n"):
        data = f"---\nbefore: 1\nfield: {written}\nafter: 2\n---\n".replace("\n", newline)
        found = note(data)
        assert found.fields == {"before": "1", "field": read, "after": "2"}
        assert codes(data) == []


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("Standards: use pnpm", "Standards: use pnpm"),
        ('Standards: issue #12 and "more"', 'Standards: issue #12 and "more"'),
        ("Ends with:", "Ends with:"),
        ("*bold* move", "*bold* move"),
        ("@someone", "@someone"),
        ("`code` first", "`code` first"),
        ("%percent", "%percent"),
        ("> 5 items", "> 5 items"),
        ("- dash", "- dash"),
        ("[unclosed", "[unclosed"),
        ('"unclosed', '"unclosed'),
        ('"closed" and more', '"closed" and more'),
        ("[a] b", "[a] b"),
        ("Over: two\n  lines: of it", "Over: two lines: of it"),
        ("\n  - a: b: c\n  - d", "- a: b: c - d"),
        ("a\rb: c", "a\rb: c"),
        ("[" * 30 + "]" * 30, "[" * 30 + "]" * 30),
    ],
)
def test_reads_invalid_yaml_as_the_text_that_stands_there(written: str, read: str) -> None:
    data = f"---\nbefore: 1\nfield: {written}\nafter: 2\n---\n"
    assert note(data).fields == {"before": "1", "field": read, "after": "2"}
    assert codes(data) == ["yaml-invalid"]
    assert edit(data.encode(), {"after": 3}) == data.replace("after: 2", "after: 3").encode()


def test_alias_is_text_and_is_never_followed() -> None:
    bomb = (
        "---\na: &a [x, x]\n"
        + "".join(f"{chr(97 + n)}: &{chr(97 + n)} [*{chr(96 + n)}, *{chr(96 + n)}]\n" for n in range(1, 26))
        + "---\n"
    )
    assert note(bomb).fields["z"] == ("*y", "*y")


def test_tabs_below_a_key_are_read_and_reported() -> None:
    data = "---\nname: x\nextra:\n\tkind: a\n\tother: b\n---\n"
    assert note(data).fields["extra"] == {"kind": "a", "other": "b"}
    assert codes(data) == ["yaml-invalid"]
    below = b"---\nmetadata:\n\ttype: user\n---\n"
    assert note(below).type == "user"
    assert edit(below, {"type": "lesson"}) == b"---\nmetadata:\n\ttype: lesson\n---\n"


def test_hash_in_a_nested_block_scalar_is_text() -> None:
    data = b"---\nmetadata:\n  type: user\n  why: |\n    a\n\n    # b\n# comment\nextra:\n  - |-\n    # c\n---\n"
    assert note(data).fields["why"] == "a\n\n# b\n"
    assert note(data).fields["extra"] == ("# c",)
    assert edit(data, {"why": "x"}) == data.replace(b"|\n    a\n\n    # b\n", b"x\n")


def test_one_bad_field_below_metadata_leaves_the_others() -> None:
    data = "---\nmetadata:\n  why: this: that\n  type: user\n---\n"
    assert note(data).type == "user"
    assert note(data).fields["why"] == "this: that"


def test_forgotten_quote_does_not_swallow_the_fields_behind_it() -> None:
    data = '---\nname: x\ndescription: "He said\nprotected: true\ntitle: "a"\n---\n'
    found = note(data)
    assert found.protected
    assert found.description == '"He said'


def test_last_of_two_equal_keys_counts_and_is_edited() -> None:
    data = b"---\ntype: user\nname: x\ntype: lesson\n---\n"
    assert note(data).type == "lesson"
    assert codes(data) == ["duplicate-key"]
    assert edit(data, {"type": "journal"}) == b"---\ntype: user\nname: x\ntype: journal\n---\n"


def test_reports_what_was_hardly_meant() -> None:
    assert codes("---\nname: “x”\n---\n") == ["curly-quotes"]
    assert note("---\nname: “x”\n---\n").name == "“x”"
    assert codes("---\ndescription: Fix #12 and issue #13\n---\n") == ["comment-in-value"]
    assert codes("---\nname: x\nsome prose\n---\n") == ["stray-line"]
    merge = "---\nname: x\n---\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> other\n"
    assert codes(merge) == ["conflict-markers"]
    assert codes(merge.replace("<<<<", "```\n<<<<") + "```\n") == []


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n",
        "Just text.\n",
        "---",
        "---\n",
        "---\n\nA rule, then prose.\n\n---\n\nMore.\n",
        "---\n\nNever closed, and no field either.\n",
        " ---\nname: x\n---\n",
        "----\nname: x\n----\n",
        "text\n---\nname: x\n---\n",
        "---\rname: x\r---\r",
    ],
)
def test_text_without_frontmatter_is_all_body(text: str) -> None:
    found = note(text)
    assert (found.has_frontmatter, found.body, found.name, found.fields) == (False, text, "some-note", {})
    after = edit(text.encode(), {"updated": "2026-01-31"})
    assert after == b"---\nupdated: 2026-01-31\n---\n" + text.encode()
    assert note(after).body == text


@pytest.mark.parametrize(
    ("text", "body"),
    [
        ("---\n---\n", ""),
        ("---\n---", ""),
        ("---  \t\nname: x\n--- \nbody", "body"),
        ("---\nname: x\n...\nbody\n---\n", "body\n---\n"),
        ("---\nname: x\n...\n---\nbody\n", "body\n"),
        ("\ufeff---\r\nname: x\r\n---\r\nbody\r\n", "body\r\n"),
        ("---\n# only a comment\n---\n---\nname: y\n---\n", "---\nname: y\n---\n"),
    ],
)
def test_finds_the_fences(text: str, body: str) -> None:
    assert note(text).has_frontmatter
    assert note(text).body == body


def test_unreadable_files_are_named() -> None:
    for data, code in (
        (b"---\nname: \xff\n---\n", "not-utf8"),
        ("---\nname: x\n---\n".encode("utf-16"), "not-utf8"),
        (b"a\n\0b", "not-text"),
        (b"---\nname: x\nprotected: true\n\nBody.\n", "frontmatter-unclosed"),
    ):
        found, findings = parse(data, "dir/n.md")
        assert found is None
        assert [(finding.code, finding.level, finding.path) for finding in findings] == [
            (code, "unreadable", "dir/n.md")
        ]
        with pytest.raises(FrontmatterBroken):
            edit(data, {"importance": 1})
        with pytest.raises(FrontmatterBroken):
            replace_in_body(data, [Replace("x", "y")])


def test_links_field_may_be_written_in_many_ways() -> None:
    for written in ("[a, b]", '["[[a]]", "[[b|c]]"]', "[[a]], [[b]]", "a, b", "\n- a\n- b"):
        assert note(f"---\nlinks: {written}\n---\nSee [[c]] and [[a]].\n").links == ("a", "b", "c"), written


def test_name_falls_back_to_the_stem() -> None:
    assert note("---\nname:\n---\n").name == "some-note"
    assert note("---\nname: [a]\n---\n").name == "some-note"
    assert note('---\nname: " My Note "\n---\n').name == "My Note"


# -- editing ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("field", "value", "old", "new"),
    [
        ("description", "New: one", "description: User wants pnpm, never npm", 'description: "New: one"'),
        ("type", "user", "  type: feedback", "  type: user"),
        ("importance", 3, "importance: 7  # high", "importance: 3  # high"),
        ("tags", ("a", "b, c"), "tags: [tooling, node]", 'tags: [a, "b, c"]'),
        ("tags", (), "tags: [tooling, node]", "tags: []"),
        ("review_after", "2027-01-31", "review_after: null", "review_after: 2027-01-31"),
        ("flag", None, "flag: yes", "flag: null"),
        ("expires", "never", "flag: yes\n", "flag: yes\nexpires: never\n"),
    ],
)
def test_edit_changes_one_line(field: str, value: SetValue, old: str, new: str) -> None:
    text = NOTE.decode()
    assert text.count(old) == 1
    assert edit(NOTE, {field: value}).decode() == text.replace(old, new)


def test_edit_keeps_a_block_list_and_the_lines_of_items_that_stay() -> None:
    data = b"---\ntags: # mine\n    - 'a'  # first\n    # gone with the list\n    - b\nname: x\n---\n"
    after = edit(data, {"tags": ("c", "a", "d: e")})
    assert after == b"---\ntags: # mine\n    - c\n    - 'a'  # first\n    - \"d: e\"\nname: x\n---\n"
    assert edit(data, {"tags": ()}) == b"---\ntags: [] # mine\nname: x\n---\n"
    assert edit(b"---\r\ntags:\r\n- a\r\n---\r\n", {"tags": ("b",)}) == b"---\r\ntags:\r\n- b\r\n---\r\n"


def test_edit_replaces_values_of_several_lines_by_one() -> None:
    for written in ("|\n  a\n\n  b", ">-\n  a\n  b", "[\n  a,\n  b\n]", "a\n  b", "\n  k: v\n  l: w"):
        data = f"---\nname: x\nfield: {written}\n\n# comment\nlast: 1\n---\nbody"
        assert (
            edit(data.encode(), {"field": "new"}).decode()
            == "---\nname: x\nfield: new\n\n# comment\nlast: 1\n---\nbody"
        )


def test_edit_keeps_the_quotes_a_field_had() -> None:
    assert edit(b'---\na: "x"\n---\n', {"a": "z"}) == b'---\na: "z"\n---\n'
    assert edit(b"---\na: 'x' # c\n---\n", {"a": "z"}) == b"---\na: 'z' # c\n---\n"
    assert edit(b"---\na: 'x'\n---\n", {"a": "y's"}) == b'---\na: "y\'s"\n---\n'
    assert edit(b'---\n"a" :  x\n---\n', {"a": "z"}) == b'---\n"a" :  z\n---\n'


def test_edit_sets_a_value_in_a_bracketed_mapping() -> None:
    data = b"---\nmetadata: {node_type: memory, type: 'user', tags: [a, b], odd: }  # c\n---\n"
    assert edit(data, {"type": "x, y"}) == data.replace(b"'user'", b'"x, y"')
    assert edit(data, {"tags": ("c",)}) == data.replace(b"[a, b]", b"[c]")
    assert edit(data, {"node_type": None}) == data.replace(b"memory", b"null")
    assert edit(data, {"odd": "z"}) == data.replace(b"odd: }", b"odd: z}")
    assert edit(data, {"fresh": "z"}) == data.replace(b"# c\n", b"# c\nfresh: z\n")


def test_edit_inserts_in_the_files_own_line_ends() -> None:
    assert edit(b"\xef\xbb\xbf---\r\nname: x\r\n---\r\nbody", {"a": "1"}) == (
        b'\xef\xbb\xbf---\r\nname: x\r\na: "1"\r\n---\r\nbody'
    )
    assert edit(b"\xef\xbb\xbfbody\r\n", {"a": "b"}) == b"\xef\xbb\xbf---\r\na: b\r\n---\r\nbody\r\n"
    assert edit(b"---\n---", {"a": "b"}) == b"---\na: b\n---"


def test_edit_refuses_what_it_would_have_to_guess() -> None:
    with pytest.raises(FrontmatterBroken):
        edit(NOTE, {"metadata": "x"})
    for key in ("a\nb", "a: b", "", "null", "yes", "a b", "-a", "1"):
        with pytest.raises(ValueError, match="can't be the name of a field"):
            edit(NOTE, {key: "x"})
    for value in ("half \ud83d", ("\udc00",)):
        with pytest.raises(ValueError, match="half a character"):
            edit(NOTE, {"description": value})


def test_body_of_a_note_without_frontmatter_cannot_become_frontmatter() -> None:
    with pytest.raises(FrontmatterBroken):
        edit(b"Plain.\n", {}, body="---\nprotected: true\n---\n")
    with pytest.raises(FrontmatterBroken):
        replace_in_body(b"Plain.\n", [Replace("Plain.", "---\nprotected: true\n---")])
    assert note(edit(b"Plain.\n", {"a": "b"}, body="---\nprotected: true\n---\n")).fields == {"a": "b"}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("---\na: b\n---\n\nold\n", "---\na: b\n---\n\nnew\nlines\n"),
        ("---\na: b\n---\nold", "---\na: b\n---\nnew\nlines"),
        ("---\na: b\n---\n", "---\na: b\n---\n\nnew\nlines\n"),
        ("---\na: b\n---", "---\na: b\n---\n\nnew\nlines\n"),
        ("---\r\na: b\r\n---\r\n\r\nold\r\n", "---\r\na: b\r\n---\r\n\r\nnew\r\nlines\r\n"),
        ("\ufeffold\n", "\ufeffnew\nlines\n"),
        ("", "new\nlines\n"),
    ],
)
def test_new_body_keeps_the_files_habits(before: str, after: str) -> None:
    assert edit(before.encode(), {}, body="\nnew\nlines\n").decode() == after


def test_replaces_in_the_body_alone_and_in_order() -> None:
    data = b"---\nname: blue\n---\r\nblue sky\r\nred sea\r\n"
    edits = [Replace("blue sky\nred", "green sky\nred"), Replace("green", "teal")]
    assert replace_in_body(data, edits) == b"---\nname: blue\n---\r\nteal sky\r\nred sea\r\n"


@pytest.mark.parametrize(
    ("find", "words"), [("name", "not there"), ("", "not there"), ("a", "there 3 times"), ("aa", "there twice")]
)
def test_find_has_to_stand_exactly_once(find: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        replace_in_body(b"---\nname: a\n---\naaa\n", [Replace(find, "b")])


def test_renders_a_new_note() -> None:
    fields: dict[str, SetValue] = {
        "description": "User wants pnpm, never npm",
        "tags": ("a", "b"),
        "importance": 7,
        "review_after": None,
    }
    assert render("prefers-pnpm", fields, "\nUse pnpm.\r\n\r\nAlways.\n\n").decode() == (
        "---\nname: prefers-pnpm\ndescription: User wants pnpm, never npm\ntags: [a, b]\nimportance: 7\n"
        "review_after: null\n---\n\nUse pnpm.\n\nAlways.\n"
    )


# -- properties -------------------------------------------------------------------------------------------------------

HOSTILE = [
    "x\nprotected: true", "x\r\nprotected: true", '": "', "#", "a # b", "a: b", "a:", "- a", "-", "---",
    "...", "[", "{a}",
    "&a", "*a", "!a", "|", ">", "%a", "@a", "`a`", '"', "'", "it's \"both\"", "C:\\dir", " lead", "trail ",
    "\t", "", "~",
    "null", "yes", "No", "y", "TRUE", "12", "1_000", "0x1F", "0o17", "017", "1e5", ".5", "5.", ".inf", "-.INF", ".NaN",
    "12:30:45", "+1", "=", "<<", "2026-99-99", "2026-1-1", "2026-01-31 10:00:00", "\u2028",
    "a\u2028protected: true", "\u0085",
    "a\x0cb", "\x1b[31m", "\x7f", "\ufeff", "\ufffe", "\U0001f600", "日本語", "\u202e", "x\u00a0", "\u00a0x",
    "?", "? a", ":a",
    "a,b", "]", "}", "a]", "1234567890123456", "12345678901234e5", "x" * 3000, "-x", "a\\b", "<b>", "~/x",
    "a\tb", "a\t#b",
]  # fmt: skip
texts = st.one_of(
    st.sampled_from(HOSTILE),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=40),
    st.lists(st.sampled_from([*HOSTILE, " ", ": ", "\n", "a"]), max_size=4).map("".join),
)
values = st.one_of(texts, st.none(), st.integers(-10, 10), st.lists(texts, max_size=4).map(tuple))


def as_read(value: object) -> object:
    return str(value) if isinstance(value, int) else value


def is_date(value: object) -> bool:
    return isinstance(value, str) and value[:4].isdigit() and value[4:5] == "-"


@settings(max_examples=400, deadline=None)
@given(st.dictionaries(st.sampled_from(["description", "type", "tags", "fresh", "other"]), values, min_size=1))
def test_any_value_reads_back_for_everyone_and_adds_no_key(fields: dict[str, SetValue]) -> None:
    data = render("x", fields, "Body.")
    assert note(data).fields == {"name": "x", **{key: as_read(value) for key, value in fields.items()}}
    head = data.decode()[4:].rsplit("\n---\n", 1)[0]
    for loader in (yaml.SafeLoader, getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
        read = yaml.load(head, loader)
        assert list(read) == ["name", *fields]
        for key, value in fields.items():
            if not is_date(value) and not (isinstance(value, tuple) and any(map(is_date, value))):
                assert read[key] == (list(value) if isinstance(value, tuple) else value)


@pytest.mark.parametrize("value", HOSTILE)
def test_hostile_value_reads_back(value: str) -> None:
    trials: list[dict[str, SetValue]] = [{"description": value}, {"tags": (value, "x")}, {"type": value}]
    for fields in trials:
        after = edit(NOTE, fields)
        read = note(after).fields
        assert {key: read[key] for key in fields} == fields
        assert after.count(b"\n") == NOTE.count(b"\n")
        assert not note(after).protected
    assert note(render(value, {}, "x")).fields == {"name": value}


FRAGMENTS = [
    "K: plain", "K: plain # comment", 'K: "quoted # x"   # comment', "K: 'it''s'", "K: |\n  line\n\n  # line",
    "K: >-\n  a\n  b",
    'K: "multi\n  line"', "K: [a,\n  b,\n  c]", "K: [\n  a,\n  b\n]", "K:\n- a\n- b", 'K:\n  - a\n  # c\n\n  - "b"',
    "K:\n  nested: x\n  deeper:\n    - 1", "K: Note: invalid: yaml", "K: “curly: quotes”", "K: &anchor value",
    "K: *anchor",
    "K: !tag x", "K: {a: 1, b: [x]}", "K:", "K: # none", "K: ~", '"K": x', "'K' : x",
    "K: a\u2028protected: true", "K: a\x0cb",
    "K: a\u0085b: c", "K:\n\tnested: x", "K: [unclosed", 'K: "unclosed', "K: plain\n  continued", "K: @at",
    "K: `tick`", "K: %x",
    "K:\ttabbed", "K: |2\n   two", "K: \U0001f600", "K: -", "K: |", "K: 'closed' junk",
]  # fmt: skip
IDLE = ["", "# comment", "   ", "#K: old"]
KEYS = ["name", "description", "type", "tags", "odd-key", "x.y"]
BELOW = ["node_type", "modified", "other"]


@st.composite
def messy(draw: st.DrawFn) -> tuple[bytes, dict[str, tuple[int, int]]]:
    """Returns a note, and where the bytes of each field begin and end: known from how it was put together."""
    newlines = draw(st.sampled_from([["\n"], ["\r\n"], ["\n", "\r\n"]]))

    def lines(text: str) -> bytes:
        return "".join(line + draw(st.sampled_from(newlines)) for line in text.split("\n")).encode()

    data = draw(st.sampled_from([b"", b"\xef\xbb\xbf"])) + lines(draw(st.sampled_from(["---", "--- ", "---\t"])))
    places = {}
    for key in draw(st.lists(st.sampled_from(KEYS), unique=True, min_size=1)):
        start = len(data)
        data += lines(draw(st.sampled_from(FRAGMENTS)).replace("K", key, 1))
        places[key] = (start, len(data))
        for _ in range(draw(st.integers(0, 2))):
            data += lines(draw(st.sampled_from(IDLE)))
    if draw(st.booleans()):
        data += lines(draw(st.sampled_from(["metadata:", "metadata:  # here", '"metadata": '])))
        indent = draw(st.sampled_from(["  ", "    ", "\t", " "]))
        for key in draw(st.lists(st.sampled_from(BELOW), unique=True, min_size=1)):
            start = len(data)
            text = draw(st.sampled_from(FRAGMENTS)).replace("K", key, 1)
            data += lines("\n".join(indent + line if line else line for line in text.split("\n")))
            places[key] = (start, len(data))
            data += lines(indent + "# comment") if draw(st.booleans()) else b""
    closing = draw(st.sampled_from(["---", "--- ", "..."]))
    body = draw(
        st.sampled_from(["", "\nBody.", "\nBody [[link]].\n", "---\n\nrule\n", "name: no field\n", "\u2028\x0c\n"])
    )
    data += lines(closing) if body or draw(st.booleans()) else closing.encode()
    return data + body.encode(), places


def _top(read: Note) -> dict[str, object]:
    return {key: value for key, value in read.fields.items() if key != "metadata"}


@settings(max_examples=600, deadline=None)
@given(messy(), st.sampled_from([*KEYS, *BELOW, "fresh"]), values)
@example((b"---\ntype: |+\n  a\n\n", {}), "fresh", "x")
def test_edit_changes_no_byte_outside_its_field(
    built: tuple[bytes, dict[str, tuple[int, int]]], key: str, value: SetValue
) -> None:
    data, places = built
    before, _ = parse(data, "n.md")
    if before is None:
        return
    after = edit(data, {key: value})
    read = note(after)
    assert _top(read) == {**_top(before), key: as_read(value)}
    assert (read.body, read.has_frontmatter) == (before.body, True)
    if key in places:
        start, end = places[key]
        assert after[:start] == data[:start]
        assert after.endswith(data[end:])
        if not isinstance(value, tuple):
            assert after[start : len(after) - len(data) + end].count(b"\n") == 1
    else:
        added = len(after) - len(data)
        at = next(at for at in range(len(data) + 1) if after[:at] + after[at + added :] == data)
        assert after[at : at + added].count(b"\n") == 1
    assert edit(after, {key: value}) == after


@settings(max_examples=300, deadline=None)
@given(
    st.one_of(
        st.binary(max_size=200),
        st.lists(
            st.sampled_from(
                [
                    "---",
                    "\n",
                    "\r",
                    "a",
                    ":",
                    " ",
                    "- ",
                    "[",
                    '"',
                    "'",
                    "|",
                    "metadata:",
                    "  ",
                    "#",
                    "{",
                    "}",
                    "]",
                    "...",
                    "\t",
                    "&",
                    "*",
                ]
            ),
            max_size=40,
        )
        .map("".join)
        .map(str.encode),
    )
)
def test_parse_is_total_and_edit_refuses_or_keeps(data: bytes) -> None:
    before, findings = parse(data, "n.md")
    assert before is not None or any(finding.level == "unreadable" for finding in findings)
    if before is None:
        return
    assert data.decode().endswith(before.body)
    try:
        after = edit(data, {"fresh": "x", "name": "y"})
    except FrontmatterBroken:
        return
    assert _top(note(after)) == {**_top(before), "fresh": "x", "name": "y"}
    assert note(after).body == before.body


def test_hostile_sizes_take_no_long_while() -> None:
    """Quadratic or worse reading of any of these would hang the suite; no clock is asked."""
    many = 40_000
    for head in (
        'a: [\n' * many, 'a: "\n' * many, "a: &&" + "&" * many, "a: " + '\\"' * many, 'a: "' + '\\"' * many,
        "a" + " " * many + "x",
        "a: x" + " " * many + "#", "a: x" + " " * many + "y #", "a:" * many, "a: " + "1" * many + "x",
        "- a\n" * many, "a: " + "[" * many,
        "a: " + "{a: " * many, "metadata:\n" + "  a: [\n" * many, "a: |\n" + "\n" * many, "a: '" + "''" * many,
    ):  # fmt: skip
        data = f"---\nname: x\n{head}\n---\n".encode()
        assert note(data).name == "x"
    for body in ("<<<<<<< \n" * many, "`" * many, "` `` ``` " * many, "[[" * many, "[[a" * many, "```\n" * many):
        assert note(f"---\nname: x\n---\n{body}").name == "x"

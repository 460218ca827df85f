"""JSON with comments: read to the character, and edited so that any document comes back whole."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engram.adapters.files.json_text import Foreign, holds, with_pieces, without_pieces
from engram.adapters.files.jsonc import NotJson, parsed
from engram.adapters.files.place import DEFAULT, MEMBER, Piece, flat, grouped

HANDLER = {"type": "command", "command": "/usr/bin/python3 -I -m engram hook --host codex", "timeout": 10}
SERVER = {"command": "/usr/bin/python3", "args": ["-I", "-m", "engram", "mcp"]}
PIECES = [
    *grouped("f", {"Stop": "", "PreToolUse": "Bash|Edit"}, HANDLER),
    *flat("f", {"stop": "", "preToolUse": "Shell"}, HANDLER),
    Piece("f", MEMBER, ("mcpServers", "engram"), SERVER),
    Piece("f", MEMBER, ("gate", "guard"), True),
]

spaces = st.text(" \t\n", max_size=3)
comments = st.one_of(
    st.just(""),
    st.text(st.characters(exclude_characters="\r\n", exclude_categories=["Cs"]), max_size=8).map(lambda t: f"//{t}\n"),
    st.text(st.characters(exclude_characters="*\r", exclude_categories=["Cs"]), max_size=8).map(lambda t: f"/*{t}*/"),
)
gaps = st.tuples(spaces, comments, spaces).map("".join)
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
scalars = st.one_of(
    st.none(), st.booleans(), st.integers(-(10**20), 10**20), st.floats(allow_nan=False, allow_infinity=False), texts
)
keys = st.one_of(st.sampled_from(["hooks", "mcpServers", "Stop", "gate", "stop", "x", "version"]), texts)
values = st.recursive(
    scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(keys, inner, max_size=4)),
    max_leaves=12,
)
HOOKS = st.fixed_dictionaries(
    {},
    optional={
        "hooks": st.dictionaries(
            st.sampled_from(["Stop", "stop", "PreToolUse", "Other"]),
            st.lists(st.sampled_from([{"command": "x"}, {"hooks": [{"command": "y", "type": "command"}]}]), max_size=2),
            max_size=3,
        ),
        "mcpServers": st.dictionaries(st.sampled_from(["a", "b"]), st.just({"command": "npx"}), max_size=2),
        "version": st.just(1),
        "gate": st.fixed_dictionaries({}, optional={"auto": st.booleans()}),
        "else": values,
    },
)


@st.composite
def written(draw: st.DrawFn, value: Any, trailing: bool = True) -> str:
    """Returns a value as JSON with space and comments wherever they may stand."""
    if isinstance(value, dict):
        parts = [
            f"{draw(gaps)}{json.dumps(key, ensure_ascii=draw(st.booleans()))}{draw(gaps)}:{draw(gaps)}"
            f"{draw(written(each))}{draw(gaps)}"
            for key, each in value.items()
        ]
        opened, closed = "{", "}"
    elif isinstance(value, list):
        parts = [f"{draw(gaps)}{draw(written(each))}{draw(gaps)}" for each in value]
        opened, closed = "[", "]"
    else:
        return json.dumps(value, ensure_ascii=draw(st.booleans()))
    inner = ",".join(parts) if parts else draw(gaps)
    last = "," + draw(gaps) if parts and draw(st.booleans()) else ""
    return f"{opened}{inner}{last}{closed}"


documents = HOOKS.flatmap(lambda value: st.tuples(st.just(value), gaps, written(value), gaps))


@settings(deadline=None, max_examples=150, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(documents)
def test_any_document_comes_back_whole(document: tuple[Any, str, str, str]) -> None:
    value, before, text, after = document
    text = before + text + after
    assert parsed(text).value == value
    adapted, notes = with_pieces(text, PIECES)
    assert holds(adapted, PIECES)
    assert parsed(adapted).value["mcpServers"]["engram"] == SERVER
    assert without_pieces(adapted, PIECES, notes) == text


@pytest.mark.parametrize("after", ["// ", "//", "/* a */ ", " ", ""])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_comment_behind_the_last_element_keeps_its_blanks(after: str, end: str) -> None:
    hook = '{"hooks":[{"command":"y","type":"command"}]}'
    text = f'{{"hooks":{{"Stop":[{end}{hook}{after}{end}]}}}}'
    adapted, notes = with_pieces(text, PIECES)
    assert without_pieces(adapted, PIECES, notes) == text


@settings(deadline=None, max_examples=100)
@given(values)
def test_what_json_reads_is_read_the_same(value: Any) -> None:
    for text in (json.dumps(value), json.dumps(value, indent=2, ensure_ascii=False)):
        node = parsed(text)
        assert node.value == json.loads(text)
        assert (node.start, node.end) == (0, len(text))


@settings(deadline=None, max_examples=200)
@given(st.text(st.sampled_from('{}[]",:/*ab1 \n\\'), max_size=12))
def test_what_json_refuses_is_refused_but_for_comments_and_trailing_commas(text: str) -> None:
    try:
        json.loads(text)
    except ValueError:
        if "/" not in text and "," not in text:
            with pytest.raises(NotJson):
                parsed(text)
    else:
        parsed(text)


def test_the_place_of_a_fault_is_told() -> None:
    with pytest.raises(NotJson, match="line 2, column 8"):
        parsed("{\n  \"a\": 'b'\n}")


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('{"hooks": []}', "$.hooks"),
        ('{"hooks": {"Stop": {}}}', "$.hooks.Stop"),
        ('{"mcpServers": [1]}', "$.mcpServers"),
        ('{"mcpServers": {"engram": {"command": "engram", "args": ["mcp"]}}}', "$.mcpServers.engram"),
        ('{"mcpServers": {"engram": 1}}', "$.mcpServers.engram"),
        ("[]", "$"),
        ("1", "$"),
    ],
)
def test_what_stands_in_the_way_is_named(text: str, place: str) -> None:
    with pytest.raises(Foreign) as refused:
        with_pieces(text, PIECES)
    assert refused.value.place == place


def test_an_older_version_s_pieces_are_taken_out() -> None:
    old = [*grouped("f", {"Stop": "", "Gone": ""}, {**HANDLER, "timeout": 5}), Piece("f", DEFAULT, ("version",), 1)]
    adapted, notes = with_pieces('{"x": 1}', old)
    assert not holds(adapted, PIECES)
    assert without_pieces(adapted, PIECES, notes) == '{"x": 1}'


def test_other_hooks_keep_their_places_in_the_list() -> None:
    adapted, _ = with_pieces('{"hooks": {"Stop": [{"command": "a"}, {"command": "b"}]}}', PIECES)
    assert [item.get("command") for item in parsed(adapted).value["hooks"]["Stop"]] == ["a", "b", None]

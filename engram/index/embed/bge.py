"""BAAI/bge-m3, where the user has it in their Hugging Face cache already: the strongest of the three, and the slowest.

For commands that a person waits for, never for a hook: its tokeniser alone takes most of a second to load. Nothing is
ever downloaded. It needs onnxruntime and tokenizers, which engram doesn't install.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

_REPOSITORY = "models--BAAI--bge-m3"
_MODEL, _DATA, _TOKENISER = "model.onnx", "model.onnx_data", "tokenizer.json"
_MOST_TOKENS = 1024
_BATCH = 8
DIM = 1024


def available(env: Mapping[str, str]) -> str:
    """Returns "" where the model and what runs it are here; else why not, in words. Loads nothing of either."""
    try:
        found(env)
    except ValueError as error:
        return str(error)
    from importlib.util import find_spec  # noqa: PLC0415

    missing = [name for name in ("onnxruntime", "tokenizers") if find_spec(name) is None]
    return f"bge-m3 needs {' and '.join(missing)}: `pip install {' '.join(missing)}`" if missing else ""


def load(env: Mapping[str, str]) -> Bge:
    """Returns the embedder. Raises ValueError or ImportError where it isn't available; OSError."""
    model, tokeniser = found(env)
    import onnxruntime  # type: ignore[import-not-found,unused-ignore]  # noqa: PLC0415 - this room alone needs it
    import tokenizers  # type: ignore[import-not-found,unused-ignore]  # noqa: PLC0415

    cutter = tokenizers.Tokenizer.from_file(tokeniser)
    cutter.enable_truncation(_MOST_TOKENS)
    cutter.enable_padding(pad_id=1, pad_token="<pad>")  # noqa: S106
    session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    return Bge(session, cutter, f"bge-m3-{_digest(model)}")


def found(env: Mapping[str, str]) -> tuple[str, str]:
    """Returns where the cached model and its tokeniser lie. Raises ValueError, with words, where they don't."""
    folder = os.path.join(_cache(env), _REPOSITORY)
    snapshots = os.path.join(folder, "snapshots")
    try:
        revisions = sorted(os.listdir(snapshots))
    except OSError:
        raise ValueError(f"bge-m3 isn't in the Hugging Face cache ({folder}), and engram downloads no model") from None
    try:
        with open(os.path.join(folder, "refs", "main"), encoding="utf-8") as file:
            main = file.read().strip()
    except OSError:
        main = ""
    for revision in [*([main] if main in revisions else []), *reversed(revisions)]:
        whole = os.path.join(snapshots, revision)
        models = [os.path.join(whole, *place, _MODEL) for place in (("onnx",), ())]
        tokenisers = [os.path.join(whole, *place, _TOKENISER) for place in (("onnx",), ())]
        model = next(filter(os.path.isfile, models), "")
        tokeniser = next(filter(os.path.isfile, tokenisers), "")
        if model and tokeniser:
            return model, tokeniser
    raise ValueError(f"the cached bge-m3 ({folder}) holds no ONNX model with its tokeniser")


class Bge:
    """Is the embedder over a session that runs the model and a tokeniser that pads what it cuts."""

    name = "bge"
    dim = DIM

    def __init__(self, session: Any, tokeniser: Any, identity: str) -> None:
        self.id = identity
        self._session = session
        self._tokeniser = tokeniser
        self._asked = {each.name for each in session.get_inputs()}
        names = [each.name for each in session.get_outputs()]
        pooled = [name for name in ("sentence_embedding", "dense_vecs") if name in names]
        self._output = pooled[0] if pooled else names[0]

    def encode(self, texts: Sequence[str], *, query: bool = False) -> NDArray[np.float32]:  # noqa: ARG002
        """Returns the texts' vectors as (n, 1024) float32 of length 1. The model knows no difference of questions."""
        import numpy as np  # noqa: PLC0415

        out = np.empty((len(texts), DIM), np.float32)
        for first in range(0, len(texts), _BATCH):
            group = list(texts[first : first + _BATCH])
            cuts = self._tokeniser.encode_batch([text.encode("utf-8", "replace").decode() for text in group])
            ids = np.array([cut.ids for cut in cuts], np.int64)
            mask = np.array([cut.attention_mask for cut in cuts], np.int64)
            given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
            asked = {name: given[name] for name in self._asked}
            (answer,) = self._session.run([self._output], asked)
            rows = np.asarray(answer, np.float32)
            rows = rows[:, 0] if rows.ndim == 3 else rows  # a vector for each token: the first one is the text's
            out[first : first + len(group)] = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)
        return out


def _cache(env: Mapping[str, str]) -> str:
    """Returns the folder that Hugging Face's own library would use."""
    for name, parts in (("HF_HUB_CACHE", ()), ("HF_HOME", ("hub",)), ("XDG_CACHE_HOME", ("huggingface", "hub"))):
        if env.get(name):
            return os.path.join(os.path.expanduser(env[name]), *parts)
    home = env.get("HOME") or env.get("USERPROFILE") or os.path.expanduser("~")
    return os.path.join(home, ".cache", "huggingface", "hub")


def _digest(model: str) -> str:
    """Returns 12 digits that stand for the weights: the cache names a large file by its SHA-256, else the revision."""
    for name in (_DATA, _MODEL):
        blob = os.path.basename(os.path.realpath(os.path.join(os.path.dirname(model), name)))
        if len(blob) == 64:
            return blob[:12]
    parts = model.split(os.sep)
    return parts[parts.index("snapshots") + 1][:12]

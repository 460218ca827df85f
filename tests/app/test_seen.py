"""What a session was served: kept, forgotten, and read whatever happened to the file."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from engram.app import seen

BASE = "0123456789abcdef"


@pytest.fixture
def folder(tmp_path: Path) -> str:
    return str(tmp_path / ".engram" / "seen")


def test_what_was_served_is_known_to_that_session_alone(folder: str) -> None:
    seen.serve(folder, "s-1", [(BASE, "whole", "/a/b.md"), ("f" * 16, "stub", "/a/c.md")])
    seen.serve(folder, "s-1", [(BASE, "whole", "/a/c.md")])
    assert seen.served(folder, "s-1") == {"/a/b.md": (BASE, "whole"), "/a/c.md": (BASE, "whole")}
    assert seen.served(folder, "s-2") == {}


def test_it_is_forgotten_when_it_is_to_be(folder: str) -> None:
    seen.serve(folder, "s-1", [(BASE, "whole", "/a/b.md")])
    seen.forget(folder, "s-1")
    seen.forget(folder, "s-1")
    assert seen.served(folder, "s-1") == {}


@pytest.mark.parametrize("key", ["/a b/c d.md", "/new\nline.md", "/back\\nslash.md", "/é漢.md", "/raw\udcff.md"])
def test_any_path_comes_back_as_it_was(folder: str, key: str) -> None:
    seen.serve(folder, "s", [(BASE, "stub", key)])
    assert seen.served(folder, "s") == {key: (BASE, "stub")}


def test_a_session_without_an_id_is_served_anew_each_time(folder: str) -> None:
    seen.serve(folder, "", [(BASE, "whole", "/a.md")])
    assert seen.served(folder, "") == {}
    assert not os.path.exists(folder)


@pytest.mark.parametrize("session", ["../../etc/passwd", "a/b", "x" * 5000, "CON", "é\0"])
def test_any_session_s_file_lies_in_the_folder(folder: str, session: str) -> None:
    seen.serve(folder, session, [(BASE, "whole", "/a.md")])
    assert [name for name in os.listdir(folder) if name != ".gitignore"] == [f"{seen.id_of('session', session)}.seen"]


def test_damage_costs_no_more_than_a_repetition(folder: str) -> None:
    seen.serve(folder, "s", [(BASE, "whole", "/a.md")])
    (path,) = Path(folder).glob("*.seen")
    path.write_bytes(b"\xff\x00 garbage\n" + path.read_bytes() + b"half a li")
    assert seen.served(folder, "s") == {"/a.md": (BASE, "whole")}


def test_the_sweep_takes_what_is_old_and_nothing_else(folder: str) -> None:
    for session in ("old", "new"):
        seen.serve(folder, session, [(BASE, "whole", "/a.md")])
    old = os.path.join(folder, f"{seen.id_of('session', 'old')}.seen")
    long_ago = time.time() - 30 * 86400
    os.utime(old, (long_ago, long_ago))
    seen.sweep(folder)
    assert seen.served(folder, "new")
    assert not os.path.exists(old)
    assert os.path.exists(os.path.join(folder, ".gitignore"))


def test_the_log_is_bounded_and_read_from_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seen, "LOG_LIMIT", 2000)
    home = str(tmp_path)
    assert seen.recalls(home, 5) == []
    for number in range(200):
        seen.note_recall(home, {"number": number, "text": 'é"\ud800', "list": [1.5, None]})
    folder = tmp_path / ".engram" / "log"
    assert sum(path.stat().st_size for path in folder.glob("recall*")) < 4200
    assert [entry["number"] for entry in seen.recalls(home, 60)] == list(
        range(199, 199 - len(seen.recalls(home, 60)), -1)
    )
    assert len(seen.recalls(home, 60)) > 20
    with open(folder / "recall.jsonl", "ab") as file:
        file.write(b'{"half": ')
    assert seen.recalls(home, 1)[0]["number"] == 199

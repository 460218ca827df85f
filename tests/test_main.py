"""`engram pending add` as agents run it: silent, successful, and gone, whatever happens."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from engram import __main__, queue

PAYLOAD = json.dumps({"session_id": "s-1", "hook_event_name": "Stop", "cwd": "/home/ada/shop"}).encode()
COMMAND = [sys.executable, "-m", "engram", "pending", "add"]


def run(data: bytes, *arguments: str, **env: str) -> None:
    """Runs the hook; it must be silent and successful."""
    done = subprocess.run([*COMMAND, *arguments], input=data, capture_output=True, env=os.environ | env, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def home() -> str:
    return os.environ["ENGRAM_HOME"]


def sessions() -> list[str]:
    return sorted(entry.session for entry in queue.entries(queue.folder_in(home())))


def log() -> str:
    path = Path(home(), ".engram", "log", "hook.log")
    return path.read_text(encoding="utf-8") if path.exists() else ""


def test_a_stop_is_queued_and_nothing_is_said() -> None:
    run(PAYLOAD)
    run(PAYLOAD)
    assert sessions() == ["s-1"]
    assert log() == ""
    assert sorted(os.listdir(home())) == [".engram"]


def test_arguments_of_other_versions_are_passed_over() -> None:
    run(PAYLOAD, "--host", "some-agent", "--quiet", "extra")
    assert [entry.agent for entry in queue.entries(queue.folder_in(home()))] == ["some-agent"]
    run(PAYLOAD, "--host=other")
    run(PAYLOAD, "--host")
    assert {entry.agent for entry in queue.entries(queue.folder_in(home()))} == {"some-agent", "other", "unknown"}


@pytest.mark.parametrize("name", ["ENGRAM_DISABLE", "ENGRAM_CURATING"])
def test_switches_silence_it(name: str) -> None:
    run(PAYLOAD, **{name: "1"})
    assert not os.path.exists(home())


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "empty"),
        (b"\xff\xfe", "not UTF-8"),
        (b"nonsense", "ValueError: not JSON"),
        (b'{"session_id"', "ValueError: not JSON"),
        (b"[" * 200_000, "nested too deeply"),
        (b'{"session_id": "' + b"x" * 17_000_000, "more than 16777216 bytes"),
    ],
)
def test_what_it_cannot_read_stands_in_the_log(data: bytes, words: str) -> None:
    run(data)
    assert sessions() == []
    assert log().count("\n") == 1
    assert words in log()


@pytest.mark.parametrize("first", [b'{"a": {}', b'{"a": [1, {}', b'{"a": "b]', b'{"a": {}, "b": []'])
def test_a_piece_that_ends_like_a_whole_is_waited_on(first: bytes) -> None:
    rest = {b'{"a": [1, {}': b"]", b'{"a": "b]': b'"'}.get(first, b"") + b', "session_id": "s-1"}'
    with subprocess.Popen(COMMAND, stdin=subprocess.PIPE) as child:
        assert child.stdin is not None
        child.stdin.write(first)
        child.stdin.flush()
        time.sleep(0.3)
        child.stdin.write(rest)
        child.stdin.close()
        assert child.wait() == 0
    assert sessions() == ["s-1"]


def test_ten_megabytes_are_no_trouble() -> None:
    run(json.dumps({"session_id": "s-1", "last_assistant_message": "x" * 10_000_000}).encode())
    assert sessions() == ["s-1"]


def test_input_that_never_ends_is_not_waited_for() -> None:
    with subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(PAYLOAD)
        process.stdin.flush()
        assert process.wait(timeout=60) == 0
        assert process.stdout.read() == b""
    assert sessions() == ["s-1"]


def test_input_that_never_comes_is_not_waited_for() -> None:
    with subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        assert process.stdout is not None
        assert process.wait(timeout=60) == 0
        assert process.stdout.read() == b""
    assert "nothing whole within 1 s" in log()


@pytest.mark.skipif(os.name != "posix", reason="a shell closes the descriptors")
@pytest.mark.parametrize("closed", ["<&-", ">&- 2>&-", "<&- >&- 2>&-", ">/dev/full 2>/dev/full"])
def test_closed_descriptors_are_no_trouble(closed: str) -> None:
    if "/dev/full" in closed and not os.path.exists("/dev/full"):
        pytest.skip("no /dev/full")
    done = subprocess.run(
        ["sh", "-c", f'"$@" {closed}', "sh", *COMMAND], input=PAYLOAD, capture_output=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert sessions() == ([] if "<&-" in closed else ["s-1"])


def test_a_home_that_is_a_file_is_no_trouble(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"mine")
    run(PAYLOAD, ENGRAM_HOME=str(path))
    run(b"nonsense", ENGRAM_HOME=str(path))
    assert path.read_bytes() == b"mine"


def test_without_a_home_directory_nothing_is_made_where_the_agent_works(tmp_path: Path) -> None:
    env = {**os.environ, "HOME": "no/where", "USERPROFILE": "no\\where", "ENGRAM_HOME": ""}
    env["PYTHONPATH"] = str(Path(__main__.__file__).parent.parent)
    done = subprocess.run(COMMAND, input=PAYLOAD, capture_output=True, env=env, cwd=tmp_path, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert os.listdir(tmp_path) == []


def test_a_queue_that_cannot_be_written_stands_in_the_log() -> None:
    Path(home(), ".engram").mkdir(parents=True)
    Path(home(), ".engram", "queue").write_bytes(b"")
    run(PAYLOAD)
    assert "pending add: NotADirectoryError" in log() or "pending add: FileExistsError" in log()


@pytest.mark.skipif(os.name != "posix", reason="permission bits")
def test_a_home_that_cannot_be_written_is_no_trouble(tmp_path: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("this user may write everywhere")
    tmp_path.chmod(0o500)
    run(PAYLOAD, ENGRAM_HOME=str(tmp_path / "home"))
    tmp_path.chmod(0o700)
    assert os.listdir(tmp_path) == []


def test_a_full_disk_is_no_trouble(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("engram.capture.pending.STDIN_SECONDS", 0.0)
    monkeypatch.setattr("engram.capture.pending.append", full)
    monkeypatch.setattr("engram.capture.pending.read_json", lambda *_: json.loads(PAYLOAD))
    monkeypatch.setattr("engram.capture.faults.append_line", full)
    assert __main__.main(["pending", "add"]) == 0


def test_the_log_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> object:
        raise ValueError("x" * 10_000)

    monkeypatch.setattr("engram.capture.pending.read_json", broken)
    monkeypatch.setattr("engram.capture.faults.LOG_LIMIT", 2_000)
    for _ in range(40):
        assert __main__.main(["pending", "add"]) == 0
    folder = Path(home(), ".engram", "log")
    assert sorted(os.listdir(folder)) == [".gitignore", "hook.log", "hook.log.old"]
    assert all(path.stat().st_size < 3_000 for path in folder.iterdir())


@pytest.mark.parametrize("env", [{"LC_ALL": "C"}, {"PYTHONIOENCODING": "cp1252"}, {"PYTHONUTF8": "0", "LC_ALL": "C"}])
def test_names_in_any_script_come_through_in_any_locale(env: Mapping[str, str], tmp_path: Path) -> None:
    folder = tmp_path / "Привет-日本-é"
    payload = {"session_id": "сессия-1", "cwd": "/home/ada/日本", "transcript_path": "/t/é😀.jsonl"}
    run(json.dumps(payload, ensure_ascii=False).encode(), ENGRAM_HOME=str(folder), **env)
    (entry,) = queue.entries(queue.folder_in(str(folder)))
    assert (entry.session, entry.cwd, entry.transcript) == tuple(payload.values())


def test_eight_sessions_at_once() -> None:
    payloads = [json.dumps({"session_id": f"s-{number}"}).encode() for number in range(8)]
    started = [subprocess.Popen(COMMAND, stdin=subprocess.PIPE) for _ in payloads]
    for process, data in zip(started, payloads, strict=True):
        process.communicate(data, timeout=60)
    assert [process.returncode for process in started] == [0] * 8
    assert sessions() == [f"s-{number}" for number in range(8)]


def test_the_time_of_the_stop_is_now() -> None:
    before = time.time_ns() // 1_000_000_000
    run(PAYLOAD)
    (entry,) = queue.entries(queue.folder_in(home()))
    assert queue.until([entry], time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(before - 1))) == ()
    assert queue.until([entry], time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(before + 60))) == (entry,)

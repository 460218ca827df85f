"""The hook's imports, exactly: the standard library alone, and none of its heavy rooms."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

PAYLOAD = json.dumps({"session_id": "s-1", "hook_event_name": "Stop", "last_assistant_message": "done"}).encode()
OURS = {
    "engram", "engram.__main__", "engram.capture", "engram.capture.classify", "engram.capture.pending",
    "engram.capture.stdin", "engram.disk", "engram.errors", "engram.model", "engram.model.event",
    "engram.model.wire", "engram.queue",
}  # fmt: skip
HEAVY = {
    "argparse", "asyncio", "collections", "contextlib", "dataclasses", "datetime", "enum", "functools", "hashlib",
    "importlib.metadata", "inspect", "json", "logging", "pathlib", "re", "select", "shutil", "socket", "sqlite3",
    "subprocess", "tempfile", "threading", "traceback", "typing",
}  # fmt: skip
AS_A_CONSOLE_SCRIPT = (
    "import sys; from engram.__main__ import main; sys.argv = ['engram', 'pending', 'add']; sys.exit(main())"
)


def imported(*arguments: str, data: bytes = b"") -> set[str]:
    """Returns the modules that an interpreter imports on the way, by its own account."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", *arguments], input=data, capture_output=True, check=True, timeout=120
    )
    lines = done.stderr.decode().splitlines()
    assert done.stdout == b""
    assert all(line.startswith("import time:") for line in lines), done.stderr
    return {line.rsplit("|", 1)[1].strip() for line in lines[1:]}


@pytest.fixture(scope="module")
def bare() -> set[str]:
    return imported("-c", "pass")


@pytest.mark.parametrize("way", [("-m", "engram", "pending", "add"), ("-c", AS_A_CONSOLE_SCRIPT)], ids=["-m", "script"])
def test_the_hook_imports_the_standard_library_alone(bare: set[str], way: tuple[str, ...]) -> None:
    found = imported(*way, data=PAYLOAD) - bare
    assert os.path.isdir(os.path.join(os.environ["ENGRAM_HOME"], ".engram", "queue"))
    ours = {name for name in found if name.split(".")[0] == "engram"}
    assert ours <= OURS
    assert {name.split(".")[0] for name in found - ours} <= sys.stdlib_module_names


def test_the_hook_imports_none_of_the_heavy_rooms(bare: set[str]) -> None:
    found = imported("-c", AS_A_CONSOLE_SCRIPT, data=PAYLOAD) - bare
    assert found & HEAVY == set()
    assert OURS - {"engram.__main__"} <= found


def test_appending_never_lists_the_queue() -> None:
    """Lists nothing: what an interpreter is asked to do shows in its audit events."""
    watch = (
        "import sys\n"
        "seen = []\n"
        "listing = ('os.listdir', 'os.scandir')\n"
        "sys.addaudithook(lambda name, args: seen.append(str(args[0])) if name in listing else None)\n"
        "from engram.__main__ import main\n"
        "main(['pending', 'add'])\n"
        "assert not [path for path in seen if 'queue' in path], seen\n"
    )
    done = subprocess.run([sys.executable, "-c", watch], input=PAYLOAD, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")

"""The hook's imports, exactly: the standard library alone, and none of its heavy rooms."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.lib.hooks import ASKED, CALLED, COMPACTED, ENDED, STOPPED, host_of
from tests.lib.stores import git, make_store, note

PAYLOAD = json.dumps({"session_id": "s-1", "hook_event_name": "Stop", "last_assistant_message": "done"}).encode()
OURS = {
    "engram", "engram.__main__", "engram.capture", "engram.capture.faults", "engram.capture.heard",
    "engram.capture.pending", "engram.capture.stdin", "engram.disk", "engram.errors", "engram.model",
    "engram.model.event", "engram.model.wire", "engram.queue",
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


# -- the prompt hook ---------------------------------------------------------------------------------------------------

NEVER = {"click", "git", "jsonschema", "rich", "yaml", "unidiff"}
NOT_BY_ITSELF = {
    "argparse", "asyncio", "dataclasses", "importlib.metadata", "json", "logging", "pathlib", "select", "shutil",
    "socket", "subprocess", "tempfile", "threading", "traceback",
}  # fmt: skip
FOR_A_PROMPT = (
    "import sys\n"
    "started = []\n"
    "starting = ('subprocess.Popen', 'os.posix_spawn', 'os.fork', 'os.system', 'os.exec')\n"
    "sys.addaudithook(lambda name, args: started.append(name) if name in starting else None)\n"
    "import os\n"
    "from engram.app import hook\n"
    "from engram.app import events\n"
    "events.REFRESH_SECONDS = hook.STDIN_SECONDS = 60.0\n"
    "found = hook.answered(os.environ, os.path.expanduser('~'))\n"
    "sys.stdout.write(found.text if found else '')\n"
    "found and found.remember()\n"
    "sys.stderr.write('\\n'.join([*sys.modules, *('started ' + name for name in started)]))\n"
)


def after(payload: dict[str, object]) -> tuple[str, set[str]]:
    """Returns what the hook said, and the modules that its process had then (with the processes it started)."""
    env = {**os.environ, "ENGRAM_RELEVANCE_FLOOR": "0.1"}
    done = subprocess.run(
        [sys.executable, "-c", FOR_A_PROMPT],
        input=json.dumps(payload).encode(),
        capture_output=True,
        env=env,
        check=True,
    )
    return done.stdout.decode(), set(done.stderr.decode().split("\n"))


def after_a_prompt(prompt: str, session: str, cwd: Path) -> tuple[str, set[str]]:
    return after({**ASKED["claude-code"], "session_id": session, "cwd": str(cwd), "prompt": prompt})


def test_a_prompt_imports_none_of_the_heavy_libraries_and_starts_no_process(sealed: Path, bare: set[str]) -> None:
    store = make_store(sealed / ".agent-memory", {"pnpm.md": note("pnpm", "Always pnpm in the web folder, never npm.")})
    os.utime(store / "pnpm.md", (1_700_000_000, 1_700_000_000))  # a note of this very second is read again
    said, cold = after_a_prompt("which package manager: pnpm or npm?", "s-1", sealed)
    assert "Always pnpm" in said
    assert "started subprocess.Popen" in cold  # the first look asks git once what HEAD holds
    said, warm = after_a_prompt("which package manager: pnpm or npm?", "s-2", sealed)
    assert "Always pnpm" in said
    assert warm & NEVER == set()
    assert (warm - bare) & NOT_BY_ITSELF == set()
    assert not [name for name in warm if name.startswith(("started ", "numpy"))]
    (sealed / ".agent-memory" / "more.md").write_text(note("more"), encoding="utf-8")
    git(sealed / ".agent-memory", "add", "-A")
    git(sealed / ".agent-memory", "commit", "-qm", "more")
    _, moved = after_a_prompt("which package manager: pnpm or npm?", "s-3", sealed)
    assert len([name for name in moved if name.startswith("started ")]) == 1
    assert moved & (NEVER - {"yaml"}) == set()


# -- every other event ------------------------------------------------------------------------------------------------

HEARD = {
    "engram.app", "engram.app.events", "engram.app.hook", "engram.capture", "engram.capture.faults",
    "engram.capture.heard", "engram.capture.stdin", "engram.disk", "engram.errors", "engram.model",
    "engram.model.event", "engram.model.wire",
}  # fmt: skip
"""What any event brings in before anything is done about it."""
ANSWERED = {"engram.adapters"}
QUEUED = {"engram.capture.pending", "engram.queue"}


def ours(found: set[str]) -> set[str]:
    return {name for name in found if name.startswith("engram.")}


def test_an_acknowledgement_looks_at_nothing(sealed: Path, bare: set[str]) -> None:
    make_store(sealed / ".agent-memory", {"pnpm.md": note("pnpm")})
    said, found = after_a_prompt("ok, thanks", "s-1", sealed)
    assert said == ""
    own = {"engram.adapters.claude_code", "engram.recall", "engram.recall.prompts"}
    assert ours(found) == HEARD | ANSWERED | own
    assert (found - bare) & (HEAVY | {"numpy", "sqlite3"}) == set()


@pytest.mark.parametrize(
    ("table", "most"),
    [
        (STOPPED, QUEUED),
        (ENDED, QUEUED | ANSWERED),
        (COMPACTED, QUEUED | ANSWERED | {"engram.app.seen"}),
        (CALLED, {"engram.capture.commands"}),
    ],
    ids=["turn end", "session end", "compaction", "a command of no concern"],
)
def test_an_event_brings_in_what_it_needs_and_nothing_else(
    sealed: Path, bare: set[str], table: dict[str, dict[str, object]], most: set[str]
) -> None:
    make_store(sealed / ".agent-memory", {"pnpm.md": note("pnpm")})
    for name, payload in table.items():
        said, found = after({**payload, "cwd": str(sealed)})
        assert said == ""
        looked = {each for each in ours(found) if each.startswith("engram.adapters.")}
        assert ours(found) - looked <= HEARD | most, name
        own = host_of(name).replace("-", "_")
        if name != "vscode":  # Copilot's file speaks for it, and has to be looked for
            assert looked == ({f"engram.adapters.{own}"} if most >= ANSWERED else set()), name
        assert not [each for each in found if each.startswith("started ")]
        assert (found - bare) & (NEVER | HEAVY) == set(), name


def test_a_command_of_no_concern_is_told_by_the_least() -> None:
    """Tells it from what engram's own command would bring in."""
    _, foreign = after(dict(CALLED["claude-code"]))
    _, own = after({**CALLED["claude-code"], "tool_input": {"command": "engram hook"}})
    assert "engram.app.guarding" in own
    assert ours(own) & {"engram.git", "engram.store.git", "engram.curate.commit"} == set()
    assert own & NEVER == set()
    assert "engram.app.guarding" not in foreign

"""Whatever a client writes to the hook, at any event: exit 0, and an answer that this client accepts, or none."""

from __future__ import annotations

import json
import os
import random
import subprocess
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from engram.app import hook
from engram.capture.heard import heard_of
from engram.model.wire import parsed
from tests.lib.cli import command_line, environment
from tests.lib.hooks import EVENTS, refused
from tests.lib.stores import make_store, note

SOAK = int(os.environ.get("ENGRAM_SOAK", "0"))
PROCESSES = 1_000 if SOAK else 11
"""Hooks that are started at each event."""
CALLS = 1_000 if SOAK else 33
"""Calls at each event within this process, to count what each leaves open."""
FACT = "Ask the health address on the staging host before every deployment."
ALPHABET = "abc <>&\"'\\`{}[]|*$%\n\t\0\x1b\u202e\u200b漢字аяé😀\ud800-_/.:ENG-123 staging deployment engram apply"
ODD: tuple[Any, ...] = (None, True, -1, 1e308, 10**400, [], {}, [[[]]] * 3, "", "\0", {"a": [{}]}, ["staging"])
COMMANDS = ("make test", "engram hook", "engram curate apply --yes --plan abcdef", "cat ~/.agent-memory/.engram/x.json")
KINDS = (
    "empty",
    "binary",
    "cut",
    "mutated",
    "wrong types",
    "nested",
    "huge",
    "open",
    "open and cut",
    "odd texts",
    "as it is",
)


@pytest.fixture
def home(sealed: Path) -> Path:
    store = make_store(sealed / ".agent-memory", {"staging.md": note("staging", FACT, type="user")})
    os.utime(store / "staging.md", (1_700_000_000, 1_700_000_000))
    return sealed


def nested(depth: int, inside: bytes) -> bytes:
    return b'{"tool_input": ' * depth + inside + b"}" * depth


def fuzzed(event: str, seed: int, home: Path) -> tuple[bytes, bool]:
    """Returns one of many inputs at an event, reproducible by its number, and whether it is closed afterwards."""
    dice = random.Random(f"{event} {seed}")
    name = dice.choice(sorted(EVENTS[event]))
    payload: dict[str, Any] = {**EVENTS[event][name], "cwd": str(home)}
    for key in ("session_id", "sessionId", "sessionID", "conversation_id"):
        if key in payload:
            payload[key] = f"s-{event}-{seed}"
    for key in ("tool_input", "toolArgs"):
        if key in payload:
            payload[key] = {"command": dice.choice(COMMANDS)}
    kind = KINDS[seed % len(KINDS)]
    text = "".join(dice.choice(ALPHABET) for _ in range(dice.randrange(1, 300)))
    if kind == "wrong types":
        payload |= {key: dice.choice(ODD) for key in payload if dice.random() < 0.4}
    elif kind == "odd texts":
        payload |= {key: text for key in payload if dice.random() < 0.3 and "event" not in key.lower()}
    elif kind == "huge":
        words = "how do I check the staging host? " * (10 << 15 if seed % 2 else 1 << 17)
        payload |= {"prompt": words} if "prompt" in payload else {"last_assistant_message": words}
    whole = json.dumps(payload).encode()
    if kind == "nested":
        return nested(dice.choice((50, 900, 100_000)), whole), True
    if kind == "empty":
        return b" \n" * (seed % 3), True
    if kind == "binary":
        return dice.randbytes(dice.randrange(1, 4_000)), True
    if kind == "mutated":
        broken = bytearray(whole)
        for _ in range(dice.randrange(1, 6)):
            broken[dice.randrange(len(broken))] = dice.randrange(256)
        return bytes(broken), True
    return whole[: dice.randrange(len(whole))] if "cut" in kind else whole, "open" not in kind


def complaint(event: str, data: bytes, out: str, env: Mapping[str, str]) -> str:
    """Returns why the client that wrote this would not take an answer; "" where it would."""
    if not out:
        return ""
    heard = heard_of(parsed(data), env)
    if heard is None:
        return "an answer to what nobody said"
    return refused(heard.host, heard.event, out)


def left_over(mark: str) -> list[str]:
    """Returns the processes that carry a mark in their environment."""
    found = []
    for name in os.listdir("/proc") if os.path.isdir("/proc") else []:
        try:
            if name.isdecimal() and mark.encode() in Path("/proc", name, "environ").read_bytes():
                found.append(name)
        except OSError:
            continue
    return found


@pytest.mark.soak
@pytest.mark.parametrize("event", EVENTS)
def test_every_process_ends_well_and_leaves_none_behind(home: Path, event: str) -> None:
    mark = f"hook-fuzz-{event}-{os.getpid()}"
    env = environment(ENGRAM_RELEVANCE_FLOOR="0.1", SOME_MARK=mark)
    spoken = 0
    for seed in range(PROCESSES):
        data, closed = fuzzed(event, seed, home)
        process = subprocess.Popen(
            command_line("hook"), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env
        )
        if closed:
            out, err = process.communicate(data, timeout=60)
        else:
            assert process.stdin is not None
            assert process.stdout is not None
            assert process.stderr is not None
            process.stdin.write(data)
            process.stdin.flush()
            process.wait(timeout=60)
            out, err = process.stdout.read(), process.stderr.read()
            for stream in (process.stdin, process.stdout, process.stderr):
                stream.close()
        assert (process.returncode, err) == (0, b""), (seed, data[:200])
        assert complaint(event, data, out.decode(), env) == "", (seed, data[:200], out)
        spoken += bool(out)
    assert left_over(mark) == []
    assert spoken > 0 or event not in ("SessionStart", "UserPromptSubmit", "PreToolUse")


def in_this_process(data: bytes, closed: bool) -> str:
    """Returns what the hook would print, without a process for each."""
    read, write = os.pipe()
    saved = os.dup(0)
    os.dup2(read, 0)
    os.close(read)
    done = threading.Event()

    def feed() -> None:
        view = memoryview(data)
        while view:
            view = view[os.write(write, view) :]
        if not closed:
            done.wait(60)
        os.close(write)

    feeder = threading.Thread(target=feed)
    feeder.start()
    try:
        found = hook.answered(os.environ, os.path.expanduser("~"))
    finally:
        done.set()
        feeder.join()
        os.dup2(saved, 0)
        os.close(saved)
    if found is None:
        return ""
    found.remember()
    return found.text


@pytest.mark.soak
@pytest.mark.parametrize("event", EVENTS)
def test_every_call_leaves_no_file_open_and_no_thread(home: Path, event: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENGRAM_RELEVANCE_FLOOR", "0.1")
    monkeypatch.setattr(hook, "STDIN_SECONDS", 0.3)
    descriptors = "/proc/self/fd" if os.path.isdir("/proc/self/fd") else os.devnull
    for seed in range(len(KINDS)):
        in_this_process(*fuzzed(event, seed, home))
    threads, files = threading.active_count(), len(os.listdir(descriptors)) if os.path.isdir(descriptors) else 0
    for seed in range(CALLS):
        data, closed = fuzzed(event, seed + 1_000, home)
        out = in_this_process(data, closed)
        assert complaint(event, data, out, os.environ) == "", (seed, data[:200], out)
    assert threading.active_count() <= threads + 1
    assert not files or len(os.listdir(descriptors)) <= files + 1

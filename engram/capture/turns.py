"""Collects a session's turns while its transcript is read: refs, tool calls with their results, times."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from engram.capture.source import Row
from engram.model.session import Kind, Session, Turn

_LETTERS = {"user": "u", "assistant": "a", "summary": "s"}
_TELLING = (
    "command", "cmd", "file_path", "filePath", "notebook_path", "path", "target_file", "dir_path", "pattern", "url",
    "query", "skill", "description", "prompt",
)  # fmt: skip
"""Fields of a tool's input that say what it does, the most telling first."""

_LONGEST_TEXT = 1 << 20
_LONGEST_INPUT = 2_000
_LONGEST_ID, _LONGEST_TIME = 200, 40
_PATCHED = re.compile(r"^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$", re.MULTILINE)


class Turns:
    """Is what is known of a session so far. Refs are counted along the order in which turns are added."""

    def __init__(self, agent: str) -> None:
        self.agent = agent
        self.turns: list[Turn] = []
        self.id = self.cwd = self.branch = self.started = self.ended = ""
        self.skipped = 0
        self._counts = {"u": 0, "a": 0, "t": 0, "s": 0}
        self._calls: dict[str, tuple[Turn, ...]] = {}
        self._answered: set[str] = set()

    def take(self, rows: Iterable[Row | None], each: Callable[[Row], None]) -> None:
        """Hands each row to its reader. One that can't be read, or isn't what its kind should be, is counted."""
        for row in rows:
            if row is None:
                self.skipped += 1
                continue
            try:
                each(row)
            except (TypeError, AttributeError, LookupError, ValueError, RecursionError):
                self.skipped += 1

    def at(self, time: object) -> str:
        """Returns a time as `time_of` does, and keeps it as the session's first or last one."""
        at = time_of(time)
        self.started = self.started or at
        self.ended = at or self.ended
        return at

    def say(self, kind: Kind, text: str, at: str) -> bool:
        """Adds what was said; False where it says nothing. ``kind``: user, assistant or summary."""
        text = clean(bounded(text.strip()))
        if not text:
            return False
        self.turns.append(Turn(self._ref(_LETTERS[kind]), kind, text, at=at))
        return True

    def call(self, key: str, tool: str, given: object, at: str, paths: Sequence[str] = ()) -> None:
        """Adds a tool's call: one turn, and one more for each further file that it changes."""
        text = clean(in_short(given))
        found = tuple(
            Turn(self._ref("t"), "tool_call", text, tool=clean(tool), path=clean(path), at=at)
            for path in paths or ("",)
        )
        self.turns.extend(found)
        if key:
            self._calls.setdefault(key, found)

    def result(self, key: str, text: str, at: str, *, failed: bool) -> None:
        """Adds what a call gave. One without a call is a turn of its own; a second one for the same call is none."""
        if key in self._answered:
            return
        calls = self._calls.get(key)
        if calls is None:
            calls = (Turn(self._ref("t"), "tool_call", ""),)
        elif key:
            self._answered.add(key)
        text = clean(bounded(text))
        for number, call in enumerate(calls):
            self.turns.append(replace(call, kind="tool_result", text="" if number else text, failed=failed, at=at))

    def knows(self, key: str) -> bool:
        """Tells whether a call with this key was added."""
        return key in self._calls

    def names(self, key: str) -> bool:
        """Tells whether a call with this key names a file that it changes."""
        return any(call.path for call in self._calls.get(key, ()))

    def session(self) -> Session:
        return Session(
            id=clean(self.id[:_LONGEST_ID]), agent=self.agent, turns=tuple(self.turns), cwd=clean(self.cwd),
            branch=clean(self.branch), started=self.started, ended=self.ended, skipped=self.skipped,
        )  # fmt: skip

    def _ref(self, letter: str) -> str:
        self._counts[letter] += 1
        return f"{letter}{self._counts[letter]}"


def stem_of(path: str) -> str:
    """Returns a file's name without its folder and its last suffix."""
    return re.split(r"[/\\]", path)[-1].rsplit(".", 1)[0]


def bounded(text: str) -> str:
    return text if len(text) <= _LONGEST_TEXT else text[:_LONGEST_TEXT] + "\n[… cut here]"


def clean(text: str) -> str:
    """Returns the text without halves of surrogate pairs, which no file could hold, and with line ends as ``\\n``."""
    if not text.isascii():
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def patched(text: str) -> tuple[str, ...]:
    """Returns the files that a patch in the ``*** Begin Patch`` form names, each once, in order."""
    if "*** Begin Patch" not in text:
        return ()
    return tuple(dict.fromkeys(filter(None, map(str.strip, _PATCHED.findall(text)))))


def in_short(given: object) -> str:
    """Returns a call's input in a few words: the most telling field alone, else all of it."""
    if isinstance(given, dict):
        for name in _TELLING:
            value = given.get(name)
            if isinstance(value, list) and value and all(isinstance(word, str) for word in value):
                value = value[2] if value[1:2] in (["-lc"], ["-c"]) and len(value) == 3 else " ".join(value)
            if isinstance(value, str) and value.strip():
                return value.strip()[:_LONGEST_INPUT]
    if not given:
        return ""
    return (given if isinstance(given, str) else json.dumps(given, ensure_ascii=False))[:_LONGEST_INPUT]


def time_of(time: object) -> str:
    """Returns a time as ISO text: one that is text as it stands, or seconds or milliseconds since 1970; else ""."""
    if isinstance(time, str):
        return clean(time[:_LONGEST_TIME])
    if isinstance(time, bool) or not isinstance(time, int | float):
        return ""
    try:
        moment = datetime.fromtimestamp(time / 1000 if abs(time) > 1e11 else time, UTC)
    except (ValueError, OverflowError, OSError):
        return ""
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")

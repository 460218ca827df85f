"""Reads Codex's rollouts: ``{timestamp, type, payload}`` a line; the oldest ones have the payload's fields on the line.

A message with ``role: user`` is the person's only where nothing speaks against it: AGENTS.md, the environment, skills
and hooks' prompts have that role too. Newer clients mark each piece (``content_item_kinds``): ``user.text``
counts alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from engram.capture.source import Row, Source, dicts, inner, text_in, text_of
from engram.capture.spoken import is_wrapped, own_words
from engram.capture.turns import Turns, patched, stem_of
from engram.model.session import Session

AGENT = "codex"

_MARKS = (b'"session_meta"', b'"message"', b"_call", b'"call_id"', b'"compacted"', b'"event_msg"', b'"instructions"')
_LINES = {"session_meta", "response_item", "event_msg", "compacted", "turn_context"}
_OLD = {"message", "reasoning", "function_call", "function_call_output", "local_shell_call"}
_HEAD = {"id", "timestamp", "instructions"}
_CALLS = {"function_call", "custom_tool_call", "local_shell_call", "web_search_call", "tool_search_call"}
_RESULTS = {"function_call_output", "custom_tool_call_output", "tool_search_output"}
_OWN = {"input_text", "output_text"}
_PREAMBLE = re.compile(r"\AAnother language model started.*?own analysis:\s*", re.DOTALL)
_REQUEST = "## My request for Codex:"
"""Ends what the editor puts before a prompt: open files and the text that is selected in them."""
_EDITORS_OWN = ("# Context from my IDE", "# Files mentioned by the user")
_EXIT = re.compile(r"^(?:Process exited with code|Exit code:) (-?\d+)\s*$", re.MULTILINE)
_FAILED = (
    "apply_patch verification failed", "execution error", "exec_command failed", "failed to parse", "unsupported call",
    "aborted by user", "tool call error", "exec command rejected", "patch rejected",
)  # fmt: skip
_REPORTS = 400
"""Characters: where the client says how a command ended, before that command's own output."""


def reads(source: Source) -> bool:
    """Tells whether a file is a rollout."""
    return any(
        (text_in(row.get("type")) in _LINES and isinstance(row.get("payload"), dict))
        or (row.keys() >= _HEAD and "type" not in row)
        or (row.get("type") == "message" and "role" in row and _is_old(row))
        for row in source.first
    )


def _is_old(row: Row) -> bool:
    content = row.get("content")
    return isinstance(content, list) and any(text_in(piece.get("type")) in _OWN for piece in dicts(content))


def read(source: Source) -> Session:
    """Returns the session that a rollout holds. A subagent's rollout holds none of its own.

    A rollout may repeat another's lines (a fork); those are the conversation's too.
    """
    reader = _Reader()
    reader.turns.take(source.rows(*_MARKS), reader.take)
    return reader.session(source.path)


class _Reader:
    def __init__(self) -> None:
        self.turns = Turns(AGENT)
        self._subagent = False
        self._failed: set[str] = set()
        self._events: list[tuple[bool, str, str]] = []
        """What events say was said: by the person or not, the text, the time. For rollouts that hold nothing else."""

    def take(self, row: Row) -> None:
        """Adds the turns of one line. Raises TypeError and the like."""
        kind, payload = row.get("type"), row.get("payload", row)
        if not isinstance(payload, dict):
            raise TypeError("no payload")
        if kind == "session_meta" or (kind is None and row.keys() >= _HEAD):
            self._opens(payload, row)
        elif kind == "compacted":
            at = self.turns.at(row.get("timestamp"))
            self.turns.say("summary", _PREAMBLE.sub("", text_of(payload.get("message"))), at)
        elif kind == "event_msg":
            self._event(payload, self.turns.at(row.get("timestamp")))
        elif kind == "response_item" or kind in _OLD:
            self._item(payload, self.turns.at(row.get("timestamp")))

    def session(self, path: str) -> Session:
        """Returns what was read; of a subagent's rollout nothing but whose it is."""
        if not any(turn.kind in {"user", "assistant"} for turn in self.turns.turns):
            for own, text, at in self._events:
                self.turns.say("user" if own else "assistant", text, at)
        if self._subagent:
            self.turns.turns.clear()
        self.turns.id = self.turns.id or stem_of(path)
        return self.turns.session()

    def _opens(self, payload: Row, row: Row) -> None:
        if self.turns.id:
            return
        self.turns.id = text_in(payload.get("id")) or text_in(payload.get("session_id"))
        self.turns.cwd = text_in(payload.get("cwd"))
        self.turns.branch = text_in(inner(payload, "git").get("branch"))
        source = payload.get("source")
        named = "subagent" in (source, payload.get("thread_source"))
        self._subagent = named or (isinstance(source, dict) and "subagent" in source)
        self.turns.at(row.get("timestamp") or payload.get("timestamp"))

    def _item(self, item: Row, at: str) -> None:
        kind = item.get("type", "message" if "role" in item else None)
        if kind == "message" and item.get("role") == "user":
            self.turns.say("user", "\n\n".join(filter(None, _typed(item))), at)
        elif kind == "message" and item.get("role") == "assistant":
            self.turns.say("assistant", "\n\n".join(text for _, text in _texts(item)), at)
        elif kind in _CALLS:
            self._call(item, at)
        elif kind in _RESULTS:
            key = text_in(item.get("call_id"))
            text, failed = _output(item.get("output", item.get("tools")))
            self.turns.result(key, text, at, failed=failed or key in self._failed)

    def _call(self, item: Row, at: str) -> None:
        given = item.get("arguments", item.get("input", item.get("action")))
        if isinstance(given, str) and given.lstrip().startswith("{"):
            given = _parsed(given)
        name = text_in(item.get("name")) or str(item["type"]).removesuffix("_call")
        space = text_in(item.get("namespace"))
        values = given.values() if isinstance(given, dict) else [given]
        words = [word for value in values for word in (value if isinstance(value, list) else [value])]
        paths = patched("\n".join(word for word in words if isinstance(word, str)))
        key = text_in(item.get("call_id")) or text_in(item.get("id"))
        self.turns.call(key, f"{space}__{name}" if space else name, given, at, paths)

    def _event(self, event: Row, at: str) -> None:
        item = inner(event, "item") if event.get("type") == "item_completed" else event
        kind, key = item.get("type"), text_in(item.get("call_id")) or text_in(item.get("id"))
        if item.get("status") == "failed" or item.get("success") is False or item.get("exit_code") not in {None, 0}:
            self._failed.add(key)
        if kind in {"FileChange", "patch_apply_begin"}:
            changes = item.get("changes")
            if isinstance(changes, dict) and changes and not self.turns.names(key):
                self.turns.call(f"{key}/files", "apply_patch", ", ".join(changes), at, list(changes))
        elif kind in {"user_message", "UserMessage"} and item.get("kind") in {None, "plain"}:
            words = [text_in(item.get("message")), *(text for _, text in _texts(item))]
            own = ["" if is_wrapped(word) else _own(word) for word in words]
            self._events.append((True, "\n\n".join(filter(None, own)), at))
        elif kind in {"agent_message", "AgentMessage"}:
            words = [text_in(item.get("message")), *(text for _, text in _texts(item))]
            self._events.append((False, "\n\n".join(filter(None, words)), at))


def _typed(item: Row) -> Iterator[str]:
    """Yields what the person typed of a message with ``role: user``."""
    marks = inner(item, "internal_chat_message_metadata_passthrough") or inner(item, "metadata")
    kinds, more = marks.get("content_item_kinds"), marks.get("content_item_metadata")
    for number, text in _texts(item):
        if isinstance(kinds, list):
            origin = inner(more[number], "provenance") if isinstance(more, list) and number < len(more) else {}
            if kinds[number : number + 1] == ["user.text"] and origin.get("type", "user") == "user":
                yield _own(text)
        elif not is_wrapped(text):
            yield _own(text)


def _texts(item: Row) -> Iterator[tuple[int, str]]:
    """Yields the texts of a message's content, each with its place. Raises TypeError."""
    content = item.get("content")
    if isinstance(content, str):
        yield 0, content
        return
    for number, piece in enumerate(content or []):
        if isinstance(piece, dict) and text_in(piece.get("type")) in {*_OWN, "text", "Text"}:
            yield number, text_of(piece.get("text"))


def _own(text: str) -> str:
    """Returns what of a text the person typed: behind the editor's own part, which may be all of it."""
    if text.lstrip().startswith(_EDITORS_OWN):
        text = text.rpartition(f"\n{_REQUEST}")[2] if f"\n{_REQUEST}" in text else ""
    return own_words(text)


def _output(output: object) -> tuple[str, bool]:
    """Returns what a call printed, and whether it failed, as far as its output tells."""
    if isinstance(output, str) and output.lstrip().startswith('{"output"'):
        output = _parsed(output)
    if isinstance(output, dict):
        text, failed = _output(output.get("output", output.get("content")))
        code = inner(output, "metadata").get("exit_code")
        return text, failed or output.get("success") is False or code not in {None, 0}
    if isinstance(output, list):
        text = "\n".join(text_in(each.get("text")) or text_in(each.get("name")) for each in dicts(output))
    else:
        text = text_in(output)
    code = _EXIT.search(text[:_REPORTS])
    return text, (code is not None and code[1] != "0") or text.startswith(_FAILED)


def _parsed(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text

"""Reads Gemini CLI's chats: a header, messages with an id, ``$set`` patches; older ones are one JSON document.

A message can be written several times, each time with more in it: the later fields win, and none is lost. A patch holds
all messages as the model knows them: what it leaves out stays, and nothing that it adds is the person's, since expanded
commands, hooks' words and snapshots have their role there. What was typed has a line of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from engram.capture.source import Row, Source, dicts, inner, text_in, text_of
from engram.capture.spoken import own_words, without_reminders
from engram.capture.turns import Turns, stem_of
from engram.model.session import Session

AGENT = "gemini"

_KINDS = {"user", "gemini"}
_EDITORS = {"write_file", "replace", "edit", "smart_edit"}
_EXIT = re.compile(r"^Exit Code: (-?\d+)\s*$", re.MULTILINE)
_REFERENCED = "--- Content from referenced"
"""Begins the parts that hold the files named with @ in a prompt."""
_COMPRESSED = "<state_snapshot>"
_CLIENTS = ("System: Please continue.", "System: Potential loop detected.", "User steering update:", "User hints:")
"""Openings of what the client says to the model in the person's role."""


def reads(source: Source) -> bool:
    """Tells whether a file is a chat of Gemini CLI's."""
    for row in source.first:
        if isinstance(row.get("sessionId"), str) and ("startTime" in row or "projectHash" in row):
            return True
        if (
            text_in(row.get("type")) in _KINDS
            and isinstance(row.get("id"), str)
            and "content" in row
            and "data" not in row
        ):
            return True
    return False


def read(source: Source) -> Session:
    """Returns the session that a chat holds. A subagent's chat holds none of its own."""
    reader = _Reader()
    reader.turns.take(source.rows(), reader.take)
    return reader.session(source.path)


class _Reader:
    def __init__(self) -> None:
        self.turns = Turns(AGENT)
        self._messages: dict[str, dict[str, Any]] = {}
        """By id, in the order in which they were first written."""
        self._typed: set[str] = set()
        """The ids that have a line of their own."""
        self._subagent = False

    def take(self, row: Row) -> None:
        """Keeps what a line says of the chat or of a message. Raises TypeError and the like."""
        patch = "$set" in row
        if patch:
            row = row["$set"]
            if not isinstance(row, dict):
                raise TypeError("no patch")
        if "messages" in row:
            for message in dicts(row["messages"]):
                self._keep(message, patch=patch)
        elif "type" in row:
            self._keep(row, patch=patch)
        if "sessionId" in row:
            named = text_of(row["sessionId"])
            self.turns.id = self.turns.id or named
            self.turns.at(row.get("startTime"))
            self._subagent = self._subagent or row.get("kind") == "subagent"

    def session(self, path: str) -> Session:
        self.turns.id = self.turns.id or stem_of(path)
        self.turns.take(() if self._subagent else self._messages.values(), self._message)
        return self.turns.session()

    def _keep(self, message: Row, *, patch: bool) -> None:
        key = text_in(message.get("id")) or f"#{len(self._messages)}"
        known = self._messages.setdefault(key, {})
        if not patch:
            self._typed.add(key)
        elif known and "user" in (known.get("type"), message.get("type")):
            return
        known.update(message, id=key)

    def _message(self, message: Row) -> None:
        """Adds the turns of one message. Raises TypeError and the like."""
        at = self.turns.at(message.get("timestamp"))
        if message.get("type") == "user":
            texts = list(_texts(message.get("displayContent") or message.get("content")))
            if any(text.lstrip().startswith(_COMPRESSED) for text in texts):
                self.turns.say("summary", "\n\n".join(texts), at)
            elif message["id"] in self._typed and not _answers(message):
                self.turns.say("user", "\n\n".join(filter(None, _typed(texts))), at)
        elif message.get("type") == "gemini":
            self.turns.say("assistant", "\n\n".join(_texts(message.get("content"))), at)
            for call in dicts(message.get("toolCalls") or []):
                self._call(call, self.turns.at(call.get("timestamp")) or at)
        for part in _parts(message.get("content")):
            self._wire(part, at)

    def _call(self, call: Row, at: str) -> None:
        """Adds a call with what it gave, as the client keeps them beside the message that asked for it."""
        key, name = text_in(call.get("id")), text_in(call.get("name"))
        self._asked(key, name, call.get("args"), at)
        if "result" not in call and "status" not in call:
            return
        result = call.get("result")
        texts = [_response(part) for part in _parts(result)] or [text_in(call.get("resultDisplay"))]
        failed = call.get("status") in {"error", "cancelled"} or any(map(_exited, texts))
        self.turns.result(key, "\n".join(filter(None, texts)), at, failed=failed)

    def _wire(self, part: Row, at: str) -> None:
        """Adds a call or what it gave, as the model's protocol writes them, where nothing better told of it before."""
        call, given = inner(part, "functionCall"), inner(part, "functionResponse")
        if call and not self.turns.knows(text_in(call.get("id"))):
            self._asked(text_in(call.get("id")), text_in(call.get("name")), call.get("args"), at)
        if given:
            text = _response(part)
            failed = "error" in inner(given, "response") or _exited(text)
            self.turns.result(text_in(given.get("id")), text, at, failed=failed)

    def _asked(self, key: str, name: str, given: object, at: str) -> None:
        path = text_in(given.get("file_path")) if isinstance(given, dict) and name in _EDITORS else ""
        self.turns.call(key, name, given, at, [path] if path else ())


def _typed(texts: list[str]) -> Iterator[str]:
    """Yields what the person typed; what stands behind the files they named could be of those files."""
    for text in texts:
        if _REFERENCED in text:
            yield own_words(without_reminders(text[: text.index(_REFERENCED)]))
            return
        yield "" if text.lstrip().startswith(_CLIENTS) else own_words(without_reminders(text))


def _answers(message: Row) -> bool:
    """Tells whether a message brings what calls gave; words beside that are the client's or the tool's."""
    return any("functionResponse" in part for part in _parts(message.get("content")))


def _parts(content: object) -> Iterator[Row]:
    if isinstance(content, dict):
        content = [content]
    yield from dicts(content) if isinstance(content, list) else ()


def _texts(content: object) -> Iterator[str]:
    if isinstance(content, str):
        yield content
    for part in _parts(content):
        if isinstance(part.get("text"), str) and part.get("thought") is not True:
            yield part["text"]


def _response(part: Row) -> str:
    response = inner(part, "functionResponse", "response")
    return text_in(response.get("output")) or text_in(response.get("error")) or text_in(part.get("text"))


def _exited(text: str) -> bool:
    """Tells whether a shell's output ends with a code that says it failed."""
    codes = _EXIT.findall(text)
    return bool(codes) and codes[-1] != "0"

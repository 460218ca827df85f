"""Reads Copilot's sessions (``events.jsonl``): ``{type, data, id, timestamp, parentId}`` a line.

A user's message holds what was typed as ``content``. What the model got, hooks' words and reminders with it, stands
beside it as ``transformedContent`` and is not read.
"""

from __future__ import annotations

from engram.capture.source import Row, Source, dicts, inner, text_in
from engram.capture.spoken import own_words
from engram.capture.turns import Turns, patched, stem_of
from engram.model.session import Session

AGENT = "copilot"

_MARKS = (
    b'"session.start"', b'"session.resume"', b'"user.message"', b'"assistant.message"', b'"tool.execution_start"',
    b'"tool.execution_complete"', b'"session.compaction_complete"',
)  # fmt: skip
_OPENING = {"session.start", "session.resume", "user.message", "assistant.message"}
_EDITORS = {"create", "edit", "str_replace", "insert", "write", "str_replace_editor", "apply_patch"}
_LOOKS = {"view"}


def reads(source: Source) -> bool:
    """Tells whether a file is a session of Copilot's."""
    return any(text_in(row.get("type")) in _OPENING and isinstance(row.get("data"), dict) for row in source.first)


def read(source: Source) -> Session:
    """Returns the session that the events tell of. What subagents said and did is left out."""
    reader = _Reader()
    reader.turns.take(source.rows(*_MARKS), reader.take)
    folder = source.path.replace("\\", "/").rstrip("/").split("/")[-2:-1]
    reader.turns.id = reader.turns.id or (folder[0] if folder else stem_of(source.path))
    return reader.turns.session()


class _Reader:
    def __init__(self) -> None:
        self.turns = Turns(AGENT)
        self._seen: set[str] = set()

    def take(self, row: Row) -> None:
        """Adds the turns of one event. Raises TypeError and the like."""
        kind, data = row["type"], row["data"]
        if not isinstance(data, dict):
            raise TypeError("no data")
        if any(map(data.get, ("parentToolCallId", "agentId"))) or row.get("agentId") or self._repeated(row):
            return
        at = self.turns.at(row.get("timestamp"))
        match kind:
            case "session.start" | "session.resume":
                self._opens(data)
            case "user.message" if data.get("source") in {None, "", "user"} and not data.get("isAutopilotContinuation"):
                self.turns.say("user", own_words(text_in(data.get("content"))), at)
            case "assistant.message":
                self.turns.say("assistant", text_in(data.get("content")), at)
                for request in dicts(data.get("toolRequests") or []):
                    self._call(request.get("toolCallId"), request.get("name"), request.get("arguments"), at)
            case "tool.execution_start":
                self._call(data.get("toolCallId"), data.get("toolName"), data.get("arguments"), at)
            case "tool.execution_complete":
                self._result(data, at)
            case "session.compaction_complete":
                self.turns.say("summary", text_in(data.get("summaryContent")), at)

    def _repeated(self, row: Row) -> bool:
        key = text_in(row.get("id"))
        known = key in self._seen
        self._seen.add(key)
        return known and bool(key)

    def _opens(self, data: Row) -> None:
        place = inner(data, "context")
        self.turns.id = self.turns.id or text_in(data.get("sessionId"))
        self.turns.cwd = self.turns.cwd or text_in(place.get("cwd"))
        self.turns.branch = text_in(place.get("branch")) or self.turns.branch

    def _call(self, key: object, tool: object, given: object, at: str) -> None:
        """Adds a call once: the message that asks for it and the event that starts it name the same one."""
        if self.turns.knows(text_in(key)):
            return
        fields = given if isinstance(given, dict) else {}
        path = text_in(fields.get("path")) if tool in _EDITORS and fields.get("command") not in _LOOKS else ""
        patch = given if isinstance(given, str) else text_in(fields.get("patch")) or text_in(fields.get("input"))
        self.turns.call(text_in(key), text_in(tool), given, at, [path] if path else patched(patch))

    def _result(self, data: Row, at: str) -> None:
        result, fault = inner(data, "result"), inner(data, "error")
        text = text_in(result.get("content")) or text_in(data.get("result")) or text_in(fault.get("message"))
        failed = data.get("success") is False or inner(data, "shellExecution").get("exitCode") not in {None, 0}
        self.turns.result(text_in(data.get("toolCallId")), text, at, failed=failed)

"""Reads Claude Code's transcripts: one JSON object a line, of which few kinds are speech; also a session that was
exported as one document.

What counts as the person's own words is decided here, narrowly: harness text, hook output, tool results and summaries
never do, since a note that rests on "the user said so" rests on this.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engram.capture.source import Row, Source, dicts, inner, output_of, text_in, text_of
from engram.capture.spoken import own_words
from engram.capture.turns import Turns, bounded, clean, stem_of, time_of
from engram.model.session import Session

AGENT = "claude-code"

_SPEAKING = (b'"loglines"', b'"user"', b'"assistant"', b'"summary"', b'"queued_command"')
"""What a line must hold to be worth parsing: requests and snapshots of the prompt, 50 kB each, mostly hold none."""

_KNOWN = {
    "user", "assistant", "summary", "system", "attachment", "queue-operation", "last-prompt", "mode", "tools-used",
    "cost-state", "atis-latch", "api-request", "api-request-shape", "api-request-blob", "file-history-snapshot",
}  # fmt: skip
"""Types of lines that, beside a ``sessionId``, no other agent's transcript has."""

_TIMERS = ("system", "loop_wakeup", "schedule_wakeup", "poll_event")
_CONTINUED = "This session is being continued from a previous conversation"
_EDITORS = {"Edit": "file_path", "Write": "file_path", "MultiEdit": "file_path", "NotebookEdit": "notebook_path"}


def reads(source: Source) -> bool:
    """Tells whether a file is Claude Code's."""
    for row in source.first:
        if isinstance(row.get("loglines"), list):
            return True
        kind, message = text_in(row.get("type")), inner(row, "message")
        if kind in {"user", "assistant"}:
            if "content" in message and text_in(message.get("role")) in {"user", "assistant"}:
                return True
        elif kind in _KNOWN and (isinstance(row.get("sessionId"), str) or "leafUuid" in row):
            return True
    return False


def read(source: Source) -> Session:
    """Returns the session that a transcript holds. A line that can't be read is counted and passed over.

    Turns stand in the order of the file, and their refs are counted along it: a transcript that grew has the refs it
    had. Branches that the person rewound are turns too. Subagents' lines are none.
    """
    reader = _Reader()
    reader.turns.take(source.rows(*_SPEAKING), reader.take)
    return reader.session(source.path)


class _Reader:
    def __init__(self) -> None:
        self.turns = Turns(AGENT)
        self._seen: set[str] = set()
        self._spoken: dict[str, int] = {}
        """An assistant message's id to its turn: one message may be split over several lines."""
        self._facts: dict[str, list[str]] = {"sessionId": [], "cwd": [], "gitBranch": []}

    def take(self, row: Row) -> None:
        """Adds the turns of one line. Raises TypeError and the like."""
        if isinstance(row.get("loglines"), list):
            self.turns.take((each if isinstance(each, dict) else None for each in row["loglines"]), self.take)
            return
        text_of(row.get("type"))
        if row.get("isSidechain") is True or self._repeated(row):
            return
        if self._speech(row):
            self._remember(row)

    def session(self, path: str) -> Session:
        ids, stem = self._facts["sessionId"], stem_of(path)
        self.turns.id = stem if stem in ids or not ids else ids[0]
        self.turns.cwd = "".join(self._facts["cwd"][:1])
        self.turns.branch = "".join(self._facts["gitBranch"][-1:])
        return self.turns.session()

    def _repeated(self, row: Row) -> bool:
        uuid = row.get("uuid")
        return isinstance(uuid, str) and uuid in self._seen

    def _remember(self, row: Row) -> None:
        if isinstance(row.get("uuid"), str):
            self._seen.add(row["uuid"])
        self.turns.at(row.get("timestamp"))
        for name, values in self._facts.items():
            value = row.get(name)
            if isinstance(value, str) and value and value not in values[-1:]:
                values.append(value)

    def _speech(self, row: Row) -> bool:
        """Adds the turns of one line; False where it is of a kind that holds none. Raises TypeError and the like."""
        at = time_of(row.get("timestamp"))
        match row["type"]:
            case "user":
                self._user(row, at)
            case "assistant":
                self._assistant(row["message"], at)
            case "summary":
                self.turns.say("summary", text_of(row["summary"]), at)
            case "attachment":
                return self._typed_meanwhile(row["attachment"], at)
            case _:
                return False
        return True

    def _user(self, row: Row, at: str) -> None:
        content = row["message"]["content"]
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else list(dicts(content))
        for block in blocks:
            if block.get("type") == "tool_result":
                self._result(block, at)
        texts = [text_of(block["text"]) for block in blocks if block.get("type") == "text"]
        if row.get("isCompactSummary") is True or "".join(texts[:1]).startswith(_CONTINUED):
            self.turns.say("summary", "\n\n".join(texts), at)
        elif not (_of_a_call(row, blocks) or row.get("isVisibleInTranscriptOnly") is True or _sent_by_machine(row)):
            self.turns.say("user", "\n\n".join(filter(None, map(own_words, texts))), at)

    def _typed_meanwhile(self, attachment: Row, at: str) -> bool:
        """Adds what the person typed while the agent worked: it reaches the model as an attachment, not as a turn."""
        if attachment.get("type") != "queued_command" or attachment.get("commandMode") != "prompt":
            return False
        prompt = attachment.get("prompt")
        blocks = [{"type": "text", "text": prompt}] if isinstance(prompt, str) else list(dicts(prompt or []))
        if not _sent_by_machine(attachment):
            texts = [text_of(block["text"]) for block in blocks if block.get("type") == "text"]
            self.turns.say("user", "\n\n".join(filter(None, map(own_words, texts))), at)
        return True

    def _assistant(self, message: Row, at: str) -> None:
        content = message["content"]
        for block in [{"type": "text", "text": content}] if isinstance(content, str) else list(dicts(content)):
            if block.get("type") == "text":
                self._said(text_in(message.get("id")), text_of(block["text"]), at)
            elif block.get("type") == "tool_use":
                self._call(block, at)

    def _said(self, message_id: str, text: str, at: str) -> None:
        place = self._spoken.get(message_id)
        if place is not None:
            turn = self.turns.turns[place]
            if text not in turn.text:
                self.turns.turns[place] = replace(turn, text=clean(bounded(f"{turn.text}\n\n{text.strip()}")))
        elif self.turns.say("assistant", text, at) and message_id:
            self._spoken[message_id] = len(self.turns.turns) - 1

    def _call(self, block: Row, at: str) -> None:
        name, given = text_in(block.get("name")), block.get("input")
        path = text_in(given.get(_EDITORS.get(name, ""))) if isinstance(given, dict) else ""
        self.turns.call(text_in(block.get("id")), name, given, at, [path] if path else ())

    def _result(self, block: Row, at: str) -> None:
        text = output_of(block.get("content"))
        self.turns.result(text_in(block.get("tool_use_id")), text, at, failed=block.get("is_error") is True)


def _of_a_call(row: Row, blocks: Sequence[Row]) -> bool:
    """Tells whether a row tells what a call gave: what stands beside a result could be the tool's or the client's."""
    return (
        any(row.get(name) is not None for name in ("toolUseResult", "sourceToolUseID", "sourceToolAssistantUUID"))
        or any(block.get("type") == "tool_result" for block in blocks)
        or row["message"].get("role", "user") != "user"
    )


def _sent_by_machine(row: Row) -> bool:
    """Tells whether a row that looks like a prompt was made by the client, a timer, a task or another agent."""
    origin = row.get("origin")
    kind = origin.get("kind") if isinstance(origin, dict) else None
    source = row.get("promptSource")
    made = row.get("isMeta") is True or bool(row.get("agentId")) or row.get("isApiErrorMessage") is True
    return made or kind not in {None, "human", "user"} or source in _TIMERS

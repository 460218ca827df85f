"""How clients and models talk: four wires, each the same few questions to a request and the same two kinds of answer.

A conversation is read as parts in order: what the person's side said, that the model had a turn, what a tool returned.
"""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

Json = dict[str, Any]
USED = 100
"""How many tokens every request is said to have had."""


@dataclass(frozen=True)
class Say:
    """Is a turn of plain words; it ends the model's answer."""

    text: str


@dataclass(frozen=True)
class Call:
    """Is a turn that calls one tool of the client."""

    tool: str
    input: Mapping[str, Any]
    namespace: str = ""
    """Codex keeps the tools of an MCP server in one of these."""


class Part(NamedTuple):
    """Is one piece of a conversation: ``user``, ``model`` or ``result``, with a result's call, and its text."""

    kind: str
    call: str
    text: str


class Wire(Protocol):
    """Is one way to ask a model."""

    def carries(self, path: str) -> bool:
        """Tells whether a request for an answer of the model goes to this path."""

    def said(self, body: Json) -> list[object]:
        """Returns what the request puts before the model, the system's words first."""

    def parts(self, body: Json) -> Iterator[Part]:
        """Yields the conversation in order."""

    def whole(self, body: Json, turn: Say | Call) -> Json:
        """Returns the answer as one JSON object."""

    def streamed(self, whole: Json) -> Iterator[str]:
        """Yields the answer as server-sent events."""


def texts(value: object) -> Iterator[str]:
    """Yields every text of a content, however deep it lies."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from texts(item)
    elif isinstance(value, dict):
        for key in ("text", "content", "parts", "output", "functionResponse", "response", "error"):
            yield from texts(value.get(key))


def joined(value: object) -> str:
    """Returns every text of a content, one a line."""
    return "\n".join(texts(value))


def _id(kind: str) -> str:
    return f"{kind}_{uuid.uuid4().hex[:24]}"


def _event(data: Json, *, named: bool = True) -> str:
    return (f"event: {data['type']}\n" if named else "") + f"data: {json.dumps(data)}\n\n"


def _blocks(content: object) -> list[Json]:
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []


class Messages:
    """Anthropic's Messages, which Claude Code speaks."""

    def carries(self, path: str) -> bool:
        return path.endswith("/messages")

    def said(self, body: Json) -> list[object]:
        return [body.get("system"), body.get("messages")]

    def parts(self, body: Json) -> Iterator[Part]:
        for message in body.get("messages", []):
            if message["role"] == "assistant":
                yield Part("model", "", "")
                continue
            for block in _blocks(message["content"]):
                if block.get("type") == "tool_result":
                    yield Part("result", block["tool_use_id"], joined(block.get("content")))
                else:
                    yield Part("user", "", block.get("text", ""))

    def whole(self, body: Json, turn: Say | Call) -> Json:
        if isinstance(turn, Say):
            block: Json = {"type": "text", "text": turn.text}
        else:
            block = {"type": "tool_use", "id": _id("toolu"), "name": turn.tool, "input": dict(turn.input)}
        return {
            "id": _id("msg"),
            "type": "message",
            "role": "assistant",
            "model": body.get("model", "scripted"),
            "content": [block],
            "stop_reason": "tool_use" if block["type"] == "tool_use" else "end_turn",
            "stop_sequence": None,
            "usage": {
                "input_tokens": USED,
                "output_tokens": 10,
                "cache_creation_input_tokens": 0,
                "cache_read_input_tokens": 0,
            },
        }

    def streamed(self, whole: Json) -> Iterator[str]:
        block = whole["content"][0]
        if block["type"] == "text":
            empty, delta = {**block, "text": ""}, {"type": "text_delta", "text": block["text"]}
        else:
            told = json.dumps(block["input"])
            empty, delta = {**block, "input": {}}, {"type": "input_json_delta", "partial_json": told}
        ended = {"stop_reason": whole["stop_reason"], "stop_sequence": None}
        yield _event({"type": "message_start", "message": {**whole, "content": [], "stop_reason": None}})
        yield _event({"type": "content_block_start", "index": 0, "content_block": empty})
        yield _event({"type": "content_block_delta", "index": 0, "delta": delta})
        yield _event({"type": "content_block_stop", "index": 0})
        yield _event({"type": "message_delta", "delta": ended, "usage": whole["usage"]})
        yield _event({"type": "message_stop"})


class Responses:
    """OpenAI's Responses, which Codex speaks."""

    def carries(self, path: str) -> bool:
        return path.endswith("/responses")

    def said(self, body: Json) -> list[object]:
        return [body.get("instructions"), body.get("input")]

    def parts(self, body: Json) -> Iterator[Part]:
        for item in body.get("input", []):
            kind, role = item.get("type", "message"), item.get("role")
            if kind.endswith("_call") or (kind == "message" and role == "assistant"):
                yield Part("model", "", "")
            elif kind.endswith("_call_output"):
                yield Part("result", item["call_id"], joined(item.get("output")))
            elif kind == "message":
                yield from (Part("user", "", text) for text in texts(item.get("content")) if role == "user")

    def whole(self, body: Json, turn: Say | Call) -> Json:
        if isinstance(turn, Say):
            content = [{"type": "output_text", "text": turn.text, "annotations": []}]
            item: Json = {"type": "message", "id": _id("msg"), "role": "assistant", "content": content}
        else:
            arguments = json.dumps(dict(turn.input))
            item = {"type": "function_call", "id": _id("fc"), "call_id": _id("call"), "name": turn.tool}
            item |= {"arguments": arguments} | ({"namespace": turn.namespace} if turn.namespace else {})
        usage = {
            "input_tokens": USED,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": 10,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": USED + 10,
        }
        return {
            "id": _id("resp"),
            "object": "response",
            "created_at": int(time.time()),
            "model": body.get("model"),
            "status": "completed",
            "output": [item | {"status": "completed"}],
            "usage": usage,
            "error": None,
            "incomplete_details": None,
        }

    def streamed(self, whole: Json) -> Iterator[str]:
        begun = {**whole, "status": "in_progress", "output": [], "usage": None}
        (item,) = whole["output"]
        place: Json = {"output_index": 0}
        events: list[Json] = [
            {"type": "response.created", "response": begun},
            {"type": "response.output_item.added", **place, "item": item},
        ]
        if item["type"] == "message":
            delta = {"item_id": item["id"], **place, "content_index": 0, "delta": item["content"][0]["text"]}
            events.append({"type": "response.output_text.delta", **delta})
        events.append({"type": "response.output_item.done", **place, "item": item})
        events.append({"type": "response.completed", "response": whole})
        for number, event in enumerate(events):
            yield _event(event | {"sequence_number": number})


class Chat:
    """OpenAI's Chat Completions, which opencode and Copilot speak to a model of one's own."""

    def carries(self, path: str) -> bool:
        return path.endswith("/chat/completions")

    def said(self, body: Json) -> list[object]:
        return [body.get("messages")]

    def parts(self, body: Json) -> Iterator[Part]:
        for message in body.get("messages", []):
            if message["role"] == "assistant":
                yield Part("model", "", "")
            elif message["role"] == "tool":
                yield Part("result", message["tool_call_id"], joined(message.get("content")))
            elif message["role"] == "user":
                yield Part("user", "", joined(message.get("content")))

    def whole(self, body: Json, turn: Say | Call) -> Json:
        message: Json = {"role": "assistant", "content": None}
        if isinstance(turn, Say):
            message["content"] = turn.text
        else:
            function = {"name": turn.tool, "arguments": json.dumps(dict(turn.input))}
            message["tool_calls"] = [{"index": 0, "id": _id("call"), "type": "function", "function": function}]
        reason = "tool_calls" if message["content"] is None else "stop"
        return {
            "id": _id("chatcmpl"),
            "object": "chat.completion",
            "created": int(time.time()),
            "model": body.get("model"),
            "choices": [{"index": 0, "message": message, "finish_reason": reason}],
            "usage": {"prompt_tokens": USED, "completion_tokens": 10, "total_tokens": USED + 10},
        }

    def streamed(self, whole: Json) -> Iterator[str]:
        (choice,) = whole["choices"]
        for delta, reason in ((choice["message"], None), ({}, choice["finish_reason"])):
            piece = {"index": 0, "delta": delta, "finish_reason": reason}
            yield _event({**whole, "object": "chat.completion.chunk", "choices": [piece]}, named=False)
        yield "data: [DONE]\n\n"


class Gemini:
    """Google's generateContent and streamGenerateContent, which Gemini CLI speaks."""

    def carries(self, path: str) -> bool:
        return path.endswith((":generateContent", ":streamGenerateContent"))

    def said(self, body: Json) -> list[object]:
        return [body.get("systemInstruction"), body.get("contents")]

    def parts(self, body: Json) -> Iterator[Part]:
        results = 0
        for content in body.get("contents", []):
            if content.get("role") == "model":
                yield Part("model", "", "")
                continue
            for part in content.get("parts", []):
                if "functionResponse" in part:
                    results += 1
                    yield Part("result", part["functionResponse"].get("id") or str(results), joined(part))
                else:
                    yield Part("user", "", part.get("text", ""))

    def whole(self, body: Json, turn: Say | Call) -> Json:
        if isinstance(turn, Call):
            part: Json = {"functionCall": {"id": _id("call"), "name": turn.tool, "args": dict(turn.input)}}
        elif body.get("generationConfig", {}).get("responseMimeType") == "application/json":
            part = {"text": json.dumps({"reasoning": turn.text, "next_speaker": "user", "complexity_score": 1})}
        else:
            part = {"text": turn.text}
        content = {"role": "model", "parts": [part]}
        usage = {"promptTokenCount": USED, "candidatesTokenCount": 10, "totalTokenCount": USED + 10}
        return {
            "candidates": [{"content": content, "finishReason": "STOP", "index": 0}],
            "usageMetadata": usage,
            "modelVersion": "scripted",
            "responseId": _id("response"),
        }

    def streamed(self, whole: Json) -> Iterator[str]:
        yield _event(whole, named=False)


WIRES: tuple[Wire, ...] = (Messages(), Responses(), Chat(), Gemini())


def wire_of(path: str) -> Wire | None:
    """Returns the wire of a path; None where it asks for no answer of a model."""
    return next((wire for wire in WIRES if wire.carries(path)), None)

"""A model that says what a test wrote down: enough of the Anthropic Messages API for a real client's whole loop.

A test gives a script per conversation: a marker that the person's prompt holds, and the turns that follow it. The
server keeps no place in a script; it counts the model's turns in the conversation that the client sends, so that a
request sent twice is answered twice alike.
"""

from __future__ import annotations

import gzip
import json
import socket
import threading
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Json = dict[str, Any]


@dataclass(frozen=True)
class Say:
    """Is a turn of plain words; it ends the model's answer."""

    text: str


@dataclass(frozen=True)
class Call:
    """Is a turn that calls one tool of the client."""

    tool: str
    input: Mapping[str, Any]


Turn = Say | Call | Callable[[str], "Say | Call"]
"""A turn; a function gets the text of the newest tool result and returns the turn."""


def bash(command: str) -> Call:
    """Returns a turn that runs a command in the client's shell."""
    return Call("Bash", {"command": command, "description": "as the script says"})


@dataclass(frozen=True)
class Request:
    """Is one request that a client made."""

    method: str
    path: str
    body: Json

    @property
    def heard(self) -> str:
        """All text that the request puts before the model, the system prompt included."""
        return "\n".join(_texts([self.body.get("system"), self.body.get("messages")]))


@dataclass
class Model:
    """Is the scripted model: what it will say, and what it was asked. Shared between threads."""

    scripts: dict[str, Sequence[Turn]] = field(default_factory=dict)
    requests: list[Request] = field(default_factory=list)
    broken: list[Exception] = field(default_factory=list)
    """What went wrong in a turn that is a function; the driver raises it again where a test sees it."""

    def script(self, marker: str, *turns: Turn) -> None:
        """Answers a conversation whose newest prompt with a known marker holds this one, turn by turn."""
        self.scripts[marker] = turns

    @property
    def asked(self) -> tuple[Request, ...]:
        """The requests for an answer of the model, oldest first."""
        return tuple(one for one in self.requests if one.path == "/v1/messages" and one.body.get("tools"))

    @property
    def tool_results(self) -> tuple[str, ...]:
        """The text of each tool result that reached the model, in order, once each."""
        found: dict[str, str] = {}
        for request in self.asked:
            for block in _blocks(request.body, "user"):
                if block.get("type") == "tool_result":
                    found[block["tool_use_id"]] = "\n".join(_texts(block.get("content")))
        return tuple(found.values())

    def answer(self, body: Json) -> Json:
        """Returns the content block that comes next in the conversation of this request."""
        if not body.get("tools"):
            return {"type": "text", "text": "untitled"}
        try:
            turn = self._turn(body)
        except Exception as error:
            self.broken.append(error)
            turn = Say("the script is broken")
        if isinstance(turn, Say):
            return {"type": "text", "text": turn.text}
        return {"type": "tool_use", "id": f"toolu_{uuid.uuid4().hex}", "name": turn.tool, "input": dict(turn.input)}

    def _turn(self, body: Json) -> Say | Call:
        turns: Sequence[Turn] = ()
        place, result = 0, ""
        for message in body["messages"]:
            if message["role"] == "assistant":
                place += 1
                continue
            for block in _as_blocks(message["content"]):
                if block.get("type") == "tool_result":
                    result = "\n".join(_texts(block.get("content")))
                    continue
                known = [marker for marker in self.scripts if marker in block.get("text", "")]
                if known:
                    turns, place = self.scripts[known[0]], 0
        if place >= len(turns):
            return Say("the script has no such turn")
        turn = turns[place]
        return turn(result) if callable(turn) else turn


class ModelServer(ThreadingHTTPServer):
    """Serves a model on a socket that listens already, wherever it was opened."""

    daemon_threads = True

    def __init__(self, model: Model, listener: socket.socket) -> None:
        super().__init__(("127.0.0.1", 0), _Handler, bind_and_activate=False)
        self.socket.close()
        self.socket = listener
        self.model = model
        self._thread = threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Ends the serving and closes the socket."""
        self.shutdown()
        self._thread.join()
        self.server_close()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: ModelServer

    def log_message(self, *_: object) -> None:
        """Keeps the tests' output to the tests."""

    def do_HEAD(self) -> None:
        self._note({})
        self._reply({})

    def do_GET(self) -> None:
        self._note({})
        self._reply({"data": [], "has_more": False})

    def do_POST(self) -> None:
        body = self._body()
        path = self._note(body)
        if path == "/v1/messages/count_tokens":
            self._reply({"input_tokens": 100})
        elif path != "/v1/messages":
            self._reply({"type": "error", "error": {"type": "not_found_error", "message": path}}, 404)
        else:
            message = _message(body, self.server.model.answer(body))
            if body.get("stream"):
                self._stream(message)
            else:
                self._reply(message)

    def _note(self, body: Json) -> str:
        path = self.path.partition("?")[0]
        self.server.model.requests.append(Request(self.command, path, body))
        return path

    def _body(self) -> Json:
        raw = b""
        if "chunked" in self.headers.get("Transfer-Encoding", ""):
            while size := int(self.rfile.readline().split(b";")[0], 16):
                raw += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
        else:
            raw = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        if self.headers.get("Content-Encoding") == "gzip":
            raw = gzip.decompress(raw)
        parsed = json.loads(raw or b"{}")
        return parsed if isinstance(parsed, dict) else {}

    def _reply(self, value: Json, status: int = 200) -> None:
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def _stream(self, message: Json) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        for event in _events(message):
            self.wfile.write(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode())
        self.wfile.flush()
        self.close_connection = True


def _message(body: Json, block: Json) -> Json:
    """Returns the whole answer that holds one content block."""
    return {
        "id": f"msg_{uuid.uuid4().hex}",
        "type": "message",
        "role": "assistant",
        "model": body.get("model", "scripted"),
        "content": [block],
        "stop_reason": "tool_use" if block["type"] == "tool_use" else "end_turn",
        "stop_sequence": None,
        "usage": {
            "input_tokens": 100,
            "output_tokens": 10,
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 0,
        },
    }


def _events(message: Json) -> Iterator[Json]:
    """Yields an answer as the events of a stream."""
    block = message["content"][0]
    if block["type"] == "text":
        empty, delta = {**block, "text": ""}, {"type": "text_delta", "text": block["text"]}
    else:
        empty, delta = {**block, "input": {}}, {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
    ended = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    yield {"type": "message_start", "message": {**message, "content": [], "stop_reason": None}}
    yield {"type": "content_block_start", "index": 0, "content_block": empty}
    yield {"type": "content_block_delta", "index": 0, "delta": delta}
    yield {"type": "content_block_stop", "index": 0}
    yield {"type": "message_delta", "delta": ended, "usage": message["usage"]}
    yield {"type": "message_stop"}


def _as_blocks(content: object) -> list[Json]:
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []


def _blocks(body: Json, role: str) -> Iterator[Json]:
    for message in body["messages"]:
        if message["role"] == role:
            yield from _as_blocks(message["content"])


def _texts(value: object) -> Iterator[str]:
    """Yields every text of a content, however deep it lies."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)
    elif isinstance(value, dict):
        yield from _texts(value.get("text"))
        yield from _texts(value.get("content"))

"""A model that says what a test wrote down, on whichever wire a real client asks it: enough for its whole loop.

A test gives a script per conversation: a marker that the person's prompt holds, and the turns that follow it. The
server keeps no place in a script; it counts the model's turns in the conversation that the client sends, so that a
request sent twice is answered twice alike.
"""

from __future__ import annotations

import gzip
import json
import socket
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from tests.agents.wires import USED, Call, Json, Part, Say, Wire, joined, wire_of

__all__ = ["Call", "Json", "Model", "ModelServer", "Request", "Say", "Turn", "bash"]

Turn = Say | Call | Callable[[str], "Say | Call"]
"""A turn; a function gets the text of the newest tool result and returns the turn."""


def bash(command: str) -> Call:
    """Returns a turn that runs a command in Claude Code's shell."""
    return Call("Bash", {"command": command, "description": "as the script says"})


@dataclass(frozen=True)
class Request:
    """Is one request that a client made."""

    method: str
    path: str
    body: Json

    @property
    def wire(self) -> Wire | None:
        return wire_of(self.path)

    @property
    def heard(self) -> str:
        """All text that the request puts before the model, the system prompt included."""
        return joined(self.wire.said(self.body)) if self.wire else ""

    @property
    def parts(self) -> tuple[Part, ...]:
        """The conversation, in order."""
        return tuple(self.wire.parts(self.body)) if self.wire else ()


@dataclass
class Model:
    """Is the scripted model: what it will say, and what it was asked. Shared between threads."""

    scripts: dict[str, Sequence[Turn]] = field(default_factory=dict)
    requests: list[Request] = field(default_factory=list)
    broken: list[Exception] = field(default_factory=list)
    """What went wrong in a turn that is a function; the driver raises it again where a test sees it."""
    unready: str = "\0"
    """What a client answers to the call of a tool that it has yet to start; such a call is made again."""

    def script(self, marker: str, *turns: Turn) -> None:
        """Answers a conversation whose newest prompt with a known marker holds this one, turn by turn."""
        self.scripts[marker] = turns

    @property
    def asked(self) -> tuple[Request, ...]:
        """The requests for an answer of the model, oldest first."""
        return tuple(one for one in self.requests if one.wire and one.body.get("tools"))

    @property
    def tool_results(self) -> tuple[str, ...]:
        """The text of each tool result that reached the model, in order, once each."""
        found: dict[str, str] = {}
        for request in self.asked:
            found |= {part.call: part.text for part in request.parts if part.kind == "result"}
        return tuple(text for text in found.values() if self.unready not in text)

    def answer(self, wire: Wire, body: Json) -> Json:
        """Returns what comes next in the conversation of this request, as one JSON object."""
        turn: Say | Call = Say("untitled")
        if body.get("tools"):
            try:
                turn = self._turn(wire, body)
            except Exception as error:
                self.broken.append(error)
                turn = Say("the script is broken")
        return wire.whole(body, turn)

    def _turn(self, wire: Wire, body: Json) -> Say | Call:
        turns: Sequence[Turn] = ()
        place, result = 0, ""
        for part in wire.parts(body):
            if part.kind == "model":
                place += 1
            elif part.kind == "result" and self.unready in part.text:
                place -= 1
                result = part.text
            elif part.kind == "result":
                result = part.text
            else:
                known = [marker for marker in self.scripts if marker in part.text]
                if known:
                    turns, place = self.scripts[known[0]], 0
        if place >= len(turns):
            return Say("the script has no such turn")
        if self.unready in result:
            time.sleep(0.5)
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

    def handle_error(self, request: object, client_address: object) -> None:
        """Lets a client hang up in the middle of an answer, as one does that is ended."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)

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
        self._reply({"object": "list", "data": [], "models": [], "has_more": False})

    def do_POST(self) -> None:
        body = self._body()
        path = self._note(body)
        wire = wire_of(path)
        if path.endswith(("/count_tokens", ":countTokens")):
            self._reply({"input_tokens": USED, "totalTokens": USED})
        elif wire is None:
            self._reply({"type": "error", "error": {"type": "not_found_error", "message": path}}, 404)
        else:
            whole = self.server.model.answer(wire, body)
            if body.get("stream") or ":stream" in path:
                self._stream(wire, whole)
            else:
                self._reply(whole)

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

    def _stream(self, wire: Wire, whole: Json) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        for event in wire.streamed(whole):
            self.wfile.write(event.encode())
        self.wfile.flush()
        self.close_connection = True

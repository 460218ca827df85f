"""`engram curate run` with the real clients: each answers with a changeset, and can do nothing else."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from engram import queue
from engram.app.curating.agents import AGENTS
from engram.model.event import Event
from tests.agents.client import Client
from tests.agents.model_server import Json, Model, Say
from tests.agents.wires import Wire, joined
from tests.lib.stores import git
from tests.lib.transcripts import Talk

pytestmark = pytest.mark.agents

SAID = "always use pnpm here, never npm"
REFUSED = "Why it was refused"
ASKED = "You curate memory for engram."
SESSION = re.compile(r'and `sessions` is \["([^"]+)"\]')
LEFT = {"codex": {"apply_patch", "request_user_input"}}
"""The tools that a client can't be told to keep from the model; its sandbox is read-only, and nobody approves."""


@dataclass
class Curator(Model):
    """Is a model that answers a curator's prompt, whether it was offered tools or not."""

    first: str = ""
    mended: str = ""
    """What it answers when it is told what was wrong."""
    offered: set[str] = field(default_factory=set)
    """The tools of all requests that were such a prompt; a client may ask more than once, as about the model to use."""
    asked_to_mend: bool = False

    def answer(self, wire: Wire, body: Json) -> Json:
        heard = joined(wire.said(body))
        if ASKED not in heard:
            return super().answer(wire, body)
        self.offered |= set(_names(body.get("tools")))
        self.asked_to_mend = self.asked_to_mend or REFUSED in heard
        found = SESSION.search(heard)
        answer = self.mended if REFUSED in heard else self.first
        return wire.whole(body, Say(answer.replace("SESSION", found[1] if found else "")))


def _names(tools: Any) -> list[str]:
    """Returns the names of the tools of a request, on whichever wire."""
    names = []
    for tool in tools or []:
        inner = tool.get("functionDeclarations", [tool])
        names += [str(one.get("name") or one.get("function", {}).get("name") or one.get("type")) for one in inner]
    return names


def changeset(**more: Any) -> str:
    change = {
        "op": "ADD",
        "relation": "compatible",
        "confidence": 0.97,
        "reason": "the user said so",
        "evidence": [{"session": "SESSION", "ref": "u1", "quote": SAID}],
        "note": {"name": "uses-pnpm", "description": "Uses pnpm", "type": "project", "body": "Use pnpm here."},
    }
    return json.dumps({"version": 1, "scope": "project", "changes": [{**change, **more}]})


def curate(client: Client, *words: str) -> subprocess.CompletedProcess[str]:
    """Runs engram as a person's scheduler would, with the client on its PATH and the model behind that."""
    word = next(word for word, agent in AGENTS.items() if agent.NAME == client.NAME)

    def start(command: list[str], environment: dict[str, str]) -> subprocess.Popen[str]:
        tail = len(client.command) + len(client.addressed([], ""))
        launcher = client.tools / word
        launcher.write_text(f'#!/bin/sh\nexec {shlex.join(command[-tail:])} "$@"\n', encoding="utf-8")
        launcher.chmod(0o755)
        return subprocess.Popen(
            [*command[:-tail], str(client.tools / "engram"), "curate", "run", "--agent", word, *words],
            cwd=client.project, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, encoding="utf-8",
        )  # fmt: skip

    with client._beside_model([], start) as process:
        try:
            out, err = process.communicate(timeout=180)
        finally:
            process.kill()
            process.communicate()
    return subprocess.CompletedProcess(words, process.returncode, out, err)


def waiting_session(client: Client) -> Path:
    """Queues one session of the client's project, and makes the project's store. Returns the store."""
    path = client.home / "s-1.jsonl"
    path.write_bytes(Talk(session="s-1", cwd=str(client.project)).user(SAID).says("Understood.").data())
    folder = queue.folder_in(str(client.home / ".agent-memory"))
    queue.append(folder, Event("claude-code", "s-1", str(path), str(client.project), "2026-01-30T10:00:00Z"))
    store = Path(client.engram_json("where")["project"]["path"])
    done = client.engram("init", "--dir", str(store))
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return store


def test_an_answer_becomes_a_proposal_and_the_client_can_do_nothing_else(agent: Client) -> None:
    store = waiting_session(agent)
    before = git(store, "rev-parse", "HEAD"), git(store, "status", "--porcelain")
    model = Curator(first=f"Here it is:\n```json\n{changeset(confidence=7)}\n```", mended=changeset())
    done = curate(replace(agent, model=model), "--json")
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}\n{agent.bugs()}"
    told = json.loads(done.stdout)
    (row,) = told["sessions"]
    assert (row["result"], row["tries"]) == ("proposed", 2), told
    assert told["agent"] == agent.NAME
    assert told["tokens_counted"] is True
    assert told["tokens"] > 0
    assert model.asked_to_mend
    assert model.offered == LEFT.get(agent.NAME, set())

    (plan,) = agent.engram_json("review", "--list")["plans"]
    assert (plan["agent"], plan["sessions"], plan["store"]) == (agent.NAME, ["s-1"], str(store))
    assert (git(store, "rev-parse", "HEAD"), git(store, "status", "--porcelain")) == before
    queued = agent.engram_json("pending", "list")["sessions"]
    assert [entry["session"] for entry in queued] == ["s-1"], "the session that curated was queued itself"


def test_a_session_that_taught_nothing_is_not_read_twice(client: Client) -> None:
    waiting_session(client)
    model = Curator(first="[]")
    results = []
    for _ in range(2):
        done = curate(replace(client, model=model), "--json")
        results += [row["result"] for row in json.loads(done.stdout)["sessions"]]
    assert results == ["nothing", "skipped"]
    assert client.engram_json("review", "--list")["plans"] == []

"""The bridge into opencode, run by Node as opencode runs it: what it asks engram, what it does with the answer.

In the place of engram stands a small program that writes down what it was asked and answers as each test says.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from engram import adapters

BRIDGE = Path(adapters.__file__).with_name("opencode.js")
NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(NODE is None, reason="BRIDGE NOT TESTED: there is no Node here")

ENGRAM = """
import json, sys, time
asked = json.load(sys.stdin)
with open(sys.argv[1], "a", encoding="utf-8") as log:
    log.write(json.dumps([sys.argv[3:], asked]) + "\\n")
answers = json.loads(sys.argv[2])
answer = answers.get(asked["hook_event_name"], "")
if answer == "sleep":
    time.sleep(60)
sys.stdout.write(answer if isinstance(answer, str) else json.dumps(answer))
"""

HARNESS = """
import { Engram } from "./bridge.mjs"
import { readFileSync } from "node:fs"
const { command, children, steps } = JSON.parse(readFileSync(0, "utf8"))
const client = { session: { get: async ({ path: { id } }) => {
  if (!(id in children)) throw new Error("no such session")
  return { data: { parentID: children[id] || undefined } }
} } }
const hooks = await Engram({ client, directory: process.cwd() }, command ? { command } : undefined)
const results = []
for (const [name, input, output] of steps) {
  const began = Date.now()
  let thrown = null
  try {
    await hooks[name](input, output)
  } catch (error) {
    thrown = error.message
  }
  results.push({ output, thrown, milliseconds: Date.now() - began })
}
console.log(JSON.stringify(results))
"""


class Bridge:
    """Is the bridge in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.log = folder / "asked.jsonl"
        self.answers: dict[str, object] = {}
        self.command: list[str] | None = None
        self.children: dict[str, str] = {"ses_1": ""}
        (folder / "bridge.mjs").write_bytes(BRIDGE.read_bytes())
        (folder / "harness.mjs").write_text(HARNESS, encoding="utf-8")
        (folder / "engram.py").write_text(ENGRAM, encoding="utf-8")

    def run(self, *steps: tuple[str, object, object]) -> list[dict[str, Any]]:
        """Calls hooks of the bridge one after the other, and returns what each left."""
        program = [sys.executable, str(self.folder / "engram.py"), str(self.log), json.dumps(self.answers)]
        told = {"command": self.command or program, "children": self.children, "steps": steps}
        done = subprocess.run(
            [str(NODE), "harness.mjs"],
            cwd=self.folder, input=json.dumps(told), capture_output=True, encoding="utf-8", timeout=60, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert done.stderr == ""
        results: list[dict[str, Any]] = json.loads(done.stdout)
        return results

    def asked(self) -> list[dict[str, Any]]:
        """Returns what engram was asked, without what each question has."""
        found = []
        for line in self.log.read_text(encoding="utf-8").splitlines() if self.log.exists() else ():
            words, payload = json.loads(line)
            assert words == ["hook", "--host", "opencode"]
            assert Path(payload.pop("cwd")).samefile(self.folder)
            found.append(payload)
        return found


@pytest.fixture
def bridge(tmp_path: Path) -> Bridge:
    return Bridge(tmp_path)


def part(text: str, number: int = 1, **more: object) -> dict[str, object]:
    where = {"sessionID": "ses_1", "messageID": "msg_1"}
    return {"id": f"prt_22a7f32a100{number}Lo0iYQ5HIcPSn", **where, "type": "text", "text": text, **more}


def prompt(text: str = "hello", session: str = "ses_1") -> tuple[str, object, object]:
    return "chat.message", {"sessionID": session}, {"message": {"id": "msg_1"}, "parts": [part(text)]}


def event(kind: str, **properties: object) -> tuple[str, object, object]:
    return "event", {"event": {"type": kind, "properties": properties}}, None


def call(tool: str, session: str = "ses_1") -> tuple[str, object, object]:
    return "tool.execute.before", {"tool": tool, "sessionID": session, "callID": "call_1"}, {"args": {"command": "ls"}}


IDLE = event("session.idle", sessionID="ses_1")
SAYS = {"SessionStart": {"additionalContext": "the packet"}, "UserPromptSubmit": {"additionalContext": "the note"}}


def test_a_session_is_told_at_its_first_prompt_and_queued_when_it_rests(bridge: Bridge) -> None:
    bridge.answers = {**SAYS, "Stop": ""}
    first, _, second, _ = bridge.run(prompt("hello"), IDLE, prompt("more"), IDLE)
    assert bridge.asked() == [
        {"hook_event_name": "SessionStart", "sessionID": "ses_1", "source": "startup"},
        {"hook_event_name": "UserPromptSubmit", "sessionID": "ses_1", "message_id": "msg_1", "prompt": "hello"},
        {"hook_event_name": "Stop", "sessionID": "ses_1", "message_id": "msg_1"},
        {"hook_event_name": "UserPromptSubmit", "sessionID": "ses_1", "message_id": "msg_1", "prompt": "more"},
        {"hook_event_name": "Stop", "sessionID": "ses_1", "message_id": "msg_1"},
    ]
    own, packet, brought = first["output"]["parts"]
    assert own == part("hello")
    assert (packet["text"], brought["text"]) == ("the packet", "the note")
    for added in (packet, brought):
        assert added["synthetic"] is True
        assert (added["sessionID"], added["messageID"], added["type"]) == ("ses_1", "msg_1", "text")
        assert len(added["id"]) == len(own["id"])
        assert added["id"] > own["id"], "opencode keeps parts in the order of their ids"
    assert [each["text"] for each in second["output"]["parts"]] == ["more", "the note"]


def test_what_a_plugin_added_is_not_the_person_s_prompt(bridge: Bridge) -> None:
    parts = [part("see this", 1), part("read by a tool", 2, synthetic=True), {"type": "file", "id": "prt_3"}]
    bridge.run(("chat.message", {"sessionID": "ses_1"}, {"message": {"id": "msg_1"}, "parts": parts}))
    assert bridge.asked()[1]["prompt"] == "see this"


def test_a_compacted_session_opens_anew(bridge: Bridge) -> None:
    compacting = ("experimental.session.compacting", {"sessionID": "ses_1"}, {"context": []})
    bridge.run(prompt(), compacting, event("session.compacted", sessionID="ses_1"), prompt())
    told = [(each["hook_event_name"], each.get("source")) for each in bridge.asked()]
    assert told == [
        ("SessionStart", "startup"),
        ("UserPromptSubmit", None),
        ("PreCompact", None),
        ("SessionStart", "compact"),
        ("UserPromptSubmit", None),
    ]


def test_a_refused_call_is_not_made_and_says_why(bridge: Bridge) -> None:
    bridge.answers = {"PreToolUse": {"deny": "engram: not so"}}
    assert [step["thrown"] for step in bridge.run(call("bash"), call("read"))] == ["engram: not so", None]
    asked = {"hook_event_name": "PreToolUse", "sessionID": "ses_1", "tool_name": "bash"}
    assert bridge.asked() == [{**asked, "tool_input": {"command": "ls"}, "tool_use_id": "call_1"}]


def test_another_session_s_child_is_no_session_but_its_calls_are_judged(bridge: Bridge) -> None:
    bridge.children = {"ses_1": "", "ses_2": "ses_1"}
    created = event("session.created", info={"id": "ses_3", "parentID": "ses_1"})
    bridge.run(created, prompt("look", "ses_2"), prompt("look", "ses_3"), call("bash", "ses_3"))
    (asked,) = bridge.asked()
    assert (asked["hook_event_name"], asked["agent_id"]) == ("PreToolUse", "ses_1")


def test_a_turn_that_was_broken_off_is_queued_at_the_end(bridge: Bridge) -> None:
    bridge.run(prompt(), ("dispose", None, None))
    assert bridge.asked()[-1] == {"hook_event_name": "SessionEnd", "sessionID": "ses_1"}
    bridge.log.unlink()
    bridge.run(prompt(), IDLE, ("dispose", None, None))
    assert bridge.asked()[-1]["hook_event_name"] == "Stop"


EVERY = (prompt(), IDLE, call("bash"), ("dispose", None, None), event("something.new"), event("session.idle"))


@pytest.mark.parametrize("answer", ["", "words", "[1", "null", "7", {"additionalContext": 7, "deny": {}}, {"x": []}])
def test_an_answer_that_is_none_changes_nothing(bridge: Bridge, answer: object) -> None:
    bridge.answers = dict.fromkeys(("SessionStart", "UserPromptSubmit", "Stop", "PreToolUse"), answer)
    results = bridge.run(*EVERY)
    assert [step["thrown"] for step in results] == [None] * len(EVERY)
    assert results[0]["output"]["parts"] == [part("hello")]


def test_without_engram_nothing_happens(bridge: Bridge) -> None:
    bridge.command = [str(bridge.folder / "there is no such program")]
    results = bridge.run(*EVERY)
    assert [step["thrown"] for step in results] == [None] * len(EVERY)
    assert results[0]["output"]["parts"] == [part("hello")]


def test_an_engram_that_hangs_is_left_alone(bridge: Bridge) -> None:
    text = BRIDGE.read_text(encoding="utf-8")
    assert "const MILLISECONDS = 5000" in text
    (bridge.folder / "bridge.mjs").write_text(text.replace("MILLISECONDS = 5000", "MILLISECONDS = 200"), "utf-8")
    bridge.answers = {"PreToolUse": "sleep"}
    (step,) = bridge.run(call("bash"))  # Node would not end either while a child is waited for
    assert step["thrown"] is None


def test_an_unknown_session_counts_as_a_person_s(bridge: Bridge) -> None:
    bridge.children = {}
    bridge.run(prompt())
    assert [each["hook_event_name"] for each in bridge.asked()] == ["SessionStart", "UserPromptSubmit"]

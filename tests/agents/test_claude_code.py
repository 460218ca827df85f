"""The whole way with the real Claude Code: queued, proposed, refused to the agent, approved by a person.

The model is scripted and everything else is real: the client, its plugin system, its hooks, its shell, engram and git.
"""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pexpect
import pytest

from tests.agents.client import Client, isolation, terminal, typed_line
from tests.agents.model_server import Call, Say, bash
from tests.lib.stores import everything, git

pytestmark = pytest.mark.agents

SAID = "always use pnpm here, never npm"
SKILL = "/engram:engram-curate"
IN_THE_SKILL = "# Curate memory with engram"


@dataclass(frozen=True)
class Proposal:
    """Is a session that waits in the queue, the store it belongs to, and a changeset drawn from it."""

    client: Client
    session: str
    store: Path
    changeset: Path

    def propose(self, *then: Callable[[str], Call | Say]) -> list[str]:
        """Has an agent apply the changeset, then do more; returns what its shell told it, in order."""
        self.client.model.script("propose it", bash("engram curate apply changeset.json"), *then, Say("proposed"))
        self.client.ask("propose it", "--allowedTools", "Bash")
        return list(self.client.model.tool_results)

    def waiting(self) -> list[dict[str, Any]]:
        """Returns the plans that wait."""
        plans = self.client.engram_json("review", "--list")["plans"]
        assert isinstance(plans, list)
        return plans

    def digest(self) -> str:
        (plan,) = self.waiting()
        return str(plan["digest"])


@pytest.fixture
def proposal(client: Client) -> Proposal:
    """Returns a proposal that the agent may make: its session ran, stopped and was queued."""
    client.model.script(SAID, Say("Understood: pnpm, not npm."))
    session = client.ask(SAID)["session_id"]
    store = Path(client.engram_json("where")["project"]["path"])
    done = client.engram("init", "--dir", str(store))
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    changeset = {
        "version": 1,
        "agent": "claude-code",
        "sessions": [session],
        "changes": [
            {
                "op": "ADD",
                "relation": "compatible",
                "confidence": 0.97,
                "reason": "the user said so",
                "evidence": [{"session": session, "ref": "u1", "quote": SAID}],
                "note": {
                    "name": "uses-pnpm",
                    "description": "This project uses pnpm and never npm",
                    "type": "feedback",
                    "body": "Use pnpm here.\n\n**Why:** the user said so.\n**How to apply:** never run npm.",
                },
            }
        ],
    }
    path = client.project / "changeset.json"
    path.write_text(json.dumps(changeset), encoding="utf-8")
    return Proposal(client, session, store, path)


def queued(client: Client) -> list[str]:
    """Returns the sessions that wait in the queue."""
    return [entry["session"] for entry in client.engram_json("pending", "list")["sessions"]]


# -- the plugin -------------------------------------------------------------------------------------------------------


def test_the_checkout_is_a_valid_plugin(bare_client: Client, published: Path) -> None:
    done = bare_client.run("plugin", "validate", str(published), "--strict", "--json")
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    report = json.loads(done.stdout)
    told = {hook["event"]: (hook["type"], hook["command"]) for hook in report["provides"]["hooks"]}
    events = (
        "SessionStart",
        "UserPromptSubmit",
        "PreToolUse",
        "PreSkillShellCommand",
        "PreCompact",
        "Stop",
        "SessionEnd",
    )
    assert told == dict.fromkeys(events, ("command", "engram hook"))
    skills = sorted(path.parent.name for path in published.glob("skills/*/SKILL.md"))
    assert report["provides"]["skills"] == [f"engram:{skill}" for skill in skills]
    assert report["provides"]["agents"] == ["engram:engram-curator"]
    parts = (report["manifest"], *report["contents"])
    assert [warning["message"] for part in parts for warning in part["warnings"]] == []


def test_who_works_on_the_checkout_gets_its_guide(bare_client: Client, published: Path) -> None:
    """The guide isn't at the root, where it would stand in the plugin."""
    for name in (".claude/CLAUDE.md", "AGENTS.md"):
        (bare_client.project / name).parent.mkdir(exist_ok=True)
        (bare_client.project / name).write_bytes((published / name).read_bytes())
    bare_client.model.script("say hello", Say("hello"))
    bare_client.ask("say hello")
    guide = (published / "AGENTS.md").read_text(encoding="utf-8")
    assert bare_client.model.asked[0].heard.count(guide.strip()) == 1


def test_the_client_reaches_nothing_but_its_model(bare_client: Client) -> None:
    if not isolation():
        pytest.skip("NOT SHUT IN: this machine allows no network namespace")
    bare_client.model.script("which networks", bash("cat /proc/net/dev"), Say("seen"))
    assert bare_client.ask("which networks", "--allowedTools", "Bash")["result"] == "seen"
    (seen,) = bare_client.model.tool_results
    assert re.findall(r"^\s*(\w+):", seen, re.MULTILINE) == ["lo"]
    assert {request.path for request in bare_client.model.requests} == {"/v1/messages"}


# -- the queue --------------------------------------------------------------------------------------------------------


def test_a_session_that_stops_is_queued(client: Client) -> None:
    client.model.script("say hello", Say("hello"))
    session = client.ask("say hello")["session_id"]
    (entry,) = client.engram_json("pending", "list")["sessions"]
    assert (entry["session"], entry["agent"]) == (session, "claude-code")
    shown = client.engram("pending", "show", entry["id"]).stdout
    assert "[u1] say hello" in shown
    assert "[a1] hello" in shown
    files = [path for path in (client.home / ".agent-memory" / ".engram" / "queue").iterdir() if path.name[0] != "."]
    assert len(files) == 1


def test_a_session_that_a_person_types_is_queued_once(client: Client) -> None:
    client.model.script("say hello", Say("first-answer"))
    client.model.script("say goodbye", Say("second-answer"))
    queue = client.home / ".agent-memory" / ".engram" / "queue"
    with client.typed() as child:
        for line, answer in (("say hello", "first-answer"), ("say goodbye", "second-answer")):
            typed_line(child, line)
            child.expect(answer)
            for _ in range(100):  # the hook runs once the answer is shown
                if queue.is_dir() and queued(client):
                    break
                time.sleep(0.1)
        typed_line(child, "/exit")
        child.expect(pexpect.EOF)
    assert len(queued(client)) == 1


# -- the skill --------------------------------------------------------------------------------------------------------


def test_the_skill_reaches_the_model_and_lets_it_run_engram(client: Client, published: Path) -> None:
    client.model.script(IN_THE_SKILL, bash("engram pending list --json"), Say("nothing waits"))
    assert client.ask(SKILL)["result"] == "nothing waits"
    text = (published / "skills" / "engram-curate" / "SKILL.md").read_text(encoding="utf-8")
    body = text.split("\n---\n", 1)[1].strip()
    assert body in client.model.asked[0].heard
    (printed,) = client.model.tool_results  # no tool was allowed on the command line: the skill's own words allow it
    assert json.loads(printed) == {"sessions": []}


@pytest.mark.parametrize(
    ("skill", "heading", "command"),
    [
        ("engram-recall", "# Look memory up with engram", "engram recall --last --json"),
        ("engram-recall", "# Look memory up with engram", "engram list --json"),
        ("engram-review", "# Help the user review what waits", "engram review --list --json"),
        ("engram-review", "# Help the user review what waits", "engram log --json"),
    ],
)
def test_a_reading_skill_lets_run_what_it_names_and_nothing_that_writes(
    proposal: Proposal, skill: str, heading: str, command: str
) -> None:
    client = proposal.client
    refused = "engram curate apply changeset.json"
    client.model.script(heading, bash(command), bash(refused), Say("read"))
    result = client.ask(f"/engram:{skill}")
    assert result["result"] == "read"
    assert isinstance(json.loads(client.model.tool_results[0]), dict | list)
    assert [denied["tool_input"]["command"] for denied in result["permission_denials"]] == [refused]
    assert proposal.waiting() == []


def test_the_skill_answers_to_its_short_name_when_typed(client: Client) -> None:
    client.model.script(IN_THE_SKILL, Say("skill-was-read"))
    with client.typed() as child:
        typed_line(child, "/engram-curate")
        child.expect("skill-was-read")
    assert IN_THE_SKILL in client.model.asked[-1].heard


# -- the curator ------------------------------------------------------------------------------------------------------


def test_the_curator_works_by_the_skill_in_a_context_of_its_own(proposal: Proposal, published: Path) -> None:
    client = proposal.client
    orders = "read what waits and propose"
    call = {"description": "curate", "prompt": orders, "subagent_type": "engram:engram-curator"}
    client.model.script("have it curated", Call("Agent", call), Say("started"), Say("handed over"))
    client.model.script(orders, bash("engram curate apply changeset.json"), Say("proposed one"))
    before = everything(proposal.store, skip=(".engram",))
    result = client.ask("have it curated", "--allowedTools", "Agent", "Bash")
    assert result["result"] == "handed over"  # the client lets it work on the side, and reports back when it is done
    theirs = [one for one in client.model.asked if any(part.text.strip() == orders for part in one.parts)]
    heard = theirs[0].heard
    assert "You curate the user's memory" in heard
    text = (published / "skills" / "engram-curate" / "SKILL.md").read_text(encoding="utf-8")
    assert text.split("\n---\n", 1)[1].strip() in heard
    told = next(text for text in client.model.tool_results if "approval-needed" in text)
    assert proposal.digest() in told
    assert everything(proposal.store, skip=(".engram",)) == before
    assert [session for session in queued(client) if session == proposal.session] == [proposal.session]


# -- the door ---------------------------------------------------------------------------------------------------------


def test_an_agents_apply_writes_nothing_and_leaves_the_plan_waiting(proposal: Proposal) -> None:
    before = everything(proposal.store, skip=(".engram",))
    results = proposal.propose()
    assert len(results) == 1, results
    told = results[0]
    assert told.startswith("Exit code 3\n")
    assert "approval-needed" in told
    assert "ADD uses-pnpm (compatible, confidence 0.97, said by the user)" in told
    assert "+Use pnpm here." in told
    assert proposal.digest() in told
    assert everything(proposal.store, skip=(".engram",)) == before
    (plan,) = proposal.waiting()
    assert plan["sessions"] == [proposal.session]
    assert proposal.session in queued(proposal.client)


TYPES_YES = """
import os, pty, sys
child, terminal = pty.fork()
if not child:
    os.execvp("engram", ["engram", *sys.argv[1:]])
shown = b""
try:
    while more := os.read(terminal, 4096):
        os.write(1, more)
        shown += more
        if b"[y/N" in shown:
            os.write(terminal, b"y\\n")
            shown = b""
except OSError:
    pass
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
PYTHON = f"{shlex.quote(sys.executable)} -c {shlex.quote(TYPES_YES)}"
SCRIPT = "(sleep 2; echo y) | script -qec 'engram review' /dev/null"
THRESHOLD = "engram curate apply changeset.json --auto-threshold 0.1"
ATTEMPTS = {
    "yes": "engram curate apply changeset.json --yes",
    "yes with the digest": "engram curate apply --yes --plan {digest}",
    "yes with the file and the digest": "engram curate apply changeset.json --yes --plan {digest}",
    "a piped yes": "yes | engram curate apply changeset.json",
    "a piped review": "yes | engram review",
    "a pseudo-terminal by script": SCRIPT,
    "a pseudo-terminal by python, review": f"{PYTHON} review",
    "a pseudo-terminal by python, apply": f"{PYTHON} curate apply changeset.json",
    "a pseudo-terminal without the best-known mark": f"unset CLAUDECODE; {PYTHON} review",
    "a threshold of its own": THRESHOLD,
    "a gate that it opens first": f"engram config set gate.auto true; {THRESHOLD}",
}


GUARDED = r"PreToolUse:Bash hook error: engram: "


def refused_to_an_agent(proposal: Proposal, attempt: Callable[[], str]) -> str:
    """Has an agent try it; returns what its shell told it, once nothing is seen to have changed."""
    before = everything(proposal.store, skip=(".engram",))
    told = proposal.propose(lambda _: bash("set -o pipefail; " + attempt()))
    assert everything(proposal.store, skip=(".engram",)) == before
    assert [plan["sessions"] for plan in proposal.waiting()] == [[proposal.session]]
    assert proposal.session in queued(proposal.client)
    return told[1]


@pytest.mark.parametrize("attempt", ATTEMPTS.values(), ids=ATTEMPTS)
def test_an_agent_cannot_approve_its_own_proposal(proposal: Proposal, attempt: str) -> None:
    told = refused_to_an_agent(proposal, lambda: attempt.replace("{digest}", proposal.digest()))
    assert re.match(rf"Exit code [1-9]|{GUARDED}", told), told


@pytest.mark.parametrize("attempt", [each for each in ATTEMPTS if "pseudo-terminal" in each])
def test_what_the_guard_does_not_see_the_gate_refuses(proposal: Proposal, attempt: str) -> None:
    """The guard reads a command; what a file holds that it runs is another matter."""
    hidden = proposal.client.project / "helper.sh"
    hidden.write_text(f"{ATTEMPTS[attempt]}\n", encoding="utf-8")
    told = refused_to_an_agent(proposal, lambda: "bash helper.sh")
    assert re.match(r"Exit code [1-9]", told), told


@pytest.mark.parametrize("attempt", [SCRIPT, f"{PYTHON} review", f"{PYTHON} curate apply changeset.json"])
def test_the_same_keystrokes_outside_the_agent_are_a_persons(proposal: Proposal, attempt: str) -> None:
    """Shows that what was refused above was refused for whose terminal it was."""
    proposal.propose()
    shell = subprocess.run(
        ["bash", "-c", attempt],
        cwd=proposal.client.project,
        env=proposal.client.person(),
        capture_output=True,
        check=False,
    )
    assert shell.returncode == 0, shell.stdout + shell.stderr
    assert (proposal.store / "uses-pnpm.md").is_file()


def test_no_permission_mode_of_the_client_opens_the_door(proposal: Proposal) -> None:
    before = everything(proposal.store, skip=(".engram",))
    client = proposal.client
    client.model.script(
        "propose it", bash("engram curate apply changeset.json"), bash(f"{PYTHON} review"), Say("proposed")
    )
    client.ask("propose it", "--permission-mode", "bypassPermissions")
    applied, reviewed = client.model.tool_results
    assert applied.startswith("Exit code 3\n")
    assert re.match(GUARDED, reviewed), reviewed
    assert everything(proposal.store, skip=(".engram",)) == before


def test_a_persons_yes_makes_the_commit(proposal: Proposal) -> None:
    proposal.propose()
    before = git(proposal.store, "rev-parse", "HEAD")
    digest = proposal.digest()
    client = proposal.client
    child = terminal([str(client.tools / "engram"), "review"], client.project, client.person())
    child.expect(r"Apply .*\[y/N/s/e/r/\?\]")
    assert "Use pnpm here." in child.before
    child.sendline("y")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0, child.before

    assert git(proposal.store, "rev-list", f"{before}..HEAD").split() == [git(proposal.store, "rev-parse", "HEAD")]
    assert git(proposal.store, "diff", "--name-only", "HEAD^", "HEAD").split() == ["MEMORY.md", "uses-pnpm.md"]
    assert git(proposal.store, "status", "--porcelain") == ""
    written = git(proposal.store, "log", "-1", "--format=%(trailers:only,unfold)").strip().splitlines()
    assert re.fullmatch("Engram-Changeset: [0-9a-f]{16}", written[0])
    assert written[1:] == [
        "Engram-Agent: claude-code",
        f"Engram-Session: {proposal.session}",
        "Engram-Change: ADD uses-pnpm.md",
        "Approved-By: Ada Tester <ada@example.com>",
        "Approved-Via: terminal",
    ]
    assert [one["verdict"] for one in client.engram_json("audit")["commits"]] == ["approved", "created"]
    assert proposal.waiting() == []
    assert proposal.session not in queued(client)

    refused = client.engram("curate", "apply", "--yes", "--plan", digest)
    assert refused.returncode in {3, 4}, f"{refused.stdout}\n{refused.stderr}"

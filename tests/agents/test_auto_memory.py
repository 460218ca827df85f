"""Claude Code's own memory, written by the real client behind engram's back: seen, not served, adopted or undone."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pexpect
import pytest

from engram.store.frontmatter import parse
from tests.agents.client import Client, terminal
from tests.agents.model_server import Call, Say
from tests.lib.stores import git

pytestmark = pytest.mark.agents

KEPT, UNWANTED = "deploys-on-tuesday", "likes-blue-buttons"
FACTS = {
    KEPT: "The payment service is deployed on Tuesday mornings by the release captain.",
    UNWANTED: "The settings page of the dashboard has blue buttons.",
}
ASKED = "when is the payment service deployed, and by which release captain?"


@dataclass(frozen=True)
class Behind:
    """Is what the client wrote on its own: two notes, each in a session."""

    client: Client
    store: Path
    sessions: dict[str, str]

    def heard(self, prompt: str) -> str:
        """Returns all that the model was told in a new session with one prompt."""
        before = len(self.client.model.asked)
        self.client.model.script(prompt, Say("I see."))
        self.client.ask(prompt)
        return "\n".join(request.heard for request in self.client.model.asked[before:])


@pytest.fixture
def behind(client: Client) -> Behind:
    store = Path(client.engram_json("where")["project"]["path"])
    done = client.engram("init", "--dir", str(store))
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    sessions = {}
    for name, fact in FACTS.items():
        text = f"---\nname: {name}\ndescription: {fact}\nmetadata:\n  type: project\n---\n\n{fact}\n"
        path = str(store / f"{name}.md")
        client.model.script(f"note {name}", Call("Write", {"file_path": path, "content": text}), Say("Noted."))
        answer = client.ask(f"note {name}", "--permission-mode", "bypassPermissions")
        sessions[name] = answer["session_id"]
        assert (store / f"{name}.md").is_file(), client.model.tool_results
    return Behind(client, store, sessions)


def test_what_the_client_wrote_is_named_and_not_served_before_a_person_adopted_it(behind: Behind) -> None:
    client, store = behind.client, behind.store
    for name, session in behind.sessions.items():
        stamped, _ = parse((store / f"{name}.md").read_bytes(), f"{name}.md")
        assert stamped is not None
        assert stamped.text("originSessionId") == session  # the client's own hand, which engram knows it by
    told = client.engram("status").stdout
    assert all(f"{name}.md" in told for name in FACTS), told
    assert FACTS[KEPT] not in behind.heard(ASKED)

    child = terminal([str(client.tools / "engram"), "review"], client.project, client.person())
    child.expect(r"Adopt it as it stands\? \[y/N/s/\?\]")
    shown = child.before
    assert f"by Claude Code in session {behind.sessions[KEPT]}" in shown
    child.sendline("s")
    for name, answer in ((KEPT, "y"), (UNWANTED, "u")):
        child.expect(rf"{name}\.md: adopt it\? \[y/N/e/u/\?\]")
        child.sendline(answer)
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0, child.before

    log = git(store, "log", "--format=%an <%ae>|%cn", "--", f"{KEPT}.md")
    assert log == "Claude Code <claude-code@agents.invalid>|Ada Tester"
    assert git(store, "show", "--format=", "--name-only", "HEAD") == f"{KEPT}.md"
    assert not (store / f"{UNWANTED}.md").exists()
    assert git(store, "status", "--porcelain") == ""
    assert FACTS[KEPT] in behind.heard(f"and now: {ASKED}")


def test_what_was_undone_comes_back_from_its_ref_byte_for_byte(behind: Behind) -> None:
    client, store = behind.client, behind.store
    written = (store / f"{UNWANTED}.md").read_bytes()
    child = terminal([str(client.tools / "engram"), "review"], client.project, client.person())
    child.expect(r"Adopt it as it stands\?")
    child.sendline("s")
    for name, answer in ((KEPT, "n"), (UNWANTED, "u")):
        child.expect(rf"{name}\.md: adopt it\?")
        child.sendline(answer)
    child.expect(pexpect.EOF)
    child.close()
    assert not (store / f"{UNWANTED}.md").exists()
    assert (store / f"{KEPT}.md").exists()  # left as it was, unreviewed

    (kept,) = client.engram_json("undone")["undone"]
    assert git(store, "show", f"refs/engram/undone/{kept['name']}:{UNWANTED}.md") == written.decode().rstrip("\n")
    assert client.engram("undone", kept["name"]).returncode == 0
    assert (store / f"{UNWANTED}.md").read_bytes() == written
    assert f"{UNWANTED}.md" in client.engram("status").stdout

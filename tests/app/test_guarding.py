"""The guard over an agent's tools, and the dialog in front of the command that commits."""

from __future__ import annotations

import json
import re
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from engram.app import guarding, proposals
from engram.app.allowing import LONGEST
from engram.app.context import Context
from engram.app.events import Answer, answer_to
from engram.capture.heard import Heard, heard_of
from engram.curate import approvals
from engram.model.event import PROMPT, TOOL, Verdict
from engram.model.plan import Approve
from tests.lib.approved import SESSION, let_pass, transcript, typed_yes
from tests.lib.cli import NOW, context, run
from tests.lib.proposed import add, write
from tests.lib.stores import everything, git, make_store, note

CALL = "toolu_01"


class Agent:
    """Is an agent in one session, with a plan of its own that waits."""

    def __init__(self, tmp_path: Path, body: str = "One fact.") -> None:
        self.folder = tmp_path
        self.store = make_store(tmp_path / "memory", {})
        file = write(tmp_path / "c.json", add("a", body))
        self.waits = run("curate", "apply", file, "--dir", str(self.store), "--json", at=self.at()).json
        self.digest = str(self.waits["digest"])
        self.line = f"engram curate apply --yes --plan {self.digest}"
        self.path = transcript(tmp_path)

    def at(self, minutes: float = 0) -> Context:
        now = NOW + timedelta(minutes=minutes)
        return context(now=lambda: now)

    def judged(self, tool: str = "Bash", at: Context | None = None, **given: Any) -> Verdict | None:
        told: dict[str, Any] = {"attended": True, "cwd": str(self.folder), "transcript": str(self.path)}
        told |= {name: given.pop(name) for name in ("attended", "subagent", "curating", "host") if name in given}
        host = told.pop("host", "claude-code")
        heard = Heard(host, TOOL, SESSION, turn="prompt-1", tool=tool, tool_input=given, tool_use_id=CALL, **told)
        return guarding.judged(heard, at or self.at())

    def asked(self, line: str = "", **told: Any) -> Verdict:
        found = self.judged(command=line or self.line, description="nothing to see", timeout=5, **told)
        assert found is not None
        return found

    def token(self) -> str:
        given = self.asked().input
        assert given is not None
        return str(given["command"]).rsplit(" ", 1)[1]

    def commit(self, token: str, *, digest: str = "", at: Context | None = None) -> tuple[int, str]:
        words = ("curate", "apply", "--yes", "--plan", digest or self.digest, "--token", token)
        ran = run(*words, at=at or self.at())
        return ran.exit, ran.out + ran.err

    def untouched(self) -> bool:
        return not (self.store / "a.md").exists() and len(git(self.store, "rev-list", "HEAD").split()) == 1


@pytest.fixture
def agent(tmp_path: Path) -> Agent:
    return Agent(tmp_path)


# -- the dialog --------------------------------------------------------------------------------------------------------


def test_the_command_that_commits_is_asked_about_with_all_that_it_would_write(agent: Agent) -> None:
    found = agent.asked()
    assert found.decision == "ask"
    assert found.input is not None
    shown = str(found.input["description"])
    assert "+One fact." in shown
    assert agent.digest in shown
    assert "nothing to see" not in shown
    assert re.fullmatch(rf"{agent.line} --token [0-9a-f]{{40}}", str(found.input["command"]))
    assert found.input["timeout"] == 5
    assert agent.untouched()


def test_the_command_that_was_let_pass_commits_and_says_so(agent: Agent) -> None:
    token = agent.token()
    state = Path(agent.at().state)
    assert not [path for path in state.rglob("*") if path.is_file() and token.encode() in path.read_bytes()]
    status, said = agent.commit(token)
    assert status == 0, said
    assert git(agent.store, "log", "-1", "--format=%(trailers:key=Approved-Via,valueonly)").strip() == "dialog"
    transcript(agent.folder, let_pass(CALL))
    found = run("audit", "--dir", str(agent.store), "--json", at=agent.at())
    assert (found.exit, found.json["commits"][0]["verdict"], found.json["commits"][0]["via"]) == (
        0,
        "approved",
        "dialog",
    )
    assert agent.commit(token)[0] == 1  # the plan waits no longer


@pytest.mark.parametrize("source", ["hook", "config", "", "rule"])
def test_the_audit_sees_who_answered_in_the_persons_place(agent: Agent, source: str) -> None:
    assert agent.commit(agent.token())[0] == 0
    transcript(agent.folder, let_pass(CALL, source))
    found = run("audit", "--dir", str(agent.store), "--json", at=agent.at())
    assert (found.exit, found.json["commits"][0]["verdict"]) == (1, "unproven")


@pytest.mark.parametrize("guess", ["0" * 40, "", "x", "../../x", "a b"])
def test_a_token_that_an_agent_makes_up_is_none(agent: Agent, guess: str) -> None:
    agent.asked()
    assert agent.commit(guess)[0] == 3
    assert agent.untouched()
    found = agent.judged(command=f"{agent.line} --token {guess or 'x'}")
    assert (found and found.decision) == "deny"


def test_a_token_is_for_one_plan_one_run_and_fifteen_minutes(agent: Agent) -> None:
    token = agent.token()
    assert agent.commit(token, digest="0" * 64)[0] == 3
    assert agent.commit(token, at=agent.at(15))[0] == 3
    other = make_store(agent.folder / "other", {})
    file = write(agent.folder / "d.json", add("b"), sessions=["s-9"])
    digest = run("curate", "apply", file, "--dir", str(other), "--json").json["digest"]
    assert agent.commit(token, digest=digest)[0] == 3
    assert agent.untouched()
    assert agent.commit(token)[0] == 0
    git(agent.store, "reset", "-q", "--hard", "HEAD^")
    run("curate", "apply", str(agent.folder / "c.json"), "--dir", str(agent.store))
    status, said = agent.commit(token)
    assert (status, "used already" in said) == (3, True)


def test_what_a_person_refused_leaves_no_token_behind(agent: Agent) -> None:
    for minutes in (0, 1, 20):
        agent.asked(at=agent.at(minutes))
    assert len(list(Path(agent.at().folder("tokens")).glob("*.json"))) == 1


def test_a_store_that_moved_since_the_dialog_gets_nothing(agent: Agent) -> None:
    token = agent.token()
    git(agent.store, "commit", "-q", "--allow-empty", "-m", "moved")
    assert agent.commit(token)[0] == 4
    assert not (agent.store / "a.md").exists()
    assert agent.asked().decision == "deny"


def test_a_prompts_yes_lets_the_command_pass_without_a_dialog(agent: Agent) -> None:
    here = agent.at()
    proposal = proposals.propose(here, (agent.folder / "c.json").read_bytes(), folder=str(agent.store))
    by = Approve("Ada", "prompt")
    approvals.grant(here.prepared("approvals"), proposal.plan, by, NOW, evidence=typed_yes(agent.folder))
    assert (agent.asked().decision, agent.asked().input) == ("allow", None)
    assert agent.asked(at=agent.at(16)).decision == "ask"
    assert agent.asked(f"{agent.line} --json").decision == "allow"


@pytest.mark.parametrize("told", [{"attended": False}, {"attended": None}, {"curating": True}], ids=str)
def test_where_nobody_sits_nobody_is_asked(agent: Agent, told: dict[str, Any]) -> None:
    found = agent.asked(**told)
    assert (found.decision, f"`engram review {agent.waits['plan']}`" in found.reason) == ("deny", True)
    assert not Path(agent.at().folder("tokens")).exists()


@pytest.mark.parametrize("told", [{"host": "codex"}, {"host": "vscode"}, {"subagent": "a1"}], ids=str)
def test_where_no_dialog_is_known_the_command_is_left_to_be_refused(agent: Agent, told: dict[str, Any]) -> None:
    assert agent.judged(command=agent.line, **told) is None
    assert run("curate", "apply", "--yes", "--plan", agent.digest).exit == 3


@pytest.mark.parametrize("program", ["/tmp/engram", "./engram", "python -m engram", "/tmp/python -P -m engram"])
def test_a_program_of_the_agents_own_is_neither_let_pass_nor_given_a_token(agent: Agent, program: str) -> None:
    here = agent.at()
    proposal = proposals.propose(here, (agent.folder / "c.json").read_bytes(), folder=str(agent.store))
    line = agent.line.replace("engram", program, 1)
    assert agent.judged(command=line) is None
    by = Approve("Ada", "prompt")
    approvals.grant(here.prepared("approvals"), proposal.plan, by, NOW, evidence=typed_yes(agent.folder))
    assert agent.judged(command=line) is None
    ours = agent.line.replace("engram", f"'{sys.executable}' -P -m engram", 1)
    assert agent.asked(ours).decision == "allow"


@pytest.mark.parametrize("more", ["; true", " && true", " | cat", " > x", " &", " $X", " $(x)"])
def test_a_command_with_anything_beside_it_is_not_asked_about(agent: Agent, more: str) -> None:
    assert agent.judged(command=agent.line + more) is None


def test_a_change_that_no_dialog_shows_whole_is_refused(tmp_path: Path) -> None:
    for number, body in enumerate(("word " * 500, "a\n\n" * 40)):
        (tmp_path / str(number)).mkdir()
        agent = Agent(tmp_path / str(number), body)
        found = agent.asked()
        assert (found.decision, "engram review" in found.reason) == ("deny", True)


def test_what_the_dialog_shows_is_under_the_clients_limit(tmp_path: Path) -> None:
    decisions = set()
    for number in range(1, 120, 7):
        folder = tmp_path / str(number)
        folder.mkdir()
        found = Agent(folder, "Zwölf 😀 Boxkämpfer. " * number).asked()
        decisions.add(found.decision)
        if found.input is not None:
            assert len(str(found.input["description"]).encode("utf-16-le")) // 2 <= LONGEST
    assert decisions == {"ask", "deny"}


def test_no_such_plan_is_said(agent: Agent) -> None:
    assert agent.asked(f"engram curate apply --yes --plan {'0' * 64}").decision == "deny"


# -- always ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "told", [{}, {"subagent": "a1"}, {"curating": True}, {"attended": False}, {"host": "codex"}], ids=str
)
@pytest.mark.parametrize("line", ["engram hook", "cat ~/.agent-memory/.engram/x", "script -c 'engram review' x"])
def test_some_commands_are_refused_in_every_session(agent: Agent, line: str, told: dict[str, Any]) -> None:
    found = agent.judged(command=line, **told)
    assert (found and found.decision, "engram review" in (found.reason if found else "")) == ("deny", True)


@pytest.mark.parametrize("tool", ["Write", "Edit", "MultiEdit", "NotebookEdit", "write_file", "replace", "Read"])
@pytest.mark.parametrize(
    "path",
    [
        "{state}/approvals/x.json",
        "memory/.engram/intent.json",
        "{store}/.ENGRAM/x",
        "a/../.engram/x",
        "~/.agent-memory/.engram/x",
    ],
)
def test_the_file_tools_reach_nothing_that_engram_keeps(agent: Agent, tool: str, path: str) -> None:
    named = path.replace("{state}", agent.at().state).replace("{store}", str(agent.store))
    key = "notebook_path" if tool == "NotebookEdit" else "file_path"
    found = agent.judged(tool, **{key: named})
    assert (found and found.decision) == "deny"


def test_a_patch_and_a_link_reach_nothing_either(agent: Agent) -> None:
    Path(agent.at().folder("approvals")).mkdir(parents=True)
    (agent.folder / "here").symlink_to(agent.at().folder("approvals"), target_is_directory=True)
    found = agent.judged("Write", file_path=str(agent.folder / "here" / "config.json"))
    assert (found and found.decision) == "deny"
    found = agent.judged("apply_patch", input="*** Begin Patch\n*** Add File: .engram/x\n+y\n*** End Patch")
    assert (found and found.decision) == "deny"


@pytest.mark.parametrize("way", ["Write", "Edit", "> ", "tee ", "write_file"])
def test_the_persons_settings_are_theirs(agent: Agent, way: str) -> None:
    path = agent.at().config_path
    found = (
        agent.judged(command=f"echo '{{}}' {way if way != 'tee ' else '| tee '}{path}")
        if way[-1] == " "
        else agent.judged(way, file_path=path)
    )
    assert (found and found.reason) == guarding.SETTINGS
    assert agent.judged("Read", file_path=path) is None
    assert agent.judged("Write", file_path=str(agent.folder / "config.json")) is None


@pytest.mark.parametrize("line", ["engram adapt --all --yes", "env -u CLAUDECODE engram adapt --yes --target codex"])
def test_the_settings_of_agents_are_changed_by_the_person(agent: Agent, line: str) -> None:
    found = agent.judged(command=line)
    assert (found and found.decision, "terminal of theirs" in (found.reason if found else "")) == ("deny", True)
    assert agent.judged(command=f"{line.removeprefix('env -u CLAUDECODE ')} --dry-run") is None


# -- where the person wants it -----------------------------------------------------------------------------------------

EDITS: tuple[dict[str, Any], ...] = (
    {"tool": "Write", "file_path": "{note}"},
    {"tool": "Edit", "file_path": "{note}"},
    {"tool": "MultiEdit", "file_path": "{note}"},
    {"tool": "write_file", "path": "{note}"},
    {"tool": "apply_patch", "input": "*** Update File: {note}\n"},
    {"tool": "Bash", "command": "echo x > '{note}'"},
    {"tool": "Bash", "command": 'echo x | tee -a "{note}"'},
    {"tool": "Bash", "command": "cat <<'E' >> {note}\nx\nE"},
    {"tool": "Write", "file_path": "{root}/new/deep.md"},
    {"tool": "Write", "file_path": "~/.agent-memory/new.md"},
)


@pytest.fixture
def users_store(agent: Agent) -> Path:
    return make_store(Path(agent.at().engram_home), {"tastes.md": note("tastes")})


def edits(users_store: Path) -> list[dict[str, Any]]:
    names = {"{note}": str(users_store / "tastes.md"), "{root}": str(users_store)}
    text = json.dumps(EDITS)
    for name, value in names.items():
        text = text.replace(name, json.dumps(value)[1:-1])
    made: list[dict[str, Any]] = json.loads(text)
    return made


def test_edits_of_notes_are_let_be_unless_the_person_says_so(agent: Agent, users_store: Path) -> None:
    assert [agent.judged(**edit) for edit in edits(users_store)] == [None] * len(EDITS)
    assert run("config", "set", "gate.guard", "true").exit == 1
    assert run("config", "set", "gate.guard", "true", answers=[]).exit == 0
    found = [agent.judged(**edit) for edit in edits(users_store)]
    assert [one and one.reason for one in found] == [guarding.PROPOSE] * len(EDITS)
    assert "/engram-curate" in guarding.PROPOSE


def test_the_guard_leaves_other_files_alone(agent: Agent, users_store: Path) -> None:
    assert run("config", "set", "gate.guard", "true", answers=[]).exit == 0
    for path in ("README.md", "docs/guide.md", str(users_store / "x.json"), str(agent.folder / "CLAUDE.md")):
        assert agent.judged("Write", file_path=path) is None
    assert agent.judged("Read", file_path=str(users_store / "tastes.md")) is None
    assert agent.judged(command="echo x > README.md") is None
    assert agent.judged(command=f"cat {users_store / 'tastes.md'}") is None


def test_a_stores_own_settings_turn_no_guard_off(agent: Agent, users_store: Path) -> None:
    (agent.store / "config.json").write_text('{"gate": {"guard": false}}')
    assert run("config", "set", "gate.guard", "true", answers=[]).exit == 0
    assert agent.at().settings(str(agent.store)).guard


IN_A_SKILL = {
    "session_id": SESSION, "prompt_id": "p-1", "hook_event_name": "PreSkillShellCommand", "tool_name": "Bash",
    "tool_use_id": "toolu_1:preamble-0", "command_name": "greet", "invoked_by": "claude",
}  # fmt: skip


@pytest.mark.parametrize("more", [{}, {"agent_id": "a1"}], ids=str)
def test_a_command_in_a_skills_text_is_judged_as_a_tools_is(agent: Agent, more: dict[str, str]) -> None:
    def told(line: str) -> dict[str, Any]:
        found = heard_of({**IN_A_SKILL, **more, "tool_input": {"command": line}, "cwd": str(agent.folder)}, {})
        assert found is not None
        answer = answer_to(found, agent.at().env, agent.at().home, lambda: None) or Answer()
        said: dict[str, Any] = json.loads(answer.text or "{}")
        return said

    inner = told("engram hook < x")["hookSpecificOutput"]
    assert (inner["hookEventName"], inner["permissionDecision"]) == ("PreSkillShellCommand", "deny")
    assert told("engram pending list --json") == told(agent.line) == told("git status") == {}


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("mcp__shell__run", {"command": "engram hook"}),
        ("mcp__files__write_file", {"path": "~/.agent-memory/.engram/approvals/x.json", "content": "{}"}),
        ("mcp__files__read_file", {"path": "~/.agent-memory/.engram/x.json"}),
    ],
)
def test_a_tool_of_an_mcp_server_is_judged_too(agent: Agent, tool: str, given: dict[str, Any]) -> None:
    found = agent.judged(tool, **given)
    assert (found and found.decision) == "deny"


def test_other_events_and_other_tools_are_not_judged(agent: Agent) -> None:
    before = everything(agent.store)
    heard = Heard("claude-code", PROMPT, SESSION, prompt="engram hook")
    assert guarding.judged(heard, agent.at()) is None
    assert agent.judged("WebSearch", query="engram hook") is None
    assert agent.judged(command="ls") is None
    assert everything(agent.store) == before

"""Approval in the conversation: what is shown, which prompt answers it, and what stands behind a yes at the commit."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from engram.app import approving, showing
from engram.app.context import Context
from engram.capture.heard import Heard
from engram.curate import approvals
from engram.model.event import PROMPT, TURN_END
from tests.lib.approved import SESSION, TURN, sent_row, transcript, typed_row
from tests.lib.cli import NOW, context, run
from tests.lib.proposed import add, update, write
from tests.lib.stores import everything, git, make_store, note


class Talk:
    """Is one session of an agent with its person, at one store, on a clock that is set by hand."""

    def __init__(self, tmp_path: Path) -> None:
        self.store = make_store(tmp_path / "memory", {})
        self.folder = tmp_path
        self.minutes = 0.0
        self.rows: list[dict[str, Any]] = []
        self.path = transcript(tmp_path)
        self.notice = ""

    @property
    def here(self) -> Context:
        at = NOW + timedelta(minutes=self.minutes)
        return context(now=lambda: at, CLAUDE_CODE_SESSION_ID=SESSION, CLAUDE_PID="77")

    def propose(self, *changes: dict[str, Any], **more: Any) -> str:
        """Proposes as the agent does; returns the digest."""
        file = write(self.folder / "c.json", *changes, **more)
        return str(run("curate", "apply", file, "--dir", str(self.store), "--json", at=self.here).json["digest"])

    def heard(self, event: str, turn: str, **more: Any) -> Heard:
        told = {"cwd": str(self.folder), "transcript": str(self.path), "attended": True} | more
        return Heard("claude-code", event, SESSION, turn=turn, **told)

    def ends(self, turn: str = "prompt-1", **more: Any) -> str:
        self.notice = approving.shown(self.heard(TURN_END, turn, **more), self.here) or self.notice
        return self.notice

    @property
    def code(self) -> str:
        found = re.search(r"yes ([A-Z]+) ", self.notice)
        assert found
        return found[1]

    def types(self, text: str, turn: str = TURN, *, row: bool = True, at: Context | None = None, **more: Any) -> str:
        """Types a prompt; returns what the model is told."""
        told = approving.answered(self.heard(PROMPT, turn, prompt=text, **more), at or self.here)
        if row:
            self.rows.append(typed_row(text, turn))
            transcript(self.folder, *self.rows)
        return told

    def commit(self, digest: str) -> tuple[int, str]:
        ran = run("curate", "apply", "--yes", "--plan", digest, at=self.here)
        return ran.exit, ran.out + ran.err

    @property
    def via(self) -> str:
        return git(self.store, "log", "-1", "--format=%(trailers:key=Approved-Via,valueonly)").strip()

    def standing(self) -> list[str]:
        return [record.digest for record in approvals.unspent(self.here.folder("approvals"))]


@pytest.fixture
def talk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Talk:
    monkeypatch.setattr("engram.app.proofs.PATIENCE", 0)
    return Talk(tmp_path)


def test_a_typed_yes_with_the_code_commits_what_was_shown(talk: Talk) -> None:
    digest = talk.propose(add("a"))
    shown = talk.ends()
    assert "+One fact." in shown
    assert digest in shown
    told = talk.types(f" Yes  {talk.code.lower()} ")
    assert f"`engram curate apply --yes --plan {digest}`" in told
    assert talk.commit(digest)[0] == 0
    assert talk.via == "prompt"
    assert (talk.store / "a.md").is_file()
    (one, _) = run("audit", "--dir", str(talk.store), "--json").json["commits"]
    assert (one["verdict"], one["via"]) == ("approved", "prompt")
    assert talk.commit(digest)[0] == 3


def test_the_code_stands_nowhere_that_the_agent_is_given(talk: Talk) -> None:
    talk.propose(add("a"))
    talk.ends()
    state = Path(talk.here.state)
    kept = [path for path in state.rglob("*") if path.is_file() and talk.code.encode() in path.read_bytes()]
    assert kept == []
    told = talk.types(f"yes {talk.code}", row=False)
    assert talk.code not in told
    assert re.fullmatch(r"[ACDEFHJKMNPQRTUVWXY]{5}", talk.code)


def test_a_bare_yes_is_enough_where_one_plan_was_shown(talk: Talk) -> None:
    digest = talk.propose(add("a"))
    talk.ends()
    talk.types("yes")
    assert talk.commit(digest)[0] == 0


def test_two_stores_are_shown_together_and_a_bare_yes_names_neither(talk: Talk) -> None:
    digest = talk.propose(add("a"))
    other = make_store(talk.folder / "other", {"b.md": note("b")})
    second = write(talk.folder / "d.json", add("c"), sessions=["s-2"])
    run("curate", "apply", second, "--dir", str(other), at=talk.here)
    shown = talk.ends()
    assert (shown.count("+One fact."), "changes to memory waits" in shown) == (2, True)
    assert talk.types("yes", row=False) == ""
    assert talk.standing() == []
    assert talk.commit(digest)[0] == 3


def test_a_code_approves_all_that_was_shown_with_it(talk: Talk) -> None:
    first = talk.propose(add("a"))
    other = make_store(talk.folder / "other", {"b.md": note("b")})
    second = write(talk.folder / "d.json", add("c"), sessions=["s-2"])
    digest = run("curate", "apply", second, "--dir", str(other), "--json", at=talk.here).json["digest"]
    talk.ends()
    talk.types(f"yes {talk.code}")
    assert [talk.commit(one)[0] for one in (first, digest)] == [0, 0]


def test_of_one_store_the_newest_plan_is_shown_and_then_the_next(talk: Talk) -> None:
    talk.propose(add("older"), sessions=["s-1"])
    talk.minutes = 1
    newer = talk.propose(add("newer"), sessions=["s-2"])
    shown = talk.ends()
    assert ("newer" in shown, "older" in shown) == (True, False)
    talk.types(f"yes {talk.code}")
    assert talk.commit(newer)[0] == 0
    assert "older" in talk.ends(TURN)


def refused(talk: Talk, digest: str) -> bool:
    """Tells whether nothing was approved and nothing is committed."""
    before = everything(talk.store, skip=(".engram",))
    status, said = talk.commit(digest)
    return (status, "gate-refused" in said, everything(talk.store, skip=(".engram",)) == before, talk.standing()) == (
        3, True, True, [],
    )  # fmt: skip


REFUSED: dict[str, Callable[[Talk], object]] = {
    "no": lambda talk: talk.types("no"),
    "something else": lambda talk: talk.types("yes please, go on"),
    "another code": lambda talk: talk.types("yes AAAAA"),
    "the code alone": lambda talk: talk.types(talk.code),
    "more than the code": lambda talk: talk.types(f"yes {talk.code} and thanks"),
    "while the agent works": lambda talk: talk.types(f"yes {talk.code}", "prompt-1"),
    "without a prompt's id": lambda talk: talk.types(f"yes {talk.code}", ""),
    "headless": lambda talk: talk.types(f"yes {talk.code}", attended=False),
    "nobody knows who sits there": lambda talk: talk.types(f"yes {talk.code}", attended=None),
    "sent by a program": lambda talk: talk.types(f"yes {talk.code}", source="sdk"),
    "sent by a timer": lambda talk: talk.types(f"yes {talk.code}", source="loop_wakeup"),
    "another transcript": lambda talk: talk.types(f"yes {talk.code}", transcript="/elsewhere/x.jsonl"),
    "another process of the client": lambda talk: talk.types(
        f"yes {talk.code}", at=context(now=lambda: NOW, CLAUDE_PID="78")
    ),
    "two prompts later": lambda talk: (talk.types("what is that?"), talk.types(f"yes {talk.code}", "prompt-3")),
    "too late": lambda talk: (setattr(talk, "minutes", 15), talk.types(f"yes {talk.code}")),
}


@pytest.mark.parametrize("answer", REFUSED.values(), ids=REFUSED)
def test_nothing_else_approves(talk: Talk, answer: Callable[[Talk], object]) -> None:
    digest = talk.propose(add("a"))
    talk.ends()
    answer(talk)
    assert refused(talk, digest)


def test_a_yes_in_another_session_approves_nothing(talk: Talk) -> None:
    digest = talk.propose(add("a"))
    talk.ends()
    other = Heard("claude-code", PROMPT, "s-other", turn=TURN, prompt=f"yes {talk.code}", attended=True,
                  transcript=str(talk.path), cwd=str(talk.folder))  # fmt: skip
    assert approving.answered(other, talk.here) == ""
    assert refused(talk, digest)


def test_what_is_typed_while_the_agent_works_uses_nothing_up(talk: Talk) -> None:
    digest = talk.propose(add("a"))
    talk.ends()
    assert talk.types(f"yes {talk.code}", "prompt-1") == ""
    talk.types(f"yes {talk.code}")
    assert talk.commit(digest)[0] == 0


def test_no_is_told_to_the_model_and_the_plan_waits(talk: Talk) -> None:
    talk.propose(add("a"))
    talk.ends()
    assert "answered no" in talk.types("No")
    assert len(run("review", "--list", "--json").json["plans"]) == 1


def test_a_yes_holds_for_fifteen_minutes(talk: Talk) -> None:
    digest = talk.propose(add("a"))
    talk.ends()
    talk.types(f"yes {talk.code}")
    talk.minutes = 15.1
    status, said = talk.commit(digest)
    assert (status, "expired" in said) == (3, True)


def test_a_store_that_moved_is_not_the_one_that_was_approved(talk: Talk) -> None:
    digest = talk.propose(add("a"))
    talk.ends()
    git(talk.store, "commit", "-q", "--allow-empty", "-m", "moved")
    talk.types(f"yes {talk.code}")
    assert talk.commit(digest)[0] == 4
    assert not (talk.store / "a.md").exists()
    assert "+One fact." in talk.ends("prompt-3")


ROWS: dict[str, Callable[[str], list[dict[str, Any]]]] = {
    "none": lambda said: [],
    "sent headless": lambda said: [sent_row(said)],
    "other words": lambda said: [typed_row("yes, go on")],
    "another prompt": lambda said: [typed_row(said, "prompt-9")],
    "another session": lambda said: [typed_row(said, session="s-9")],
    "of the harness": lambda said: [typed_row(said, isMeta=True)],
    "of a subagent": lambda said: [typed_row(said, isSidechain=True)],
    "by a task": lambda said: [typed_row(said, origin={"kind": "task"})],
    "typed before it was shown": lambda said: [typed_row(said, promptSource="queued")],
    "source unknown": lambda said: [typed_row(said, promptSource="system")],
    "in blocks": lambda said: [typed_row(said, message={"role": "user", "content": [{"type": "text", "text": said}]})],
    "by the assistant": lambda said: [typed_row(said, type="assistant")],
    "no row at all": lambda said: [{"type": "user", "promptId": TURN}, {"promptId": TURN, "type": 5}],
}  # fmt: skip


@pytest.mark.parametrize("rows", ROWS.values(), ids=ROWS)
def test_a_yes_that_no_typed_row_stands_behind_is_withdrawn(talk: Talk, rows: Callable[[str], Any]) -> None:
    digest = talk.propose(add("a"))
    talk.ends()
    said = f"yes {talk.code}"
    assert digest in talk.types(said, row=False)
    transcript(talk.folder, *rows(said))
    status, words = talk.commit(digest)
    assert (status, "no prompt, typed by a person" in words, talk.standing()) == (3, True, [])
    transcript(talk.folder, typed_row(said))
    assert talk.commit(digest)[0] == 3


def test_a_transcript_that_is_gone_proves_nothing(talk: Talk) -> None:
    digest = talk.propose(add("a"))
    talk.ends()
    talk.types(f"yes {talk.code}")
    talk.path.unlink()
    assert talk.commit(digest)[0] == 3


# -- what is shown -----------------------------------------------------------------------------------------------------


def test_a_plan_is_shown_once_in_a_session_and_anew_when_it_changed(talk: Talk) -> None:
    talk.propose(add("a"))
    assert talk.ends()
    talk.notice = ""
    assert talk.ends("prompt-2") == ""
    talk.propose(add("b"))
    assert "b.md" in talk.ends("prompt-3")


@pytest.mark.parametrize(
    "told",
    [{"attended": False}, {"attended": None}, {"turn": ""}],
    ids=str,
)  # fmt: skip
def test_nothing_is_shown_where_no_yes_could_count(talk: Talk, told: dict[str, Any]) -> None:
    talk.propose(add("a"))
    heard = talk.heard(TURN_END, **{"turn": "prompt-1", **told})
    assert approving.shown(heard, talk.here) == ""
    assert not Path(talk.here.folder("shown")).exists()


@pytest.mark.parametrize("host", ["codex", "gemini", "copilot", "vscode", "opencode", "cursor", "unknown"])
def test_other_hosts_have_no_such_channel(talk: Talk, host: str) -> None:
    talk.propose(add("a"))
    heard = Heard(host, TURN_END, SESSION, turn="prompt-1", attended=True, cwd=str(talk.folder))
    assert approving.shown(heard, talk.here) == ""


def test_a_stop_that_another_hook_overruled_counts_as_one(talk: Talk) -> None:
    digest = talk.propose(add("a"))
    talk.ends()
    assert approving.shown(talk.heard(TURN_END, "prompt-1", stop_active=True), talk.here) == ""
    talk.types(f"yes {talk.code}")
    assert talk.commit(digest)[0] == 0


def test_where_the_agent_went_on_after_it_a_yes_has_to_say_to_what(talk: Talk) -> None:
    """Another plugin's hook let it not stop, and what it said last may have been a question of its own."""
    digest = talk.propose(add("a"))
    talk.ends()
    assert approving.shown(talk.heard(TURN_END, "prompt-1", stop_active=True), talk.here) == ""
    talk.types("yes")
    assert refused(talk, digest)


def test_a_plan_of_another_session_for_another_store_is_not_shown(talk: Talk) -> None:
    file = write(talk.folder / "c.json", add("a"))
    run("curate", "apply", file, "--dir", str(talk.store), at=context())
    assert talk.ends() == ""


def test_a_plan_that_is_too_long_is_pointed_at_and_can_not_be_approved(talk: Talk) -> None:
    digest = talk.propose(add("a", "A long line of text.\n" * 500))
    (waits,) = run("review", "--list", "--json").json["plans"]
    assert f"`engram review {waits['id']}`" in talk.ends()
    assert talk.notice.count("\n") == 0
    assert talk.types("yes", row=False) == ""
    assert refused(talk, digest)


def test_all_that_is_shown_is_under_the_clients_limit(talk: Talk) -> None:
    for number in range(60, 130, 3):
        talk.propose(add("a", "Zwölf 😀 Boxkämpfer jagen Viktor.\n" * number))
        assert len(talk.ends(f"prompt-{number}").encode("utf-16-le")) // 2 <= showing.LIMIT


def test_a_forged_record_shows_what_would_be_written_and_nothing_else(talk: Talk) -> None:
    digest = talk.propose(add("a"))
    (path,) = Path(talk.here.folder("review")).glob("*.json")
    written = json.loads(path.read_text())
    path.write_text(json.dumps({**written, "content": written["content"].replace("One fact.", "Another.")}))
    assert "+Another." in talk.ends()
    assert "+One fact." not in talk.notice
    assert digest not in talk.notice
    talk.types(f"yes {talk.code}")
    assert refused_or_moved(talk, digest)


def refused_or_moved(talk: Talk, digest: str) -> bool:
    return talk.commit(digest)[0] in {1, 3, 4} and not (talk.store / "a.md").exists()


def test_hand_edits_and_what_no_longer_fits_go_to_the_terminal(talk: Talk) -> None:
    make_store(talk.store, {"runbook.md": note("runbook", "Ask blue.")})
    (talk.store / "runbook.md").write_text(note("runbook", "Ask blue, by hand."))
    talk.propose(update(talk.store, "runbook.md", edits=[{"find": "blue", "replace": "green"}]))
    assert "engram review" in talk.ends()
    assert "yes" not in talk.notice
    assert approving.shown(talk.heard(TURN_END, "prompt-2"), talk.here) == ""


@pytest.mark.parametrize("damage", ["", "{", "[]", '{"id": 5}', '{"plans": {"a": "{"}}', "\0"])
def test_a_damaged_record_of_what_was_shown_approves_nothing(talk: Talk, damage: str) -> None:
    digest = talk.propose(add("a"))
    talk.ends()
    (path,) = Path(talk.here.folder("shown")).glob("*.json")
    path.write_text(damage)
    assert talk.types(f"yes {talk.code}") == ""
    assert refused(talk, digest)


def test_a_session_without_a_showing_costs_one_look_at_the_disk(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(showing, "decided", lambda *_: pytest.fail("nothing was shown"))
    assert talk.types("yes", row=False) == ""


# -- what lies about ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("via", ["terminal", "dialog", "page", "policy", "", "else"])
def test_an_approval_that_lies_about_is_none(talk: Talk, via: str) -> None:
    digest = talk.propose(add("a"))
    talk.ends()
    talk.types(f"yes {talk.code}")
    (path,) = Path(talk.here.folder("approvals")).glob("*.json")
    path.write_text(json.dumps({**json.loads(path.read_text()), "via": via}))
    found = run("audit", "--dir", str(talk.store), "--json", at=talk.here)
    assert (found.exit, [one["via"] for one in found.json["approvals"]]) == (1, [via])
    assert talk.commit(digest)[0] == 3
    assert talk.standing() == []
    assert run("audit", "--dir", str(talk.store)).exit == 0


@pytest.mark.parametrize(
    "forged",
    [
        {"evidence": {}}, {"evidence": {"said": "yes"}}, {"via": "dialog"},
        {"via": "dialog", "evidence": {"token": "0" * 64}}, {"via": "dialog", "evidence": {"token": "../../x"}},
    ],
    ids=str,
)  # fmt: skip
def test_the_audit_names_a_commit_whose_yes_nothing_shows(talk: Talk, forged: dict[str, Any]) -> None:
    digest = talk.propose(add("a"))
    talk.ends()
    talk.types(f"yes {talk.code}")
    assert talk.commit(digest)[0] == 0
    assert run("audit", "--dir", str(talk.store), at=talk.here).exit == 0
    (path,) = Path(talk.here.folder("approvals")).glob(f"{digest}.json")
    path.write_text(json.dumps({**json.loads(path.read_text()), **forged}))
    found = run("audit", "--dir", str(talk.store), "--json", at=talk.here)
    assert (found.exit, found.json["commits"][0]["verdict"]) == (1, "unproven")
    assert "unproven" in run("audit", "--dir", str(talk.store), at=talk.here).out


def test_the_audit_misses_a_transcript_of_this_month_and_no_older_one(talk: Talk) -> None:
    digest = talk.propose(add("a"))
    talk.ends()
    talk.types(f"yes {talk.code}")
    assert talk.commit(digest)[0] == 0
    talk.path.unlink()
    verdicts = []
    for talk.minutes in (60, 31 * 24 * 60):
        found = run("audit", "--dir", str(talk.store), "--json", at=talk.here).json["commits"]
        verdicts.append(found[0]["verdict"])
    assert verdicts == ["unproven", "approved"]

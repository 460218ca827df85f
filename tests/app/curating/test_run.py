"""Runs over a queue, with small programs in the place of an agent."""

from __future__ import annotations

import json
import os
import re
import sys
from datetime import datetime, timedelta
from itertools import count
from pathlib import Path

import pytest

from engram import disk
from engram.app.curating import asking, memo, near
from engram.app.curating.asking import environment, windows_words
from tests.lib.cli import NOW, context, run
from tests.lib.curating import SAID, SECRET, Desk, desk, proposed_by, still_running
from tests.lib.stores import git, make_store, note

GOOD = "answer(added())"


@pytest.fixture
def there(tmp_path: Path) -> Desk:
    return desk(tmp_path / "desk")


def codes(ran_json: dict[str, object]) -> list[str]:
    rows = ran_json["sessions"]
    assert isinstance(rows, list)
    return [one["error"]["code"] for one in rows if one["error"]]


# -- proposals ---------------------------------------------------------------------------------------------------------


def test_what_an_agent_proposes_waits_for_review_and_nothing_else_changes(there: Desk) -> None:
    there.session("s-1")
    before = there.kept()
    ran = there.curate(there.agent(GOOD), "--json")
    assert ran.exit == 0, ran.err
    (row,) = ran.json["sessions"]
    assert (row["result"], row["tries"]) == ("proposed", 1)
    assert row["plans"][0]["changes"] == [{"op": "ADD", "name": "uses-pnpm"}]
    (plan,) = there.plans()
    assert (plan["id"], plan["agent"], plan["sessions"]) == (row["plans"][0]["plan"], "python", ["s-1"])
    assert plan["store"] == str(there.store)
    assert there.kept() == before
    assert there.queued() == ["s-1"]


def test_the_automatic_gate_is_not_used(there: Desk) -> None:
    there.session("s-1")
    there.settings(gate={"auto": True, "auto_threshold": 0.5})
    before = there.kept()
    assert there.results(there.agent(GOOD)) == {"s-1": "proposed"}
    assert there.kept() == before


def test_a_session_leaves_the_queue_when_its_proposal_is_decided(there: Desk) -> None:
    there.session("s-1")
    there.results(there.agent(GOOD))
    assert run("review", answers=["y", "n"], at=there.at()).exit == 0
    assert git(there.store, "log", "-1", "--format=%(trailers:key=Engram-Session,valueonly)").strip() == "s-1"
    assert there.queued() == []


def test_each_session_is_for_the_store_of_its_own_project(tmp_path: Path) -> None:
    one, other = desk(tmp_path / "one"), tmp_path / "other"
    other.mkdir()
    homes = run("where", "--json", at=context(Path.home())).json["project"]["path"]
    make_store(Path(homes), {"home.md": note("home")})  # no session without a folder is of it
    one.session("s-1", hour=8)
    one.session("s-2", cwd=str(other), hour=9)
    one.session("s-3", cwd="", hour=10)
    assert one.results(one.agent("answer(added(session))")) == dict.fromkeys(("s-1", "s-2", "s-3"), "proposed")
    assert {plan["sessions"][0]: plan["store"] for plan in one.plans()} == {
        "s-1": str(one.store),
        "s-2": str(one.user),  # its project has no store
        "s-3": str(one.user),
    }
    assert "there is no other store" in one.prompts()[1]


def test_here_is_this_project_alone_and_its_folders(tmp_path: Path) -> None:
    one = desk(tmp_path / "one")
    (one.project / "sub").mkdir()
    one.session("s-1", cwd=str(one.project / "sub"))
    one.session("s-2", cwd=str(tmp_path))
    one.session("s-3", cwd="")
    assert one.results(one.agent(GOOD), "--here") == {"s-1": "proposed"}


def test_a_session_may_teach_both_stores(there: Desk) -> None:
    there.session("s-1")
    both = "print(json.dumps([{'version': 1, 'scope': scope, 'changes': [added()]} for scope in ('project', 'user')]))"
    assert there.results(there.agent(both)) == {"s-1": "proposed"}
    assert {plan["store"] for plan in there.plans()} == {str(there.store), str(there.user)}


def test_dir_and_scope_say_where(there: Desk, tmp_path: Path) -> None:
    there.session("s-1")
    assert there.results(there.agent(GOOD), "--scope", "user") == {"s-1": "proposed"}
    assert [plan["store"] for plan in there.plans()] == [str(there.user)]
    there.session("s-2")
    assert there.results(there.agent(GOOD), "--dir", str(there.store))["s-2"] == "proposed"
    assert {plan["sessions"][0]: plan["store"] for plan in there.plans()} == {
        "s-1": str(there.user),
        "s-2": str(there.store),
    }


def test_without_a_store_no_agent_is_asked(there: Desk, tmp_path: Path) -> None:
    there.session("s-1")
    ran = there.curate(there.agent(GOOD), "--json", "--dir", str(tmp_path / "nowhere"))
    assert (ran.exit, codes(ran.json)) == (1, ["store-not-found"])
    assert there.prompts() == []


# -- what is asked -----------------------------------------------------------------------------------------------------


def test_the_prompt_holds_the_session_its_neighbours_and_the_rejections(there: Desk) -> None:
    there.session("s-1", "our builds run on GitHub Actions, no longer on Jenkins")
    there.results(there.agent("answer(added('builds-elsewhere'))"))
    run("review", answers=["r", "not a fact", "n"], at=there.at())
    there.session("s-2", "the builds run on Jenkins again, all of them")
    there.results(there.agent(GOOD))
    asked = there.prompts()[1]
    assert "[u1] the builds run on Jenkins again, all of them" in asked
    rows = [json.loads(line) for line in asked.splitlines() if line.startswith('{"name": "builds"')]
    shown = run("show", "builds", "--json", at=there.at()).json
    assert [(row["base"], row["body"].strip(), row["scope"]) for row in rows] == [
        (shown["base"], "Builds run on Jenkins.", "project")
    ]
    assert '"name": "builds-elsewhere"' in asked
    assert '"reason": "not a fact"' in asked


def test_no_secret_reaches_the_agent(tmp_path: Path) -> None:
    one = desk(tmp_path / "one", {"token.md": note("token", f"The token is {SECRET}.")})
    one.session("s-1", f"the token is {SECRET}, and internal-7781 is mine")
    one.settings(redaction_patterns_extra=["internal-[0-9]+"])
    leaky = f"print('the token is {SECRET}')"
    one.results(one.agent(leaky))
    assert len(one.prompts()) == 3
    for asked in one.prompts():
        assert SECRET not in asked
        assert "internal-7781" not in asked
        assert "[secret: " in asked


def test_the_agent_runs_in_an_empty_folder_with_our_marker_and_no_other_agents(there: Desk) -> None:
    there.session("s-1")
    body = "(here / 'seen').write_text(json.dumps([os.listdir(), os.getcwd(), dict(os.environ)])); " + GOOD
    at = there.at(CLAUDECODE="1", CODEX_SANDBOX="x", CODEX_HOME="/kept", GEMINI_CLI="1")
    assert there.results(there.agent(body), at=at) == {"s-1": "proposed"}
    listed, folder, env = json.loads((there.root / "seen").read_text(encoding="utf-8"))
    assert listed == []
    assert not os.path.exists(folder)
    assert env["ENGRAM_CURATING"] == "1"
    assert env["CODEX_HOME"] == "/kept"
    assert not {"CLAUDECODE", "CODEX_SANDBOX", "GEMINI_CLI"} & set(env)
    assert environment({"PATH": "p"}) == {"PATH": "p", "ENGRAM_CURATING": "1"}


def test_many_and_long_notes_stay_within_their_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    notes = {f"n{n}.md": note(f"n{n}", f"Use pnpm in repository {n}, never npm. " * 20 * n) for n in range(1, 30)}
    one = desk(tmp_path / "one", notes)
    one.session("s-1")
    monkeypatch.setattr(near, "TOKENS", 3000)
    one.results(one.agent(GOOD))
    rows = [line for line in one.prompts()[0].splitlines() if line.startswith('{"name": "n')]
    assert 3 < len(rows) <= near.MOST
    assert sum(len(row) for row in rows) < 3000 * 4


# -- answers that are no good ------------------------------------------------------------------------------------------


def test_an_answer_that_is_wrong_is_mended_by_its_reasons(there: Desk) -> None:
    there.session("s-1")
    body = "answer(added(confidence=7)) if asked == 1 else answer(added('builds')) if asked == 2 else answer(added())"
    ran = there.curate(there.agent(body), "--json")
    (row,) = ran.json["sessions"]
    assert (ran.exit, row["result"], row["tries"]) == (0, "proposed", 3)
    first, second, third = there.prompts()
    assert "Why it was refused" not in first
    assert "changeset-invalid" in second
    assert "$.changes[0].confidence" in second
    assert '"confidence": 7' in second
    assert "builds" in third.split("Why it was refused")[1]


def test_one_that_stays_wrong_is_never_kept(there: Desk) -> None:
    there.session("s-1")
    before = there.kept()
    ran = there.curate(there.agent("answer(added(confidence=7))"), "--json")
    assert (ran.exit, codes(ran.json)) == (1, ["agent-unusable"])
    assert "$.changes[0].confidence" in ran.json["sessions"][0]["error"]["message"]
    assert len(there.prompts()) == 3
    assert (there.plans(), there.queued(), there.kept()) == ([], ["s-1"], before)


def test_a_secret_goes_back_to_the_agent_and_is_never_kept(there: Desk) -> None:
    there.session("s-1")
    body = f"one = added(); one['note']['body'] += {SECRET!r} if asked == 1 else '.'; answer(one)"
    assert there.results(there.agent(body)) == {"s-1": "proposed"}
    assert "secret-found" in there.prompts()[1]
    kept = [path.read_text(encoding="utf-8") for path in (there.user / ".engram").rglob("*.json")]
    assert not [text for text in kept if SECRET in text]


def test_of_two_changesets_none_is_kept_where_one_is_wrong(there: Desk) -> None:
    there.session("s-1")
    body = (
        "print(json.dumps([{'version': 1, 'scope': 'project', 'changes': [added()]}, "
        "{'version': 1, 'scope': 'user', 'changes': [added(confidence=7)]}]))"
    )
    assert there.results(there.agent(body)) == {"s-1": "failed"}
    assert there.plans() == []


@pytest.mark.parametrize(
    ("body", "code", "words"),
    [
        ("pass", "agent-failed", "printed nothing"),
        ("sys.exit(9)", "agent-failed", "exit status 9"),
        ("print('boom: no disk', file=sys.stderr); sys.exit(1)", "agent-failed", "boom: no disk"),
        ("print('Please log in first', file=sys.stderr); sys.exit(1)", "agent-login", "Please log in first"),
        (f"print('key {SECRET}', file=sys.stderr); sys.exit(1)", "agent-failed", "key [secret: "),
        ("time.sleep(600)", "agent-timed-out", "within 2 seconds"),
    ],
)
def test_an_agent_that_gives_no_answer_is_an_error_with_a_next_step(
    there: Desk, body: str, code: str, words: str
) -> None:
    there.session("s-1")
    ran = there.curate(there.agent(body), "--json", "--timeout", "2")
    (error,) = [one["error"] for one in ran.json["sessions"]]
    assert (ran.exit, error["code"]) == (1, code)
    assert words in error["message"]
    assert error["hint"]
    assert there.queued() == ["s-1"]
    assert there.plans() == []
    assert still_running(str(there.root / "agent.py")) == []


@pytest.mark.parametrize("behind", range(560, 640, 8))
def test_no_half_of_a_secret_is_said_where_an_agents_words_are_cut(there: Desk, behind: int) -> None:
    there.session("s-1")
    body = f"print('x' * 900 + ' {SECRET} ' + 'y' * {behind - len(SECRET)}, file=sys.stderr); sys.exit(1)"
    ran = there.curate(there.agent(body), "--json")
    halves = [SECRET[place : place + 8] for place in range(len(SECRET) - 7)]
    assert not [half for half in halves if half in ran.out + ran.err]


def test_what_a_person_calls_a_secret_is_none_of_an_agents_words(there: Desk) -> None:
    there.session("s-1")
    there.settings(redaction_patterns_extra=["internal-[0-9]+"])
    ran = there.curate(there.agent("print('bad key internal-7781', file=sys.stderr); sys.exit(1)"), "--json")
    assert codes(ran.json) == ["agent-failed"]
    assert "internal-7781" not in ran.out + ran.err
    ran = there.curate(there.agent("answer({'internal-7781': 1})"), "--json")
    assert codes(ran.json) == ["agent-unusable"]
    assert "internal-7781" not in ran.out + ran.err + "".join(there.prompts())


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('python x.py --flag "a b"', ("python", "x.py", "--flag", "a b")),
        (r'"C:\Program Files\x y\x.exe" --flag="a b"', (r"C:\Program Files\x y\x.exe", "--flag=a b")),
        (r"C:\it's\x.exe 'a b'", (r"C:\it's\x.exe", "'a", "b'")),
        (r'x "e\\" f\"g "" \\h', ("x", "e\\", 'f"g', "", r"\\h")),
        ("", ()),
    ],
)
def test_a_command_line_of_windows_has_its_own_rules(line: str, words: tuple[str, ...]) -> None:
    assert windows_words(line) == words


@pytest.mark.skipif(os.name != "posix", reason="makes a link")
def test_a_program_on_a_relative_path_is_found_from_the_empty_folder_too(
    there: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    (there.project / "bin").mkdir()
    (there.project / "bin" / "asked").symlink_to(sys.executable)
    monkeypatch.chdir(there.project)
    assert asking.asker(there.at(PATH="bin"), "asked").program == str(there.project / "bin" / "asked")


@pytest.mark.parametrize("named", ["no-such-agent", "codex", "", "'unclosed"])
def test_an_agent_that_is_not_there_is_said_before_anything(there: Desk, named: str) -> None:
    there.session("s-1")
    ran = there.curate(named, "--json", at=there.at(PATH=str(there.root)))
    assert (ran.exit, ran.json["error"]["code"]) == (1, "agent-missing")


def test_three_failures_in_a_row_end_the_run(there: Desk) -> None:
    for number in range(1, 7):
        there.session(f"s-{number}", hour=number)
    body = "answer(added(session)) if session == 's-2' else sys.exit(1)"
    ran = there.curate(there.agent(body), "--json")
    assert [one["result"] for one in ran.json["sessions"]] == [
        "failed",
        "proposed",
        "failed",
        "failed",
        "failed",
        "left",
    ]
    assert (ran.exit, ran.json["stopped"], ran.json["left"]) == (1, "failures", ["s-6"])


def test_a_transcript_that_cannot_be_read_is_named_and_passed_over(there: Desk) -> None:
    there.session("s-1", hour=1)
    there.session("s-2", hour=2)
    (there.root / "s-1.jsonl").unlink()
    ran = there.curate(there.agent(GOOD), "--json")
    assert [(one["result"], one["error"] and one["error"]["code"]) for one in ran.json["sessions"]] == [
        ("unreadable", "transcript-unreadable"),
        ("proposed", None),
    ]
    assert ran.exit == 0
    assert there.queued() == ["s-1", "s-2"]
    assert len(there.prompts()) == 1


# -- once --------------------------------------------------------------------------------------------------------------


def test_a_session_with_a_proposal_is_not_read_again(there: Desk) -> None:
    there.session("s-1")
    there.results(there.agent(GOOD))
    (there.root / "by-hand.json").write_text(proposed_by("codex", "s-2"), encoding="utf-8")
    there.session("s-2")
    assert run("curate", "apply", str(there.root / "by-hand.json"), at=there.at()).exit == 3
    there.session("s-1", "and it stopped once more", hour=11)
    assert there.results(there.agent(GOOD)) == {"s-1": "skipped", "s-2": "skipped"}
    assert len(there.prompts()) == 1
    assert len(there.plans()) == 2


def test_what_another_proposes_meanwhile_stands(there: Desk) -> None:
    there.session("s-1")
    path = there.root / "meanwhile.json"
    path.write_text(proposed_by("codex", "s-1"), encoding="utf-8")
    apply = ["-m", "engram", "curate", "apply", str(path)]
    body = f"import subprocess; subprocess.run([sys.executable, *{apply}], cwd={str(there.project)!r}); {GOOD}"
    root = Path(__file__).resolve().parents[3]
    assert there.results(there.agent(body), at=there.at(PYTHONPATH=str(root))) == {"s-1": "skipped"}
    assert [plan["agent"] for plan in there.plans()] == ["codex"]


@pytest.mark.parametrize("then", [GOOD, "print('no changeset')"])
def test_a_session_that_leaves_the_queue_meanwhile_is_let_go(there: Desk, then: str) -> None:
    entry = there.session("s-1")
    ran = there.curate(there.agent(f"os.unlink({entry.path!r}); {then}"), "--json")
    (row,) = ran.json["sessions"]
    assert (ran.exit, row["result"], row["why"], row["error"]) == (0, "skipped", "it left the queue meanwhile", None)
    assert there.plans() == []


def test_a_session_that_stops_again_while_it_is_read_stays_when_its_proposal_is_decided(there: Desk) -> None:
    entry = there.session("s-1")
    moments = iter(NOW + timedelta(seconds=second) for second in count())

    def now() -> datetime:
        moment = next(moments)
        if not there.prompts():  # what is told last before the agent is asked stays: just after the reading
            (there.root / "at").write_text(f"{moment + timedelta(milliseconds=500):%Y-%m-%dT%H:%M:%S.%f}Z")
        return moment

    again = f"""
entry = json.loads(pathlib.Path({entry.path!r}).read_text())
entry["queued_at"] = (here / "at").read_text()
pathlib.Path({entry.path!r}).write_text(json.dumps(entry))
{GOOD}
"""
    assert there.results(there.agent(again), at=there.at()._replace(now=now)) == {"s-1": "proposed"}
    later = there.at()._replace(now=lambda: NOW + timedelta(days=1))
    assert run("review", answers=["y", "n"], at=later).exit == 0
    assert there.queued() == ["s-1"]


def test_a_session_that_taught_nothing_is_read_again_only_when_it_goes_on(there: Desk) -> None:
    there.session("s-1")
    nothing = there.agent("print('[]')")
    ran = there.curate(nothing)
    assert ran.exit == 0
    assert ran.out.startswith("nothing  s-1  `engram pending clear ")
    assert there.queued() == ["s-1"]
    assert there.results(nothing) == {"s-1": "skipped"}
    assert there.results(nothing, "--again") == {"s-1": "nothing"}
    there.session("s-1", SAID, "and more", hour=11)
    assert there.results(there.agent(GOOD)) == {"s-1": "proposed"}
    assert len(there.prompts()) == 3


def test_one_that_fails_comes_last_the_next_time_and_not_for_ever(there: Desk) -> None:
    there.session("s-1", hour=1)
    there.session("s-2", hour=2)
    body = "print('no changeset') if session == 's-1' else print('[]')"
    bad = there.agent(body)
    assert there.results(bad, "--sessions", "1") == {"s-1": "failed", "s-2": "left"}
    assert there.results(bad, "--sessions", "1") == {"s-2": "nothing", "s-1": "left"}
    assert there.results(bad) == {"s-2": "skipped", "s-1": "failed"}
    assert there.results(bad) == {"s-2": "skipped", "s-1": "failed"}
    assert there.results(bad) == {"s-2": "skipped", "s-1": "skipped"}
    assert there.results(bad, "--again")["s-1"] == "failed"


def test_what_is_remembered_goes_with_the_session_and_its_loss_costs_a_reading(there: Desk) -> None:
    entry = there.session("s-1")
    there.results(there.agent("print('[]')"))
    kept = Path(there.at().folder(memo.FOLDER), f"{entry.id}.json")
    for damaged in (
        "{}",
        "",
        "[]",
        '{"id": 3}',
        kept.read_text(encoding="utf-8").replace('"runs": "1"', '"runs": "x"'),
    ):
        kept.write_text(damaged, encoding="utf-8")
        assert there.results(there.agent("print('[]')"))["s-1"] in {"nothing", "skipped"}
    assert run("pending", "clear", entry.id, answers=["y"], at=there.at()).exit == 0
    there.results(there.agent("print('[]')"))
    assert not kept.exists()


# -- the budget --------------------------------------------------------------------------------------------------------


def test_a_budget_of_sessions_says_what_is_left(there: Desk) -> None:
    for number in range(1, 4):
        there.session(f"s-{number}", hour=number)
    ran = there.curate(there.agent("print('[]')"), "--sessions", "2")
    assert ran.exit == 0
    assert "1 session left: the budget of sessions is used up" in ran.err
    assert len(there.prompts()) == 2
    assert there.results(there.agent("print('[]')"), "--sessions", "2")["s-3"] == "nothing"


def test_a_budget_of_tokens_lets_no_further_session_begin(there: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    there.session("s-1", hour=1)
    there.session("s-2", hour=2)
    usage = "{'input_tokens': 700, 'output_tokens': 50}"
    body = f"print(json.dumps({{'type': 'result', 'result': '[]', 'usage': {usage}}}))"
    fake = there.root / "bin" / "claude"
    fake.parent.mkdir()
    fake.write_text(f'#!/bin/sh\nexec {there.agent(body)} "$@"\n', encoding="utf-8")
    fake.chmod(0o755)
    at = there.at(PATH=f"{fake.parent}{os.pathsep}{os.environ['PATH']}")
    ran = there.curate("claude", "--tokens", "700", "--json", at=at)
    assert [one["result"] for one in ran.json["sessions"]] == ["nothing", "left"]
    assert (ran.json["tokens"], ran.json["tokens_counted"], ran.json["stopped"]) == (750, True, "tokens")


def test_an_agent_that_counts_no_tokens_has_them_estimated(there: Desk) -> None:
    there.session("s-1")
    ran = there.curate(there.agent("print('[]')"), "--json")
    assert ran.json["tokens_counted"] is False
    assert ran.json["tokens"] > len(there.prompts()[0]) / 5


def test_the_end_of_the_time_ends_the_agent_and_blames_no_session(there: Desk) -> None:
    there.session("s-1", hour=1)
    there.session("s-2", hour=2)
    ran = there.curate(there.agent("time.sleep(600)"), "--seconds", "3", "--json")
    assert [one["result"] for one in ran.json["sessions"]] == ["left", "left"]
    assert (ran.exit, ran.json["stopped"]) == (0, "seconds")
    assert still_running(str(there.root / "agent.py")) == []
    assert there.results(there.agent("print('[]')")) == {"s-1": "nothing", "s-2": "nothing"}


# -- dry, and alone ----------------------------------------------------------------------------------------------------


def test_a_dry_run_asks_nobody_and_keeps_nothing(there: Desk) -> None:
    there.session("s-1", hour=1)
    there.session("s-2", hour=2)
    ran = there.curate(there.agent(GOOD), "--dry-run", "--sessions", "1")
    assert ran.exit == 0
    assert re.match(r"would-read  s-1  a prompt of about \d,\d{3} tokens\n\Z", ran.out)
    assert "1 session left" in ran.err
    assert there.prompts() == []
    assert there.plans() == []
    assert there.results(there.agent(GOOD), "--sessions", "1")["s-1"] == "proposed"


def test_two_runs_at_once_are_one(there: Desk) -> None:
    there.session("s-1")
    with disk.lock(os.path.join(there.at().prepared(memo.FOLDER), "run.lock")):
        ran = there.curate(there.agent(GOOD), "--json")
    assert (ran.exit, ran.json["error"]["code"]) == (4, "store-locked")
    assert there.prompts() == []
    assert there.results(there.agent(GOOD)) == {"s-1": "proposed"}


def test_a_session_that_curates_starts_no_run_of_its_own(there: Desk) -> None:
    there.session("s-1")
    ran = there.curate(there.agent(GOOD), "--json", at=there.at(ENGRAM_CURATING="1"))
    assert (ran.exit, ran.json["error"]["code"]) == (3, "gate-refused")


@pytest.mark.parametrize("name", ["--seconds", "--timeout"])
@pytest.mark.parametrize("value", ["nan", "inf", "0", "-1"])
def test_a_time_that_no_clock_counts_is_refused(there: Desk, name: str, value: str) -> None:
    there.session("s-1")
    assert there.curate(there.agent(GOOD), name, value).exit == 2
    assert there.prompts() == []


def test_an_empty_queue_is_said(there: Desk) -> None:
    ran = there.curate(there.agent(GOOD))
    assert (ran.exit, ran.out, ran.err) == (0, "", "no session waits\n")

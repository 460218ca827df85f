"""The walk through the gate, with a person's answers put in."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from engram import queue
from engram.app import proposals
from engram.curate import approvals
from engram.model.event import Event
from engram.model.plan import Approve
from tests.lib.approved import typed_yes
from tests.lib.cli import NOW, command_line, context, environment, run
from tests.lib.proposed import add, changeset, invalidate, noop, update, write
from tests.lib.stores import everything, git, make_store, note


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return make_store(tmp_path / "memory", {"old-ci.md": note("old-ci"), "runbook.md": note("runbook", "Ask blue.")})


SECRET = "ghp_" + "a1B2c3D4e5F6" * 3


class Typed:
    """Is a person's answers as a generator makes them: what happens between two of them happens while they read."""

    def __init__(self, answers: Callable[[], Iterator[str]]) -> None:
        self.answers = answers

    def __iter__(self) -> Iterator[str]:
        return self.answers()


def queued(at: str = "2026-11-30T11:00:00.000000Z", session: str = "s-1") -> None:
    event = Event(agent="claude-code", session=session, transcript="", cwd="", at=at)
    queue.append(context().folder("queue"), event)


def waiting_sessions() -> list[str]:
    return [one["session"] for one in run("pending", "list", "--json").json["sessions"]]


def head(store: Path) -> str:
    return git(store, "rev-parse", "HEAD")


def apply(store: Path, tmp_path: Path, *changes: dict, answers: list[str | None] | None, **more: object):
    return run("curate", "apply", write(tmp_path / "c.json", *changes, **more), "--dir", str(store), answers=answers)


def test_question_mark_explains_and_asks_again(store: Path, tmp_path: Path) -> None:
    ran = apply(store, tmp_path, add("a"), answers=["?", "what", "y"])
    assert ran.exit == 0
    assert ran.out.count("Apply this change? [y/N/s/e/r/?]") == 3
    assert "leave it waiting" in ran.err


def test_nobody_to_ask_leaves_the_plan_waiting(store: Path, tmp_path: Path) -> None:
    before = head(store)
    ran = apply(store, tmp_path, add("a"), answers=None)
    assert ran.exit == 3
    assert "approval-needed" in ran.err
    assert "+One fact." in ran.out
    assert "engram review" in ran.err
    assert head(store) == before
    (waits,) = run("review", "--list", "--json").json["plans"]
    assert waits["digest"] in ran.err
    assert (waits["sessions"], waits["changes"]) == (["s-1"], ["ADD a"])
    assert "\n  ADD a\n" in run("review", "--list").out


@pytest.mark.parametrize("more", [[], ["--json"]])
def test_a_plan_that_nobody_reads_waits_and_is_no_success(store: Path, tmp_path: Path, more: list[str]) -> None:
    words = command_line("curate", "apply", write(tmp_path / "c.json", add("a")), "--dir", str(store), *more)
    with subprocess.Popen(
        words, env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as child:
        assert child.stdout is not None
        child.stdout.close()
        assert child.wait() == 3
        assert b"Traceback" not in (child.stderr.read() if child.stderr else b"")
    assert len(run("review", "--list", "--json").json["plans"]) == 1


def test_a_later_proposal_of_the_same_session_replaces_the_one_that_waits(store: Path, tmp_path: Path) -> None:
    apply(store, tmp_path, add("a"), answers=None)
    apply(store, tmp_path, add("b"), answers=None)
    (waits,) = run("review", "--list", "--json").json["plans"]
    assert run("review", waits["id"], answers=["y"]).exit == 0
    assert not (store / "a.md").exists()
    assert (store / "b.md").exists()


def test_rejected_with_a_reason_is_remembered_and_flagged(store: Path, tmp_path: Path) -> None:
    ran = apply(store, tmp_path, add("a"), answers=["r", "too obvious"])
    assert ran.exit == 3
    assert run("review", "--list", "--json").json["plans"] == []
    (one,) = run("curate", "rejected", "--json").json["rejected"]
    assert (one["name"], one["reason"]) == ("a", "too obvious")
    again = run("curate", "check", write(tmp_path / "c.json", add("a")), "--dir", str(store), "--json").json
    flagged = {concern["code"]: concern["message"] for concern in again["concerns"]}
    assert "too obvious" in flagged["rejected-before"]


def test_the_end_of_input_at_the_reason_takes_a_rejection_back(store: Path, tmp_path: Path) -> None:
    ran = apply(store, tmp_path, add("a"), add("b"), answers=["r", None, "s", "r", None, "r", "", "y"])
    assert ran.exit == 0
    assert ran.err.count("not rejected") == 2
    assert [one["name"] for one in run("curate", "rejected", "--json").json["rejected"]] == ["a"]


def test_one_by_one_shows_a_change_once_however_often_it_asks(store: Path, tmp_path: Path) -> None:
    ran = apply(store, tmp_path, add("a"), answers=["s", "?", "what", "y"])
    assert ran.exit == 0
    assert ran.out.count("take it?") == 3
    assert ran.out.count("+One fact.") == 2


def test_what_changes_nothing_is_not_counted_as_committed_and_what_is_left_is_named(
    store: Path, tmp_path: Path
) -> None:
    apply(store, tmp_path, add("a"), noop("runbook"), add("c"), answers=["n"])
    ran = run("review", answers=["s", "y", "y", "n"])
    assert ran.exit == 3
    assert "committed 1 change as " in ran.out
    assert "; 1 had nothing to write" in ran.out
    assert "1 more waits: `engram review " in ran.err
    assert git(store, "log", "-1", "--format=%s").strip() == "memory: add a"


def test_a_number_that_names_no_change_is_said_to(store: Path, tmp_path: Path) -> None:
    ran = apply(store, tmp_path, add("a"), add("b"), noop("runbook"), answers=["e", "9", "e", "3", "e", "", "n"])
    assert [line for line in ran.err.splitlines() if not line.startswith(("engram:", "  ->"))] == [
        "there is no change '9'",
        "there is no text to edit in that one",
        "left as it was",
    ]


def test_an_interrupt_at_the_second_plan_does_not_say_that_nothing_was_written(store: Path, tmp_path: Path) -> None:
    def typed(question: str) -> str:
        if (store / "a.md").exists() or (store / "b.md").exists():
            raise KeyboardInterrupt
        return "y"

    class Typed(list):
        def __iter__(self):
            return iter(lambda: typed(""), None)

    apply(store, tmp_path, add("a"), answers=None)
    apply(store, tmp_path, add("b"), sessions=["s-2"], answers=None)
    ran = run("review", answers=Typed(["y"]))
    assert (ran.exit, "what you decided before stays" in ran.err) == (130, True)
    assert "nothing was written" not in ran.err
    assert len(run("review", "--list", "--json").json["plans"]) == 1


def test_one_by_one_takes_rejects_and_leaves(store: Path, tmp_path: Path) -> None:
    ran = apply(store, tmp_path, add("a"), add("b"), add("c"), answers=["s", "y", "r", "no need", "n"])
    assert ran.exit == 0
    assert (store / "a.md").exists()
    assert not (store / "b.md").exists()
    assert [one["name"] for one in run("curate", "rejected", "--json").json["rejected"]] == ["b"]
    assert run("review", answers=["y"]).exit == 0
    assert (store / "c.md").exists()
    assert not (store / "b.md").exists()


def test_the_end_of_input_in_the_middle_of_one_by_one_writes_nothing(store: Path, tmp_path: Path) -> None:
    before = head(store)
    ran = apply(store, tmp_path, add("a"), add("b"), answers=["s", "y", None])
    assert ran.exit == 3
    assert head(store) == before
    assert len(run("review", "--list", "--json").json["plans"]) == 1


def test_noops_alone_are_noted_and_release_their_sessions(store: Path, tmp_path: Path) -> None:
    before = everything(store, skip=(".engram",))
    ran = apply(store, tmp_path, noop("runbook"), answers=["y"])
    assert ran.exit == 0
    assert "nothing to write" in ran.out
    assert everything(store, skip=(".engram",)) == before


def test_a_store_that_moves_between_the_diff_and_the_yes_is_shown_anew(store: Path, tmp_path: Path) -> None:
    def moved(question: str) -> str:
        if not (store / "other.md").exists():
            (store / "other.md").write_text(note("other"))
            git(store, "add", "other.md")
            git(store, "commit", "-q", "-m", "meanwhile")
        return "y"

    class Typed(list):
        def __iter__(self):
            return iter(lambda: moved(""), None)

    ran = apply(
        store, tmp_path, update(store, "runbook.md", edits=[{"find": "blue", "replace": "green"}]), answers=Typed(["y"])
    )
    assert ran.exit == 0
    assert ran.out.count("Apply this change?") == 2
    assert "Ask green." in (store / "runbook.md").read_text()


def test_a_note_that_changed_under_the_plan_stays_and_the_proposal_is_kept_beside_it(
    store: Path, tmp_path: Path
) -> None:
    proposed = write(tmp_path / "c.json", update(store, "runbook.md", edits=[{"find": "blue", "replace": "green"}]))
    (store / "runbook.md").write_text(note("runbook", "Ask red."))
    ran = run("curate", "apply", proposed, "--dir", str(store), answers=["y"])
    assert ran.exit == 0
    assert "Ask red." in (store / "runbook.md").read_text()
    assert git(store, "status", "--porcelain").split() == ["M", "runbook.md"]
    (beside,) = (store / "conflicts").iterdir()
    assert "Ask green." in beside.read_text()


def test_hand_edits_are_adopted_first_as_the_persons_own_commit(store: Path, tmp_path: Path) -> None:
    (store / "runbook.md").write_text(note("runbook", "Ask blue. By hand."))
    change = update(store, "runbook.md", edits=[{"find": "blue", "replace": "green"}])
    before = head(store)
    assert apply(store, tmp_path, change, answers=["n"]).exit == 3
    assert head(store) == before
    assert apply(store, tmp_path, change, answers=["y", "y"]).exit == 0
    assert git(store, "show", "HEAD^:runbook.md").rstrip().endswith("Ask blue. By hand.")
    assert git(store, "show", "HEAD:runbook.md").rstrip().endswith("Ask green. By hand.")
    assert "Engram-Agent" not in git(store, "log", "-1", "--format=%B", "HEAD^")
    verdicts = [one["verdict"] for one in run("audit", "--dir", str(store), "--json").json["commits"]]
    assert verdicts == ["approved", "approved", "outside"]


def test_a_secret_is_refused_and_not_kept(store: Path, tmp_path: Path) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6" * 3
    for answers in (None, ["n"]):
        ran = apply(store, tmp_path, add("a", f"The token is {secret}."), answers=answers)
        assert ran.exit == 1
        assert "secret-found" in ran.err
        assert secret not in ran.err
        assert run("review", "--list", "--json").json["plans"] == []


def test_a_person_may_say_that_it_is_no_secret_once_for_all(store: Path, tmp_path: Path) -> None:
    looks = "ghp_" + "a1B2c3D4e5F6" * 3
    assert apply(store, tmp_path, add("a", f"A made up token: {looks}"), answers=["y", "y"]).exit == 0
    assert apply(store, tmp_path, add("b", f"Again {looks}"), answers=["y"]).exit == 0


def test_a_check_names_a_secret_and_never_prints_it(store: Path, tmp_path: Path) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6" * 3
    proposed = write(tmp_path / "c.json", add("a", f"The token is {secret}."))
    for words in ([], ["--json"]):
        ran = run("curate", "check", proposed, "--dir", str(store), *words)
        assert (ran.exit, "secret-found" in ran.err + ran.out) == (1, True)
        assert secret not in ran.err + ran.out


def test_yes_alone_and_yes_with_a_plan_nobody_approved_are_refused(store: Path, tmp_path: Path) -> None:
    proposed = write(tmp_path / "c.json", add("a"))
    waits = run("curate", "apply", proposed, "--dir", str(store), "--json").json
    before = head(store)
    for words in (["--yes"], ["--yes", "--plan", waits["digest"]], ["--yes", "--plan", "0" * 64]):
        for answers in (None, ["y"]):
            assert run("curate", "apply", proposed, "--dir", str(store), *words, answers=answers).exit == 3
    assert head(store) == before


def approved(store: Path, proposed: str, at=NOW) -> str:
    """Puts an approval on record for the plan, as a prompt gives it, with the row that a typed prompt leaves."""
    here = context(now=lambda: at)
    proposal = proposals.propose(here, Path(proposed).read_bytes(), folder=str(store))
    approve = Approve("Ada Tester <ada@example.com>", "prompt")
    approvals.grant(here.prepared("approvals"), proposal.plan, approve, at, evidence=typed_yes(store.parent))
    return proposal.plan.digest


def test_an_approval_on_record_commits_its_plan_once(store: Path, tmp_path: Path) -> None:
    proposed = write(tmp_path / "c.json", add("a"))
    digest = approved(store, proposed)
    words = ("curate", "apply", proposed, "--dir", str(store), "--yes", "--plan", digest)
    assert run(*words).exit == 0
    assert "Approved-Via: prompt" in git(store, "log", "-1", "--format=%B")
    assert run(*words).exit == 3
    git(store, "reset", "-q", "--hard", "HEAD^")
    ran = run(*words)
    assert (ran.exit, "used already" in ran.err) == (3, True)


def test_an_approval_expires(store: Path, tmp_path: Path) -> None:
    proposed = write(tmp_path / "c.json", add("a"))
    digest = approved(store, proposed, at=NOW - timedelta(minutes=15))
    ran = run("curate", "apply", proposed, "--dir", str(store), "--yes", "--plan", digest)
    assert (ran.exit, "expired" in ran.err) == (3, True)


def test_an_approval_is_for_the_store_as_it_was_and_for_that_changeset(store: Path, tmp_path: Path) -> None:
    proposed = write(tmp_path / "c.json", add("a"))
    digest = approved(store, proposed)
    other = write(tmp_path / "other.json", add("b"))
    assert run("curate", "apply", other, "--dir", str(store), "--yes", "--plan", digest).exit == 4
    git(store, "commit", "-q", "--allow-empty", "-m", "moved")
    assert run("curate", "apply", proposed, "--dir", str(store), "--yes", "--plan", digest).exit == 4
    assert not (store / "a.md").exists()


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b'{"digest": 1}', b"\xff"])
def test_a_damaged_approval_is_none(store: Path, tmp_path: Path, damage: bytes) -> None:
    proposed = write(tmp_path / "c.json", add("a"))
    digest = approved(store, proposed)
    Path(context().folder("approvals"), f"{digest}.json").write_bytes(damage)
    assert run("curate", "apply", proposed, "--dir", str(store), "--yes", "--plan", digest).exit == 3


def test_undo_takes_the_last_commit_back_through_the_gate(store: Path, tmp_path: Path) -> None:
    before = {path: data for path, data in everything(store).items() if path.endswith(".md")}
    apply(store, tmp_path, add("a"), invalidate(store, "old-ci.md", by="a"), answers=["y"])
    assert run("undo", "--dir", str(store)).exit == 3
    assert run("undo", "--dir", str(store), answers=["y"]).exit == 0
    after = {path: data for path, data in everything(store).items() if path.endswith(".md")}
    after.pop("MEMORY.md", None)
    assert after == before


THURSDAYS = [{"session": "s-1", "ref": "u1", "quote": "we always deploy on Thursdays"}]


def recorded(sealed: Path) -> None:
    """Queues the session s-1, in which a person said what THURSDAYS quotes."""
    transcript = sealed / "t.jsonl"
    said = {
        "type": "user",
        "uuid": "1",
        "sessionId": "s-1",
        "message": {"role": "user", "content": "Remember that we always deploy on Thursdays."},
    }
    transcript.write_text(json.dumps(said) + "\n")
    stopped = Event(
        agent="claude-code",
        session="s-1",
        transcript=str(transcript),
        cwd=str(sealed),
        at="2026-11-30T11:00:00.000000Z",
    )
    queue.append(context().folder("queue"), stopped)


def test_evidence_of_what_still_waits_is_found_when_its_session_has_left_the_queue(
    store: Path, tmp_path: Path, sealed: Path
) -> None:
    recorded(sealed)
    other = make_store(tmp_path / "other", {})
    here = write(tmp_path / "c.json", add("a"), {**add("thursdays"), "evidence": THURSDAYS})
    there = write(tmp_path / "d.json", {**add("thursdays"), "evidence": THURSDAYS})
    assert run("curate", "apply", there, "--dir", str(other)).exit == 3
    assert run("curate", "apply", here, "--dir", str(store), answers=["s", "y", "n"]).exit == 0
    assert waiting_sessions() == ["s-1"]
    assert run("pending", "clear", "s-1").exit == 0
    ran = run("review", answers=["n", "n"])
    assert ran.out.count("said by the user") == 2
    assert "unverified" not in ran.out


def test_an_undo_names_its_commit_and_is_taken_whole_or_let_go(store: Path, tmp_path: Path) -> None:
    apply(store, tmp_path, add("a"), add("b"), answers=["y"])
    made = head(store)[:12]
    ran = run("undo", "--dir", str(store), answers=["s", "e", "n"])
    assert f'2 changes, taking back commit {made} "add a, add b", to' in ran.out
    assert ran.out.count("Take it back? [y/N/r/?]") == 3
    assert "as a new commit" in ran.err
    assert "to take a commit back, less than a day old" in run("review", "--list").out
    ran = run("review", answers=["r"])
    assert (ran.exit, "let go; nothing is taken back" in ran.out, "Why?" in ran.out) == (0, True, False)
    assert run("undo", "--dir", str(store), answers=["r"]).exit == 3
    assert run("review", "--list", "--json").json["plans"] == []
    assert head(store)[:12] == made


def test_the_automatic_gate_is_off_until_a_person_switches_it_on(store: Path, tmp_path: Path, sealed: Path) -> None:
    recorded(sealed)
    proposed = write(tmp_path / "c.json", {**add("thursdays"), "evidence": THURSDAYS})
    words = ("curate", "apply", proposed, "--dir", str(store), "--auto-threshold", "0.5")
    assert run(*words).exit == 3
    assert run("config", "set", "gate.auto", "true").exit == 1
    assert run("config", "set", "gate.auto", "true", answers=[]).exit == 0
    assert run("config", "set", "gate.auto_threshold", "0.95", answers=[]).exit == 0
    assert "under 0.95" in run(*words).err
    assert run("config", "set", "gate.auto_threshold", "0.8", answers=[]).exit == 0
    assert run(*words).exit == 0
    assert "Approved-By: policy" in git(store, "log", "-1", "--format=%B")
    assert run("pending", "list", "--json").json["sessions"] == []


def test_the_automatic_gate_never_rewrites_prose_or_takes_what_nobody_said(store: Path, tmp_path: Path) -> None:
    run("config", "set", "gate.auto", "true", answers=[])
    sure = {"confidence": 1.0}
    unsaid = write(tmp_path / "c.json", {**add("a"), **sure})
    assert "own words" in run("curate", "apply", unsaid, "--dir", str(store), "--auto-threshold", "1").err
    rewrite = write(
        tmp_path / "c.json", {**update(store, "runbook.md", edits=[{"find": "blue", "replace": "green"}]), **sure}
    )
    assert "accepted before" in run("curate", "apply", rewrite, "--dir", str(store), "--auto-threshold", "1").err


def test_the_changeset_may_come_on_standard_input_and_no_answer_is_read_from_it(store: Path) -> None:
    text = changeset(add("a")).encode() + b"\ny\n"
    ran = run("curate", "apply", "-", "--dir", str(store), stdin=text)
    assert ran.exit == 1
    assert "changeset-invalid" in ran.err
    assert run("curate", "apply", "-", "--dir", str(store), stdin=changeset(add("a")).encode()).exit == 3


def test_the_concerns_are_about_the_text_that_the_person_wrote(store: Path, tmp_path: Path) -> None:
    editor = tmp_path / "editor.py"
    editor.write_text(
        "import sys\nfrom pathlib import Path\nnote = Path(sys.argv[1])\n"
        "text = note.read_text(encoding='utf-8').replace('yesterday', 'on 2026-11-29').replace('soon', 'tomorrow')\n"
        "note.write_text(text, encoding='utf-8')\n"
    )
    here = context(EDITOR=f"{sys.executable} {editor}", VISUAL="")
    moved = update(store, "runbook.md", edits=[{"find": "blue", "replace": "green, which moved yesterday"}])
    proposed = write(tmp_path / "c.json", add("a", "It moved yesterday."), moved, add("b", "It moves soon."))
    answers = ["e", "1", "e", "2", "e", "3", "n"]
    shown = run("curate", "apply", proposed, "--dir", str(store), answers=answers, at=here).out
    first, *_, last = shown.split("plan ")[:-1]
    assert (first.count("“yesterday”"), first.count("“tomorrow”")) == (2, 0)
    assert (last.count("“yesterday”"), last.count("“tomorrow”")) == (0, 1)


def test_a_secret_written_by_hand_or_in_the_editor_is_asked_about_too(store: Path, tmp_path: Path) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6" * 3
    before = head(store)
    (store / "runbook.md").write_text(note("runbook", f"Ask blue with {secret}."))
    change = update(store, "runbook.md", edits=[{"find": "blue", "replace": "green"}])
    ran = apply(store, tmp_path, change, answers=["y", "n"])
    assert (ran.exit, "secret-found" in ran.err, head(store)) == (1, True, before)
    (store / "runbook.md").write_text(note("runbook", "Ask blue."))
    editor = tmp_path / "editor.py"
    editor.write_text(f"import sys\nopen(sys.argv[1], 'a').write('{secret}')\n")
    here = context(EDITOR=f"{sys.executable} {editor}", VISUAL="")
    proposed = write(tmp_path / "c.json", add("a"))
    ran = run("curate", "apply", proposed, "--dir", str(store), answers=["e", "n"], at=here)
    assert (ran.exit, "secret-found" in ran.err, head(store)) == (1, True, before)


def editing(tmp_path: Path, append: str):
    editor = tmp_path / "editor.py"
    editor.write_text(f"import sys\nopen(sys.argv[1], 'a').write({append!r})\n")
    return context(EDITOR=f"{sys.executable} {editor}", VISUAL="")


def test_a_secret_from_the_editor_is_asked_about_one_by_one_too_and_not_kept(store: Path, tmp_path: Path) -> None:
    proposed = write(tmp_path / "c.json", add("a"), add("b"))
    here = editing(tmp_path, SECRET)
    ran = run("curate", "apply", proposed, "--dir", str(store), answers=["s", "e", "n", "y", "y"], at=here)
    assert (ran.exit, "secret-found" in ran.err) == (1, True)
    kept = [path for path in Path(here.state).rglob("*") if path.is_file() and SECRET in path.read_text()]
    assert (kept, (store / "a.md").exists()) == ([], False)


def test_a_part_that_is_no_longer_what_was_shown_is_shown_before_it_is_committed(store: Path, tmp_path: Path) -> None:
    day = [NOW]
    here = context(now=lambda: day[0])
    before = head(store)

    def typed(last: str) -> Iterator[str]:
        yield from ("s", "y")
        day[0] += timedelta(days=1)  # midnight passes before the last answer
        yield from ("n", last)

    proposed = write(tmp_path / "c.json", add("a"), add("b"))
    for last, status in (("n", 3), ("y", 0)):
        day[0] = NOW
        answers = Typed(lambda last=last: typed(last))
        ran = run("curate", "apply", proposed, "--dir", str(store), answers=answers, at=here)
        assert (ran.exit, head(store) == before) == (status, status == 3)
        assert "+created: 2026-12-01" in ran.out.split("take it?")[-1]
    assert "created: 2026-12-01" in (store / "a.md").read_text()


def test_changes_that_cannot_go_without_the_others_are_named_and_all_wait(store: Path, tmp_path: Path) -> None:
    before = head(store)
    changes = add("new-ci"), invalidate(store, "old-ci.md", by="new-ci")
    ran = apply(store, tmp_path, *changes, answers=["s", "n", "y"])
    assert (ran.exit, "without the others" in ran.err, head(store)) == (3, True, before)
    assert run("review", answers=["y"]).exit == 0


def test_a_session_that_stopped_again_after_the_proposal_stays_queued(store: Path, tmp_path: Path) -> None:
    def typed() -> Iterator[str]:
        queued("2026-11-30T12:30:00.000000Z")
        yield "y"

    times = iter([NOW, *[NOW + timedelta(hours=1)] * 99])
    queued()
    proposed = write(tmp_path / "c.json", add("a"))
    here = context(now=lambda: next(times))
    assert run("curate", "apply", proposed, "--dir", str(store), answers=Typed(typed), at=here).exit == 0
    assert waiting_sessions() == ["s-1"]


def test_a_commit_elsewhere_releases_no_session_that_stopped_after_its_proposal(tmp_path: Path) -> None:
    queued("2026-11-30T12:30:00.000000Z")
    assert run("init", "--user").exit == 0
    times = iter([NOW, *[NOW + timedelta(hours=1)] * 99])
    here = context(now=lambda: next(times))
    proposed = write(tmp_path / "c.json", add("a"), scope="user")
    assert run("curate", "apply", proposed, answers=["y"], at=here).exit == 0
    assert waiting_sessions() == ["s-1"]
    assert run("curate", "apply", write(tmp_path / "d.json", add("b"), scope="user"), answers=["y"],
               at=context(now=lambda: NOW + timedelta(hours=2))).exit == 0  # fmt: skip
    assert waiting_sessions() == []


def test_a_session_stays_queued_until_the_last_of_its_changes_is_decided(store: Path, tmp_path: Path) -> None:
    queued()
    assert apply(store, tmp_path, add("a"), add("b"), answers=["s", "y", "n"]).exit == 0
    assert waiting_sessions() == ["s-1"]
    assert run("review", answers=["y"]).exit == 0
    assert waiting_sessions() == []


def test_a_proposal_that_came_while_another_was_read_is_not_lost(store: Path, tmp_path: Path) -> None:
    def typed() -> Iterator[str]:
        apply(store, tmp_path, add("later"), answers=None)
        yield "y"

    assert apply(store, tmp_path, add("a"), answers=Typed(typed)).exit == 0
    assert run("review", answers=["y"]).exit == 0
    assert (store / "later.md").exists()


def test_review_shows_what_waits_by_then_and_not_what_it_listed(store: Path, tmp_path: Path) -> None:
    def typed() -> Iterator[str]:
        apply(store, tmp_path, add("second-anew"), answers=None, sessions=["s-2"])
        yield from ("n", "y")

    for minute, name in enumerate(("first", "second")):
        proposed = write(tmp_path / "c.json", add(name), sessions=[f"s-{minute + 1}"])
        here = context(now=lambda minute=minute: NOW - timedelta(minutes=9 - minute))
        assert run("curate", "apply", proposed, "--dir", str(store), at=here).exit == 3
    assert run("review", answers=Typed(typed)).exit == 3
    assert {path.stem for path in store.glob("*.md")} == {"old-ci", "runbook", "second-anew", "MEMORY"}


def test_a_yes_whose_commit_failed_is_no_approval_for_later(store: Path, tmp_path: Path) -> None:
    git(store, "config", "commit.gpgsign", "true")
    git(store, "config", "gpg.program", "false")
    ran = apply(store, tmp_path, add("a"), answers=["y"])
    assert (ran.exit, "signing-failed" in ran.err) == (1, True)
    git(store, "config", "commit.gpgsign", "false")
    (waits,) = run("review", "--list", "--json").json["plans"]
    ran = run("curate", "apply", "--yes", "--plan", waits["digest"])
    assert (ran.exit, "nobody approved" in ran.err) == (3, True)


def test_a_secret_in_a_reason_is_masked(store: Path, tmp_path: Path) -> None:
    apply(store, tmp_path, add("a"), answers=["r", f"that is {SECRET}"])
    (one,) = run("curate", "rejected", "--json").json["rejected"]
    assert one["reason"] == "that is [secret: github-token]"


@pytest.mark.parametrize("words", [["check"], ["check", "--json"], ["apply"], ["apply", "--json"]])
def test_a_secret_is_never_printed(store: Path, tmp_path: Path, words: list[str]) -> None:
    ran = run("curate", words[0], write(tmp_path / "c.json", add("a", SECRET)), "--dir", str(store), *words[1:])
    assert ran.exit == 1
    assert SECRET not in ran.out + ran.err


@pytest.mark.parametrize(
    "damage",
    [
        {"texts": []}, {"texts": {"a.md": "x"}}, {"texts": {"a.md": {"base": "", "text": 5}}}, {"sessions": [1]},
        {"store": "\0"}, {"kind": "undo", "content": "\0"}, {"store": "\ud800"}, {"proposed": "x"},
    ],
    ids=str,
)  # fmt: skip
def test_a_damaged_plan_stops_no_review(store: Path, tmp_path: Path, damage: dict[str, object]) -> None:
    apply(store, tmp_path, add("a"), answers=None)
    (path,) = Path(context().folder("review")).glob("*.json")
    path.write_text(json.dumps({**json.loads(path.read_text()), **damage}))
    for words in (["review", "--list", "--json"], ["status", "--dir", str(store)], ["pending", "list"]):
        assert run(*words).exit == 0
    assert run("review", answers=["n"]).exit in (0, 3)


def test_names_and_paths_hide_nothing_in_a_question(store: Path, tmp_path: Path) -> None:
    (store / "evil.md").write_text('---\nname: "evil\\e[2K"\ndescription: d\ntype: project\n---\n\nAsk blue.\n')
    git(store, "add", "-A")
    git(store, "commit", "-q", "-m", "evil")
    change = update(store, "evil.md", edits=[{"find": "blue", "replace": "green"}])
    ran = apply(store, tmp_path, change, answers=["s", "n"])
    assert "UPDATE evil<U+001B>[2K: take it?" in ran.out
    assert "\x1b" not in ran.out + ran.err


def test_an_editor_that_leaves_no_file_changes_nothing(store: Path, tmp_path: Path) -> None:
    proposed = write(tmp_path / "c.json", add("a"))
    here = context(EDITOR="rm", VISUAL="")
    ran = run("curate", "apply", proposed, "--dir", str(store), answers=["e", "y"], at=here)
    assert (ran.exit, "left no file" in ran.err) == (0, True)
    assert "One fact." in (store / "a.md").read_text()


def test_a_plan_that_was_committed_by_a_run_that_ended_there_is_let_go(
    store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    queued()
    with monkeypatch.context() as patch:
        patch.setattr(proposals, "close", interrupted)
        ran = apply(store, tmp_path, add("a"), answers=["y"])
    assert (ran.exit, "committed 1 change" in ran.out) == (0, True)
    assert len(run("review", "--list", "--json").json["plans"]) == 1
    ran = run("review", answers=[])
    assert (ran.exit, "committed already" in ran.err) == (0, True)
    assert (run("review", "--list", "--json").json["plans"], waiting_sessions()) == ([], [])


def test_a_path_that_no_system_takes_stops_no_list(store: Path) -> None:
    event = Event(agent="claude-code", session="s-1", transcript="\ud800", cwd="/\ud800", at="2026-11-30T11:00:00Z")
    queue.append(context().folder("queue"), event)
    assert waiting_sessions() == ["s-1"]
    assert run("status", "--dir", str(store)).exit == 0


def test_the_log_of_a_bug_holds_no_secret(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError(f"that was {SECRET}")

    monkeypatch.setattr(proposals, "propose_undo", broken)
    ran = run("undo", "--dir", str(store))
    assert ran.exit == 70
    (log,) = Path(context().folder("log")).glob("bug-*.log")
    assert "that was [secret: github-token]" in log.read_text()
    assert SECRET not in log.read_text() + ran.out + ran.err


def test_a_secret_from_the_editor_of_the_second_change_is_asked_about_too(store: Path, tmp_path: Path) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6" * 3
    before = head(store)
    proposed = write(tmp_path / "c.json", add("a"), add("b"))
    here = editing(tmp_path, secret)
    ran = run("curate", "apply", proposed, "--dir", str(store), answers=["s", "y", "e", "n", "y"], at=here)
    assert (ran.exit, "secret-found" in ran.err, head(store)) == (1, True, before)
    assert run("review", answers=["y"]).exit == 0
    assert secret not in (store / "b.md").read_text()


def test_a_proposal_waits_as_it_was_before_an_edit_that_brought_a_secret(store: Path, tmp_path: Path) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6" * 3
    proposed = write(tmp_path / "c.json", add("a"))
    here = editing(tmp_path, secret)
    assert run("curate", "apply", proposed, "--dir", str(store), answers=["e", "n"], at=here).exit == 1
    (waits,) = Path(context().folder("review")).glob("*.json")
    assert secret not in waits.read_text()


def test_a_store_that_moves_while_a_person_chooses_gets_nothing_that_was_not_shown(store: Path, tmp_path: Path) -> None:
    def typed() -> Iterator[str]:
        yield from ("s", "y")
        (store / "MEMORY.md").write_text("# Memory\n\n- [Old](old-ci.md): written meanwhile\n")
        yield "n"

    before = head(store)
    ran = apply(store, tmp_path, add("a"), add("b"), answers=Typed(typed))
    assert (ran.exit, "not quite what was shown" in ran.out, head(store)) == (3, True, before)
    assert not (store / "a.md").exists()
    assert len(run("review", "--list", "--json").json["plans"]) == 1


def test_a_plan_that_can_not_be_committed_just_now_is_not_offered_to_go(store: Path, tmp_path: Path) -> None:
    apply(store, tmp_path, add("a"), answers=None)
    lock = store / ".git" / "index.lock"
    lock.write_bytes(b"")
    ran = run("review", answers=["y", "y"])
    assert (ran.exit, "git-locked" in ran.err, "Let this plan go" in ran.out) == (3, True, False)
    lock.unlink()
    assert run("review", answers=["y"]).exit == 0
    assert (store / "a.md").exists()


def test_a_plan_that_no_longer_fits_may_go(store: Path, tmp_path: Path) -> None:
    apply(store, tmp_path, update(store, "runbook.md", edits=[{"find": "blue", "replace": "green"}]), answers=None)
    (store / "runbook.md").write_text(note("runbook", "Ask red."))
    assert run("review", answers=["n"]).exit == 3
    assert run("review", answers=["y"]).exit == 0
    assert run("review", "--list", "--json").json["plans"] == []


@pytest.mark.parametrize(("intent", "words"), [(True, "a commit was under way"), (False, "nothing was written")])
def test_an_interrupt_says_what_is_true(
    store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, intent: bool, words: str
) -> None:
    def interrupted(*_: object, **__: object) -> str:
        if intent:
            (store / ".engram").mkdir(exist_ok=True)
            (store / ".engram" / "intent.json").write_bytes(b"{}")
        raise KeyboardInterrupt

    monkeypatch.setattr(proposals, "apply", interrupted)
    ran = apply(store, tmp_path, add("a"), answers=["y"])
    assert (ran.exit, words in ran.err) == (130, True)

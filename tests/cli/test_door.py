"""The walk through the gate, with a person's answers put in."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest

from engram import queue
from engram.app import proposals
from engram.curate import approvals
from engram.model.event import Event
from engram.model.plan import Approve
from tests.lib.cli import NOW, command_line, context, environment, run
from tests.lib.proposed import add, changeset, invalidate, noop, update, write
from tests.lib.stores import everything, git, make_store, note


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return make_store(tmp_path / "memory", {"old-ci.md": note("old-ci"), "runbook.md": note("runbook", "Ask blue.")})


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
    assert waits["sessions"] == ["s-1"]


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


def test_a_note_that_changed_under_the_plan_is_an_error_and_stays(store: Path, tmp_path: Path) -> None:
    proposed = write(tmp_path / "c.json", update(store, "runbook.md", edits=[{"find": "blue", "replace": "green"}]))
    (store / "runbook.md").write_text(note("runbook", "Ask red."))
    ran = run("curate", "apply", proposed, "--dir", str(store), answers=["y"])
    assert ran.exit == 4
    assert "note-changed" in ran.err
    assert "Ask red." in (store / "runbook.md").read_text()


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
    """Puts an approval on record for the plan, as another channel would."""
    here = context(now=lambda: at)
    proposal = proposals.propose(here, Path(proposed).read_bytes(), folder=str(store))
    approvals.grant(here.prepared("approvals"), proposal.plan, Approve("Ada Tester <ada@example.com>", "prompt"), at)
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


def test_the_automatic_gate_is_off_until_a_person_switches_it_on(store: Path, tmp_path: Path, sealed: Path) -> None:
    transcript = sealed / "t.jsonl"
    said = {
        "type": "user",
        "uuid": "1",
        "sessionId": "s-1",
        "message": {"role": "user", "content": "Remember that we always deploy on Thursdays."},
    }
    transcript.write_text(json.dumps(said) + "\n")
    queue.append(
        context().folder("queue"),
        Event(
            agent="claude-code",
            session="s-1",
            transcript=str(transcript),
            cwd=str(tmp_path),
            at="2026-11-30T11:00:00.000000Z",
        ),
    )
    change = {
        **add("thursdays"),
        "evidence": [{"session": "s-1", "ref": "u1", "quote": "we always deploy on Thursdays"}],
    }
    proposed = write(tmp_path / "c.json", change)
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


def editing(tmp_path: Path, text: str):
    """Returns surroundings in which the editor adds a text to a note."""
    editor = tmp_path / "editor.py"
    editor.write_text(f"import sys\nopen(sys.argv[1], 'a').write({text!r})\n")
    return context(EDITOR=f"{sys.executable} {editor}", VISUAL="")


def test_a_secret_from_the_editor_is_asked_about_one_by_one_too(store: Path, tmp_path: Path) -> None:
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
    class Typed(list):
        def __iter__(self):
            yield "s"
            yield "y"
            (store / "MEMORY.md").write_text("# Memory\n\n- [Old](old-ci.md): written meanwhile\n")
            yield "n"

    before = head(store)
    ran = apply(store, tmp_path, add("a"), add("b"), answers=Typed(["s"]))
    assert (ran.exit, "plan-changed" in ran.err, head(store)) == (4, True, before)
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

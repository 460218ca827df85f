"""`engram doctor`: each kind of damage is found by its code, and mended through the door where `--fix` says so."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from engram.doctor.table import CHECKS
from tests.lib.cli import Ran, run
from tests.lib.damage import DAMAGES, Damage, Ground, ground
from tests.lib.stores import everything, git, make_store, note

ELSEWHERE = {
    "store-missing", "store-read-only", "store-synced", "second-store", "archive-large", "git-missing",
    "unreadable-file", "unreadable-folder", "name-not-utf8", "no-regular-file", "case-collision", "index-missing",
    "project-mixed", "project-replaced", "project-moved",
}  # fmt: skip
"""Checks that other tests plant damage for: those of projects, of other platforms, of rights that root doesn't lack."""


@pytest.fixture
def on(sealed: Path, tmp_path: Path) -> Ground:
    return ground(sealed, tmp_path / "memory")


def doctor(on: Ground, *more: str, answers: tuple[str, ...] | None = None) -> Ran:
    return run("doctor", "--dir", str(on.store), *more, answers=answers)


def findings(ran: Ran) -> dict[str, list[dict[str, object]]]:
    found: dict[str, list[dict[str, object]]] = {}
    for each in ran.json["findings"]:
        found.setdefault(each["code"], []).append(each)
    return found


def test_a_healthy_store_is_told_so_and_no_byte_of_it_changes(on: Ground) -> None:
    before = everything(on.store)
    ran = doctor(on)
    assert ran.exit == 0
    assert "healthy: nothing has to be mended; 1 to know\n" in ran.out
    assert everything(on.store) == before
    assert list(findings(doctor(on, "--json"))) == ["index-missing"]


@pytest.mark.parametrize("damage", DAMAGES, ids=[damage.code for damage in DAMAGES])
def test_damage_is_found_and_mended_where_that_is_claimed(on: Ground, damage: Damage) -> None:
    assert damage.code not in findings(doctor(on, "--json"))
    damage.plant(on)
    before = everything(on.store, skip=(".git",))
    ran = doctor(on, "--json")
    found = findings(ran)[damage.code]
    levels = {each["level"] for each in ran.json["findings"]}
    assert ran.exit == (0 if levels <= {"info"} else 5)
    assert everything(on.store, skip=(".git",)) == before
    assert doctor(on).exit == ran.exit
    assert f"({damage.code})" in doctor(on).out
    assert all(bool(each["fix"]) is damage.mended for each in found)
    if damage.mended:
        doctor(on, "--fix", answers=damage.answers)
        assert damage.code not in findings(doctor(on, "--json"))
        assert git(on.store, "status", "--porcelain", "--", "*.md") == ""


def test_every_check_has_damage_of_its_own() -> None:
    planted = [damage.code for damage in DAMAGES]
    assert len(planted) == len(set(planted))
    assert {check.code for check in CHECKS} == {*planted, *ELSEWHERE}
    assert {damage.code for damage in DAMAGES if damage.mended} == {
        check.code for check in CHECKS if check.fix and check.code not in ELSEWHERE
    }


def test_a_missing_store_is_a_finding(sealed: Path, tmp_path: Path) -> None:
    ran = run("doctor", "--dir", str(tmp_path / "none"), "--json")
    assert (ran.exit, ran.json["findings"][0]["code"]) == (5, "store-missing")
    assert ran.json["findings"][0]["next"].startswith("`engram init --dir ")
    assert not (tmp_path / "none").exists()
    assert not (sealed / ".agent-memory").exists()


def test_a_missing_index_is_made(on: Ground) -> None:
    ran = doctor(on, "--fix")
    assert ran.exit == 0
    assert "repaired: made the index anew: 2 notes" in ran.out
    assert findings(doctor(on, "--json")) == {}


def test_what_a_person_has_to_approve_waits_where_nobody_can_be_asked(on: Ground) -> None:
    on.note("unlisted")
    on.note("hashed", hash="0123456789abcdef")
    head = git(on.store, "rev-parse", "HEAD")
    ran = doctor(on, "--fix", "--json")
    assert (ran.exit, ran.json["error"]["code"], ran.json["result"]) == (3, "approval-needed", "approval-needed")
    assert ran.json["repaired"] == ["made the index anew: 4 notes"]
    assert {each["code"] for each in ran.json["findings"]} >= {"toc-unlisted", "hash-drift"}
    assert git(on.store, "rev-parse", "HEAD") == head
    (plan,) = run("review", "--list", "--json").json["plans"]
    assert run("review", plan["id"], answers=["y"]).exit == 0
    assert not {"toc-unlisted", "hash-drift"} & findings(doctor(on, "--json")).keys()


def test_all_of_it_is_one_plan_and_a_no_leaves_everything(on: Ground) -> None:
    on.note("unlisted")
    on.note("over", "Nothing that holds.", expires="2026-11-01")
    on.note("old", "Nothing that anybody needs.", invalidated_by="gone-by-now")
    on.note("dated", "Something that has a day.", expires="2027/3/1", importance="12", hash="0123456789abcdef")
    before = everything(on.store, skip=(".engram",))
    assert doctor(on, "--fix", answers=("n",)).exit == 3
    assert everything(on.store, skip=(".engram",)) == before
    ran = doctor(on, "--fix", answers=("y",))
    assert ran.out.count("Do it? [y/N/r/?]") == 1
    assert ran.exit == 0
    text = (on.store / "dated.md").read_text()
    assert "expires: 2027-03-01\n" in text
    assert "importance: 10\n" in text
    assert (on.store / "archive" / "over.md").is_file()
    assert git(on.store, "log", "-1", "--format=%(trailers:key=Approved-Via,valueonly)") == "terminal"


def test_a_hand_edit_is_adopted_first_as_the_person_s_own(on: Ground) -> None:
    on.note("hashed", "Before.", hash="0123456789abcdef")
    text = (on.store / "hashed.md").read_text()
    (on.store / "hashed.md").write_text(text.replace("Before.", "After."))
    ran = doctor(on, "--fix", answers=("y", "y"))
    assert "hashed.md: edited by hand and not yet committed. Commit these edits as yours first?" in ran.out
    assert not {"hash-drift", "unreviewed", "toc-unlisted"} & findings(doctor(on, "--json")).keys()
    assert git(on.store, "rev-list", "--count", "HEAD") == "4"


def test_a_note_that_nobody_reviewed_is_not_listed(on: Ground) -> None:
    (on.store / "auto.md").write_text(note("auto", "Written by the client.", source_agent="claude-code"))
    (found,) = findings(doctor(on, "--json"))["toc-unlisted"]
    assert (found["level"], found["fix"]) == ("info", None)
    assert doctor(on, "--fix", answers=("y",)).exit == 0
    assert "auto.md" not in (on.store / "MEMORY.md").read_text()


def test_what_was_removed_by_hand_and_not_committed_keeps_its_line(on: Ground) -> None:
    (on.store / "uses-pnpm.md").unlink()
    (found,) = findings(doctor(on, "--json"))["toc-dangling"]
    assert found["fix"] is None
    (on.store / "MEMORY.md").unlink()
    (found,) = findings(doctor(on, "--json"))["toc-missing"]
    assert (found["fix"], "`git restore MEMORY.md`" in str(found["next"])) == (None, True)


def test_nothing_is_proposed_where_nothing_can_be_committed(on: Ground) -> None:
    on.note("unlisted")
    git(on.store, "checkout", "-q", "--detach")
    ran = doctor(on, "--fix", answers=("y",))
    assert ran.exit == 5
    assert "nothing can be proposed: the store's HEAD is detached" in ran.err


def test_a_protected_note_is_left_to_its_owner(on: Ground) -> None:
    on.note("mine", protected="true", hash="0123456789abcdef", importance="12", expires="soon")
    before = (on.store / "mine.md").read_bytes()
    doctor(on, "--fix", answers=("y", "y"))
    assert (on.store / "mine.md").read_bytes() == before
    found = findings(doctor(on, "--json"))
    assert all(each["fix"] is None for code in ("hash-drift", "importance-unreadable") for each in found[code])


def test_a_secret_is_named_by_its_rule_and_never_shown(on: Ground) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6" * 3
    on.note("leaky", f"The token is {secret}.")
    on.queued("2026-11-30T11:00:00Z", f"/tmp/{secret}.jsonl")
    for ran in (doctor(on), doctor(on, "--json"), doctor(on, "--fix", answers=("n",))):
        assert secret not in ran.out + ran.err
        assert "github" in ran.out


def test_a_secret_that_a_person_called_none_is_none(on: Ground) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6" * 3
    (on.store / "leaky.md").write_text(note("leaky", f"It is {secret}."))
    assert "secret" in findings(doctor(on, "--json"))
    assert run("review", "--dir", str(on.store), answers=["y", "y"]).exit == 0
    assert "secret" not in findings(doctor(on, "--json"))


def test_names_of_files_are_made_visible(on: Ground) -> None:
    on.put("evil\x1b[2J.md", note("evil"))
    assert "\x1b" not in doctor(on).out


def test_a_store_of_the_user_s_own(sealed: Path) -> None:
    make_store(sealed / ".agent-memory", {"MEMORY.md": "# Memory\n", "config.json": '{"schema_version": 1}'})
    ran = run("doctor", "--scope", "user", "--json")
    assert (ran.exit, ran.json["scope"], ran.json["findings"]) == (0, "user", [])


@pytest.mark.corpus
def test_each_real_store_ends_with_findings_and_no_byte_changes(corpus: Path, tmp_path: Path) -> None:
    for real in sorted((corpus / "stores").iterdir()):
        store = make_store(tmp_path / real.name, everything(real), init=False)
        before = everything(store)
        ran = run("doctor", "--dir", str(store), "--json")
        assert ran.exit in (0, 5)
        assert ran.json["findings"]
        assert ran.json["notes"] == len(run("list", "--dir", str(store), "--json").json["notes"])
        assert everything(store) == before
        assert os.path.isdir(store)

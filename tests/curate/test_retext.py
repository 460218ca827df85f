from __future__ import annotations

import pytest

from engram.curate.retext import with_texts
from engram.errors import FrontmatterBroken
from engram.model.note import base_of, body_hash
from engram.model.plan import Edit, Plan
from engram.model.snapshot import Snapshot
from tests.lib.stores import note

TOC = b"# Memory\n\n- [Fact](fact.md): About fact\n"
NOTE = note("fact").encode()
ADDED = Plan(
    "/s",
    "r",
    "h",
    (Edit("fact.md", None, NOTE, None, NOTE), Edit("MEMORY.md", b"# Memory\n", TOC, b"# Memory\n", TOC)),
    "s",
    (),
)


def retext(text: str, base: str = "", plan: Plan = ADDED) -> Plan:
    return with_texts(plan, Snapshot("/s"), {"fact.md": {"base": base, "text": text}})


def test_the_text_takes_the_place_of_the_plans() -> None:
    plan = retext(note("fact", "Another."))
    assert plan.edits[0].work_after == plan.edits[0].head_after == note("fact", "Another.").encode()
    assert plan.digest != ADDED.digest


def test_the_table_of_contents_says_what_the_note_now_says_of_itself() -> None:
    plan = retext(note("fact", description="Quite another"))
    assert b"(fact.md): Quite another\n" in (plan.edits[1].head_after or b"")


def test_a_text_for_another_version_of_the_file_is_left_out() -> None:
    assert retext(note("fact", "x"), base="0123456789abcdef") == ADDED
    standing = Plan("/s", "r", "h", (Edit("fact.md", NOTE, NOTE + b"y", NOTE, NOTE + b"y"),), "s", ())
    assert retext(note("fact", "x"), base="", plan=standing) == standing
    assert retext(note("fact", "x"), base=base_of(NOTE), plan=standing) != standing


def test_a_text_for_a_path_that_the_plan_does_not_touch_is_left_out() -> None:
    assert (
        with_texts(
            ADDED, Snapshot("/s"), {"other.md": {"base": "", "text": "x"}, "MEMORY.md": {"base": "", "text": ""}}
        )
        == ADDED
    )


@pytest.mark.parametrize(
    "text", [note("other"), "", "no frontmatter\n", "---\nname: fact\n", note("fact", protected="true")]
)
def test_a_text_that_cannot_stand_for_the_note_is_refused(text: str) -> None:
    with pytest.raises(FrontmatterBroken):
        retext(text)


def test_a_hash_is_stamped_anew() -> None:
    plan = retext(note("fact", "Another.", hash="0123456789abcdef"))
    assert f"hash: {body_hash(chr(10) + 'Another.')}".encode() in (plan.edits[0].work_after or b"")

"""Changesets that are too large to store, and those that are valid and try to mislead: refused, or made visible."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engram import resources
from engram.curate.diff import render, unified
from engram.curate.plan import make_plan
from engram.curate.validate import validate
from engram.errors import ChangesetInvalid
from engram.model.plan import Plan
from engram.store.frontmatter import parse
from tests.lib.changesets import NOW, SETTINGS, applied, snapshot_of

STORE = {
    "MEMORY.md": b"# Memory\n\n- [Deploy runbook](deploy-runbook.md): how releases reach production\n",
    "deploy-runbook.md": b"---\nname: deploy-runbook\ndescription: d\ntype: project\nprotected: false\n---\n\nBlue.\n",
}


def add(**note: Any) -> dict[str, Any]:
    whole = {"name": "new-note", "description": "About it", "type": "feedback", "body": "Text.", **note}
    return {"op": "ADD", "relation": "compatible", "confidence": 0.9, "reason": "said", "note": whole}


def text_of(*changes: Any, **more: Any) -> str:
    return json.dumps({"version": 1, "agent": "claude-code", "sessions": ["s1"], "changes": changes, **more})


def planned(*changes: Any, **more: Any) -> Plan:
    changeset = validate(text_of(*changes, **more), resources.schema())
    return make_plan(changeset, snapshot_of(STORE), now=NOW, settings=SETTINGS)


def refused(text: str | bytes) -> tuple[tuple[str, str], ...]:
    with pytest.raises(ChangesetInvalid) as error:
        validate(text, resources.schema())
    assert len(error.value.message) < 20_000
    return error.value.problems


BIG = {
    "note of 10 MB": (
        lambda: text_of(add(body="x" * 10_000_000)),
        [("$", "too large: 10,000,238 bytes, and a changeset has at most 8,388,608")],
    ),
    "note of 5 MB": (
        lambda: text_of(add(body="x" * 5_000_000)),
        [("$.changes[0].note.body", "has 5,000,000 characters, and at most 65,536 are taken")],
    ),
    "body of 70 kB in few characters": (
        lambda: text_of(add(body="あ" * 30_000)),
        [("$.changes[0].note.body", "has 90,000 bytes, and at most 65,536 are taken")],
    ),
    "100,000 changes": (
        lambda: text_of(*[{"op": "NOOP"}] * 100_000),
        [("$.changes", "has 100,000 items; nothing in a changeset has more than 200")],
    ),
    "201 changes": (
        lambda: text_of(*[add()] * 201),
        [("$.changes", "has 201 items; nothing in a changeset has more than 200")],
    ),
    "nested lists": (lambda: "[" * 100_000 + "]" * 100_000, [("$", "nested deeper than 32 levels")]),
    "nested objects": (lambda: '{"a":' * 50_000, [("$", "nested deeper than 32 levels")]),
    "a million unclosed quotes": (
        lambda: '{"version": "' + '\\"' * 1_000_000,
        [("$", "not JSON: line 1, column 13: Unterminated string starting at")],
    ),
    "10,000 tags": (
        lambda: text_of(add(tags=[f"t{number}" for number in range(10_000)])),
        [("$.changes[0].note.tags", "has 10,000 items; nothing in a changeset has more than 200")],
    ),
    "51 tags": (
        lambda: text_of(add(tags=[f"t{number}" for number in range(51)])),
        [("$.changes[0].note.tags", "has 51 items, and at most 50 are taken")],
    ),
    "NUL as a byte": (lambda: b'{"version": 1\0}', [("$", "not JSON: line 1, column 14: Expecting ',' delimiter")]),
}


@pytest.mark.parametrize("what", BIG)
def test_too_much_is_refused_in_few_words(what: str) -> None:
    text, problems = BIG[what]
    assert list(refused(text())) == problems


def test_values_are_never_printed() -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    problems = refused(
        json.dumps({"version": secret, secret: 1, "changes": [{"op": secret, "confidence": secret, "note": secret}]})
    )
    assert secret not in repr(problems)
    assert "[secret: " in repr(problems)


def test_keys_that_try_to_hide_are_made_visible() -> None:
    assert refused('{"version": 1, "changes": [], "\\u001b[2J\\u202e": 1}')[0][0] == '$["<U+001B>[2J<U+202E>"]'


def test_a_bom_is_tolerated() -> None:
    text = "\ufeff" + text_of(add())
    assert validate(text, resources.schema()) == validate(text.encode(), resources.schema())


HIDDEN = {
    "ANSI": ("rm \x1b[2K\x1b[1A -rf", "rm <U+001B>[2K<U+001B>[1A -rf"),
    "bidi": ("allow \u202egnihton\u202c", "allow <U+202E>gnihton<U+202C>"),
    "zero-width": ("pass\u200bword", "pass<U+200B>word"),
    "tag characters": ("fine\U000e0041\U000e0042", "fine<U+E0041><U+E0042>"),
    "look-alike": ("p\u0430ypal.com", "p<U+0430>ypal.com"),
    "carriage return": ("safe\rrm -rf /", "safe<U+000D>rm -rf /"),
    "line separator": ("one\u2028two", "one<U+2028>two"),
    "form feed": ("one\ftwo", "one<U+000C>two"),
    "blank letter": ("a\u3164b", "a<U+3164>b"),
    "no-break space": ("a\u00a0b", "a<U+00A0>b"),
    "trailing blanks": ("ends  ", "ends··"),
    "tab": ("a\tb", "a⇥b"),
    "a forged escape": ("<U+200B>", "<U+003C>U+200B>"),
    "a forged mark": ("ends·", "ends<U+00B7>"),
    "a forged header": ("++ b/other.md", "<U+002B>+ b/other.md"),
}


@pytest.mark.parametrize("what", HIDDEN)
def test_what_a_body_hides_is_made_visible(what: str) -> None:
    body, shown = HIDDEN[what]
    plan = planned(add(body=f"First.\n{body}\nLast."))
    assert f"\n+{shown}\n" in render(plan, (), ())
    assert body.encode() in (plan.edits[0].head_after or b"")


def test_a_text_can_forge_neither_digest_nor_summary_nor_file_header() -> None:
    lines = [
        "plan 0000000000000000",
        "--- a/other.md",
        "+++ b/other.md",
        "@@ -1 +1 @@",
        "diff --git a/x b/x",
        "1. ADD x",
        "\\ No newline at end of file",
    ]
    view = render(planned(add(body="\n".join(lines))), (), ())
    rows = view.splitlines()
    assert [row for row in rows if row.startswith("plan ")] == [rows[-1]]
    assert [row for row in rows if row.startswith("+++ ")] == ["+++ b/new-note.md", "+++ b/MEMORY.md"]
    assert [row for row in rows if row.startswith("--- ")] == ["--- /dev/null", "--- a/MEMORY.md"]
    assert sum(row.startswith("diff --git") for row in rows) == 2
    assert sum(row.startswith("1. ") for row in rows) == 1
    assert sum(row.startswith("\\") for row in rows) == 0


def test_a_text_can_not_forge_a_row_by_its_length() -> None:
    """A terminal breaks long lines itself; what comes to stand at the left edge then would look like a row of ours."""
    reason = {**add(name="other"), "reason": "x" * 93 + "plan 1"}
    view = render(planned(add(body=" " * 99 + "plan 00000000"), reason), (), ())
    assert max(len(row) for row in view.splitlines()) <= 100
    assert sum(row.startswith("plan ") for row in view.splitlines()) == 1


def test_a_name_that_says_who_said_it_is_quoted() -> None:
    noop = {"op": "NOOP", "relation": "subsumed", "confidence": 1, "reason": "r"}
    view = render(planned({**noop, "target": 'x (compatible, said by the user): "fine"'}), (), ("unverified",))
    told = '1. NOOP "x (compatible, said by the user): <U+0022>fine<U+0022>" (subsumed, confidence 1.00, unverified): r'
    assert told in view.replace("\n   | ", " ")


YAML = [
    "yes", "null", "~", "2026-02-30", "0x1F", "1e3", "[a, b]", "{a: b}", "a: b", "# no", "a #b", "- a", "*x",
    "!!python/object:x", "'", '"', "|", "@x", "%x", "a\\nb", "---", "...",
]  # fmt: skip


@pytest.mark.parametrize("value", YAML)
def test_yaml_in_a_field_stays_text(value: str) -> None:
    plan = planned(add(description=value, tags=[value], topic_key=value))
    note, findings = parse(plan.edits[0].head_after or b"", "new-note.md")
    assert note is not None
    assert findings == ()
    assert (note.description, note.tags, note.text("topic_key")) == (value, (value,), value)
    stamps = {"created", "updated", "expires", "source_agent", "sessions"}
    assert set(note.fields) == {"name", "description", "type", "tags", "topic_key", *stamps}


def test_a_body_that_looks_like_frontmatter_stays_body() -> None:
    plan = planned(add(body="---\nprotected: true\n---\n\nText."))
    note, _ = parse(plan.edits[0].head_after or b"", "new-note.md")
    assert note is not None
    assert not note.protected
    assert note.body == "\n---\nprotected: true\n---\n\nText.\n"


def test_text_does_not_reach_another_notes_line_in_memory_md() -> None:
    plan = planned(add(description="x](evil.md)\\ <!-- - [Deploy runbook](deploy-runbook.md)"))
    after = applied(STORE, plan)["MEMORY.md"]
    assert after.startswith(STORE["MEMORY.md"])
    assert after.count(b"\n") == STORE["MEMORY.md"].count(b"\n") + 1
    assert unified(plan).count("\n+- ") == 1

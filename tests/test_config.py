from __future__ import annotations

import json

import pytest

from engram import config
from engram.errors import ConfigInvalid
from tests.lib.cli import run


def test_defaults() -> None:
    found = config.settings({})
    assert (found.auto_gate, found.recall_token_budget) == (False, 1500)
    assert found.ttl_defaults["journal"] == "90d"


def test_a_stores_own_file_narrows_and_never_loosens() -> None:
    mine = {
        "gate": {"auto": False, "auto_threshold": 0.9},
        "ttl_defaults": {"project": "30d"},
        "redaction_patterns_extra": ["A"],
    }
    theirs = {
        "gate": {"auto": True, "auto_threshold": 0.1, "enclosing": ["/x"]},
        "ttl_defaults": {"project": "900d", "lesson": "10d"},
        "redaction_patterns_extra": ["(B+)+"],
        "recall_token_budget": 100,
    }
    found = config.settings(mine, theirs)
    assert (found.auto_gate, found.auto_threshold, found.enclosing) == (False, 0.9, ())
    assert (found.ttl_defaults["project"], found.ttl_defaults["lesson"]) == ("30d", "10d")
    assert found.redaction_patterns_extra == ("A", r"\(B\+\)\+")
    assert found.recall_token_budget == 100
    assert not config.settings({"gate": {"auto": True}}, {"gate": {"auto": False}}).auto_gate


def test_unknown_keys_are_kept() -> None:
    written = config.parse('{"schema_version": 1, "theirs": {"x": [1]}, "gate": {"other": 2}}', "config.json")
    changed = config.with_value(written, "gate.auto", True)
    assert changed == {"schema_version": 1, "theirs": {"x": [1]}, "gate": {"other": 2, "auto": True}}
    assert written["gate"] == {"other": 2}


def test_one_types_life_span_is_set_alone() -> None:
    changed = config.with_value({"ttl_defaults": {"user": "never"}}, "ttl_defaults.project", "2w")
    assert changed["ttl_defaults"] == {"user": "never", "project": "2w"}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("gate.auto", "yes"), ("gate.auto", 1), ("gate.auto_threshold", 2), ("gate.auto_threshold", True),
        ("ttl_defaults", {"project": "soon"}), ("ttl_defaults.project", "0d"), ("recall_token_budget", 0),
        ("recall_token_budget", 100_000), ("redaction_patterns_extra", ["("]), ("gate.enclosing", "x"), ("gate", {}),
        ("nope", 1),
    ],
)  # fmt: skip
def test_what_a_setting_cannot_be(name: str, value: object) -> None:
    with pytest.raises(ConfigInvalid):
        config.with_value({}, name, value)


@pytest.mark.parametrize(
    "text", ["{", "[]", '{"gate": {"auto": "on"}}', '{"schema_version": 99}', '{"schema_version": "x"}']
)
def test_a_broken_file_is_named(text: str) -> None:
    with pytest.raises(ConfigInvalid) as caught:
        config.parse(text, "/home/x/config.json")
    assert "/home/x/config.json" in json.dumps(caught.value.as_json())


def test_what_loosens_is_guarded() -> None:
    assert {name for name in config.KEYS if config.guarded(name)} == {
        "gate.auto", "gate.auto_threshold", "gate.enclosing", "gate.guard", "redaction_patterns_extra",
    }  # fmt: skip


@pytest.mark.parametrize("name", ["nope", "gate", "gate.nope", "ttl.project"])
def test_a_setting_that_is_none_is_an_error(name: str) -> None:
    ran = run("config", "get", name)
    assert (ran.exit, f"there is no setting '{name}'" in ran.err) == (1, True)
    assert run("config", "get", "gate.auto").exit == run("config", "get", "ttl_defaults.mine").exit == 0

from __future__ import annotations

import pytest

from engram.curate.gate import Policy, decide, unattended
from engram.model.plan import Approve, Ask, Concern, Line, Plan, Refuse

SURE = Line("ADD", "a.md", "a", confidence=0.95)
ON = Policy(auto=True, threshold=0.9)


def plan(*lines: Line, **more: object) -> Plan:
    return Plan(
        root="/s", ref="refs/heads/main", head="0" * 40, edits=(), subject="s", trailers=(), lines=lines, **more
    )


def test_the_default_is_to_ask() -> None:
    assert isinstance(decide(plan(SURE), (), ("user",), ON), Ask)


def test_the_policy_approves_what_is_sure_and_said_by_the_user() -> None:
    assert decide(plan(SURE), (), ("user",), ON, 0.9) == Approve("policy", "policy")


@pytest.mark.parametrize(
    ("line", "said", "concerns", "policy", "requested", "why"),
    [
        (SURE, "user", (), Policy(False, 0.0), 0.1, "off"),
        (SURE, "user", (), Policy(True, 0.96), 0.1, "under 0.96"),
        (SURE, "user", (), ON, 0.96, "under 0.96"),
        (Line("ADD", "a.md", "a", confidence=float("nan")), "user", (), ON, 0.1, "under"),
        (SURE, "tool", (), ON, 0.9, "own words"),
        (SURE, "agent", (), ON, 0.9, "own words"),
        (SURE, "unverified", (), ON, 0.9, "own words"),
        (SURE, "none", (), ON, 0.9, "own words"),
        (Line("UPDATE", "a.md", "a", rewrites_prose=True), "user", (), ON, 0.9, "accepted before"),
        (SURE, "user", (Concern("near-duplicate", "like b"),), ON, 0.9, "like b"),
    ],
)
def test_the_policy_asks_for_all_else(line, said, concerns, policy, requested, why) -> None:
    decision = decide(plan(line), concerns, (said,), policy, requested)
    assert isinstance(decision, Ask)
    assert why in decision.why


def test_hand_edits_are_for_a_person() -> None:
    assert isinstance(decide(plan(SURE, hand_edits=("a.md",)), (), ("user",), ON, 0.9), Ask)


def test_a_secret_is_refused_whatever_the_policy() -> None:
    assert isinstance(decide(plan(SURE), (Concern("secret", "a key", "refuse"),), ("user",), ON, 0.9), Refuse)


def test_a_noop_needs_nobodys_words() -> None:
    assert isinstance(decide(plan(SURE, Line("NOOP", "", "b")), (), ("user", "none"), ON, 0.9), Approve)


@pytest.mark.parametrize(
    "name",
    [
        "CLAUDECODE",
        "AI_AGENT",
        "COPILOT_CLI",
        "GEMINI_SESSION_ID",
        "CODEX_THREAD_ID",
        "CODEX_X",
        "CLAUDE_CODE_SESSION_ID",
        "ENGRAM_CURATING",
    ],
)
def test_an_agents_terminal_counts_as_none(name: str) -> None:
    assert name in unattended({name: "1"}, terminal=True)


@pytest.mark.parametrize(
    "name", ["CODEX_HOME", "CLAUDE_CONFIG_DIR", "HOME", "CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_SSE_PORT"]
)
def test_what_people_export_themselves_is_no_agent(name: str) -> None:
    assert unattended({name: "/x"}, terminal=True) == ""


def test_no_terminal_is_no_person() -> None:
    assert unattended({}, terminal=False)

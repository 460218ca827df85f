"""The gate: decides whether a plan may be committed, must be asked about, or is refused. Default no."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engram.model.event import CURATING, is_set
from engram.model.plan import Approve, Ask, Concern, Decision, Plan, Refuse, Said

AGENT_VARIABLES = frozenset({
    "CLAUDECODE", "CLAUDE_CODE_CHILD_SESSION", "CLAUDE_CODE_SESSION_ID", "CLAUDE_CODE_ENTRYPOINT",
    "CLAUDE_CODE_EXECPATH", "CLAUDE_PID", "AI_AGENT",
    "COPILOT_CLI", "GEMINI_SESSION_ID", "GEMINI_CLI", "CURSOR_AGENT", "OPENCODE", CURATING,
})  # fmt: skip
"""A client sets these for what its agent runs; a terminal that has one belongs to the agent.

Names, not prefixes: people export a client's settings in their shell's profile, and an editor sets
``CLAUDE_CODE_SSE_PORT`` in every terminal of its own (docs/decisions/0006).
"""

_WHOSE = (
    ("COPILOT_", "copilot"), ("GEMINI_", "gemini"), ("CURSOR_", "cursor"), ("OPENCODE", "opencode"),
    ("CODEX_", "codex"), ("CLAUDE", "claude-code"),
)  # fmt: skip
"""How an agent's variables begin; an agent that was started inside Claude Code has its variables as well."""

CODEX = "CODEX_"
PERSONS_OWN = frozenset({"CODEX_HOME", "CODEX_API_KEY"})


@dataclass(frozen=True, slots=True)
class Policy:
    """Is what a person allowed to pass without being asked."""

    auto: bool = False
    threshold: float = 1.0


def unattended(env: Mapping[str, str], terminal: bool) -> str:
    """Returns why no person sits at this process's terminal; "" where one does."""
    marks = _marks(env)
    if marks:
        return f"{marks[0]} says that an agent runs this"
    return "" if terminal else "this is no terminal"


def agent_in(env: Mapping[str, str]) -> str:
    """Returns the agent that runs this process; "" where nothing says that one does."""
    marks = _marks(env)
    found = (agent for start, agent in _WHOSE if any(name.startswith(start) for name in marks))
    return next(found, "unknown" if marks else "")


def _marks(env: Mapping[str, str]) -> list[str]:
    """Returns the variables that an agent set, in the order of their names."""
    own = (
        name for name in sorted(env) if name in AGENT_VARIABLES or (name.startswith(CODEX) and name not in PERSONS_OWN)
    )
    return [name for name in own if is_set(env, name)]


def decide(
    plan: Plan, concerns: Sequence[Concern], said: Sequence[Said], policy: Policy, requested: float | None = None
) -> Decision:
    """Returns what the gate says before anybody is asked.

    ``said``: who said it, for each change of the plan, in order. ``requested``: the confidence that the command line
    asks for, None where it doesn't ask for the automatic gate. It can raise the policy's, never lower it.
    """
    refused = [concern for concern in concerns if concern.level == "refuse"]
    if refused:
        return Refuse("; ".join(concern.message for concern in refused))
    against = _against(plan, concerns, said, policy, requested)
    return Ask(against) if against else Approve("policy", "policy")


def _against(
    plan: Plan, concerns: Sequence[Concern], said: Sequence[Said], policy: Policy, requested: float | None
) -> str:
    """Returns the first thing that stands against approving without a person; "" where nothing does."""
    if requested is None:
        return "a person has to say yes"
    if not policy.auto:
        return "the automatic gate is off: a person switches it on with `engram config set gate.auto true`"
    if plan.hand_edits:
        return f"{plan.hand_edits[0]} was edited by hand and has to be adopted first"
    least = max(requested, policy.threshold)
    for line, who in zip(plan.lines, said, strict=True):
        if not line.confidence >= least:
            return f"{line.op} {line.name}: confidence {line.confidence:g} is under {least:g}"
        if line.rewrites_prose:
            return f"{line.op} {line.name}: changes text that a person has accepted before"
        if line.op != "NOOP" and who != "user":
            return f"{line.op} {line.name}: not found in the user's own words"
    warned = [concern for concern in concerns if concern.level == "warn"]
    return f"there is a concern: {warned[0].message}" if warned else ""

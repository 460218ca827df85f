"""The demo's story: a dozen notes of somebody who builds a tide forecast, one session, and what it taught.

Everything here was made up for the demo.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

SESSION = "5d0c1f4e-7a3b-4c1d-9e52-3f8a6b2d1c70"


def _note(name: str, kind: str, description: str, body: str) -> str:
    head = f"name: {name}\ndescription: {description}\nmetadata:\n  node_type: memory\n  type: {kind}\n"
    return f"---\n{head}---\n\n{body}\n"


_FACTS: tuple[tuple[str, str, str, str], ...] = (
    ("backend-developer", "user", "User writes Python services and is new to the web front end",
     "Ten years of Python back ends; the TypeScript front end is their first."),
    ("short-answers", "feedback", "User wants the change first and the explanation in two sentences",
     "Show the change, then explain it in two sentences.\n\n**Why:** Long preambles get skipped.\n"
     "**How to apply:** No summary of what was asked."),
    ("tests-before-code", "feedback", "User wants a failing test before the code that mends it",
     "A failing test comes before the fix.\n\n**Why:** A fix without one broke twice in spring 2026.\n"
     "**How to apply:** Write the test, show it fail, then change the code."),
    ("ci-runs-on-jenkins", "project", "Tidewatch is built and tested by the Jenkins server in the basement",
     "Every push is built by Jenkins; the job is called tidewatch-main."),
    ("deploy-runbook", "reference", "How tidewatch is deployed, and how to tell that it is up",
     "Tag the commit, wait for the build, then ask `GET /health` on the new machine.\n"
     "Roll back by tagging the commit before."),
    ("database-choice", "decision", "Tidewatch keeps readings in PostgreSQL 16, one partition a month",
     "Readings are partitioned by month; nothing older than five years is kept."),
    ("api-versions", "architecture", "The public API carries its version in the path and keeps two alive",
     "`/v1` stays until 2027-06-30."),
    ("release-day", "project", "Tidewatch is released on Thursdays before noon",
     "The harbour office reads the forecast on Friday mornings."),
    ("staging-address", "reference", "Where the staging machine of tidewatch is",
     "staging.tidewatch.example, reached through the office network alone."),
    ("time-zones", "lesson", "Tide tables are in UTC; the harbour's own clock is not",
     "**Mistake:** Rendered a table in local time.\n**Why it happened:** The column has no zone.\n"
     "**How to apply:** Convert at the edge and name the zone."),
    ("units", "project", "Heights are metres above chart datum, never feet",
     "The one feed in feet is converted on import."),
    ("on-call", "reference", "Who answers when the forecast stops",
     "The rota is the calendar called tides; the week turns on Monday."),
)  # fmt: skip


def notes() -> Mapping[str, str]:
    """Returns the store's files: path to text, MEMORY.md among them."""
    files = {f"{name}.md": _note(name, kind, description, body) for name, kind, description, body in _FACTS}
    lines = [f"- [{name.replace('-', ' ').capitalize()}]({name}.md) — {line}\n" for name, _, line, _ in _FACTS]
    return {**files, "MEMORY.md": "# Memory\n\n" + "".join(lines)}


_SAID = {
    "ci": "We left Jenkins on 2026-11-16, CI runs on GitHub Actions now and the basement server is switched off.",
    "pnpm": "Stop. It's pnpm in the web folder, always pnpm, never npm.",
    "health": "The runbook is wrong by the way: the health check is /healthz, not /health.",
    "tests": "And keep writing the failing test first.",
}


def transcript(cwd: str) -> str:
    """Returns the session as Claude Code would have recorded it: one JSON object a line."""
    lines = [
        _user(cwd, 1, f"The build badge is broken. {_SAID['ci']}"),
        _assistant(
            cwd, 2, [{"type": "text", "text": "I'll point the badge at the workflow and rebuild the front end."}]
        ),
        _assistant(cwd, 3, [_call("toolu_1", "Bash", {"command": "cd web && npm install"})]),
        _result(cwd, 4, "toolu_1", 'npm error Unsupported URL Type "workspace:"', failed=True),
        _user(cwd, 5, _SAID["pnpm"]),
        _assistant(cwd, 6, [_call("toolu_2", "Bash", {"command": "cd web && pnpm install"})]),
        _result(cwd, 7, "toolu_2", "Done in 3.1s"),
        _assistant(
            cwd, 8, [_call("toolu_3", "Edit", {"file_path": f"{cwd}/README.md", "old_string": "a", "new_string": "b"})]
        ),
        _result(cwd, 9, "toolu_3", "The file README.md has been updated."),
        _user(cwd, 10, f"{_SAID['health']} {_SAID['tests']}"),
        _assistant(
            cwd, 11, [{"type": "text", "text": "The badge follows GitHub Actions and the front end builds with pnpm."}]
        ),
    ]
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


def changeset(bases: Mapping[str, str]) -> dict[str, Any]:
    """Returns what an agent makes of the session. ``bases``: the standing notes' names and versions."""
    return {
        "version": 1,
        "scope": "project",
        "agent": "claude-code",
        "sessions": [SESSION],
        "changes": [
            {
                "op": "ADD", "relation": "contradictory", "confidence": 0.97,
                "reason": "CI moved; the note about Jenkins no longer holds",
                "evidence": [_quote("u1", _SAID["ci"])],
                "note": {
                    "name": "ci-runs-on-actions", "type": "project",
                    "description": "Tidewatch is built and tested by GitHub Actions since 2026-11-16",
                    "body": "Every push runs the workflow `build`. Replaces [[ci-runs-on-jenkins]].",
                },
            },
            {
                "op": "INVALIDATE", "target": "ci-runs-on-jenkins", "base": bases["ci-runs-on-jenkins"],
                "by": "ci-runs-on-actions", "relation": "contradictory", "confidence": 0.97,
                "reason": "the Jenkins server is switched off",
                "evidence": [_quote("u1", "the basement server is switched off")],
            },
            {
                "op": "ADD", "relation": "compatible", "confidence": 0.95,
                "reason": "corrected after a failed install; holds for every session in web/",
                "evidence": [_quote("u2", "It's pnpm in the web folder, always pnpm, never npm.")],
                "note": {
                    "name": "pnpm-in-web", "type": "lesson", "tags": ["tooling"],
                    "description": "The web folder is a pnpm workspace; npm install fails in it",
                    "body": "**Mistake:** Ran `npm install` in web/; it can't read workspace dependencies.\n"
                    "**Why it happened:** Took npm for granted without looking for a lock file.\n"
                    "**How to apply:** Use pnpm in web/.",
                },
            },
            {
                "op": "UPDATE", "target": "deploy-runbook", "base": bases["deploy-runbook"], "relation": "compatible",
                "confidence": 0.96, "reason": "the health check has another address",
                "evidence": [_quote("u3", "the health check is /healthz, not /health")],
                "edits": [{"find": "`GET /health`", "replace": "`GET /healthz`"}],
            },
            {
                "op": "NOOP", "target": "tests-before-code", "relation": "subsumed", "confidence": 0.99,
                "reason": "said again; the note says it",
                "evidence": [_quote("u3", "keep writing the failing test first")],
            },
        ],
    }  # fmt: skip


def _quote(ref: str, words: str) -> dict[str, str]:
    return {"session": SESSION, "ref": ref, "quote": words}


def _line(cwd: str, number: int, kind: str, message: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "parentUuid": f"u-{number - 1}" if number > 1 else None,
        "isSidechain": False,
        "userType": "external",
        "cwd": cwd,
        "sessionId": SESSION,
        "version": "2.1.332",
        "gitBranch": "main",
        "type": kind,
        "message": message,
        "uuid": f"u-{number}",
        "timestamp": f"2026-11-30T09:{number:02d}:00.000Z",
        **more,
    }


def _user(cwd: str, number: int, words: str) -> dict[str, Any]:
    return _line(cwd, number, "user", {"role": "user", "content": words})


def _assistant(cwd: str, number: int, blocks: list[dict[str, Any]]) -> dict[str, Any]:
    message = {"id": f"msg_{number}", "type": "message", "role": "assistant", "model": "claude", "content": blocks}
    return _line(cwd, number, "assistant", message)


def _call(number: str, tool: str, given: dict[str, Any]) -> dict[str, Any]:
    return {"type": "tool_use", "id": number, "name": tool, "input": given}


def _result(cwd: str, number: int, call: str, output: str, *, failed: bool = False) -> dict[str, Any]:
    block = {"type": "tool_result", "tool_use_id": call, "content": output, **({"is_error": True} if failed else {})}
    return _line(cwd, number, "user", {"role": "user", "content": [block]})

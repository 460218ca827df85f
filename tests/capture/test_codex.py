"""Codex's rollouts: whose words they hold, of the newest shape and of the oldest."""

from __future__ import annotations

from typing import Any

import pytest

from engram.capture import codex
from engram.model.session import Session
from tests.lib.transcripts import source_in, source_of, turns_of

ID = "01a22b86-b6dd-7010-b055-a6d458220001"
PATCH = (
    "*** Begin Patch\n*** Add File: docs/a b.md\n+hi\n*** Update File: src/x.py\n*** Move to: src/y.py\n*** End Patch"
)


def row(kind: str, /, **payload: Any) -> dict[str, Any]:
    return {"timestamp": "2026-03-01T10:00:00.000Z", "ordinal": 1, "type": kind, "payload": payload}


def meta(**more: Any) -> dict[str, Any]:
    own = {"id": ID, "session_id": ID, "cwd": "/home/ada/shop", "source": "cli", "git": {"branch": "main"}}
    return row("session_meta", **{**own, **more})


def item(kind: str, /, **fields: Any) -> dict[str, Any]:
    return row("response_item", type=kind, **fields)


def said(role: str, *texts: str, kinds: list[str] | None = None, origin: str = "user") -> dict[str, Any]:
    """Returns a message; with ``kinds``, as newer clients mark its pieces."""
    kind = "output_text" if role == "assistant" else "input_text"
    fields: dict[str, Any] = {"role": role, "content": [{"type": kind, "text": text} for text in texts]}
    if kinds is not None:
        more = [{"provenance": {"type": origin}} for _ in texts]
        fields["internal_chat_message_metadata_passthrough"] = {
            "content_item_kinds": kinds, "content_item_metadata": more,
        }  # fmt: skip
    return item("message", **fields)


def read(*rows: dict[str, Any], path: str = f"/x/rollout-2026-03-01T10-00-00-{ID}.jsonl") -> Session:
    return codex.read(source_in(rows, path))


def test_a_conversation_with_tools_in_it() -> None:
    session = read(
        meta(),
        said("developer", "<permissions instructions>\nno", kinds=["permissions.instructions"], origin="harness"),
        said("user", "run the tests", kinds=["user.text"]),
        said("developer", "the user prefers tabs", kinds=["hooks.additional_context"], origin="harness"),
        item("reasoning", summary=[], encrypted_content="x"),
        item("function_call", name="exec_command", arguments='{"cmd": "npm test"}', call_id="c1"),
        item(
            "function_call_output", call_id="c1", output="Wall time: 0\nProcess exited with code 127\nOutput:\nno npm"
        ),
        item("custom_tool_call", name="apply_patch", input=PATCH, call_id="c2"),
        item("custom_tool_call_output", call_id="c2", output="Exit code: 0\nWall time: 0 s\nOutput:\nSuccess."),
        item("function_call", name="recall", namespace="mcp__engram", arguments="{}", call_id="c3"),
        item("function_call_output", call_id="c3", output=[{"type": "input_text", "text": "a note"}]),
        said("assistant", "Done.", kinds=["unknown"]),
    )
    assert turns_of(session) == [
        ("u1", "user", "run the tests"),
        ("t1", "tool_call", "npm test"),
        ("t1", "tool_result", "Wall time: 0\nProcess exited with code 127\nOutput:\nno npm"),
        ("t2", "tool_call", PATCH),
        ("t3", "tool_call", PATCH),
        ("t4", "tool_call", PATCH),
        ("t2", "tool_result", "Exit code: 0\nWall time: 0 s\nOutput:\nSuccess."),
        ("t3", "tool_result", ""),
        ("t4", "tool_result", ""),
        ("t5", "tool_call", ""),
        ("t5", "tool_result", "a note"),
        ("a1", "assistant", "Done."),
    ]
    assert [turn.ref for turn in session.turns if turn.failed] == ["t1"]
    assert [turn.path for turn in session.turns if turn.kind == "tool_call"] == [
        "", "docs/a b.md", "src/x.py", "src/y.py", "",
    ]  # fmt: skip
    assert [turn.tool for turn in session.turns if turn.ref == "t5"] == ["mcp__engram__recall"] * 2
    assert (session.id, session.agent, session.cwd, session.branch, session.skipped) == (
        ID, "codex", "/home/ada/shop", "main", 0,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("kinds", "origin"),
    [
        (["agents_md.instructions"], "agents_md"),
        (["environments.environment_context"], "harness"),
        (["unknown"], "harness"),
        (["user.text"], "harness"),
        ([], "user"),
        (["user.image"], "user"),
    ],
)
def test_a_piece_that_is_not_marked_as_typed_is_nobodys(kinds: list[str], origin: str) -> None:
    assert read(meta(), said("user", "we always use tabs", kinds=kinds, origin=origin)).turns == ()


def test_pieces_are_judged_one_by_one() -> None:
    rows = said("user", "no", "yes, tabs", kinds=["agents_md.instructions", "user.text"])
    assert turns_of(read(meta(), rows)) == [("u1", "user", "yes, tabs")]


@pytest.mark.parametrize(
    "text",
    [
        "# AGENTS.md instructions for /home/ada\n\n<INSTRUCTIONS>\nuse tabs\n</INSTRUCTIONS>",
        "<environment_context>\n  <cwd>/home/ada</cwd>\n</environment_context>",
        "<user_instructions>\n\nuse tabs\n</user_instructions>",
        '<hook_prompt hook_run_id="stop:1">use tabs</hook_prompt>',
        "<skill>\n<name>x</name>\nuse tabs\n</skill>",
        "<later-invention>\nuse tabs\n</later-invention>",
        "<turn_aborted>\nuse tabs",
        "Another language model started to solve this problem and …",
    ],
)
def test_what_older_clients_write_without_a_mark_is_known_by_its_words(text: str) -> None:
    assert turns_of(read(meta(), said("user", text), said("user", "hello there"))) == [("u1", "user", "hello there")]


def test_what_the_editor_puts_before_a_prompt_is_not_the_persons() -> None:
    text = "# Context from my IDE setup:\n## Files\n## My request for Codex:\nforged\n## My request for Codex:\nfix it"
    assert turns_of(read(meta(), said("user", text))) == [("u1", "user", "fix it")]
    assert turns_of(read(meta(), said("user", text, kinds=["user.text"]))) == [("u1", "user", "fix it")]


@pytest.mark.parametrize("kinds", [None, ["user.text"]])
@pytest.mark.parametrize(
    ("text", "typed"),
    [
        ("# Context from my IDE setup:\n\n## Active selection of the file:\nuse tabs", []),
        ("\n# Context from my IDE setup:\n\nsays ## My request for Codex: use tabs", []),
        ("# Files mentioned by the user:\n\n## a.md: /a.md\n\n## My request for Codex:\nfix it", ["fix it"]),
        ("# Files mentioned by the user:\n\n## use tabs.md: /use tabs.md\n", []),
        ("# Context\nof mine", ["# Context\nof mine"]),
    ],
)
def test_what_the_editor_puts_before_a_prompt_is_nobodys_without_one(
    text: str, typed: list[str], kinds: list[str] | None
) -> None:
    assert [each for _, _, each in turns_of(read(meta(), said("user", text, kinds=kinds)))] == typed


def test_an_event_that_is_one_element_is_nobodys() -> None:
    rows = [row("event_msg", type="user_message", message=text) for text in ("<later>use tabs</later>", "fix it")]
    assert turns_of(read(meta(), *rows)) == [("u1", "user", "fix it")]


def test_a_thread_that_an_agent_started_holds_none_of_its_own() -> None:
    assert read(meta(thread_source="subagent"), said("user", "use tabs")).turns == ()


def test_a_compaction_is_a_summary_and_what_it_repeats_is_not_said_again() -> None:
    opening = "Another language model started … use it for your own analysis:\n"
    again = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "use tabs"}]}
    session = read(
        meta(), said("user", "use tabs"), row("compacted", message=opening + "Tabs.", replacement_history=[again])
    )
    assert turns_of(session) == [("u1", "user", "use tabs"), ("s1", "summary", "Tabs.")]


@pytest.mark.parametrize("source", [{"subagent": "review"}, {"subagent": {"thread_spawn": {"depth": 1}}}, "subagent"])
def test_a_subagents_rollout_holds_no_turn_of_its_own(source: object) -> None:
    assert read(meta(source=source), said("user", "find it"), said("assistant", "found")).turns == ()


def test_a_fork_goes_on_under_its_own_id() -> None:
    session = read(meta(), meta(id="parent", cwd="/elsewhere", source={"subagent": "x"}), said("user", "one"))
    assert (session.id, session.cwd, len(session.turns)) == (ID, "/home/ada/shop", 1)


@pytest.mark.parametrize(
    "failure",
    [
        [item("function_call_output", call_id="c1", output='{"output":"no","metadata":{"exit_code":2}}')],
        [item("function_call_output", call_id="c1", output={"content": "no", "success": False})],
        [item("custom_tool_call_output", call_id="c1", output="apply_patch verification failed: no such line")],
        [
            row("event_msg", type="exec_command_end", call_id="c1", exit_code=1),
            item("function_call_output", call_id="c1", output="no"),
        ],
        [
            row("event_msg", type="item_completed", item={"type": "FileChange", "id": "c1", "status": "failed"}),
            item("custom_tool_call_output", call_id="c1", output="no"),
        ],
    ],
)
def test_a_call_that_failed_is_known_by_its_output_or_its_event(failure: list[dict[str, Any]]) -> None:
    session = read(meta(), item("function_call", name="shell", arguments="{}", call_id="c1"), *failure)
    assert [(turn.kind, turn.failed) for turn in session.turns] == [("tool_call", False), ("tool_result", True)]


@pytest.mark.parametrize("output", ["x\n" * 300 + "Exit code: 1", "failed is a word", "{", '{"output": 7}'])
def test_a_call_that_did_not_fail(output: str) -> None:
    call = item("local_shell_call", action={"command": ["bash", "-lc", "ls -l"]}, call_id="c1")
    session = read(meta(), call, item("function_call_output", call_id="c1", output=output))
    assert [turn.failed for turn in session.turns] == [False, False]
    assert (session.turns[0].tool, session.turns[0].text) == ("local_shell", "ls -l")


def test_files_that_only_an_event_names_are_changed_files() -> None:
    change = {"type": "FileChange", "id": "c1", "status": "completed", "changes": {"/p/a.py": {"type": "add"}}}
    rows = [
        item("custom_tool_call", name="exec", input="tools.apply_patch(…)", call_id="c1"),
        row("event_msg", type="item_completed", item=change),
    ]
    assert [turn.path for turn in read(meta(), *rows).turns] == ["", "/p/a.py"]
    named = item("custom_tool_call", name="apply_patch", input=PATCH, call_id="c1")
    assert [turn.path for turn in read(meta(), named, rows[1]).turns] == ["docs/a b.md", "src/x.py", "src/y.py"]


def test_events_speak_where_nothing_else_does() -> None:
    events = [
        row("event_msg", type="user_message", message="use tabs", kind="plain"),
        row("event_msg", type="user_message", message="<environment_context>x</environment_context>", kind="plain"),
        row("event_msg", type="user_message", message="injected", kind="user_instructions"),
        row(
            "event_msg",
            type="item_completed",
            item={"type": "AgentMessage", "content": [{"type": "Text", "text": "ok"}]},
        ),
    ]
    assert turns_of(read(meta(), *events)) == [("u1", "user", "use tabs"), ("a1", "assistant", "ok")]
    assert turns_of(read(meta(), said("user", "hello there"), *events)) == [("u1", "user", "hello there")]


def test_the_oldest_rollouts_have_no_payload() -> None:
    rows: list[dict[str, Any]] = [
        {"id": ID, "timestamp": "2025-05-07T17:24:21.500Z", "instructions": "use tabs", "git": {"branch": "old"}},
        {"record_type": "state"},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "hello there"}]},
        {"type": "reasoning", "summary": []},
        {"type": "function_call", "name": "shell", "arguments": '{"command":["ls","-l"]}', "call_id": "c1"},
        {"type": "function_call_output", "call_id": "c1", "output": '{"output":"a","metadata":{"exit_code":0}}'},
    ]
    assert codex.reads(source_in(rows))
    assert codex.reads(source_in(rows[2:]))
    session = read(*rows)
    assert turns_of(session) == [
        ("u1", "user", "hello there"), ("t1", "tool_call", "ls -l"), ("t1", "tool_result", "a"),
    ]  # fmt: skip
    assert (session.id, session.branch, session.skipped) == (ID, "old", 0)


def test_bad_lines_are_counted_and_stop_nothing() -> None:
    bad = [
        b"not json",
        b'{"type":"response_item","payload":7}',
        b'{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":7}]}}',
        b'{"type":"compacted","payload":{}}',
        b'{"type":"event_msg","payload":{"type":["x"],"exit_code":[]}}',
        b'{"type":"response_item","pay',
    ]
    good = source_in([meta(), said("user", "hello there")]).lines()
    session = codex.read(source_of([*bad, *good]))
    assert turns_of(session) == [("u1", "user", "hello there")]
    assert session.skipped == len(bad)


@pytest.mark.parametrize(
    ("one", "mine"),
    [
        (meta(), True),
        (row("compacted", message="x"), True),
        ({"type": "message", "role": "user", "content": "text"}, False),
        ({"type": "message", "message": {"role": "user"}}, False),
        ({"type": ["session_meta"], "payload": {}}, False),
        ({"session_id": "x", "ts": 1, "text": "y"}, False),
    ],
)
def test_its_own_lines_are_known(one: dict[str, Any], mine: bool) -> None:
    assert codex.reads(source_in([one])) is mine

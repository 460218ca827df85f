"""opencode: `opencode run` as an agent of ours without tools or permissions; no plugins, no project's settings."""

from __future__ import annotations

import json

from engram.app.curating.calls import Answer, Call, Ended, Surroundings, mapping, number, objects, one_object, words_of

WORD = "opencode"
NAME = "opencode"
LOGIN = "run `opencode auth login`"

_OURS = "engram-curator"
_CONTENT = "OPENCODE_CONFIG_CONTENT"
_AGENT = {
    "mode": "primary",
    "description": "Answers with a changeset; has no tools",
    "tools": {"*": False},
    "permission": {"*": "deny"},
}


def call(around: Surroundings) -> Call:
    """Returns how it is started. What it is told in its environment is merged over the person's settings by opencode;
    what the person tells it there by themselves is kept."""
    own = one_object(around.env.get(_CONTENT, ""))
    told = {**own, "share": "disabled", "agent": {**mapping(own.get("agent")), _OURS: _AGENT}}
    model = ("--model", around.model) if around.model else ()
    return Call(
        ("run", "--format", "json", "--pure", "--agent", _OURS, "--title", "engram curate", *model),
        env={
            _CONTENT: json.dumps(told),
            "OPENCODE_DISABLE_PROJECT_CONFIG": "1",
            "OPENCODE_DISABLE_AUTOUPDATE": "1",
        },
    )


def answer(ended: Ended) -> Answer:
    """Returns the text of the last step that has any."""
    steps: list[str] = [""]
    trouble = ""
    tokens: int | None = None
    for event in objects(ended.out):
        part = mapping(event.get("part"))
        if event.get("type") == "step_start":
            steps.append("")
        elif event.get("type") == "text":
            steps[-1] += str(part.get("text") or "")
        elif event.get("type") == "step_finish":
            tokens = (tokens or 0) + _counted(mapping(part.get("tokens")))
        elif event.get("type") == "error":
            error = mapping(event.get("error"))
            trouble = str(mapping(error.get("data")).get("message") or error.get("name") or "it failed")
    text = next((step for step in reversed(steps) if step.strip()), "")
    if ended.status or not text:
        return Answer("", tokens, trouble or words_of(ended) or "it printed no text")
    return Answer(text, tokens)


def _counted(tokens: object) -> int:
    of = mapping(tokens)
    cache = mapping(of.get("cache"))
    parts = (of.get("input"), of.get("output"), of.get("reasoning"), cache.get("read"), cache.get("write"))
    return number(of.get("total")) or sum(map(number, parts))

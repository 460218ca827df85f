"""GitHub Copilot CLI: headless, with a list of available tools that holds none, and no MCP servers."""

from __future__ import annotations

from engram.app.curating.calls import Answer, Call, Ended, Surroundings, mapping, number, objects, one_object, words_of

WORD = "copilot"
NAME = "copilot"
LOGIN = "run `copilot` and type /login, or set COPILOT_GITHUB_TOKEN"

USAGE = "usage.json"
_NONE = "none"
"""No tool has this name: a list that holds it alone offers the model nothing. An empty list would mean all."""


def call(around: Surroundings) -> Call:
    """Returns how it is started."""
    servers = mapping(one_object(around.setting("COPILOT_HOME", ".copilot", "mcp-config.json")).get("mcpServers"))
    off = tuple(f"--disable-mcp-server={name}" for name in sorted(servers))
    model = (f"--model={around.model}",) if around.model else ()
    return Call(
        (
            "--output-format=json", "--no-color", f"--available-tools={_NONE}", "--disable-builtin-mcps", *off,
            "--no-custom-instructions", "--no-ask-user", "--no-remote", "--no-auto-update",
            f"--usage-output-file={USAGE}", *model,
        ),
        reads=(USAGE,),
    )  # fmt: skip


def answer(ended: Ended) -> Answer:
    """Returns the last message that holds words. The tokens stand in a file that it was told to write."""
    text, trouble = "", ""
    for event in objects(ended.out):
        data = mapping(event.get("data"))
        if event.get("type") == "assistant.message" and str(data.get("content") or "").strip():
            text = str(data["content"])
        elif event.get("type") == "session.error":
            trouble = str(data.get("message") or "it failed")
    tokens = _counted(ended.files.get(USAGE, ""))
    if ended.status or not text:
        return Answer("", tokens, trouble or words_of(ended) or "it printed no message")
    return Answer(text, tokens)


def _counted(report: str) -> int | None:
    models = mapping(one_object(report).get("modelMetrics")).values()
    usages = [mapping(mapping(one).get("usage")) for one in models]
    counts = [number(usage.get("inputTokens")) + number(usage.get("outputTokens")) for usage in usages]
    return sum(counts) if counts else None

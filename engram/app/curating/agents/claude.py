"""Claude Code: `claude -p`, with no tools, no hooks, no plugins, no MCP servers and no transcript."""

from __future__ import annotations

from engram.app.curating.calls import Answer, Call, Ended, Surroundings, mapping, number, one_object, words_of

WORD = "claude"
NAME = "claude-code"
LOGIN = "run `claude` and type /login, or set ANTHROPIC_API_KEY"

_TOKENS = ("input_tokens", "output_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")


def call(around: Surroundings) -> Call:
    """Returns how it is started: ``--tools ""`` leaves the model none, ``--safe-mode`` leaves out what people add."""
    model = ("--model", around.model) if around.model else ()
    return Call((
        "-p", "--output-format", "json", "--tools", "", "--safe-mode", "--strict-mcp-config",
        "--disable-slash-commands", "--no-session-persistence", *model,
    ))  # fmt: skip


def answer(ended: Ended) -> Answer:
    """Returns the result object's text; an error has ``is_error`` whatever its subtype says."""
    said = one_object(ended.out)
    usage = mapping(said.get("usage"))
    tokens = sum(number(usage.get(name)) for name in _TOKENS) if usage else None
    text = said.get("result")
    if not isinstance(text, str) or said.get("is_error"):
        return Answer("", tokens, str(text or said.get("subtype") or words_of(ended) or "it printed no result"))
    return Answer(text, tokens)

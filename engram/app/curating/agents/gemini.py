"""Gemini CLI: headless, with a policy that denies every tool, no extensions and no MCP servers."""

from __future__ import annotations

from engram.app.curating.calls import Answer, Call, Ended, Surroundings, mapping, number, one_object, words_of

WORD = "gemini"
NAME = "gemini"
LOGIN = "run `gemini` once and choose how to log in, or set GEMINI_API_KEY"

POLICY = "deny.toml"
_DENY_ALL = '[[rule]]\ntoolName = "*"\ndecision = "deny"\npriority = 999\n'
_NOBODY = "none-of-them"
"""No server and no extension has this name, so that naming it alone leaves all out."""


def call(around: Surroundings) -> Call:
    """Returns how it is started. A tool that the policy denies is not offered to the model at all."""
    model = ("--model", around.model) if around.model else ()
    return Call(
        (
            "--output-format", "json", "--approval-mode", "default", "--skip-trust", "--policy", POLICY,
            "--extensions", "none", "--allowed-mcp-server-names", _NOBODY, *model,
        ),
        files={POLICY: _DENY_ALL},
    )  # fmt: skip


def answer(ended: Ended) -> Answer:
    """Returns the response; an error is an object on standard error."""
    said = one_object(ended.out)
    text = said.get("response")
    models = mapping(mapping(said.get("stats")).get("models")).values()
    counts = [number(mapping(mapping(one).get("tokens")).get("total")) for one in models]
    tokens = sum(counts) if counts else None
    if ended.status or not isinstance(text, str) or not text:
        error = mapping(said.get("error")) or mapping(one_object(ended.err).get("error"))
        return Answer("", tokens, str(error.get("message") or words_of(ended) or "it printed no response"))
    return Answer(text, tokens)

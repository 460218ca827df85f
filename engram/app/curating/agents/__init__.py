"""The agents that can be asked headless. One module each, of the Protocol `engram.app.curating.calls.Agent`.

To add one: a module with ``WORD``, ``NAME``, ``LOGIN``, ``call`` and ``answer``, and its place in `AGENTS`. Each
switches off every tool that its client lets one switch off; docs/curate-run.md says what is left of each. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping

from engram.app.curating.agents import claude, codex, copilot, gemini, opencode
from engram.app.curating.calls import Agent

AGENTS: Mapping[str, Agent] = {one.WORD: one for one in (claude, codex, gemini, opencode, copilot)}
"""In the order in which an installed one is chosen where none is named."""

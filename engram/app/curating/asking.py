"""Asks an agent one thing: finds its program, gives it an empty folder, runs it, and tells what went wrong."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass

from engram.app.context import Context
from engram.app.curating import child
from engram.app.curating.agents import AGENTS
from engram.app.curating.agents.command import Command
from engram.app.curating.calls import Agent, Answer, Ended, Surroundings
from engram.curate.gate import AGENT_VARIABLES, CODEX, PERSONS_OWN
from engram.errors.agents import AgentFailed, AgentLogin, AgentMissing
from engram.model.event import CURATING
from engram.model.secrets import masked

_LOGIN = re.compile(
    r"log ?in\b|logged (?:in|out)|authenticat|auth method|api key|credential|\b401\b|unauthori[sz]ed", re.IGNORECASE
)
_MOST_READ = 1 << 20
_SEEN, _SHOWN = 8_000, 600
"""Characters of what an agent says when it fails: those in which secrets are looked for, and those that are shown. What
is shown is far shorter, so that no secret is cut in two before it is masked."""


@dataclass(frozen=True)
class Asker:
    """Is an agent that is there, with its program."""

    agent: Agent
    program: str
    """Absolute."""
    model: str = ""

    def command(self, context: Context) -> tuple[str, ...]:
        """Returns the whole command line. Raises AgentFailed where the agent can't be made safe."""
        return (self.program, *self.agent.call(self._around(context)).args)

    def ask(self, context: Context, prompt: str, seconds: float) -> Answer:
        """Returns what it answers. Raises AgentFailed, AgentLogin, AgentTimedOut."""
        call = self.agent.call(self._around(context))
        with tempfile.TemporaryDirectory(prefix="engram-curate-", ignore_cleanup_errors=True) as folder:
            for name, text in call.files.items():
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write(text)
            ended = child.run(
                (self.program, *call.args),
                prompt,
                folder=folder,
                env={**environment(context.env), **call.env},
                seconds=seconds,
                name=self.agent.NAME,
            )
            left = {name: _read(os.path.join(folder, name)) for name in call.reads}
        answer = self.agent.answer(Ended(ended.status, ended.out, ended.err, left))
        if answer.trouble or not answer.text.strip():
            raise _fault(self.agent, _told(context, answer.trouble), ended.status)
        return answer

    def _around(self, context: Context) -> Surroundings:
        return Surroundings(context.env, context.home, context.probe.read_text, self.model)


def asker(context: Context, named: str, model: str = "") -> Asker:
    """Returns the agent that is named: a word of `AGENTS` or a command line; without a name the first that is there.

    Raises AgentMissing.
    """
    if not named:
        found = [Asker(agent, program, model) for word, agent in AGENTS.items() if (program := _program(context, word))]
        if not found:
            raise AgentMissing(f"none of {', '.join(AGENTS)} is on PATH")
        return found[0]
    agent = AGENTS.get(named) or next((one for one in AGENTS.values() if named == one.NAME), None)
    if agent is None:
        agent = Command(_words(named))
    program = _program(context, agent.WORD)
    if not program:
        raise AgentMissing(f"{agent.WORD} is not on PATH", place=agent.WORD)
    return Asker(agent, program, model)


def environment(env: Mapping[str, str]) -> dict[str, str]:
    """Returns the environment that an agent is started in: the person's, with our marker, and no other agent's marks.

    A client refuses to start within itself, and goes by those.
    """
    kept = {
        name: value
        for name, value in env.items()
        if name not in AGENT_VARIABLES and (not name.startswith(CODEX) or name in PERSONS_OWN)
    }
    return {**kept, CURATING: "1"}


def _words(line: str) -> tuple[str, ...]:
    """Returns the words of a command line. Raises AgentMissing where it has none."""
    try:
        words = windows_words(line) if sys.platform == "win32" else tuple(shlex.split(line))
    except ValueError as error:
        raise AgentMissing(f"{line!r} is no command line: {error}") from None
    if not words or not words[0]:
        raise AgentMissing("--agent names no command")
    return words


_PIECE = re.compile(r"""(\\*)"|[^\s"\\]+|\\+|(\s+)""")


def windows_words(line: str) -> tuple[str, ...]:
    """Returns the words of a command line by the rules of Windows: backslashes stand for themselves, except before a
    quotation mark, and nothing but that mark quotes. Raises ValueError where one is not closed."""
    words: list[str] = []
    word: str | None = None
    quoted = False
    for piece in _PIECE.finditer(line):
        slashes = piece[1]
        if slashes is not None:
            word = (word or "") + "\\" * (len(slashes) // 2)
            if len(slashes) % 2:
                word += '"'
            else:
                quoted = not quoted
        elif piece[2] is not None and not quoted:
            if word is not None:
                words.append(word)
            word = None
        else:
            word = (word or "") + piece[0]
    if quoted:
        raise ValueError("No closing quotation")
    return tuple(words) if word is None else (*words, word)


def _program(context: Context, word: str) -> str:
    """Returns where a program is; "" where it isn't. A path counts from the working directory."""
    if os.path.dirname(word):
        word = os.path.join(context.cwd, os.path.expanduser(word))
    found = shutil.which(word, path=context.env.get("PATH", ""))
    return os.path.join(context.cwd, found) if found else ""


def _told(context: Context, trouble: str) -> str:
    """Returns the end of what an agent says of its failure, secrets masked."""
    words = masked(trouble.strip()[-_SEEN:], context.settings().redaction_patterns_extra)
    return words if len(words) <= _SHOWN else "…" + words[-_SHOWN:]


def _fault(agent: Agent, trouble: str, status: int) -> AgentFailed | AgentLogin:
    words = trouble or f"printed nothing (exit status {status})"
    if _LOGIN.search(trouble):
        return AgentLogin(f"{agent.NAME}: {words}", agent.LOGIN)
    return AgentFailed(f"{agent.NAME}: {words}")


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read(_MOST_READ)
    except OSError:
        return ""

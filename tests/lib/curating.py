"""Sessions that wait, the stores they may teach, and small programs that stand in for an agent."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engram import queue
from engram.app.context import Context
from engram.model.event import Event
from tests.lib.cli import Ran, context, run
from tests.lib.proposed import add, changeset
from tests.lib.stores import git, make_store, note
from tests.lib.transcripts import Talk

SAID = "always use pnpm in this repository, never npm"
SECRET = "ghp_" + "h7Qk2ZxW9vLm4TnR8sYb3CdF6gJp1KaE5uXo"

HEAD = """\
import json, os, pathlib, re, sys, time
prompt = sys.stdin.buffer.read().decode()
here = pathlib.Path(__file__).parent
asked = len(list(here.glob("prompt-*"))) + 1
(here / f"prompt-{asked:03}").write_text(prompt, encoding="utf-8")
session = (re.search(r'and `sessions` is \\["([^"]+)"\\]', prompt) or ("", ""))[1]
def answer(*changes, **more):
    print(json.dumps({"version": 1, "changes": list(changes), **more}))
def added(name="uses-pnpm", **more):
    return {"op": "ADD", "relation": "compatible", "confidence": 0.9, "reason": "the user said so",
            "evidence": [{"session": session, "ref": "u1", "quote": "always use pnpm"}],
            "note": {"name": name, "description": "About " + name, "type": "project", "body": "Use pnpm here."}, **more}
"""


@dataclass
class Desk:
    """Is a project with a store, the user's store, and a queue."""

    root: Path
    project: Path
    store: Path
    user: Path

    def at(self, **env: str) -> Context:
        return context(self.project, **env)

    def settings(self, **more: Any) -> None:
        """Writes the user's settings. Without the embedder: to prepare it takes longer than a test."""
        written = {"recall": {"embedder": "none"}, **more}
        (self.user / "config.json").write_text(json.dumps(written), encoding="utf-8")

    def session(self, name: str, *said: str, cwd: str | None = None, hour: int = 10) -> queue.Entry:
        """Queues a session in which a person said something."""
        cwd = str(self.project) if cwd is None else cwd
        talk = Talk(session=name, cwd=cwd)
        for text in said or (SAID,):
            talk.user(text).says("Understood.")
        path = self.root / f"{name}.jsonl"
        path.write_bytes(talk.data())
        folder = self.at().prepared("queue")
        queue.append(folder, Event("claude-code", name, str(path), cwd, f"2026-11-30T{hour:02}:00:00.000000Z"))
        return queue.find(folder, name)

    def agent(self, body: str) -> str:
        """Returns the command line of a stand-in that does this; its head is ``HEAD``."""
        (self.root / "agent.py").write_text(HEAD + body, encoding="utf-8")
        return shlex.join([sys.executable, str(self.root / "agent.py")])

    def prompts(self) -> list[str]:
        """Returns what the stand-in was asked, in order."""
        return [path.read_text(encoding="utf-8") for path in sorted(self.root.glob("prompt-*"))]

    def curate(self, agent: str, *words: str, at: Context | None = None) -> Ran:
        return run("curate", "run", "--agent", agent, *words, at=at or self.at())

    def results(self, agent: str, *words: str, at: Context | None = None) -> dict[str, str]:
        """Runs, and returns what became of each session."""
        ran = self.curate(agent, *words, "--json", at=at)
        return {one["session"]: one["result"] for one in ran.json["sessions"]}

    def plans(self) -> list[dict[str, Any]]:
        """Returns what waits for review."""
        return list(run("review", "--list", "--json", at=self.at()).json["plans"])

    def queued(self) -> list[str]:
        return [entry.session for entry in queue.entries(self.at().folder("queue"))]

    def kept(self) -> tuple[str, str, str]:
        """Returns what no run may change: HEAD, index and folder of the project's store."""
        return git(self.store, "rev-parse", "HEAD"), git(self.store, "ls-files", "-s"), git(self.store, "status", "-s")


def desk(root: Path, files: dict[str, str] | None = None) -> Desk:
    """Builds a project with a store, and the user's store."""
    project = root / "project"
    project.mkdir(parents=True)
    git(project, "init", "-q")
    store = Path(run("where", "--json", at=context(project)).json["project"]["path"])
    make_store(store, files or {"builds.md": note("builds", "Builds run on Jenkins."), "MEMORY.md": "# Memory\n"})
    user = Path(context(project).engram_home)
    make_store(user, {"memories/user/me.md": note("me", "A geologist.", type="user"), ".gitignore": ".engram/\n"})
    made = Desk(root, project, store, user)
    made.settings()
    return made


def proposed_by(agent: str, session: str, name: str = "uses-npm") -> str:
    """Returns a changeset as an agent with a shell would propose it."""
    return changeset(add(name), agent=agent, sessions=[session])


def still_running(word: str) -> list[str]:
    """Returns the processes whose command line holds a word, on Linux."""
    listed = subprocess.run(["ps", "-ewwo", "args"], capture_output=True, text=True, check=True).stdout
    return [line for line in listed.splitlines() if word in line]

"""`engram demo`: the whole way once, for real, in a store that is thrown away."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from io import StringIO

import click

from engram.app import making
from engram.app.context import Context
from engram.app.stores import Choice
from engram.cli import demo_story as story
from engram.cli import main
from engram.cli.tree import Run
from engram.cli.ui import Ui
from engram.errors import EXIT_OK

NEXT = """\
That was all of it, and it is gone again. To go on:
  engram init                 make a store: the project's where it has notes, else your own
  engram adapt --all          put engram into the settings of the agents that are here
  engram --help               every command"""


@click.command("demo")
@click.pass_obj
def command(run: Run) -> int:
    """Run the whole way once: a session is queued, read, curated, shown as a diff, approved, committed.

    Everything happens in a temporary folder that is removed at the end. At a terminal you are asked as you would be;
    elsewhere the demo answers y for its own store, and says so.
    """
    made = tempfile.TemporaryDirectory(prefix="engram-demo-", ignore_cleanup_errors=True)
    with made as folder, _surroundings(os.path.realpath(folder)):
        status = _played(run, os.path.realpath(folder))
    run.ui.out(NEXT if status == EXIT_OK else "The demo stopped there; its folder is gone again, and the plan with it.")
    return status


def _played(run: Run, folder: str) -> int:
    project, store = os.path.join(folder, "tidewatch"), os.path.join(folder, "memory")
    os.makedirs(project)
    stage = _stage(run, folder, project)
    _step(stage, "A store with a dozen notes, under git of its own")
    _made(stage.context, store)
    stage.command("list", "--dir", store)

    _step(stage, "A session ends; the Stop hook queues a reference to it, nothing else")
    recorded = os.path.join(folder, f"{story.SESSION}.jsonl")
    _write(recorded, story.transcript(project))
    hook = {"session_id": story.SESSION, "transcript_path": recorded, "cwd": project, "hook_event_name": "Stop"}
    stage.hook(json.dumps(hook))
    stage.command("pending", "list")

    _step(stage, "Later, the agent reads what was queued")
    stage.command("pending", "show", story.SESSION)

    _step(stage, "It proposes a changeset; one change contradicts a standing note")
    proposed = os.path.join(folder, "changeset.json")
    bases = {
        name: stage.read("show", name, "--dir", store)["base"] for name in ("ci-runs-on-jenkins", "deploy-runbook")
    }
    changeset = story.changeset(bases)
    _write(proposed, json.dumps(changeset, indent=1))
    stage.ui.out(f"changeset.json, {len(changeset['changes'])} changes; the fourth of them:\n")
    stage.ui.out(json.dumps(changeset["changes"][3], indent=2) + "\n")

    _step(stage, "You read the diff, and nothing enters without your yes")
    status = stage.command("curate", "apply", proposed, "--dir", store)
    if status != EXIT_OK:
        return status

    _step(stage, "git log is the provenance of every line")
    stage.command("log", "-n", "1", "--dir", store)
    stage.command("audit", "--dir", store)
    stage.command("pending", "list")
    return EXIT_OK


class _Stage:
    """Runs commands of the demo where a reader sees them."""

    def __init__(self, run: Run, ui: Ui, folder: str, project: str) -> None:
        env = dict(os.environ)
        self.ui = ui
        self.folder = folder
        self.context = run.context._replace(env=env, home=folder, cwd=project)

    def command(self, *words: str) -> int:
        self.ui.out(f"$ engram {' '.join(word.replace(self.folder, '…') for word in words)}")
        status = main(words, context=self.context, ui=self.ui)
        self.ui.out("")
        return status

    def read(self, *words: str) -> dict[str, str]:
        quiet = Ui({}, StringIO(), StringIO(), StringIO(), json_asked=True)
        main([*words, "--json"], context=self.context, ui=quiet)
        found: dict[str, str] = json.loads(quiet.stdout.getvalue())  # type: ignore[attr-defined]
        return found

    def hook(self, payload: str) -> None:
        self.ui.out("$ engram pending add   # what Claude Code's Stop hook runs")
        env = {**self.context.env, "CLAUDECODE": "1"}
        subprocess.run([sys.executable, "-m", "engram", "pending", "add"], input=payload.encode(), env=env, check=True)
        self.ui.out("")


def _stage(run: Run, folder: str, project: str) -> _Stage:
    """Returns the stage. Where nobody can be asked, an answer is put in for this store, which is the demo's own."""
    ui = run.ui
    if ui.alone and ui.answer is None:

        def answer(question: str) -> str:
            ui.out(f"{question} y   # nobody is at a terminal: the demo answers for its own throw-away store")
            return "y"

        ui = replace(ui, answer=answer)
    return _Stage(run, ui, folder, project)


def _step(stage: _Stage, words: str) -> None:
    stage.ui.out(f"--- {words}\n")


@contextmanager
def _surroundings(folder: str) -> Iterator[None]:
    """Lends this process a home of the demo's own, with an identity for git, and gives the real one back."""
    settings = os.path.join(folder, "gitconfig")
    _write(settings, "[user]\n\tname = Demo Person\n\temail = demo@example.com\n")
    own = {
        "HOME": folder,
        "USERPROFILE": folder,
        "ENGRAM_HOME": os.path.join(folder, "engram-home"),
        "GIT_CONFIG_GLOBAL": settings,
        "GIT_CONFIG_NOSYSTEM": "1",
    }
    before = dict(os.environ)
    os.environ.update(own)
    for name in [name for name in os.environ if name.startswith(("CLAUDE_", "ENGRAM_")) and name not in own]:
        del os.environ[name]
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def _made(context: Context, store: str) -> None:
    os.makedirs(store)
    for path, text in story.notes().items():
        _write(os.path.join(store, path), text)
    choice = Choice(store, "dir", "the demo's own", exists=True)
    making.make(context, choice, adopt=True, enclosing=False, identity=None, person=True)


def _write(path: str, text: str) -> None:
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        file.write(text)

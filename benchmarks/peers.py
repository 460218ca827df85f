"""The same notes and questions put to engram and to other local memories, in turn, in one run.

Run as ``python -m benchmarks.peers [--rounds N] [--json]`` with ``ENGRAM_CORPUS`` set; ``make bench-peers`` does.
Each peer is installed by pip, at the version named here, into an environment of its own below ``build/peers``; one
that can't be installed or doesn't run is shown with the reason. After that nothing reaches the network: where the
system can (``unshare -n``) each process starts without one, elsewhere behind a proxy that isn't there.

- *@5*: the share of a question's notes that are among the first five, by each one's own explicit search, as it ships.
  paraphrase-60 is a development set of engram's; LoCoMo's facts were in view as well. *bm25* is the plain baseline.
- *command*: the wall time of one search as a process of its own, as a ratio to `-c pass` of the same interpreter;
  *prompt*: the same of the hook that a client runs on each prompt, where a peer has one that searches
- *running, ms*: the mean time of a search in a process that runs already, as a server of tools has it. engram has no
  such server; it looks at every file for changes before each search, and the others don't.

Every store is written anew with what each format has a place for: name, description, body. What would be
lost (basic-memory has no description of its own, aelfrice keeps bodies alone) stands as the first lines of the body.
basic-memory searches by words and vectors where a model is at hand: name its folder in ``FASTEMBED_CACHE_PATH``,
or it searches by words alone, as it then does by itself.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from benchmarks.recalled import bm25, measured, plainly
from benchmarks.sets import Bench
from benchmarks.sets.locomo import locomo
from benchmarks.sets.paraphrase import paraphrase
from benchmarks.table import Row, corpus, show
from engram.model.note import Note

ROOT = Path(__file__).resolve().parent.parent
PEERS = ROOT / "build" / "peers"
LEAST = (3, 12)
"""The oldest Python that the peers run on."""
PATIENCE = 900
"""Seconds for any one process."""

Keys = dict[str, frozenset[str]]
"""What a search names a note by, and the paths of the notes that are meant."""


class CannotRunError(Exception):
    """A peer can't be measured; says why."""


class Peer:
    """Is a memory that can be filled with notes and asked, each time in a home of its own."""

    name = ""
    version = ""
    says = ""
    """How it was set."""
    asks = ""
    """A program for its interpreter: reads questions as JSON, prints for each what it found and in what time."""

    def __init__(self) -> None:
        self.python = sys.executable

    def prepare(self) -> None:
        """Installs it. Raises CannotRunError."""
        self.python = installed(self.name, self.version)

    def environment(self, home: Path) -> dict[str, str]:
        """Returns what its processes are told: a home of its own, and nothing of whoever runs this."""
        left_out = ("ENGRAM_", "CLAUDE", "GIT_", "BASIC_MEMORY_", "AELFRICE_", "PYTHON")
        env = {name: value for name, value in os.environ.items() if not name.startswith(left_out)}
        return {
            **env,
            "HOME": str(home),
            "USERPROFILE": str(home),
            "HF_HUB_OFFLINE": "1",
            "PYTHONUTF8": "1",
        } | unproxied()

    def fill(self, home: Path, notes: Sequence[Note]) -> Keys:
        """Writes the notes down and has them indexed."""
        raise NotImplementedError

    def command(self, question: str) -> list[str]:
        """Returns the command of one search."""
        raise NotImplementedError

    def hook(self) -> list[str]:
        """Returns the command that a client runs on each prompt; [] where it has none that searches."""
        return []

    # -- what all do alike ---------------------------------------------------------------------------------------------

    def run(self, home: Path, command: Sequence[str], data: str = "") -> str:
        """Returns what a command prints. Raises CannotRunError."""
        done = subprocess.run(
            [*denied(), *command], input=data, capture_output=True, env=self.environment(home), cwd=work(home),
            encoding="utf-8", errors="replace", check=False, timeout=PATIENCE,
        )  # fmt: skip
        if done.returncode:
            raise CannotRunError(
                f"{' '.join(command)[:80]}: exit {done.returncode}: {_last(done.stderr or done.stdout)}"
            )
        return done.stdout

    def answers(self, home: Path, questions: Sequence[str]) -> list[tuple[list[str], float]]:
        """Returns for each question what was found, at most five, and the seconds that it took."""
        out = self.run(home, [self.python, "-c", self.asks], json.dumps(list(questions)))
        return [(found[:5], taken) for found, taken in json.loads(out.splitlines()[-1])]

    def script(self, name: str) -> str:
        """Returns the path of a command that was installed with it."""
        return str(Path(self.python).parent / (f"{name}.exe" if os.name == "nt" else name))


class Engram(Peer):
    """Is engram as it stands here, as `engram recall` and `engram hook` use it."""

    name = "engram"
    says = "default embedder, lower bar of explicit recall"
    asks = """
import json, sys, time
from engram.app import asking
from engram.app.context import real_context
context, found = real_context(), []
for question in json.load(sys.stdin):
    start = time.perf_counter()
    with asking.asked(context, asking.Wanted(text=question)) as answer:
        found.append([[hit.item.path for hit in answer.hits], time.perf_counter() - start])
print(json.dumps(found))
"""

    def prepare(self) -> None:
        pass

    def environment(self, home: Path) -> dict[str, str]:
        # its packages must be found without the folder of this checkout being the working directory
        return {**super().environment(home), "ENGRAM_HOME": str(home / "notes"), "PYTHONPATH": str(ROOT)}

    def fill(self, home: Path, notes: Sequence[Note]) -> Keys:
        write(home / "notes", notes, lambda one: _front(one, ("name", "description")) + one.body)
        for words in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "start"]):  # reviewed, as the hook wants it
            who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"]
            subprocess.run(["git", *who, *words], cwd=home / "notes", check=True, capture_output=True)
        self.run(home, [self.python, "-m", "engram", "index"])
        return {one.path: frozenset([one.path]) for one in notes}

    def command(self, question: str) -> list[str]:
        return [self.python, "-m", "engram", "recall", "--json", "--", question]

    def hook(self) -> list[str]:
        return [self.python, "-m", "engram", "hook"]


class BasicMemory(Peer):
    """Is basic-memory: notes in Markdown, searched through its tools."""

    name = "basic-memory"
    version = "0.24.1"
    asks = """
import asyncio, json, sys, time
from basic_memory.cli.commands.command_utils import run_with_cleanup
from basic_memory.mcp.tools import search_notes
async def every(questions):
    found = []
    await search_notes(query="warm up", project="bench", page_size=5, output_format="json")
    for question in questions:
        start = time.perf_counter()
        answer = await search_notes(query=question, project="bench", page_size=5, output_format="json")
        if not isinstance(answer, dict):
            sys.exit(str(answer)[:300])
        found.append([[hit["file_path"] for hit in answer["results"]], time.perf_counter() - start])
    return found
print(json.dumps(run_with_cleanup(every(json.load(sys.stdin)))))
"""

    def __init__(self) -> None:
        super().__init__()
        self.vectors = "FASTEMBED_CACHE_PATH" in os.environ
        self.says = "words and vectors (default)" if self.vectors else "words alone: no model without a download"

    def environment(self, home: Path) -> dict[str, str]:
        env = super().environment(home) | {
            "BASIC_MEMORY_CONFIG_DIR": str(home / "config"),
            "BASIC_MEMORY_AUTO_UPDATE": "false",
            "LOGFIRE_IGNORE_NO_CONFIG": "1",
        }
        words = {"BASIC_MEMORY_SEMANTIC_SEARCH_ENABLED": "false", "BASIC_MEMORY_DEFAULT_SEARCH_TYPE": "text"}
        return env if self.vectors else env | words

    def fill(self, home: Path, notes: Sequence[Note]) -> Keys:
        write(home / "notes", notes, lambda one: _front(one, ("title",)) + _lines(one.description, one.body))
        self.run(home, [self.script("basic-memory"), "project", "add", "bench", str(home / "notes"), "--default"])
        told = self.run(home, [self.script("basic-memory"), "reindex", "--full", "-p", "bench"])
        if self.vectors and "semantic search is unavailable" in " ".join(told.split()):
            self.says = "words alone: it says that semantic search is unavailable here"
        return {one.path: frozenset([one.path]) for one in notes}

    def command(self, question: str) -> list[str]:
        command = [self.script("basic-memory"), "tool", "search-notes", "--project", "bench", "--page-size", "5"]
        return [*command, "--json", "--", question]


class Aelfrice(Peer):
    """Is aelfrice: takes over a folder of Claude Code's notes, and has a hook for each prompt."""

    name = "aelfrice"
    version = "5.2.0"
    says = "as installed: words, no embedder"
    asks = """
import json, sys, time
from aelfrice.cli import open_store_for_read
from aelfrice.retrieval import retrieve
store, found = open_store_for_read(), []
retrieve(store, "warm up", token_budget=2400)
for question in json.load(sys.stdin):
    start = time.perf_counter()
    hits = retrieve(store, question, token_budget=2400)
    found.append([[hit.content for hit in hits], time.perf_counter() - start])
print(json.dumps(found))
"""

    def environment(self, home: Path) -> dict[str, str]:
        return {**super().environment(home), "AELFRICE_DB": str(home / "beliefs.db")}

    def fill(self, home: Path, notes: Sequence[Note]) -> Keys:
        where = "import sys; from aelfrice.claude_memory import derive_memory_dir as d; print(d(sys.argv[1]))"
        folder = Path(self.run(home, [self.python, "-c", where, str(work(home))]).strip())
        write(folder, notes, lambda one: _front(one, ("name", "description")) + self._body(one))
        told = self.run(home, [self.script("aelf"), "reconcile-claude-memory", "--project", str(work(home)), "--force"])
        if f"reconciled {len(notes)}/{len(notes)} " not in told:
            raise CannotRunError(f"it took over some notes only: {_last(told)}")
        keys: dict[str, set[str]] = {}
        for one in notes:
            keys.setdefault(self._body(one).strip(), set()).add(one.path)
        return {body: frozenset(paths) for body, paths in keys.items()}

    def command(self, question: str) -> list[str]:
        return [self.script("aelf"), "search", "--json", "--", question]

    def hook(self) -> list[str]:
        return [self.script("aelf-hook")]

    def _body(self, one: Note) -> str:
        named = one.name if one.name != one.path.removesuffix(".md") else ""
        return _lines(named, one.description, one.body)


# -- measuring ---------------------------------------------------------------------------------------------------------


def main(argv: Sequence[str] | None = None) -> int:
    """Prints the table; returns 1 where engram itself can't be measured."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    rounds = int(arguments[arguments.index("--rounds") + 1]) if "--rounds" in arguments else 7
    folder = corpus()
    if folder is None:
        return 0
    benches = [*paraphrase(folder, True), *locomo(folder, True)]
    _tell(
        f"network: {'denied by ' + ' '.join(denied()) if denied() else 'not denied; behind a proxy that is not there'}"
    )
    rows: list[Row] = [_row("bm25, stemmed", "", "the baseline: no process, no index", bm25_of(benches))]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as made:
        ready: list[tuple[Peer, Path, dict[str, str | float]]] = []
        for peer in (Engram(), BasicMemory(), Aelfrice()):
            home = Path(made, peer.name)
            try:
                peer.prepare()
                ready.append((peer, home, recall(peer, home, benches)))
            except (CannotRunError, OSError, subprocess.SubprocessError, ValueError) as error:
                _tell(f"NOT MEASURED: {peer.name}: {error}")
                rows.append(_row(peer.name, peer.version, f"NOT MEASURED: {str(error)[:120]}", {}))
        questions = [one.text for one in benches[0].stores[0].questions if one.gold]
        times = timed([(peer, home / "0") for peer, home, _ in ready], questions, rounds)
        rows += [_row(peer.name, peer.version, peer.says, found | times[peer.name]) for peer, _, found in ready]
    show(rows, arguments)
    return int(all(peer.name != "engram" for peer, _, _ in ready))


def recall(peer: Peer, folder: Path, benches: Sequence[Bench]) -> dict[str, str | float]:
    """Returns recall@5 of each set, and the mean seconds of a search while a process runs."""
    values: dict[str, str | float] = {}
    number, seconds = 0, []
    for bench in benches:
        shares = []
        for store in bench.stores:
            home = folder / str(number)
            number += 1
            work(home).mkdir(parents=True)
            keys = peer.fill(home, store.notes)
            asked = [one for one in store.questions if one.gold]
            answers = peer.answers(home, [one.text for one in asked])
            for one, (found, taken) in zip(asked, answers, strict=True):
                paths = {path for key in found for path in keys.get(key.strip(), ())}
                shares.append(len(one.gold & paths) / len(one.gold))
                seconds.append(taken)
        values[f"{bench.name} @5"] = statistics.fmean(shares)
    return values | {"running, ms": round(statistics.fmean(seconds) * 1000, 1)}


def timed(peers: Sequence[tuple[Peer, Path]], questions: Sequence[str], rounds: int) -> dict[str, dict[str, float]]:
    """Returns the ratios of fresh processes to `-c pass`; in each round every command of every peer runs once."""
    taken: dict[tuple[str, str], list[float]] = {}
    for turn in range(-1, rounds):  # the first round compiles what isn't
        question = questions[turn % len(questions)]
        for peer, home in peers:
            prompt = json.dumps({
                "session_id": f"bench-{turn}", "transcript_path": str(home / "t.jsonl"), "cwd": str(work(home)),
                "prompt_id": f"prompt-{turn}", "permission_mode": "default", "hook_event_name": "UserPromptSubmit",
                "prompt": question,
            })  # fmt: skip
            commands = {"pass": [peer.python, "-c", "pass"], "command": peer.command(question), "prompt": peer.hook()}
            for what, command in commands.items():
                if command:
                    start = time.perf_counter()
                    peer.run(home, command, prompt if what == "prompt" else "")
                    if turn >= 0:
                        taken.setdefault((peer.name, what), []).append(time.perf_counter() - start)
    middle = {key: statistics.median(times) for key, times in taken.items()}
    return {
        peer.name: {
            what: round(middle[peer.name, what] / middle[peer.name, "pass"], 1)
            for what in ("command", "prompt")
            if (peer.name, what) in middle
        }
        for peer, _ in peers
    }


def bm25_of(benches: Sequence[Bench]) -> dict[str, str | float]:
    """Returns recall@5 of textbook BM25 on each set."""
    return {f"{bench.name} @5": measured(bench, plainly(bm25))["@5"] for bench in benches}


def _row(name: str, version: str, says: str, values: Mapping[str, str | float]) -> Row:
    heads = ("paraphrase-60 @5", "locomo facts @5", "command", "prompt", "running, ms")
    return {"memory": f"{name} {version}".strip(), **{head: values.get(head, "-") for head in heads}, "settings": says}


# -- homes and environments --------------------------------------------------------------------------------------------


def work(home: Path) -> Path:
    """Returns the working directory of a home."""
    return home / "work"


def write(folder: Path, notes: Sequence[Note], text: Any) -> None:
    """Writes notes as files."""
    for one in notes:
        path = folder / one.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text(one) + "\n", encoding="utf-8")


@lru_cache
def denied() -> tuple[str, ...]:
    """Returns what starts a process without network; () where the system can't."""
    for words in (("unshare", "-n"), ("unshare", "-rn")):
        if shutil.which(words[0]):
            done = subprocess.run([*words, sys.executable, "-c", "pass"], capture_output=True, check=False)
            if not done.returncode:
                return words
    return ()


def unproxied() -> dict[str, str]:
    """Returns a proxy that isn't there, where the network can't be denied."""
    names = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy")
    return {} if denied() else dict.fromkeys(names, "http://127.0.0.1:9")


@lru_cache
def python_312() -> str:
    """Returns an interpreter that the peers run on. Raises CannotRunError."""
    named = os.environ.get("ENGRAM_BENCH_PYTHON", "")
    versions = sorted(Path.home().glob(".pyenv/versions/3.1[2-9]*/bin/python"))
    wanted = [named, sys.executable, "python3.12", *map(str, versions), "python3.13", "python3.14", "python3"]
    for one in filter(None, wanted):
        if shutil.which(one):
            check = f"import sys, venv, ensurepip; sys.exit(sys.version_info < {LEAST})"
            if not subprocess.run([one, "-c", check], capture_output=True, check=False).returncode:
                return one
    raise CannotRunError("needs Python 3.12 or newer, and none is here: name one in ENGRAM_BENCH_PYTHON")


def installed(name: str, version: str) -> str:
    """Returns the interpreter of an environment in which a package stands. Raises CannotRunError."""
    folder = PEERS / f"{name}-{version}"
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    done = folder / "installed"
    if not done.exists():
        _tell(f"installing {name} {version} into {folder}")
        PEERS.mkdir(parents=True, exist_ok=True)
        pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", f"{name}=={version}"]
        for command in ([python_312(), "-m", "venv", "--clear", str(folder)], pip):
            made = subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace", check=False)
            if made.returncode:
                raise CannotRunError(f"{' '.join(command[1:4])}: {_last(made.stderr)}")
        done.touch()
    return str(python)


def _front(one: Note, names: Sequence[str]) -> str:
    values = {"name": one.name, "title": one.name, "description": one.description}
    lines = [f"{name}: {json.dumps(values[name], ensure_ascii=False)}" for name in names if values[name]]
    return "\n".join(["---", *lines, "---", "", ""])


def _lines(*parts: str) -> str:
    return "\n\n".join(part for part in parts if part)


def _last(text: str) -> str:
    return next((line.strip()[:200] for line in reversed(text.splitlines()) if line.strip()), "no word")


def _tell(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())

"""Reads a flow: prose, files to write, commands, and what they print. Runs it, and writes down what it printed.

    ```file changeset.json      the block's text is written; {{base PATH}} becomes the version of a store's file
    ```console                  `$ engram …` or `$ git …`; what follows up to the next `$` is expected
    $ engram review  <y         what follows `<` is typed by a person, one word an answer (`^D`: the end of input)
    [exit 3]                    an exit status that is not 0
    stderr lines stand behind `! `

What differs from run to run stands as <hex> (12 hex digits or more) and <dir>.
"""

from __future__ import annotations

import re
import shlex
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from engram.model.note import base_of
from tests.lib.cli import context, run

_BLOCK = re.compile(r"^```(file [^\n]+|console)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_HEX = re.compile(r"\b[0-9a-f]{12,64}\b")
_BASE = re.compile(r"\{\{base ([^}]+)\}\}")


@dataclass
class Flow:
    """Is a flow that runs in a folder of its own."""

    text: str
    folder: Path

    def played(self) -> str:
        """Returns the flow's text with what its commands print now."""
        return _BLOCK.sub(self._block, self.text)

    def _block(self, match: re.Match[str]) -> str:
        head, body = match[1], match[2]
        if head != "console":
            target = self.folder / head.removeprefix("file ")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(_BASE.sub(lambda m: base_of((self.folder / m[1]).read_bytes()), body), encoding="utf-8")
            return match[0]
        commands = [line[2:] for line in body.split("\n") if line.startswith("$ ")]
        return f"```{head}\n" + "".join(line + "\n" for command in commands for line in self._shown(command)) + "```"

    def _shown(self, command: str) -> Iterator[str]:
        yield f"$ {command}"
        line, _, typed = command.partition("  <")
        words = shlex.split(line)
        if words[0] == "git":
            done = subprocess.run(words, cwd=self.folder, capture_output=True, text=True, encoding="utf-8", check=False)
            status, out, err = done.returncode, done.stdout, done.stderr
        else:
            answers = [None if word == "^D" else word for word in typed.split()] if typed else None
            ran = run(*words[1:], answers=answers, at=context(self.folder))
            status, out, err = ran.exit, ran.out, ran.err
        yield from (self._steady(text) for text in out.rstrip("\n").split("\n") if out.strip())
        yield from (f"! {self._steady(text)}" for text in err.rstrip("\n").split("\n") if err.strip())
        if status:
            yield f"[exit {status}]"

    def _steady(self, line: str) -> str:
        return _HEX.sub("<hex>", line.replace(str(self.folder), "<dir>")).rstrip()

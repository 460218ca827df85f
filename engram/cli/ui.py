"""The only printer. Results go to stdout, words for people to stderr. A question defaults to no, its end too."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, TextIO

from engram.curate.gate import unattended
from engram.model.visible import hidden, visible, visible_line

_COLOURS = (("+++ ", "bold"), ("--- ", "bold"), ("diff --git", "bold"), ("@@", "cyan"), ("+", "green"), ("-", "red"))


@dataclass
class Ui:
    """Talks to whoever started this process.

    ``answer`` takes a question and returns what was typed, None at the end of the input; without one, a terminal is
    asked, and only a terminal that a person sits at.
    """

    env: Mapping[str, str]
    stdin: TextIO
    stdout: TextIO
    stderr: TextIO
    answer: Callable[[str], str | None] | None = None
    json_asked: bool = False
    _console: Any = field(default=None, repr=False)

    @property
    def alone(self) -> str:
        """Why no person can be asked here; "" where one can."""
        if self.answer is not None:
            return ""
        return unattended(self.env, _is_terminal(self.stdin) and _is_terminal(self.stdout))

    @property
    def width(self) -> int:
        """Columns to show a plan in: the terminal's own, a hundred at most."""
        if self.answer is not None or not _is_terminal(self.stdout):
            return 100
        return min(100, shutil.get_terminal_size().columns)

    def out(self, text: str) -> None:
        """Prints a result. It may hold untrusted text, and is made visible."""
        self.stdout.write(visible(text) + "\n")
        self.stdout.flush()

    def line(self, text: str) -> None:
        """Prints a result of one line, whatever line ends stand in the names and descriptions of it."""
        self.out(visible_line(text))

    def say(self, text: str) -> None:
        """Prints words for a person; nothing where a machine asked for JSON."""
        if not self.json_asked:
            self.stderr.write(visible(text) + "\n")
            self.stderr.flush()

    def json(self, value: object) -> None:
        """Prints a value as JSON. Characters that can't be seen come as ``\\uXXXX``, which JSON reads as themselves."""
        text = json.dumps(value, ensure_ascii=False, indent=2, default=str)
        for char in {char for char in text if not char.isascii() and hidden(char)}:
            text = text.replace(char, _escaped(char))
        self.stdout.write(text + "\n")
        self.stdout.flush()

    def show(self, rendering: str) -> None:
        """Shows a plan: coloured at a terminal, through ``$PAGER`` where it is set and the plan is longer than the
        screen. The rendering has been made visible where it was made."""
        pager = self.env.get("PAGER", "").strip()
        screen = shutil.get_terminal_size().lines
        if self.answer is None and _is_terminal(self.stdout):
            if pager and rendering.count("\n") > screen - 4 and self._paged(rendering, pager):
                return
            for line in rendering.split("\n"):
                self._coloured(line)
            return
        self.stdout.write(rendering + "\n")
        self.stdout.flush()

    def forget_typed(self) -> None:
        """Drops what was typed ahead: a yes typed before a plan was shown is no answer to it."""
        if self.answer is None and not self.alone:
            _flush_input(self.stdin.fileno())

    def ask(self, question: str) -> str | None:
        """Returns what a person typed after a question; None at the end of the input or where nobody can be asked.

        A question may hold untrusted text, such as a note's name, and is made visible.
        """
        question = visible_line(question)
        if self.answer is not None:
            return self.answer(question)
        if self.alone:
            return None
        self.stdout.write(f"{visible_line(question)} ")
        self.stdout.flush()
        line = self.stdin.readline()
        if not line:
            self.stdout.write("\n")
            return None
        return line.strip()

    def confirm(self, question: str) -> bool:
        """Tells whether a person said yes."""
        return (self.ask(f"{question} [y/N]") or "").lower() in {"y", "yes"}

    def edit(self, text: bytes, name: str, folder: str) -> bytes | None:
        """Lets a person edit a text in their editor; None where they left it as it was.

        The editor is ``$VISUAL``, else ``$EDITOR``, else the platform's; click knows how to start it.
        """
        import click  # noqa: PLC0415 - imported when it is needed: hooks and --help start without it

        with tempfile.TemporaryDirectory(dir=folder) as made:
            path = os.path.join(made, re.sub(r"[^\w.-]", "_", os.path.basename(name)) or "note.md")
            with open(path, "wb") as file:
                file.write(text)
            editor = self.env.get("VISUAL") or self.env.get("EDITOR") or None
            try:
                click.edit(editor=editor, filename=path, env=dict(self.env))
            except click.ClickException as error:
                self.say(f"the editor failed: {error.format_message()}")
                return None
            try:
                with open(path, "rb") as file:
                    edited = file.read()
            except OSError as error:
                self.say(f"the editor left no file to read: {error.strerror}")
                return None
        return None if edited == text else edited

    def _paged(self, text: str, pager: str) -> bool:
        env = {"LESS": "FRX", **self.env}
        try:
            done = subprocess.run(pager, shell=True, input=text.encode(), env=env, check=False)  # noqa: S602 - a pager is a shell command, as for git
        except OSError:
            return False
        return done.returncode == 0

    def _coloured(self, line: str) -> None:
        if self._console is None:
            from rich.console import Console  # noqa: PLC0415 - imported when it is needed: hooks and --help start without it

            self._console = Console(file=self.stdout, highlight=False, markup=False, emoji=False, soft_wrap=True)
        style = next((style for start, style in _COLOURS if line.startswith(start)), None)
        self._console.print(line, style=style)


def real_ui(env: Mapping[str, str], *, json_asked: bool = False) -> Ui:
    """Returns the printer of this process. Output is UTF-8 whatever the locale says (cp1252, C)."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by whoever started this
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 - it ends with the process
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, OSError, ValueError):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]
    with suppress(AttributeError, OSError, ValueError):  # a key that is no UTF-8 is no answer, and no fault
        sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr]
    return Ui(env, sys.stdin, sys.stdout, sys.stderr, json_asked=json_asked)


def _flush_input(descriptor: int) -> None:
    if sys.platform == "win32":
        import msvcrt  # noqa: PLC0415 - there on Windows alone

        while msvcrt.kbhit():
            msvcrt.getwch()
    else:
        import termios  # noqa: PLC0415 - not there on Windows

        with suppress(termios.error):
            termios.tcflush(descriptor, termios.TCIFLUSH)


def _is_terminal(stream: TextIO) -> bool:
    try:
        return stream.isatty()
    except (AttributeError, ValueError):
        return False


def _escaped(char: str) -> str:
    units = char.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[i]:02x}{units[i + 1]:02x}" for i in range(0, len(units), 2))

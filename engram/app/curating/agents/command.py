"""Any other command line: the prompt on its standard input, the answer on its standard output."""

from __future__ import annotations

import re

from engram.app.curating.calls import Answer, Call, Ended, Surroundings, words_of


class Command:
    """Is a command line as an agent. What it may do is up to whoever wrote it."""

    LOGIN = "run the command by hand to see what it lacks"

    def __init__(self, words: tuple[str, ...]) -> None:
        self.words = words
        """The program and its arguments."""
        self.WORD = words[0]
        name = re.split(r"[/\\]", words[0])[-1]
        self.NAME = re.sub(r"[^\w.-]+", "-", name)[:60].strip("-.") or "command"

    def call(self, around: Surroundings) -> Call:
        """Returns how it is started; a model that was asked for is in its environment."""
        return Call(self.words[1:], env={"ENGRAM_MODEL": around.model} if around.model else {})

    def answer(self, ended: Ended) -> Answer:
        """Returns its output."""
        if ended.status:
            return Answer("", None, words_of(ended) or f"it ended with exit status {ended.status}")
        return Answer(ended.out)

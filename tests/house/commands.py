"""Command lines in documents: finds them, and tells whether they parse, without running any."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator

import click

from engram.cli.tree import group

FENCE = re.compile(r"^(\s*)```(\w*)\s*\n(.*?)^\1```\s*$", re.MULTILINE | re.DOTALL)
SPAN = re.compile(r"`(engram [^`\n]+)`")
TYPED = (click.Choice, click.types.FloatParamType, click.types.IntParamType)
ENDS_A_COMMAND = {"|", "||", "&&", ";", ">", ">>", "<", "<<", "2>", "2>&1", "&"}


def command_lines(markdown: str) -> Iterator[str]:
    """Yields each line of a fenced block that calls engram, after a ``$`` or a pipe too."""
    for block in FENCE.finditer(markdown):
        if block[2] in {"bash", "sh", "console", ""}:
            for line in block[3].replace("\\\n", " ").splitlines():
                found = re.search(r"(?:^|^\$ |\| |&& )(engram\b.*)", line.strip())
                if found:
                    yield found[1]


def mentions(text: str) -> Iterator[str]:
    """Yields each code span that calls engram or names one of its commands."""
    for span in SPAN.finditer(FENCE.sub("", text)):
        yield span[1]


def words_of(line: str) -> list[str]:
    """Returns a command line's words, up to where the shell ends the command; without a comment."""
    words = shlex.split(line, comments=True)
    for place, word in enumerate(words):
        if word in ENDS_A_COMMAND or word.startswith("<<"):
            return words[:place]
    return words


def problems_of(text: str) -> list[str]:
    """Returns what is wrong with the command lines of a document or a message."""
    found = [problem_with(line) for line in command_lines(text)]
    return [words for words in [*found, *(problem_with(line, named=True) for line in mentions(text))] if words]


def problem_with(line: str, *, named: bool = False) -> str:
    """Returns "" where the command line would be understood, else why not. Nothing is run and no file is asked for.

    ``named``: words that end with the command's own name only name it; they call for no arguments.
    """
    command: click.Command = group()
    context = click.Context(command, info_name="engram")
    words = words_of(line)[1:]
    try:
        while isinstance(command, click.Group) and words and not words[0].startswith("-"):
            below = command.get_command(context, words[0])
            if below is None:
                return f"{line}: no such command: {words[0]}"
            context = click.Context(below, info_name=words.pop(0), parent=context)
            command = below
        if named and not words:
            return ""
        values, left, _ = command.make_parser(context).parse_args(list(words))
    except click.UsageError as error:
        return f"{line}: {error.format_message()}"
    if left:
        return f"{line}: what is {left}?"
    if isinstance(command, click.Group) and not values and command.no_args_is_help:
        return "" if not words and line.strip() == "engram" else f"{line}: is no command by itself"
    if "help" in values:
        return ""
    for parameter in command.get_params(context):
        value = values.get(str(parameter.name))
        missing = value is None or type(value).__name__ == "Sentinel" or value == ()
        if missing and parameter.required:
            return f"{line}: {parameter.human_readable_name} is missing"
        if not missing and isinstance(parameter.type, TYPED):
            try:
                parameter.type_cast_value(context, value)
            except click.UsageError as error:
                return f"{line}: {error.format_message()}"
    return ""

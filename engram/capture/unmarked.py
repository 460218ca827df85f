"""What stands in front of a command and only runs it, and whether that takes away the marks by which a client says that
an agent runs what it runs.

On the hot path of a tool's hook, where a command names engram: the standard library alone.
"""

from __future__ import annotations

from engram.capture.programs import OFF, THROUGH, UNSETTING, WRAPPERS
from engram.capture.shellwords import DEEPEST, base, is_option

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence


def unwrapped(words: Sequence[str], marks: Collection[str]) -> tuple[list[str], bool]:
    """Returns a command without the programs that only run it, and whether one of them takes a mark away."""
    left = list(words)
    cleared = False
    for _ in range(DEEPEST):
        if not left or base(left[0]) not in WRAPPERS:
            break
        program = base(left[0])
        cleared = cleared or (program == "env" and _env_clears(left[1:], marks)) or _starts_afresh(program, left[1:])
        left = _behind(program, left[1:])
    while left and "=" in left[0] and left[0].partition("=")[0].isidentifier():
        name, _, value = left[0].partition("=")
        cleared = cleared or (name in marks and value.lower() in OFF)
        left = left[1:]
    return left, cleared


def _behind(program: str, words: list[str]) -> list[str]:
    valued = WRAPPERS[program]
    at = 0
    while at < len(words):
        word = words[at]
        if program == "env" and word.startswith(("-S", "--split-string")):
            line = word.removeprefix("--split-string").removeprefix("-S").removeprefix("=")
            return [part for one in (line, *words[at + 1 :]) for part in one.split()]
        if word == "-" or is_option(word) or (word.startswith("/") and program == "start" and len(word) < 6):
            at += 2 if word in valued else 1
        elif (
            ("=" in word and program in {"env", "sudo", "doas"})
            or word in THROUGH.get(program, ())
            or (program in {"timeout", "gtimeout"} and word.lstrip(".")[:1].isdigit())
        ):
            at += 1
        else:
            break
    return words[at:]


def _env_clears(words: Sequence[str], marks: Collection[str]) -> bool:
    for at, word in enumerate(words):
        if word in {"-", "-i", "--ignore-environment"} or (
            word.startswith("-") and "i" in word[1:] and word[1:2] != "-"
        ):
            return True
        unset = word.removeprefix("--unset=") if "=" in word else "".join(words[at + 1 : at + 2])
        name, sign, value = word.partition("=")
        if (word.startswith(("-u", "--unset")) and (unset in marks or word[2:] in marks)) or (
            sign and name in marks and value.lower() in OFF
        ):
            return True
    return False


def _starts_afresh(program: str, words: Sequence[str]) -> bool:
    """Tells whether a program gives what it runs another environment than its own."""
    options = [word for word in words if is_option(word) or word == "-"]
    if program == "exec":
        return any(word[:2] != "--" and "c" in word for word in options)
    return program in {"sudo", "doas"} and any(word in {"-i", "--login"} for word in options)


def clears(words: Sequence[str], marks: Collection[str]) -> bool:
    """Tells whether a command takes a mark out of the environment, in any of the shells."""
    if not words:
        return False
    program, rest = base(words[0]), words[1:]
    names = [word.lower().removeprefix("env:").strip("\"'") for word in rest]
    listed = {mark.lower() for mark in marks}
    if program == "su":
        return any(word in {"-", "-l", "--login"} for word in rest)
    if program == "unset" and any("$" in name for name in names):  # which, only the shell knows
        return True
    if program in UNSETTING:
        return any(name.lstrip("\\/") in listed or name.replace("env:\\", "") in listed for name in names)
    if program in {"export", "declare", "typeset", "set", "setx", "local", "readonly"}:
        cleared = program in {"set", "setx"} or "-n" in rest or "+x" in rest
        return any(
            name.partition("=")[0] in listed and (cleared or ("=" in name and name.partition("=")[2] in OFF))
            for name in names
        )
    if program.startswith("$env:"):
        return program.partition("=")[0].removeprefix("$env:") in listed
    return "setenvironmentvariable" in program

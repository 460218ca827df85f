"""What an agent's command does with engram: applies a plan, goes where only a person may go, or nothing of interest.

It is judged by what is run and by the paths that are named, not by a mention: a commit message about ``engram hook`` is
one. What is put together while it runs (a script, a variable of the environment) can't be read here; that is what the
approvals and `engram audit` are for (docs/threat-model.md).

On the hot path of a tool's hook: the standard library alone, and little of it.
"""

from __future__ import annotations

from engram.capture.programs import (
    INTERPRETERS,
    OFF,
    PTY,
    PTY_CODE,
    SAYING,
    SEARCHING,
    SHELL_CODE,
    SHELLS,
    TEXT_OF,
    THROUGH,
    UNSETTING,
    WRAPPERS,
)
from engram.capture.shellwords import DEEPEST, Simple, base, flat, is_option, parts_of, without_options
from engram.capture.statefiles import WHY as STATE
from engram.capture.statefiles import in_state, names_state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

HOOK = (
    "`engram hook` and `engram pending add` are for the client's hooks; an agent that ran them would speak in the "
    "person's name"
)
LONG = "this command names engram and is too long to be read"
TERMINAL = "engram asks a person at a terminal of their own; an agent opens none for it"
MARKS = "the client's variables say that an agent runs a command; engram has to see them"
TOKEN = "--token is put into a command by the client's own dialog"  # noqa: S105 - words, no secret


LONGEST = 100_000
"""Characters of a command."""


class Judged:
    """Is what a command does: ``plan`` names the one that it applies, ``why`` is the reason why it may not run."""

    __slots__ = ("plan", "targets", "why")

    def __init__(self, plan: str = "", why: str = "", targets: Sequence[str] = ()) -> None:
        self.plan = plan
        self.why = why
        self.targets = tuple(targets)
        """Files that redirections and ``tee`` write."""


def judged(command: str, marks: Collection[str], *, windows: bool = False) -> Judged:
    """Returns what a command line does.

    ``marks``: the variables by which a client marks what its agents run. ``windows``: it may be for cmd or PowerShell.
    """
    if len(command) > LONGEST:
        return Judged(why=LONG)
    readings = [parts_of(command)]
    if windows or ("\\" in command and ":\\" in command):
        readings.append(parts_of(command, windows=True))
    for parts in readings:
        if why := _forbidden(parts.commands, marks, 0):
            return Judged(why=why)
    parts = readings[-1] if windows else readings[0]
    targets = [target for one in parts.commands for target in (*one.targets, *_tee(one))]
    plan = "" if parts.compound or len(parts.commands) != 1 else _applied(parts.commands[0].words)
    return Judged(plan, targets=targets)


def _applied(words: Sequence[str]) -> str:
    """Returns the plan that a plain command applies; "" for any other command."""
    arguments = _engram_arguments(words)
    if arguments is None or arguments[:2] != ["curate", "apply"]:
        return ""
    rest = [part for word in arguments[2:] for part in (word.split("=", 1) if word.startswith("--plan=") else [word])]
    if "--yes" not in rest or rest.count("--plan") != 1:
        return ""
    at = rest.index("--plan")
    digest = "".join(rest[at + 1 : at + 2])
    others = [word for place, word in enumerate(rest) if place not in {at, at + 1}]
    whole = len(digest) == 64 and all(char in "0123456789abcdef" for char in digest)
    return digest if whole and sorted(others) in (["--yes"], ["--json", "--yes"]) else ""


# -- what may not run --------------------------------------------------------------------------------------------------


def _forbidden(commands: Sequence[Simple], marks: Collection[str], deep: int) -> str:
    runs = False
    unmarked = False
    for one in commands:
        why, ran, cleared = _looked_at(one, marks, deep)
        if why:
            return why
        runs = runs or ran
        unmarked = unmarked or cleared
    return MARKS if runs and unmarked else ""


def _looked_at(one: Simple, marks: Collection[str], deep: int) -> tuple[str, bool, bool]:
    """Returns why one command may not run, whether engram is run by it, and whether it takes a mark away."""
    cleared = any(name in marks and value.lower() in OFF for name, value in one.assigned)
    if any(names_state(text) for text in (*one.targets, *one.sources, *(value for _, value in one.assigned))):
        return STATE, False, cleared
    words, unmarked = _unwrapped(one.words, marks)
    cleared = cleared or unmarked or _clears(words, marks)
    if not words:
        return "", False, cleared
    program, rest = base(words[0]), words[1:]
    if arguments := _engram_arguments(words):
        first = without_options(arguments)
        if (first[:1] == ["hook"] or first[:2] == ["pending", "add"]) and not {"-h", "--help"} & set(arguments):
            return HOOK, True, cleared
        if any(word == "--token" or word.startswith("--token=") for word in arguments):
            return TOKEN, True, cleared
    if program in PTY and _runs_inside(program, rest, one.documents):
        return TERMINAL, True, cleared
    if program in {"tmux", "screen"} and _types_yes(rest):
        return TERMINAL, False, cleared
    why, ran = _in_code(program, words, one.documents, marks, deep)
    if why:
        return why, ran, cleared
    if any(names_state(word) for word in _files(program, rest)):
        return STATE, ran, cleared
    return "", ran or _engram_arguments(words) is not None, cleared


def _unwrapped(words: Sequence[str], marks: Collection[str]) -> tuple[list[str], bool]:
    """Returns a command without the programs that only run it, and whether one of them takes a mark away."""
    left = list(words)
    cleared = False
    for _ in range(DEEPEST):
        if not left or base(left[0]) not in WRAPPERS:
            break
        program = base(left[0])
        cleared = cleared or (program == "env" and _env_clears(left[1:], marks))
        left = _behind(program, left[1:])
    while left and "=" in left[0] and left[0].partition("=")[0].isidentifier():
        name, _, value = left[0].partition("=")
        cleared = cleared or (name in marks and value.lower() in OFF)
        left = left[1:]
    return left, cleared


def _behind(program: str, words: list[str]) -> list[str]:
    valued = WRAPPERS[program]
    at = 0
    if program == "env" and words[:1] and words[0] in {"-S", "--split-string"}:
        return [part for word in words[1:] for part in word.split()]
    while at < len(words):
        word = words[at]
        if word == "-" or is_option(word) or (word.startswith("/") and program == "start" and len(word) < 6):
            at += 2 if word in valued else 1
        elif (
            ("=" in word and program in {"env", "sudo", "doas"})
            or word in THROUGH.get(program, ())
            or (program in {"timeout", "gtimeout"} and word[:1].isdigit())
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


def _clears(words: Sequence[str], marks: Collection[str]) -> bool:
    """Tells whether a command takes a mark out of the environment, in any of the shells."""
    if not words:
        return False
    program, rest = base(words[0]), words[1:]
    names = [word.lower().removeprefix("env:").strip("\"'") for word in rest]
    listed = {mark.lower() for mark in marks}
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


def _engram_arguments(words: Sequence[str]) -> list[str] | None:
    """Returns engram's arguments where a plain command runs engram; None where it doesn't."""
    if not words:
        return None
    if base(words[0]) in {"engram", "engram-curator"}:
        return list(words[1:])
    if base(words[0]).startswith(INTERPRETERS[:2]) or base(words[0]) == "py":
        for at, word in enumerate(words[1:-1], start=1):
            if word == "-m":
                return list(words[at + 2 :]) if words[at + 1] in {"engram", "engram.__main__"} else None
            if not is_option(word):
                return None
    return None


def _runs_inside(program: str, words: Sequence[str], documents: Sequence[str]) -> bool:
    """Tells whether a program that opens a terminal is to run engram in it."""
    named = {"-s", "-n", "-t", "-c", "-S", "-L"} if program in {"tmux", "screen"} else set()
    told = [word for at, word in enumerate(words) if not (at and words[at - 1] in named)]
    if program == "socat" and not any("pty" in word.lower() or "exec" in word.lower() for word in words):
        return False
    return any(_mentions_run(text) for text in (" ".join(told), *told, *documents))


def _mentions_run(text: str) -> bool:
    """Tells whether a text for a shell or a program holds engram as a command's name."""
    words = flat(text.replace(":", " ")).split(" ")
    for at, word in enumerate(words):
        name = word.replace("\\", "/")
        if name in {"engram", "engram.exe", "./engram"} or name.endswith(
            ("/bin/engram", "/scripts/engram", "/scripts/engram.exe")
        ):
            return True
        if name.endswith("/engram") and at + 1 < len(words) and words[at + 1] in _OWN:
            return True
    return False


_OWN = frozenset(("review", "curate", "undo", "pending", "hook", "config", "init", "purge", "archive"))


def _types_yes(words: Sequence[str]) -> bool:
    """Tells whether keys are sent to another terminal that approve a plan there."""
    typed = [word.lower() for word in words]
    if not any(word.startswith("send") or word in {"stuff", "paste-buffer", "set-buffer"} for word in typed):
        return False
    text = flat(" ".join(typed).replace("\\n", " ").replace("\\r", " ")).split(" ")
    return any(one == "yes" and len(other) == 5 and other.isalpha() for one, other in zip(text, text[1:]))  # noqa: B905, RUF007


def _in_code(
    program: str, words: Sequence[str], documents: Sequence[str], marks: Collection[str], deep: int
) -> tuple[str, bool]:
    """Returns why the code that a shell or an interpreter is given may not run, and whether it runs engram."""
    if program in SHELLS or program == "su":
        codes = [*documents, *_shell_code(program, words)]
        if deep < DEEPEST:
            for code in codes:
                parts = parts_of(code, windows=program in {"cmd", "pwsh", "powershell"}, deep=deep + 1)
                if why := _forbidden(parts.commands, marks, deep + 1):
                    return why, True
        return "", any(_mentions_run(code) for code in codes)
    if not program.startswith(INTERPRETERS):
        return "", False
    for code in (*_program_code(words), *documents):
        said = flat(code)
        if in_state(said.replace(" ", "/")) or names_state(said):
            return STATE, False
        if "engram hook" in said or "engram pending add" in said or "engram.app.hook" in said:
            return HOOK, True
        told = f"{said} {flat(' '.join(words))}"
        if any(mark in told for mark in PTY_CODE) and _mentions_run(told):
            return TERMINAL, True
        if _mentions_run(said) and any(mark.lower() in said for mark in marks):
            return MARKS, True
    return "", False


def _shell_code(program: str, words: Sequence[str]) -> list[str]:
    if program == "eval":
        return [" ".join(words[1:])]
    for at, word in enumerate(words[1:], start=1):
        if word.lower() in SHELL_CODE or (word.startswith("-") and not word.startswith("--") and word.endswith("c")):
            return (
                [" ".join(words[at + 1 :])]
                if program in {"cmd", "pwsh", "powershell"}
                else list(words[at + 1 : at + 2])
            )
    return [" ".join(words[1:])] if program in {"cmd", "busybox", "wsl"} else []


def _program_code(words: Sequence[str]) -> list[str]:
    found = [
        words[at + 1]
        for at, word in enumerate(words[:-1])
        if word in {"-c", "-e", "--eval", "-E", "-r", "-pe", "-ne", "-p"}
    ]
    return found or ([words[1]] if len(words) > 1 and "\n" in words[1] else [])


def _files(program: str, words: Sequence[str]) -> Iterator[str]:
    """Yields the words of a command that can name a file: all but prose, patterns and what is only printed."""
    if program in SAYING:
        return
    prose = TEXT_OF.get(program, ())
    pattern = program in SEARCHING and not any(word in {"-e", "-f", "--regexp"} for word in words)
    for at, word in enumerate(words):
        before = words[at - 1] if at else ""
        if (
            before in prose
            or (prose and _says(before))
            or (prose and any(word.startswith(f"{option}=") for option in prose if option[:2] == "--"))
        ):
            continue
        if before in {"-e", "--regexp", "--include", "--exclude", "--exclude-dir", "-g", "--glob", "-name", "-iname"}:
            continue
        if any(word.startswith(f"{option}=") for option in ("--exclude-dir", "--exclude", "--include", "--glob")):
            continue
        if pattern and not is_option(word):
            pattern = False
            continue
        yield word


def _says(option: str) -> bool:
    """Tells whether an option of several letters, as in ``commit -am``, ends with the one for a message."""
    return option[:1] == "-" and option[1:].isalpha() and option.endswith("m")


def _tee(one: Simple) -> list[str]:
    words = one.words
    return (
        without_options(words[1:])
        if words and base(words[0]) in {"tee", "tee-object", "out-file", "set-content", "add-content"}
        else []
    )

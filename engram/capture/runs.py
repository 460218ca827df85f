"""What an agent's command does with engram: applies a plan, goes where only a person may go, or nothing of interest.

It is judged by what is run and by the paths that are named, not by a mention: a commit message about ``engram hook`` is
one. What is put together while it runs (a script, a variable of the environment) can't be read here; that is what the
approvals and `engram audit` are for (docs/threat-model.md).

On the hot path of a tool's hook: the standard library alone, and little of it.
"""

from __future__ import annotations

from engram.capture.personal import (
    HOOK,
    SETTINGS,
    TERMINAL,
    arguments_of,
    executed,
    mentions_run,
    opens_terminal,
    renamed,
    reserved,
    runs_reserved,
    settled_elsewhere,
)
from engram.capture.programs import (
    COMMANDS_IN,
    EVALUATING,
    LATER,
    OFF,
    PTY_CODE,
    PTY_STDIN,
    SAYING,
    SEARCHING,
    SHELL_CODE,
    SHELLS,
    TEXT_OF,
    WINDOWS_SHELLS,
    is_interpreter,
)
from engram.capture.shellwords import DEEPEST, Simple, base, flat, is_option, parts_of, without_options
from engram.capture.statefiles import WHY as STATE
from engram.capture.statefiles import in_state, names_state
from engram.capture.unmarked import clears, unwrapped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

LONG = "this command names engram and is too long to be read"
MARKS = "the client's variables say that an agent runs a command; engram has to see them"

LONGEST = 100_000
"""Characters of a command."""


class Judged:
    """Is what a command does: ``plan`` names the one that it applies, ``why`` is the reason why it may not run."""

    __slots__ = ("plan", "program", "targets", "why")

    def __init__(self, plan: str = "", why: str = "", targets: Sequence[str] = (), program: str = "") -> None:
        self.plan = plan
        self.program = program
        """What applies it: engram by its name or path, or the path of a Python."""
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
    plain = not parts.compound and len(parts.commands) == 1
    plan = _applied(parts.commands[0].words) if plain else ""
    return Judged(plan, targets=targets, program=parts.commands[0].words[0] if plan else "")


_STARTS: tuple[list[str], ...] = ([], ["-P", "-m", "engram"], ["-I", "-m", "engram"])
"""What may stand between a program and engram's arguments; another Python takes the package that its folder holds."""


def _applied(words: Sequence[str]) -> str:
    """Returns the plan that a plain command applies; "" for any other command."""
    arguments = arguments_of(words)
    if arguments is None or arguments[:2] != ["curate", "apply"]:
        return ""
    if list(words[1 : len(words) - len(arguments)]) not in _STARTS:
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
    runs = unmarked = homed = automatic = False
    for one in commands:
        why, ran, cleared = _looked_at(one, marks, deep)
        if why:
            return why
        elsewhere, asks = settled_elsewhere(one.words, [name for name, _ in one.assigned])
        runs, unmarked = runs or ran, unmarked or cleared
        homed, automatic = homed or elsewhere, automatic or asks
    if runs and unmarked:
        return MARKS
    if homed and automatic:
        return SETTINGS
    return _fed(commands, marks, deep) or renamed([one.words for one in commands])


def _looked_at(one: Simple, marks: Collection[str], deep: int) -> tuple[str, bool, bool]:
    """Returns why one command may not run, whether engram is run by it, and whether it takes a mark away."""
    cleared = any(name in marks and value.lower() in OFF for name, value in one.assigned)
    if any(names_state(text) for text in (*one.targets, *one.sources, *(value for _, value in one.assigned))):
        return STATE, False, cleared
    for name, value in one.assigned:
        if name.endswith(COMMANDS_IN) and (why := runs_reserved(value)):
            return why, True, cleared
    words, unmarked = unwrapped(one.words, marks)
    cleared = cleared or unmarked or clears(words, marks)
    if not words:
        return "", False, cleared
    program, rest = base(words[0]), words[1:]
    if opens_terminal(program, rest, one.documents):
        return TERMINAL, True, cleared
    why, runs = reserved(words)
    if why:
        return why, True, cleared
    if found := executed(words):
        inner = Simple()
        inner.words = found
        why, runs, _ = _looked_at(inner, marks, deep)
        if why:
            return why, True, cleared
    why, ran = _in_code(program, words, one.documents, marks, deep)
    if why:
        return why, ran, cleared
    if any(names_state(word) for word in _files(program, rest)):
        return STATE, ran, cleared
    return "", ran or runs, cleared


# -- what is run that another command says -----------------------------------------------------------------------------


def _fed(commands: Sequence[Simple], marks: Collection[str], deep: int) -> str:
    """Returns why a line may not run in which one command says what another runs: ``echo x | sh``."""
    readers = [one for one in commands if one.words and _reads_code(one.words)]
    if not readers or deep >= DEEPEST:
        return ""
    said = [text for one in commands for text in (*one.documents, _said(one.words)) if "engram" in text.lower()]
    for program in {base(one.words[0]) for one in readers}:
        for text in said:
            if program in PTY_STDIN and mentions_run(text):
                return TERMINAL
            if is_interpreter(program):
                why, _ = _judged_code(text, "", marks)
            elif program in LATER:
                why = HOOK if "engram hook" in flat(text) or "engram pending add" in flat(text) else ""
            else:
                why = _forbidden(parts_of(text, deep=deep + 1).commands, marks, deep + 1)
            if why:
                return why
    return ""


def _reads_code(words: Sequence[str]) -> bool:
    """Tells whether a command runs what it reads."""
    program, plain = base(words[0]), without_options(words[1:])
    if program in {"source", "."}:
        return not plain
    known = program in SHELLS or program in PTY_STDIN or is_interpreter(program)
    coded = any(_holds_code(word) for word in words[1:])
    return program in LATER or (known and not coded and (not plain or program in EVALUATING or program in PTY_STDIN))


def _said(words: Sequence[str]) -> str:
    """Returns what a command prints that only prints its arguments; "" for any other."""
    if not words or base(words[0]) not in SAYING:
        return words[0] if len(words) == 1 and " " in words[0] else ""  # PowerShell prints a text that stands alone
    return " ".join(words[1:]).replace("\\n", "\n")


def _in_code(
    program: str, words: Sequence[str], documents: Sequence[str], marks: Collection[str], deep: int
) -> tuple[str, bool]:
    """Returns why the code that a shell or an interpreter is given may not run, and whether it runs engram."""
    printed = _printed(words[0])
    if program in SHELLS or program == "su" or printed:
        codes = [printed] if printed else [*documents, *_shell_code(program, words)]
        if deep < DEEPEST:
            for code in codes:
                parts = parts_of(code, windows=program in WINDOWS_SHELLS, deep=deep + 1)
                if why := _forbidden(parts.commands, marks, deep + 1):
                    return why, True
        return "", any(mentions_run(code) for code in codes)
    if not is_interpreter(program):
        return "", False
    if ("-mpty" in words or ("-m" in words and "pty" in words)) and mentions_run(" ".join(words)):
        return TERMINAL, True
    ran = False
    for code in (*_program_code(program, words), *documents):
        why, runs = _judged_code(code, " ".join(words), marks)
        if why:
            return why, runs
        ran = ran or runs
    return "", ran


_STARTING = (
    "system", "exec", "popen", "Popen", "spawn", "subprocess", "child_process", "Command", "run(", "qx", "`", "getline",
    "shell", "__main__", "runpy", "fork", "pty", "pexpect", "| ", "!",
)  # fmt: skip
"""What a program's text holds that starts another program."""
_FORGING = (
    "approvals.give",
    "approvals.grant",
    "tokens.offer",
    "showings.put",
    "hook.run",
    "hook.answered",
    "answer_to",
)
"""Calls of engram's own by which a program would speak for a person."""


def _judged_code(code: str, line: str, marks: Collection[str]) -> tuple[str, bool]:
    """Returns why a program's text may not run, and whether it runs engram. ``line``: the command that runs it."""
    said = flat(code).replace(" args ", " ")
    if in_state(said.replace(" ", "/")) or names_state(said):
        return STATE, False
    hooks = "engram hook" in said or "engram pending add" in said
    if "engram.app.hook" in said or (hooks and any(word in code for word in _STARTING)):
        return HOOK, True
    loads = "engram.__main__" in said or ("runpy" in said and "engram" in said)
    if loads and {"hook", "pending"} & set(flat(f"{line} {code}").split(" ")):
        return HOOK, True
    if "engram" in said and any(call in said for call in _FORGING):
        return HOOK, True
    told = f"{said} {flat(line)}"
    if any(mark in told for mark in PTY_CODE) and mentions_run(told):
        return TERMINAL, True
    if mentions_run(said) and any(mark.lower() in said for mark in marks):
        return MARKS, True
    return "", False


def _printed(word: str) -> str:
    """Returns the code that a substitution in a command's place prints, where that can be told."""
    if not word.startswith("$(") or "engram" not in word:
        return ""
    inner = parts_of(word[2:-1]).commands
    return _said(inner[-1].words) if inner else ""


def _shell_code(program: str, words: Sequence[str]) -> list[str]:
    if program in EVALUATING:
        return [" ".join(words[1:])]
    for at, word in enumerate(words[1:], start=1):
        if _holds_code(word):
            if program in WINDOWS_SHELLS:
                return [" ".join(words[at + 1 :])]
            return list(without_options(words[at + 1 :], ("-o", "+o", "-O"))[:1])
    return [" ".join(words[1:])] if program in {"cmd", "busybox", "wsl"} else []


def _holds_code(option: str) -> bool:
    """Tells whether a shell's option, as in ``-c`` and ``-euxc``, says that code follows."""
    return option.lower() in SHELL_CODE or (
        option[:1] == "-" and option[1:].isalpha() and "c" in option and len(option) < 8
    )


def _program_code(program: str, words: Sequence[str]) -> list[str]:
    if program.endswith("awk"):
        return list(words[1:])
    found = [
        words[at + 1]
        for at, word in enumerate(words[:-1])
        if word in {"-c", "-e", "--eval", "eval", "-E", "-r", "-pe", "-ne", "-p"}
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

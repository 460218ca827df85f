"""What runs engram, and which of its commands are a person's alone.

On the hot path of a tool's hook, where a command names engram: the standard library alone.
"""

from __future__ import annotations

from engram.capture.programs import HOMES, PTY, QUIET, SHELLS, TYPING, TYPISTS, is_interpreter
from engram.capture.shellwords import base, flat, is_option, parts_of, without_options
from engram.capture.statefiles import matches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

HOOK = (
    "`engram hook` and `engram pending add` are for the client's hooks; an agent that ran them would speak in the "
    "person's name"
)
TERMINAL = "engram asks a person at a terminal of their own; an agent opens none for it"
TOKEN = "--token is put into a command by the client's own dialog"  # noqa: S105 - words, no secret
ADAPT = (
    "`engram adapt` changes the settings of agents; the user runs it in a terminal of theirs, and --dry-run shows what "
    "it would do"
)
SETTINGS = "--auto-threshold goes by the user's own settings, and this command names another folder for them"
_NAMES = frozenset(("engram", "engram-curator"))
_MODULES = frozenset(("engram", "engram.__main__"))
_PYTHONS = frozenset(("python", "pythonw", "pypy", "py", "ipython"))
_RUNNING_MODULES = frozenset(("coverage", "uv"))
_INSTEAD = frozenset(("alias", "ln", "cp", "mv", "install", "hash", "mklink", "set-alias", "new-alias"))


def arguments_of(words: Sequence[str]) -> list[str] | None:
    """Returns engram's arguments where a plain command runs engram; None where it doesn't."""
    if not words:
        return None
    if is_engram(words[0]):
        return list(words[1:])
    program = base(words[0])
    python = is_interpreter(program, _PYTHONS)
    if not python and program not in _RUNNING_MODULES:
        return None
    for at, word in enumerate(words[1:], start=1):
        if word.startswith("-") and not word.startswith("--") and "m" in word:
            named, rest = _module(word, words[at + 1 :])
            return rest if named in _MODULES else _behind_module(rest)
        if python and not is_option(word) and words[at - 1] not in {"-X", "-W"}:
            return None
    return None


def _module(option: str, words: Sequence[str]) -> tuple[str, list[str]]:
    """Returns the module that ``-m NAME``, ``-mNAME`` or ``-Pm NAME`` names, and what stands behind it."""
    named = option.partition("m")[2]
    return (named, list(words)) if named else ("".join(words[:1]), list(words[1:]))


def _behind_module(words: Sequence[str]) -> list[str] | None:
    """Returns engram's arguments where a module (a profiler, a debugger) runs the module engram."""
    for at, word in enumerate(words[:-1]):
        if word == "-m" and words[at + 1] in _MODULES:
            return list(words[at + 2 :])
    return None


def is_engram(word: str) -> bool:
    """Tells whether a word in a command's place is engram: its name, a path, a pattern, a question for its path."""
    plain = word.replace("$()", "")
    while "${" in plain and "}" in plain.partition("${")[2]:
        plain = plain.partition("${")[0] + plain.partition("${")[2].partition("}")[2]
    if plain.startswith("$(") and plain.endswith(")"):
        plain = plain[2:-1].split(" ")[-1]
    name = base(plain)
    if name in _NAMES or plain.replace("\\", "/").endswith("engram/__main__.py"):
        return True
    sure = sum(char.isalpha() for char in name)
    return any(char in name for char in "*?[") and sure > 2 and matches(name, "engram")


def reserved(words: Sequence[str]) -> tuple[str, bool]:
    """Returns why a plain command may not run, since it runs what is a person's alone; and whether it runs engram.

    Of a program that isn't known for running nothing, as in ``docker exec c engram hook`` and ``hyperfine 'engram
    hook'``, all words are looked at.
    """
    if words[:1] and words[0].startswith("{") and "," in words[0]:
        words = [*words[0].strip("{}").split(","), *words[1:]]
    if not words:
        return "", False
    arguments = arguments_of(words)
    if arguments is not None:
        return _personal(arguments), True
    program = base(words[0])
    if program in QUIET:
        return next(filter(None, map(_told, _configured(words) if program == "git" else ())), ""), False
    if is_interpreter(program):  # its script may be engram; what stands behind that is the script's
        script = next((at for at in range(1, len(words)) if not is_option(words[at])), 0)
        ours = bool(script) and is_engram(words[script])
        return (_personal(words[script + 1 :], strict=True) if ours else ""), ours
    runs = False
    for at in range(1, len(words)):
        if (found := arguments_of(words[at:])) is not None:
            runs = True
            if why := _personal(found, strict=True):
                return why, True
    return next(filter(None, map(_told, _texts(words))), ""), runs


def _configured(words: Sequence[str]) -> Iterator[str]:
    """Yields what git is told to run: an alias, a pager, an editor."""
    for word in words[1:]:
        name, _, value = word.rpartition("=")
        if value.startswith("!") or name.lower().endswith(("pager", "editor", "command")):
            yield value.lstrip("!")


def _texts(words: Sequence[str]) -> Iterator[str]:
    """Yields the words that may be whole command lines, also behind ``x=`` and ``!``."""
    for word in words:
        if "engram" in word.lower() and any(char in word for char in " \t\n"):
            yield word.lstrip("!@&")
            yield word.partition("=")[2].lstrip("!@&")


def _told(text: str) -> str:
    for one in parts_of(text).commands:
        at = 2 if one.words and base(one.words[0]) in SHELLS else 0
        arguments = arguments_of(one.words[at:])
        if arguments is not None and (why := _personal(arguments, strict=True, alone=True)):
            return why
    return ""


def runs_reserved(text: str) -> str:
    """Returns why the value of a variable may not be run, which some program runs."""
    return _told(text) if "engram" in text.lower() else ""


def _personal(arguments: Sequence[str], *, strict: bool = False, alone: bool = False) -> str:
    """Returns why only a person runs engram with these arguments; "" where anybody may.

    ``strict``: they stand behind another program, where a name may be another's. ``alone``: nothing may follow; prose
    goes on, and a command line doesn't.
    """
    plain = without_options(arguments, ("--host",))
    helped = {"-h", "--help"} & set(arguments)
    if not helped and (plain[:1] == ["hook"] or plain[:2] == ["pending", "add"]):
        return "" if alone and len(plain) > (1 if plain[0] == "hook" else 2) else HOOK
    applies = plain[:2] == ["curate", "apply"]
    if (applies or not strict) and any(word == "--token" or word.startswith("--token=") for word in arguments):
        return TOKEN
    shows = helped or "--dry-run" in arguments or ("portable" in arguments and "--export" not in arguments)
    if plain[:1] == ["adapt"] and not shows and (not strict or any(map(is_option, arguments))):
        return ADAPT
    return ""


def executed(words: Sequence[str]) -> list[str]:
    """Returns the command that ``find … -exec`` runs; [] for any other."""
    if base(words[0]) not in {"find", "fd", "fdfind", "gfind"}:
        return []
    starts = {"-exec", "-execdir", "-ok", "-okdir", "-x", "-X", "--exec", "--exec-batch"}
    return next((list(words[at + 1 :]) for at, word in enumerate(words) if word in starts), [])


# -- more than one command ---------------------------------------------------------------------------------------------


def renamed(commands: Sequence[Sequence[str]]) -> str:
    """Returns why a line may not run that gives engram another name and runs what is a person's under it."""
    named = any(words and _renames(words) for words in commands)
    unknown = any(words[1:2] and words[1].startswith(("$", "`")) and is_engram(words[0]) for words in commands if words)
    unknown = unknown or any(words[:1] == ["xargs"] and is_engram(words[-1]) for words in commands)
    for words in commands:
        if named and words and base(words[0]) not in QUIET and (why := _personal(words[1:])) == HOOK:
            return why
        if unknown and ("hook" in words[1:] or words[1:3] == ["pending", "add"]):
            return HOOK
    return ""


def _renames(words: Sequence[str]) -> bool:
    if base(words[0]) in _INSTEAD:
        return any(is_engram(word.partition("=")[2] or word) for word in words[1:])
    return is_engram(words[0]) and any(word in {"$@", "$*", "$1", "${@}", "%*", "$args"} for word in words[1:])


def settled_elsewhere(words: Sequence[str], assigned: Sequence[str]) -> tuple[bool, bool]:
    """Tells whether a command names another home, and whether it asks for the automatic gate."""
    homed = any(name in HOMES for name in assigned) or any(
        word.partition("=")[0] in HOMES for word in words if "=" in word or word.startswith("$env:")
    )
    return homed, any(word.startswith("--auto-threshold") or " --auto-threshold" in word for word in words)


# -- terminals ---------------------------------------------------------------------------------------------------------


def opens_terminal(program: str, words: Sequence[str], documents: Sequence[str]) -> bool:
    """Tells whether a command opens a terminal for engram, or types a yes into one."""
    if program in TYPISTS and types_yes(program, words):
        return True
    if program == "ssh" and any(word in {"-t", "-tt"} for word in words):
        return any(mentions_run(word) for word in words)
    if program == "open":
        return any("term" in word.lower() for word in words) and any(is_engram(word) for word in words)
    return program in PTY and runs_inside(program, words, documents)


def runs_inside(program: str, words: Sequence[str], documents: Sequence[str]) -> bool:
    """Tells whether a program that opens a terminal is to run engram in it."""
    named = {"-s", "-n", "-t", "-c", "-S", "-L"} if program in {"tmux", "screen"} else set()
    told = [word for at, word in enumerate(words) if not (at and words[at - 1] in named)]
    if program == "socat" and not any("pty" in word.lower() or "exec" in word.lower() for word in words):
        return False
    return any(mentions_run(text) for text in (" ".join(told), *told, *documents))


def mentions_run(text: str) -> bool:
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


def types_yes(program: str, words: Sequence[str]) -> bool:
    """Tells whether keys are sent to another terminal that approve a plan there."""
    typed = " ".join(words).lower()
    if program != "wtype" and not any(word.startswith(TYPING) for word in flat(typed).split(" ")):
        return False
    text = [word for word in flat(typed.replace("\\n", " ").replace("\\r", " ")).split(" ") if word != "space"]
    return any(one == "yes" and _may_be_code(other) for one, other in zip(text, text[1:]))  # noqa: B905, RUF007


def _may_be_code(word: str) -> bool:
    """Tells whether a word may be the code that a plan is shown with (``showings.code_of``)."""
    return len(word) == 5 and word != "enter" and all(char in "acdefhjkmnpqrtuvwxy" for char in word)

"""Takes a command line apart as a shell would, far enough to say what it runs: for sh, cmd and PowerShell alike.

No shell is imitated whole. What a reader can't know (a variable of the environment, what a command prints) stays as it
was written; what is quoted is taken as the text that it stands for.

On the hot path of a tool's hook: the standard library alone, and little of it.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_ENDS = ("&&", "||", ";;", "|&", ";", "|", "&", "\n", "(", ")", "{ ", " }")
_BLANK = " \t\r"
DEEPEST = 6


class Simple:
    """Is one simple command: its words, where its output goes, what stands in its here-documents."""

    __slots__ = ("assigned", "documents", "sources", "targets", "words")

    def __init__(self) -> None:
        self.words: list[str] = []
        self.assigned: list[tuple[str, str]] = []
        """Variables that are set in front of the command, or by it alone."""
        self.sources: list[str] = []
        """Files that a redirection reads."""
        self.targets: list[str] = []
        """Files that a redirection writes."""
        self.documents: list[str] = []


class Parts:
    """Is a command line in its parts."""

    __slots__ = ("commands", "compound")

    def __init__(self) -> None:
        self.commands: list[Simple] = []
        self.compound = False
        """There is more than one plain command: a separator, a substitution, a redirection, a variable."""


def parts_of(text: str, *, windows: bool = False, deep: int = 0) -> Parts:
    """Returns the commands of a line, those in substitutions among them. ``windows``: a backslash is only a letter."""
    return _Reader(text, windows, deep).read()


class _Reader:
    def __init__(self, text: str, windows: bool, deep: int) -> None:
        self._text = text
        self._at = 0
        self._windows = windows
        self._deep = deep
        self._parts = Parts()
        self._now = Simple()
        self._word: list[str] | None = None
        self._redirects = ""
        self._pending: list[tuple[str, Simple]] = []
        self._known: dict[str, str] = {}

    def read(self) -> Parts:
        while self._at < len(self._text):
            self._step()
        self._end_command()
        return self._parts

    def _step(self) -> None:
        text, at = self._text, self._at
        char = text[at]
        if char in _BLANK:
            self._end_word()
            self._at += 1
        elif char == "#" and self._word is None:
            line = text.find("\n", at)
            self._at = len(text) if line < 0 else line
        elif char == "'":
            self._quoted(at + 1)
        elif char == '"':
            self._double(at + 1)
        elif text.startswith("$'", at):
            self._ansi(at + 2)
        elif char in "\\`^" and self._escaped(at):
            pass
        elif char in "<>" or (char.isdigit() and self._word is None and text[at + 1 : at + 2] in ("<", ">")):
            self._redirect()
        elif text.startswith(("$(", "`"), at):
            self._substitution()
        elif char == "$":
            self._variable()
        elif (end := next((one for one in _ENDS if text.startswith(one, at)), "")) and not self._inside(end):
            self._at += len(end)
            self._end_command()
            self._parts.compound = self._parts.compound or self._at < len(text.rstrip()) or end == "&"
            if end == "\n":
                self._documents()
        else:
            self._add(char)
            self._at += 1

    def _inside(self, end: str) -> bool:
        """Tells whether a brace belongs to a word, as in ``{a,b}`` and ``${x}``."""
        return end in {"{ ", " }"} and self._word is not None

    def _add(self, text: str) -> None:
        if self._word is None:
            self._word = []
        self._word.append(text)

    def _quoted(self, at: int) -> None:
        end = self._text.find("'", at)
        end = len(self._text) if end < 0 else end
        self._add(self._text[at:end])
        self._at = end + 1

    def _double(self, at: int) -> None:
        self._add("")
        text = self._text
        while at < len(text) and text[at] != '"':
            if text[at] == "\\" and not self._windows and text[at + 1 : at + 2] in ('"', "\\", "$", "`", "\n"):
                self._add("" if text[at + 1] == "\n" else text[at + 1])
                at += 2
            elif text.startswith("$(", at) or (text[at] == "`" and not self._windows):
                self._at = at
                self._substitution()
                at = self._at
            elif text[at] == "$":
                self._at = at
                self._variable()
                at = self._at
            else:
                self._add(text[at])
                at += 1
        self._at = at + 1

    def _ansi(self, at: int) -> None:
        """Reads ``$'\\x2e…'``: letters may be written as numbers."""
        end = at
        while end < len(self._text) and self._text[end] != "'":
            end += 2 if self._text[end] == "\\" else 1
        raw = self._text[at:end]
        try:
            self._add(raw.encode("latin-1", "backslashreplace").decode("unicode_escape"))
        except ValueError:
            self._add(raw)
        self._at = end + 1

    def _escaped(self, at: int) -> bool:
        """Reads an escaped character: a backslash of sh, a backtick of PowerShell, a caret of cmd."""
        char, behind = self._text[at], self._text[at + 1 : at + 2]
        if char == "\\" and self._windows:
            return False
        if char == "`" and not self._windows:
            return False
        if char == "^" and not self._windows:
            return False
        if behind != "\n":
            self._add(behind)
        self._at = at + 2
        return True

    def _substitution(self) -> None:
        """Reads ``$(…)`` and `` `…` ``: what stands in it is run, and what it prints is not known."""
        self._parts.compound = True
        text, at = self._text, self._at
        if text[at] == "`":
            end = text.find("`", at + 1)
            end = len(text) if end < 0 else end
            inner, self._at = text[at + 1 : end], end + 1
        else:
            end = _closing(text, at + 2)
            inner, self._at = text[at + 2 : end], end + 1
        self._add(f"$({inner})" if "engram" in inner else "$()")
        self._inner(inner)

    def _inner(self, text: str) -> None:
        if self._deep < DEEPEST:
            self._parts.commands += parts_of(text, windows=self._windows, deep=self._deep + 1).commands

    def _variable(self) -> None:
        self._parts.compound = True
        text, at = self._text, self._at + 1
        if text.startswith('"', at) and self._word is None:  # the shell's words for a translated text
            self._at = at
            return
        braced = text.startswith("{", at)
        start = at + int(braced)
        end = start
        while end < len(text) and (text[end].isalnum() or text[end] in "_:"):
            end += 1
        name = text[start:end]
        if braced:
            closing = _closing(text, end, "{}")
            if "$(" in text[end:closing] or "`" in text[end:closing]:
                self._inner(text[end:closing])
            end = min(closing + 1, len(text))
        self._at = max(end, at)
        known = self._known.get(name)
        self._add(text[at - 1 : self._at] if known is None else known)

    def _redirect(self) -> None:
        self._parts.compound = True
        self._end_word()
        text = self._text
        while text[self._at].isdigit():
            self._at += 1
        end = self._at
        while end < len(text) and text[end] in "<>&|":
            end += 1
        sign = text[self._at : end]
        self._at = end
        if text.startswith("(", end):  # what is run in it comes next, and is no file
            self._redirects = ""
            return
        if sign.startswith("<<") and sign != "<<<":
            self._at += text.startswith("-", end)
            self._redirects = "<<"
        elif sign.startswith("<") and sign != "<>":
            self._redirects = "<<<" if sign == "<<<" else "<"
        elif sign.endswith("&") and text[end : end + 1].isdigit():
            self._at += 1
        else:
            self._redirects = ">"

    def _end_word(self) -> None:
        if self._word is None:
            return
        word, self._word = "".join(self._word), None
        sign, self._redirects = self._redirects, ""
        if sign == "<<":
            self._pending.append((word, self._now))
        elif sign == "<<<":
            self._now.documents.append(word)
        elif sign == ">":
            self._now.targets.append(word)
        elif sign == "<":
            self._now.sources.append(word)
        elif not self._now.words and _assigns(word):
            name, _, value = word.partition("=")
            self._now.assigned.append((name, value))
            self._known[name] = value
            self._parts.compound = True
        else:
            self._now.words.append(word)

    def _end_command(self) -> None:
        self._end_word()
        if self._now.words or self._now.assigned or self._now.targets:
            self._parts.commands.append(self._now)
            self._now = Simple()

    def _documents(self) -> None:
        """Reads the bodies of the here-documents that the last line began."""
        for word, owner in self._pending:
            end = self._at
            body: list[str] = []
            while end < len(self._text):
                stop = self._text.find("\n", end)
                stop = len(self._text) if stop < 0 else stop
                line = self._text[end:stop]
                end = stop + 1
                if line.strip("\t\r ") == word:
                    break
                body.append(line)
            owner.documents.append("\n".join(body))
            self._at = min(end, len(self._text))
        self._pending = []


def _assigns(word: str) -> bool:
    name, sign, _ = word.partition("=")
    return bool(sign) and name.isidentifier() and name.isascii()


def _closing(text: str, at: int, pair: str = "()") -> int:
    """Returns where the bracket closes that was opened right before a place; the text's end where it doesn't."""
    depth, quote = 1, ""
    while at < len(text):
        char = text[at]
        if quote:
            quote = "" if char == quote else quote
        elif char in "'\"":
            quote = char
        elif char == "\\":
            at += 1
        else:
            depth += (char == pair[0]) - (char == pair[1])
            if depth == 0:
                return at
        at += 1
    return len(text)


def flat(text: str) -> str:
    """Returns a program's text with everything between its words as single spaces, in small letters."""
    spaced = "".join(char if char.isalnum() or char in "._-/\\~$%:" else " " for char in text.lower())
    return " ".join(spaced.split())


def base(word: str) -> str:
    """Returns a program's name: without its folder, its ending on Windows, in small letters."""
    name = word.replace("\\", "/").rsplit("/", 1)[-1].lower()
    for ending in (".exe", ".cmd", ".bat", ".ps1", ".com"):
        name = name.removesuffix(ending)
    return name


def is_option(word: str) -> bool:
    """Tells whether a word is an option of a command, or of a Windows one."""
    return word.startswith("-") and len(word) > 1


def without_options(words: Sequence[str], valued: Sequence[str] = ()) -> list[str]:
    """Returns a command's arguments without its options, and without the values of those that have one."""
    found: list[str] = []
    skip = False
    for word in words:
        if skip:
            skip = False
        elif is_option(word):
            skip = word in valued
        else:
            found.append(word)
    return found

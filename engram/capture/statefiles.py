"""Whether a word of a command, or a file that a tool is called with, names something in a folder ``.engram``.

On the hot path of a tool's hook: the standard library alone.
"""

from __future__ import annotations

STATE = ".engram"
WHY = "`.engram` holds what the person approved and what waits for them; engram's own commands read and write it"
_SHORT = "engram~"
"""How Windows writes the folder's name in eight letters; it passes over dots and blanks at a name's end."""
_SURE = 3
"""Letters that a pattern has to share with the folder's name: ``.eng*`` means it, ``.e*`` means ``.env`` as well."""


def in_state(path: str) -> bool:
    """Tells whether a path leads into a folder ``.engram``, or is one."""
    return any(
        part.partition(":")[0].rstrip(". ") == STATE or part.startswith(_SHORT)
        for part in path.lower().replace("\\", "/").split("/")
    )


def names_state(word: str) -> bool:
    """Tells whether a word holds a path into such a folder, as it is written: with patterns, behind ``x=`` or ``@``."""
    if len(word) < 3 or "." not in word:
        return False
    plain = word.lower().replace("\\", "/")
    for sign in " \t\n\"'`=,:;@(){}|<>&":
        plain = plain.replace(sign, "\0")
    home = "agent-memory" in plain or "engram_home" in plain
    return any(_is_state(one, home) for part in plain.split("\0") for one in part.split("/"))


def _is_state(part: str, home: bool) -> bool:
    if part.rstrip(". ") == STATE or part.startswith(_SHORT):
        return True
    if not any(char in part for char in "*?["):
        return False
    sure = sum(char.isalpha() for char in part.replace("[!", "["))
    return sure >= (0 if home else _SURE) and part[:1] in ".[?*" and matches(part, STATE) and (sure > 0 or home)


def matches(pattern: str, name: str) -> bool:
    """Tells whether a shell's pattern fits a name."""
    if not pattern:
        return not name
    first = pattern[0]
    if first == "*":
        return any(matches(pattern[1:], name[at:]) for at in range(len(name) + 1))
    if not name:
        return False
    if first == "[" and (end := pattern.find("]", 2)) > 0:
        letters, negated = pattern[1:end], pattern[1] in "!^"
        found = _in_class(letters[1:] if negated else letters, name[0])
        return found != negated and matches(pattern[end + 1 :], name[1:])
    return first in {"?", name[0]} and matches(pattern[1:], name[1:])


def _in_class(letters: str, char: str) -> bool:
    at = 0
    while at < len(letters):
        if letters[at + 1 : at + 2] == "-" and at + 2 < len(letters):
            if letters[at] <= char <= letters[at + 2]:
                return True
            at += 3
        else:
            if letters[at] == char:
                return True
            at += 1
    return False

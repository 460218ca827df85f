"""Paths: what a new note may be called, and where it may lie. Whoever proposes a path is not trusted."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from datetime import date

NAME_LIMIT = 64
_NAME = re.compile(r"[a-z0-9][a-z0-9-]*\Z")
_KIND = re.compile(r"[a-z][a-z_]*\Z")
_DAY = re.compile(r"\d{4}-(?:0[1-9]|1[0-2])-\d{2}-")
_MONTH = re.compile(r"\d{4}-(?:0[1-9]|1[0-2])-rollup\Z")
_RESERVED = frozenset(("memory", "claude", "agents", "gemini", "readme", "skill"))
"""Files that agents or people read as something else than a note."""
_DEVICES = frozenset(
    ["con", "prn", "aux", "nul", "conin$", "conout$", "clock$"]
    + [f"{port}{number}" for port in ("com", "lpt") for number in "0123456789¹²³"]
)
_NOT_IN_NAMES = re.compile(r'[<>:"|?*\x00-\x1f\x7f]')
_IGNORED = re.compile("[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]")
"""Characters that HFS+ leaves out when it compares names: ``.g\\u200cit`` is ``.git`` there."""
_SHORT_GIT = re.compile(r"git~[0-9]+\Z")


def problem_with_name(name: str) -> str:
    """Returns why this can't be the name of a new note, in words; "" where it can."""
    if not name:
        return "a note needs a name"
    if len(name) > NAME_LIMIT:
        return f"the name has {len(name)} characters; {NAME_LIMIT} are the most"
    if _NAME.match(name) is None:
        return "a name is lowercase ASCII letters, digits and hyphens, such as prefers-pnpm"
    if name in _RESERVED:
        return f"{name} is reserved: {name.upper()}.md means something else to agents and people"
    if name in _DEVICES:
        return f"{name} is the name of a device on Windows"
    return ""


def problem_with_path(path: str) -> str:
    """Returns why no note may be written at this path, in words; "" where one may.

    The path is relative to the store, with forward slashes. Symlinks are not looked at here (``read.symlinked_part``).
    """
    words = ""
    if path.startswith(("/", "~")):
        words = "the path has to be relative to the store"
    elif "\\" in path:
        words = "a path has forward slashes alone"
    elif any("\ud800" <= char <= "\udfff" for char in path):
        words = "the path is not UTF-8 text"
    else:
        parts = path.split("/")
        words = next(filter(None, map(_problem_with_part, parts)), "") or _problem_with_file(parts[-1])
    return words


def path_for(name: str, kind: str, *, user_store: bool, today: date) -> str:
    """Returns the path of a new note: flat, or by type in the user's store (``journal`` by month, ``lesson`` apart).

    A journal entry whose name begins with a day lies with that day's month, and a month's ``rollup`` in its year.
    A type that can't be a folder's name leaves the note at the top of ``memories/``.
    """
    if not user_store:
        return f"{name}.md"
    if kind == "journal":
        month = name[:7] if _DAY.match(name) else f"{today:%Y-%m}"
        return f"journal/{month[:4]}/{month}/{name}.md"
    if kind == "rollup" and _MONTH.match(name):
        return f"journal/{name[:4]}/{name}.md"
    if kind == "lesson":
        return f"lessons/{name}.md"
    if _KIND.match(kind) is None or _problem_with_part(kind):
        return f"memories/{name}.md"
    return f"memories/{kind}/{name}.md"


def same_place(path: str) -> str:
    """Returns a form that two paths share where some file system takes them for the same file.

    Case does not count on Windows and macOS, nor does the Unicode form on macOS.
    """
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", path).casefold())


def twins(paths: Iterable[str]) -> tuple[tuple[str, ...], ...]:
    """Returns the groups of paths that some file system takes for the same file, each sorted."""
    places: dict[str, list[str]] = {}
    for path in paths:
        places.setdefault(path.lower() if path.isascii() else same_place(path), []).append(path)
    return tuple(tuple(sorted(group)) for group in places.values() if len(group) > 1)


def _problem_with_file(name: str) -> str:
    stem = name.removesuffix(".md")
    if stem in ("", name):
        return "a note is a file that ends in .md"
    return f"{name} is reserved and no note" if _plain(stem) in _RESERVED else ""


def _problem_with_part(part: str) -> str:
    plain = _plain(part)
    words = ""
    if part in ("", ".", ".."):
        words = "the path may not hold `..`, `.` or an empty part"
    elif plain in (".git", ".engram") or _SHORT_GIT.match(plain) is not None:
        words = f"nothing is written into {plain}"
    elif _NOT_IN_NAMES.search(part) is not None:
        words = "the path holds a character that not every system allows in a file's name, or a drive or stream"
    elif part[-1] in ". ":
        words = "no part of a path may end in a dot or a blank; Windows takes it off"
    elif plain.split(".")[0].rstrip(" ") in _DEVICES:
        words = f"{part} names a device on Windows"
    elif len(part.encode()) > 255:
        words = "a part of the path is longer than 255 bytes"
    return words


def _plain(part: str) -> str:
    """Returns a part as the least careful file system compares it: no case, no ignored characters, no trailing dots."""
    return same_place(_IGNORED.sub("", part)).rstrip(". ")

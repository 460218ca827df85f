"""Topic keys, `family/what-it-is-about`, by which a note is found again when more is learnt; names made of titles."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Callable

FAMILIES = ("architecture", "bug", "decision", "pattern", "config", "discovery", "learning")
LONGEST_KEY = 100
_KEY = re.compile(r"([a-z]+)/[a-z0-9]+(-[a-z0-9]+)*\Z")
_WORD = re.compile(r"[a-z0-9]+")
_MEANT = {
    "architecture": "architecture adr design structure refactor refactoring",
    "bug": "bug bugfix fix fixed regression panic crash error incident hotfix",
    "decision": "decision decided policy choice tradeoff chose",
    "pattern": "pattern convention style preference feedback naming standard",
    "config": "config configuration setup environment env infra install settings",
    "discovery": "discovery finding found investigation reference",
    "learning": "learning learnt learned lesson onboarding",
}
_FAMILY_OF = {word: family for family, words in _MEANT.items() for word in words.split()}


def problem_with(key: str) -> str:
    """Returns why this is no topic key, in words; "" where it is one."""
    if len(key) > LONGEST_KEY:
        return f"has {len(key)} characters, and at most {LONGEST_KEY} are taken"
    if key.count("/") > 1:
        return "has more than two levels: put what is special into the second, as in architecture/auth-model-v2"
    found = _KEY.match(key)
    if found is None:
        return "is no family/kebab-case key, such as architecture/auth-model"
    if found[1] not in FAMILIES:
        return f"is of no known family; these are known: {', '.join(FAMILIES)}"
    return ""


def suggested(kind: str, title: str) -> str:
    """Returns a topic key for a note of a type and title: the family by the type, else by a word of the title."""
    words = _WORD.findall(_plain(title))
    hints = (*_WORD.findall(_plain(kind)), *words)
    family = next((_FAMILY_OF[word] for word in hints if word in _FAMILY_OF), "discovery")
    told = len(words) > 1 and words[0] in (family, *_WORD.findall(_plain(kind)))
    rest = words[1:] if told else words  # "Decision: SQLite" is decision/sqlite
    return f"{family}/{kebab('-'.join(rest), 60) or _mark(title)}"


def kebab(text: str, most: int) -> str:
    """Returns a text as lowercase ASCII words with hyphens, as many whole ones as fit; "" where nothing is left."""
    name = "-".join(_WORD.findall(_plain(text)))
    if len(name) <= most:
        return name
    cut = name[: most + 1].rpartition("-")[0]
    return cut if len(cut) >= most // 2 else name[:most].rstrip("-")


def name_of(title: str, kind: str, usable: Callable[[str], bool], most: int) -> str:
    """Returns a name for a note that is free: of its title, numbered where others have that.

    ``usable``: tells of a name whether a new note may have it. A title without a letter that ASCII has gives the type
    and a mark that is the title's own.
    """
    base = kebab(title, most) or f"{kebab(kind, 20) or 'note'}-{_mark(title)}"
    number = 1
    while True:
        tail = "" if number == 1 else f"-{number}"
        name = base[: most - len(tail)].rstrip("-") + tail
        if usable(name):
            return name
        number += 1


def _plain(text: str) -> str:
    flat = unicodedata.normalize("NFKD", text.replace("ß", "ss").replace("'", "").replace("’", ""))
    return flat.encode("ascii", "ignore").decode("ascii").lower()


def _mark(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]

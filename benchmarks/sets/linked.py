"""Linked-note questions from real stores: the sentence that names another note, the name taken out, must bring that
note back; the note that holds the sentence is left out of the ranking, and its links with it."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from benchmarks.sets import Bench, Question, Store
from engram.model.note import Note
from engram.model.snapshot import Snapshot
from engram.store.links import resolve
from engram.store.read import read_folder

_NAMED = re.compile(r"!?\[([^\[\]]*)\]\(([^()\s]+\.md)[^()]*\)|\[\[([^\[\]\n]+)\]\]|`([\w./-]+)`")
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
_WRAPPED = re.compile(r"(?<=\S)[ \t]*\n[ \t]*(?=[^\s\-*+#>|\d])")
"""The end of a line within a paragraph."""
_SHORTEST = 30
_MOST = 8
"""Questions from one note."""
_CONTENTS = 15
"""A note that names more notes than that is a table of contents: its lines repeat the descriptions, and ask nothing."""


def linked(corpus: Path, _quick: bool) -> list[Bench]:
    """Returns three sets: sentences without the link's words, with them, and rows of keyword tables without."""
    folders = sorted(path for path in (corpus / "stores").iterdir() if path.is_dir())
    out, left = ([_store(path, keep=keep) for path in folders] for keep in (False, True))
    return [
        Bench("linked notes", tuple(_only(store, row=False) for store in out), "link's words taken out"),
        Bench("linked notes, named", tuple(_only(store, row=False) for store in left), "link's words left in"),
        Bench("linked keyword rows", tuple(_only(store, row=True) for store in out), "link's words taken out"),
    ]


def _only(store: Store, *, row: bool) -> Store:
    return replace(store, questions=tuple(one for one in store.questions if (one.kind == "row") == row))


def _store(path: Path, *, keep: bool) -> Store:
    notes = read_folder(str(path)).notes
    snapshot = Snapshot(str(path), notes=notes)
    questions: dict[tuple[str, str], Question] = {}
    for one in notes:
        if len({name for name in _names(one.body) if _targets(name, one, snapshot)}) > _CONTENTS:
            continue
        many = 0
        for sentence in _SENTENCE.split(_WRAPPED.sub(" ", one.body)):
            gold = {name: _targets(name, one, snapshot) for name in _names(sentence)}
            paths = frozenset(found.path for each in gold.values() for found in each) - {one.path}
            text = _NAMED.sub(_spoken if keep else _silent, sentence)
            text = " ".join(text.replace("**", " ").strip(" -*#>|\t").split())
            if paths and len(paths) <= 3 and len(re.sub(r"\W", "", text)) >= _SHORTEST and many < _MOST:
                many += 1
                row = sentence.lstrip().startswith("|")
                kind = "row" if row else "wiki" if "[[" in sentence else "code" if "](" not in sentence else "markdown"
                questions[(text, one.path)] = Question(text, paths, kind, one.path)
    return Store(path.name, notes, tuple(questions.values()))


def _names(sentence: str) -> list[str]:
    names = []
    for label, target, wiki, code in _NAMED.findall(sentence):
        del label
        if code and code.count("-") < 2:
            continue  # a word in code font is a note's name only where it is long enough to be nothing else
        names.append(target or re.split(r"\\?\||#", wiki)[0] or code)
    return [name for name in names if name]


def _targets(name: str, source: Note, snapshot: Snapshot) -> tuple[Note, ...]:
    found = resolve(name, source.path, snapshot)
    return found if len(found) == 1 else ()


def _silent(match: re.Match[str]) -> str:
    """Returns nothing for a link, and code that is no note's name as it is."""
    return match[0] if match[4] and match[4].count("-") < 2 else " "


def _spoken(match: re.Match[str]) -> str:
    return next((part for part in match.groups() if part), "").replace("-", " ").removesuffix(".md")

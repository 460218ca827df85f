"""Links between notes: ``[[…]]`` in a body, and the notes that each may mean. Nothing is invented from prose."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from engram.model.note import Note
from engram.model.snapshot import Snapshot

_LINK = re.compile(r"\[\[([^\[\]\n]+)\]\]")
_BEHIND = re.compile(r"\\?\||#")
_FENCE = re.compile(r"[ \t>]*(?:[-*+][ \t]+|[0-9]+[.)][ \t]+)?(`{3,}|~{3,})(.*)")
_TICKS = re.compile(r"`+")
_NO_NAME = re.compile(r"""[$"'`<>=&;{}\x00-\x1f]|^[\s:!\-]|\s$|^[\d\s.,]+$""")
"""What no note is called: bash's tests, character classes, and lists of numbers are written in the same brackets."""


def links_of(body: str) -> tuple[str, ...]:
    """Returns the targets of a body's ``[[…]]``, in order, once each; without alias (``|…``) and heading (``#…``).

    What stands in a code fence or a code span is no link, nor is a shell's ``[[ -z … ]]``.
    """
    if "[[" not in body:
        return ()
    targets: dict[str, None] = {}
    for paragraph in _paragraphs(body):
        if "[[" in paragraph:
            for match in _LINK.finditer(_without_spans(paragraph)):
                target = _target(match[1])
                if target:
                    targets[target] = None
    return tuple(targets)


def resolve(target: str, source_path: str, snapshot: Snapshot) -> tuple[Note, ...]:
    """Returns the notes that a link in a note may mean: none, one, or several of the same name.

    A path counts first, beside the note that links and then from the top of the store, with or without ``.md``; then
    the end of a path (``dir/x``), then a name or a file's stem, whatever its case, then the same with its words joined
    by hyphens.
    """
    wanted = target.strip().removeprefix("./").removesuffix(".md")
    if not wanted:
        return ()
    beside = posixpath.normpath(posixpath.join(posixpath.dirname(source_path), wanted))
    for path in (f"{beside}.md", f"{wanted}.md"):
        if path in snapshot.by_path:
            return (snapshot.by_path[path],)
    if "/" in wanted:
        tail = f"/{wanted}.md".casefold()
        deeper = tuple(note for note in snapshot.notes if f"/{note.path}".casefold().endswith(tail))
        return deeper or snapshot.find(wanted)
    return snapshot.find(wanted) or snapshot.find("-".join(re.split(r"[\s_]+", wanted.strip())))


def without_code(text: str) -> str:
    """Returns a markdown text with the content of code fences and code spans taken out, line by line."""
    return "".join(map(_without_spans, _paragraphs(text)))


def _target(inside: str) -> str:
    target = _BEHIND.split(inside, maxsplit=1)[0]
    return "" if not target or _NO_NAME.search(target) else target


def _paragraphs(body: str) -> Iterator[str]:
    """Yields runs of lines outside code fences, cut at blank lines: no code span reaches over one."""
    run: list[str] = []
    fence = ""
    for line in body.split("\n"):
        match = _FENCE.match(line)
        if fence:
            if match is not None and match[1].startswith(fence) and not match[2].strip():
                fence = ""
            continue
        opens = match is not None and not (match[1][0] == "`" and "`" in match[2])
        if not opens and line.strip():
            run.append(line + "\n")
            continue
        if match is not None and opens:
            fence = match[1]
        yield "".join(run)
        run = []
    yield "".join(run)


def _without_spans(paragraph: str) -> str:
    """Returns a paragraph without its code spans: a run of backticks up to the next run of the same length."""
    runs = list(_TICKS.finditer(paragraph))
    if not runs:
        return paragraph
    later: dict[int, int] = {}
    closes: list[int | None] = [None] * len(runs)
    for index in range(len(runs) - 1, -1, -1):
        length = len(runs[index].group())
        closes[index] = later.get(length)
        later[length] = index
    kept: list[str] = []
    at = index = 0
    while index < len(runs):
        end = closes[index]
        if end is None:
            index += 1
            continue
        kept.append(paragraph[at : runs[index].start()])
        at = runs[end].end()
        index = end + 1
    return " ".join([*kept, paragraph[at:]])

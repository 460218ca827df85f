"""A plan for a person's eyes: nothing in it is hidden, and no text in it can pass for something else.

What a note says is untrusted, so every line of it stands behind a sign of the diff (``+``, ``-``, a blank), every line
of the summary that holds others' words behind a number or a bar. Within them, characters that can't be seen, that turn
the direction or pose as others are escaped (:mod:`engram.model.visible`), and the marks used here are escaped where a
text brings them itself:

- ``·`` a blank and ``⇥`` a tab where a line ends in white space (a tab anywhere), ``␍`` a carriage return at its end
- ``↪`` at the start of what is still the line above, broken at the width of the view
- content beginning ``++ `` or ``-- ``, which would look like a file's header behind its sign

So two plans that differ are never shown alike, and ``plan DIGEST`` at the start of a line is said by engram alone.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

from engram.curate.headers import NO_END, file_header, hunk_header
from engram.curate.hunks import hunks
from engram.model.counted import counted
from engram.model.plan import Concern, Edit, Line, Plan, Said
from engram.model.snapshot import same_text
from engram.model.visible import escaped, visible, visible_line

SAID: dict[Said, str] = {
    "user": "said by the user",
    "tool": "seen in tool output, untrusted",
    "agent": "concluded by the agent",
    "unverified": "unverified",
    "none": "no evidence given",
}
_LEVELS = {"refuse": "REFUSED", "warn": "!", "note": "note"}
_UNIT = re.compile(r"<U\+[0-9A-F]+>|.", re.DOTALL)
_TRAILING = re.compile(r"[ \t·]+\Z")
_PLAIN_NAME = re.compile(r"[\w./-]+")
_LEAST_WIDTH = 40


def shown_plan(plan: Plan, concerns: Sequence[Concern], said: Sequence[Said], *, width: int) -> str:
    """Returns the whole view of a plan, ending in the line ``plan DIGEST``. ``width`` is in columns, 40 at least."""
    columns = max(width, _LEAST_WIDTH)
    parts = [*_summary(plan, concerns, said, columns)]
    for edit in plan.edits:
        parts += _diff(edit, columns)
    return "\n".join((*parts, f"plan {plan.digest}")) + "\n"


def shown_content(content: str) -> str:
    """Returns one line of a text, without its line end, so that all of it can be seen."""
    ended, mark = (content[:-1], "␍") if content.endswith("\r") else (content, "")
    text = visible(ended, keep="\t", exact=True)
    for own in "␍⇥":
        text = text.replace(own, escaped(own))
    if text.startswith("↪"):
        text = escaped("↪") + text[1:]
    text = _TRAILING.sub(
        lambda run: "".join(escaped(char) if char == "·" else "·" if char == " " else char for char in run[0]), text
    )
    return text.replace("\t", "⇥") + mark


def _summary(plan: Plan, concerns: Sequence[Concern], said: Sequence[Said], width: int) -> Iterator[str]:
    many = len(plan.lines)
    yield from _wrapped(f"{counted(many, 'change')}{_origin(plan)}, to", "", width)
    yield f"{_name(plan.root)}"  # whole, to be copied
    yield ""
    for index, line in enumerate(plan.lines):
        source = said[index] if index < len(said) else "none"
        yield from _wrapped(_told(line, source), f"{index + 1}. ", width)
        yield from _concerns(concerns, index, width)
    yield from _concerns(concerns, -1, width)
    for words in _notices(plan):
        yield from _wrapped(words, "* ", width)
    yield ""


def _told(line: Line, said: Said) -> str:
    """Returns a change in one line; the reason comes last, so that it can't pass for what stands before it."""
    facts: list[str] = [line.relation] if line.relation else []
    if line.op in ("ADD", "UPDATE", "INVALIDATE", "NOOP"):
        facts += [f"confidence {line.confidence:.2f}", SAID[said]]
    named = f" {_name(line.name)}" if line.name else ""
    told = f"{line.op}{named}" + (f" ({', '.join(facts)})" if facts else "")
    return f"{told}: {visible_line(line.reason, exact=True)}" if line.reason else told


def _concerns(concerns: Sequence[Concern], index: int, width: int) -> Iterator[str]:
    for concern in concerns:
        if concern.change == index:
            words = f"{concern.code}: {visible_line(concern.message)}"
            yield from _wrapped(words, f"   {_LEVELS[concern.level]} ", width)


def _notices(plan: Plan) -> Iterator[str]:
    """Yields what else a person should know of how the plan meets the files in the folder."""
    yield from map(visible_line, plan.notices)
    for line in plan.beside:
        yield f"engram adds: {_told(line, 'none')}"
    for path in plan.hand_edits:
        yield f"{_name(path)} was edited by hand since the last commit; that edit is adopted first, as your own commit"
    for edit in plan.edits:
        if _differs(edit):
            yield f"{_name(edit.path)} differs from the last commit's; only the lines below change in either"


def _diff(edit: Edit, width: int) -> Iterator[str]:
    if edit.head_before != edit.head_after:
        yield from _file(edit, width)
    if _differs(edit) and _moves(edit.head_before, edit.head_after) != _moves(edit.work_before, edit.work_after):
        yield from _wrapped(f"{_name(edit.path)} as it stands in the folder, not in the commit:", "* ", width)
        yield from _file(Edit(edit.path, edit.work_before, edit.work_after, None, None), width)


def _file(edit: Edit, width: int) -> Iterator[str]:
    yield from (visible_line(line.rstrip("\t\n"), exact=True) for line in file_header(edit))
    for hunk in hunks(edit.head_before or b"", edit.head_after or b""):
        yield hunk_header(hunk).rstrip("\n")
        for sign, line in hunk.lines:
            text = line.decode("utf-8", "surrogateescape")
            yield from _signed(sign, text.removesuffix("\n"), width)
            if not text.endswith("\n"):
                yield NO_END.rstrip("\n")
    yield ""


def _signed(sign: str, content: str, width: int) -> Iterator[str]:
    """Yields a line of a diff, in as many rows as it takes."""
    text = shown_content(content)
    if sign != " " and content.startswith(f"{sign * 2} "):
        text = escaped(sign) + text[1:]
    first, *rest = _rows(text, width - 2)
    yield f"{sign}{first}"
    yield from (f"{sign}↪{row}" for row in rest)


def _rows(text: str, width: int, *, at_blanks: bool = False) -> list[str]:
    """Returns a text cut into rows of at most ``width`` columns; an escape is never cut.

    ``at_blanks``: behind a blank where one stands in the row's second half, for words that are read and not compared.
    """
    rows, row, columns = [], "", 0
    for unit in _UNIT.findall(text):
        wide = sum(_columns(char) for char in unit)
        if row and columns + wide > width:
            cut = row.rfind(" ") + 1 if at_blanks else 0
            cut = cut if cut > len(row) // 2 else len(row)
            rows.append(row[:cut])
            row = row[cut:]
            columns = sum(_columns(char) for char in row)
        row += unit
        columns += wide
    return [*rows, row]


def _columns(char: str) -> int:
    if unicodedata.category(char) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def _wrapped(text: str, lead: str, width: int) -> Iterator[str]:
    """Yields words behind a lead, in as many rows as they take; each further row stands behind a bar."""
    first, *rest = _rows(text, width - max(len(lead), 5), at_blanks=True)
    yield f"{lead}{first}".rstrip()
    yield from (f"   | {row}".rstrip() for row in rest)


def _name(text: str) -> str:
    """Returns a name or path; in quotes where it has more than the characters of a plain one."""
    shown = visible_line(text, exact=True)
    return shown if _PLAIN_NAME.fullmatch(shown) else f'"{shown.replace(chr(34), escaped(chr(34)))}"'


def _origin(plan: Plan) -> str:
    agent = f", proposed by {_name(plan.agent)}" if plan.agent else ""
    sessions = f", from {', '.join(_name(session) for session in plan.sessions)}" if plan.sessions else ""
    author = f", as the commit of {_name(' '.join(plan.author))}" if plan.author else ""
    return agent + sessions + author + _undone(plan)


def _undone(plan: Plan) -> str:
    """Returns which commit a plan takes back, in words; "" for any other plan."""
    commit = dict(plan.trailers).get("Engram-Undoes", "")
    subject = plan.subject.split("\n", 1)[0].removeprefix("memory: undo ")
    return f", taking back commit {_name(commit[:12])} {_name(subject)}" if commit else ""


def _differs(edit: Edit) -> bool:
    """Tells whether a file in the folder says something else than in HEAD; not where HEAD just catches up with it."""
    if edit.work_before == edit.work_after and same_text(edit.head_after, edit.work_after):
        return False
    return not (same_text(edit.head_before, edit.work_before) and same_text(edit.head_after, edit.work_after))


def _moves(before: bytes | None, after: bytes | None) -> list[tuple[str, bytes]]:
    """Returns the lines that an edit takes out and puts in, wherever they stand and however they end."""
    found = hunks(before or b"", after or b"", context=0)
    return [(sign, line.rstrip(b"\r\n")) for hunk in found for sign, line in hunk.lines]

"""Concerns: what a person should see before they say yes, and what no plan may carry.

Only what a change adds is looked at; what stood there before was accepted once. Nothing here decides: the gate does.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from datetime import date

from engram.curate.addition import Addition, addition
from engram.curate.fingerprint import fingerprint
from engram.curate.instructions import instruction_styled
from engram.curate.leaks import leaks
from engram.curate.neighbours import NEAR, Neighbours, near, text_of
from engram.curate.shape import missing_parts, relative_dates, too_long_body, too_long_description
from engram.model.change import ChangeSet
from engram.model.lookalike import lookalikes
from engram.model.note import Note
from engram.model.plan import Concern, Level, Plan, Said
from engram.model.secrets import scan
from engram.model.snapshot import TOC, Snapshot
from engram.model.visible import hidden
from engram.store.toc import crowded

_EDITING = ("ADD", "UPDATE")
Alike = Callable[[str], Sequence[tuple[str, float]]]


def check(
    changeset: ChangeSet,
    plan: Plan,
    snapshot: Snapshot,
    said: Sequence[Said],
    *,
    extra_patterns: Sequence[str],
    waived: Container[str],
    rejected: Mapping[str, str],
    today: date,
    alike: Alike = lambda text: (),  # noqa: ARG005 - nobody knows of any
) -> tuple[Concern, ...]:
    """Returns every concern about a changeset and its plan, by change, the gravest first; those of the whole last.

    ``said``: who said what each change rests on, in order. ``extra_patterns``: the user's own patterns of secrets.
    ``waived``: fingerprints of secrets that a person said are none. ``rejected``: fingerprints of changes that a
    person rejected, with their reason. ``alike``: gives the standing notes that mean almost what a text says in other
    words, as path and likeness; those that say it in the same words are found here. Raises ConfigInvalid where a
    pattern of ``extra_patterns`` is none.
    """
    additions = tuple(addition(change, snapshot) for change in changeset.changes)
    found: list[Concern] = []
    likeness = _Likeness(additions, snapshot, alike)
    for index, one in enumerate(additions):
        found += _secrets_in_change(one, index, extra_patterns, waived)
        found += _on_text(one, index)
        found += likeness.concerns(index)
        found += _on_shape(one, index, today)
        found += _on_standing(one, index, changeset, rejected)
        found += _on_evidence(one, index, said)
    found += _secrets_around(changeset, extra_patterns, waived)
    told = {concern.fingerprint for concern in found if concern.fingerprint}
    found += (concern for concern in leaks(plan, extra_patterns, waived) if concern.fingerprint not in told)
    found += _on_contents(plan)
    order = {"refuse": 0, "warn": 1, "note": 2}
    return tuple(sorted(found, key=lambda concern: (_place(concern, len(additions)), order[concern.level])))


def _place(concern: Concern, many: int) -> int:
    return concern.change if concern.change >= 0 else many


def _secrets_in_change(one: Addition, index: int, extra: Sequence[str], waived: Container[str]) -> Iterator[Concern]:
    stood = {hit.fingerprint for hit in scan(one.standing, extra)}
    told = [("the reason", one.change.reason), ("the target", one.change.target), ("`by`", one.change.by)]
    for number, evidence in enumerate(one.change.evidence):
        told += [(f"evidence {number + 1}", text) for text in (evidence.quote, evidence.session, evidence.ref)]
    seen: set[str] = set()
    for where, text in (*one.pieces, *told):
        for hit in scan(text, extra):
            if hit.fingerprint not in stood and hit.fingerprint not in seen and hit.fingerprint not in waived:
                seen.add(hit.fingerprint)
                yield _secret(hit.rule, _line(where, text, hit.start, index), index, hit.fingerprint)


def _secrets_around(changeset: ChangeSet, extra: Sequence[str], waived: Container[str]) -> Iterator[Concern]:
    places = [("the agent's name", changeset.agent), *(("a session's name", text) for text in changeset.sessions)]
    for where, text in places:
        for hit in scan(text, extra):
            if hit.fingerprint not in waived:
                yield _secret(hit.rule, where, -1, hit.fingerprint)


def _secret(rule: str, where: str, index: int, mark: str) -> Concern:
    """Returns the concern of a secret: its rule and its place, never the secret nor any text beside it."""
    return Concern("secret", f"{where} holds text shaped like a secret ({rule})", "refuse", index, mark)


def _line(where: str, text: str, start: int, index: int) -> str:
    line = f"line {text.count(chr(10), 0, start) + 1} of " if "\n" in text.rstrip("\n") else ""
    return f"{line}{where} of change {index + 1}"


def _on_contents(plan: Plan) -> Iterator[Concern]:
    for edit in plan.edits:
        words = crowded(edit.work_after) if edit.path == TOC and edit.work_after is not None else ""
        if words:
            yield Concern("toc-crowded", words)


def _on_text(one: Addition, index: int) -> Iterator[Concern]:
    shown = (*one.pieces, ("the reason", one.change.reason))
    for code, words, look in _LOOKS:
        for where, text in shown:
            found = look(text)
            if found:
                yield Concern(code, f"{where} {words}{found}", "warn", index)
                break


def _hidden(text: str) -> str:
    return _some(hidden(text))


def _lookalikes(text: str) -> str:
    return _some(tuple(f"“{word}”" for word in lookalikes(text)))


def _relative(text: str) -> str:
    return _some(tuple(f"“{word}”" for word in relative_dates(text)))


def _some(found: tuple[str, ...]) -> str:
    return ", ".join(found[:4]) + (f" and {len(found) - 4} more" if len(found) > 4 else "")


_LOOKS: tuple[tuple[str, str, Callable[[str], str]], ...] = (
    ("hidden-text", "holds characters that can't be seen: ", _hidden),
    ("lookalike-text", "holds letters of one alphabet that pass for another's: ", _lookalikes),
    ("instruction-styled", "reads like an order to the agent that recalls it: it ", instruction_styled),
)


def _on_shape(one: Addition, index: int, today: date) -> Iterator[Concern]:
    if one.change.op not in _EDITING:
        return
    for where, text in (("the description", one.description), ("the body", one.body)):
        words = _relative(text)
        if words:
            yield Concern(
                "relative-date", f"{where} says {words}; write the date itself, such as {today}", "warn", index
            )
    too_long = too_long_description(one.description)
    if too_long:
        yield Concern("long-description", too_long, "warn", index)
    if one.whole_body is None:
        return
    too_long = too_long_body(one.kind, one.whole_body)
    if too_long:
        yield Concern("long-body", too_long, "warn", index)
    missing = missing_parts(one.kind, one.whole_body)
    if missing:
        yield Concern("missing-part", f"a {one.kind} note says {' and '.join(missing)}; not here", "warn", index)


def _on_standing(one: Addition, index: int, changeset: ChangeSet, rejected: Mapping[str, str]) -> Iterator[Concern]:
    mark = fingerprint(one.change)
    if mark in rejected:
        reason = rejected[mark].strip()
        words = "a person rejected this very change before" + (f": {reason}" if reason else "")
        yield Concern("rejected-before", words, "warn", index)
    invalidates = any(change.op == "INVALIDATE" for change in changeset.changes)
    if one.change.op == "ADD" and one.change.relation == "contradictory" and not invalidates:
        yield Concern(
            "contradicts-standing", "it is said to contradict what stands, and nothing is invalidated", "warn", index
        )


_EVIDENCE: Mapping[Said, tuple[str, Level, str]] = {
    "tool": ("tool-evidence", "warn", "the quote stands in a tool's output, which anybody may have written"),
    "unverified": ("unverified-evidence", "note", "a quote was not found in the session that it names"),
    "none": ("no-evidence", "note", "no quote shows where this comes from"),
}


def _on_evidence(one: Addition, index: int, said: Sequence[Said]) -> Iterator[Concern]:
    told = _EVIDENCE.get(said[index]) if index < len(said) and one.change.op != "NOOP" else None
    if told is not None:
        yield Concern(told[0], told[2], told[1], index)


class _Likeness:
    """Is the additions of a changeset beside each other and beside the store; the store is weighed at most once."""

    def __init__(self, additions: Sequence[Addition], snapshot: Snapshot, alike: Alike) -> None:
        self._additions = additions
        self._alike = alike
        self._by_path = snapshot.by_path
        self._neighbours: Neighbours | None = None
        self._notes = snapshot.notes
        self._moved = {
            one.target.path for one in additions if one.target is not None and one.change.op in ("UPDATE", "INVALIDATE")
        }

    def concerns(self, index: int) -> Iterator[Concern]:
        """Yields what the new note of a change repeats: of the store, and of the new notes before it."""
        text = _compared(self._additions[index])
        if not text:
            return
        if self._neighbours is None:
            self._neighbours = Neighbours(self._notes, filter(None, map(_compared, self._additions)))
        alike = self._neighbours.near(text, least=NEAR)
        for other, score in [pair for pair in alike if pair[0].path not in self._moved][:1]:
            yield Concern(
                "near-duplicate", f"{_described(other)} says almost the same ({score:.0%} alike)", "warn", index
            )
        meant = () if alike else self._alike(text)
        for path, score in [pair for pair in meant if pair[0] in self._by_path and pair[0] not in self._moved][:1]:
            words = f"{_described(self._by_path[path])} says almost the same in other words ({score:.0%} alike)"
            yield Concern("near-duplicate", words, "warn", index)
        for earlier in self._additions[:index]:
            if earlier.change.note is not None and _alike(text, earlier) >= NEAR:
                words = f"{earlier.name}, also new here, says almost the same"
                yield Concern("near-duplicate", words, "warn", index)
                break


def _compared(one: Addition) -> str:
    """Returns the text by which a new note is compared with others; "" where a change makes none."""
    note = one.change.note
    return "" if note is None else text_of(note.name, note.description, note.body)


def _described(note: Note) -> str:
    if note.invalidated_by:
        return f"{note.name}, which was invalidated,"
    return f"{note.name}, which is archived," if note.archived else note.name


def _alike(text: str, other: Addition) -> float:
    note = Note(path="other", name=other.name, fields={"description": other.description}, body=other.body)
    return next((score for _, score in near(text, (note,))), 0.0)

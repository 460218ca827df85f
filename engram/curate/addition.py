"""What a change adds: the text that was not there before, each piece with the place where it stands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from engram.model.change import Change, SetValue
from engram.model.note import Note
from engram.model.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Addition:
    """Is one change, looked at for what is new in it."""

    change: Change
    target: Note | None
    """The one note that the change names; None for an ADD and where the name reaches none or several."""
    name: str
    description: str
    """The new one; "" where the change sets none."""
    body: str
    """The lines of the body that the change brings; a whole body for an ADD."""
    fields: tuple[tuple[str, str], ...]
    """Every other field that it sets, as pairs of field and text, a list's items one by one."""

    @property
    def pieces(self) -> Iterator[tuple[str, str]]:
        """Yields what would stand in the note, as pairs of a place in words and a text."""
        if self.change.op == "ADD":
            yield ("the name", self.name)
        if self.description:
            yield ("the description", self.description)
        for key, text in self.fields:
            yield (f"the field {key}", text)
        if self.body:
            yield ("the body", self.body)

    @property
    def standing(self) -> str:
        """The text of the target as it stands; "" for an ADD."""
        if self.target is None:
            return ""
        return "\n".join((*(text for _, text in _texts(self.target.fields)), self.target.body))

    @property
    def whole_body(self) -> str | None:
        """The body as it will stand where the change writes all of it; None where most of it stood there."""
        return self.change.note.body if self.change.note is not None else self.change.body

    @property
    def kind(self) -> str:
        """The type that the note will have."""
        if self.change.note is not None:
            return self.change.note.type
        given = self.change.set.get("type")
        return given if isinstance(given, str) else (self.target.type if self.target is not None else "")


def addition(change: Change, snapshot: Snapshot) -> Addition:
    """Returns what a change adds to a store. Total: a target that isn't there adds all that is given."""
    reached = snapshot.find(change.target) if change.target else ()
    target = reached[0] if len(reached) == 1 else None
    given = change.note.fields if change.note is not None else change.set
    texts = tuple(_texts(given))
    description = next((text for key, text in texts if key == "description"), "")
    return Addition(
        change,
        target,
        change.name,
        description,
        _new_body(change, target),
        tuple((key, text) for key, text in texts if key != "description"),
    )


def _new_body(change: Change, target: Note | None) -> str:
    if change.note is not None:
        return change.note.body
    before = target.body.replace("\r\n", "\n") if target is not None else ""
    if change.body is not None:
        return _new_lines(before, change.body)
    after = before
    for edit in change.edits:
        if edit.find and after.count(edit.find) == 1:
            after = after.replace(edit.find, edit.replace)
        else:
            after = f"{after}\n{edit.replace}"
    return _new_lines(before, after)


def _new_lines(before: str, after: str) -> str:
    """Returns the lines that only ``after`` has: whole lines, since a word changed may make a secret of its line."""
    stood = set(before.split("\n"))
    return "\n".join(line for line in after.replace("\r\n", "\n").split("\n") if line not in stood)


def _texts(fields: Mapping[str, object] | Mapping[str, SetValue]) -> Iterator[tuple[str, str]]:
    """Yields every text in a mapping of fields, however deep, by the field it stands in."""
    for key, value in fields.items():
        yield from ((key, text) for text in _leaves(value))


def _leaves(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from _leaves(inner)
    elif isinstance(value, tuple | list):
        for inner in value:
            yield from _leaves(inner)

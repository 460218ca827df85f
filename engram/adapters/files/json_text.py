"""A JSON file, edited by the piece: what is put in or taken out is one element, and no other byte moves.

``notes`` remember what the text itself can't: which containers were made for a piece (``made``), and what stood in
those that were empty (``empty``).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from engram.adapters.files.jsonc import Member, Node, parsed
from engram.adapters.files.ours import hooks_within, is_ours, is_ours_whole
from engram.adapters.files.place import DEFAULT, ITEM, MEMBER, Piece

_TRAILING = re.compile(r"(?:[ \t]*/\*[^\r\n]*?\*/)*(?:[ \t]*//[^\r\n]*)?")
_SPACE = " \t\r\n"
Path = tuple[str, ...]


class Foreign(ValueError):
    """Something that is not engram's stands where a piece has to go. ``place``: its JSON path."""

    def __init__(self, words: str, place: str) -> None:
        super().__init__(words)
        self.place = place


class Notes(NamedTuple):
    """Is what has to be known to take pieces out again."""

    made: tuple[Path, ...] = ()
    empty: tuple[tuple[Path, str], ...] = ()


def holds(text: str, pieces: Sequence[Piece]) -> bool:
    """Tells whether every piece stands in the text, and none of another version. Raises NotJson, Foreign."""
    root = parsed(text)
    _check(root, pieces)
    standing = sorted(_shown(keys, value) for keys, value in _standing_items(root))
    wanted = sorted(_shown(piece.keys, piece.value) for piece in pieces if piece.kind == ITEM)
    members = (piece for piece in pieces if piece.kind != ITEM)
    return standing == wanted and all(_holds_member(root, piece) for piece in members)


def with_pieces(text: str, pieces: Sequence[Piece]) -> tuple[str, Notes]:
    """Returns the text with every piece in it. None of them stands there yet. Raises NotJson, Foreign."""
    made: list[Path] = []
    empty: dict[Path, str] = {}
    _check(parsed(text), pieces)
    for piece in pieces:
        text = _with_piece(text, piece, made, empty)
    return text, Notes(tuple(made), tuple(empty.items()))


def without_pieces(text: str, pieces: Sequence[Piece], notes: Notes) -> str:
    """Returns the text without what is engram's in it, whichever version put it there. Raises NotJson."""
    flags = {piece.keys for piece in pieces if piece.kind == MEMBER and not isinstance(piece.value, dict)}
    members = {piece.keys for piece in pieces if piece.kind == MEMBER}
    while True:
        root = parsed(text)
        found = next(_ours(root, members, flags), None)
        if found is None:
            break
        text = _cut(text, *found, notes)
    return _without_made(text, {piece.keys for piece in pieces if piece.kind == DEFAULT}, notes)


def node_at(root: Node, keys: Path) -> Node | None:
    """Returns what stands at a path of keys."""
    node: Node | None = root
    for key in keys:
        node = node.get(key) if node is not None and node.kind == "object" else None
    return node


# -- what stands there ------------------------------------------------------------------------------------------------


def _check(root: Node, pieces: Sequence[Piece]) -> None:
    """Raises Foreign where a piece has no place to go."""
    for piece in pieces:
        folders = piece.keys if piece.kind == ITEM else piece.keys[:-1]
        for many in range(len(folders) + 1):
            node = node_at(root, folders[:many])
            wanted = "array" if piece.kind == ITEM and many == len(folders) else "object"
            if node is not None and node.kind != wanted:
                place = _dotted(folders[:many])
                raise Foreign(f"{place} holds no {wanted}", place)
        standing = node_at(root, piece.keys) if piece.kind == MEMBER else None
        if standing is not None and isinstance(piece.value, dict) and not is_ours(standing.value):
            place = _dotted(piece.keys)
            raise Foreign(f"{place} is there already, and isn't what `engram adapt` writes", place)


def _standing_items(root: Node) -> Iterator[tuple[Path, object]]:
    for event, member in _events(root):
        for item in member.value.inner:
            value = item.value.value
            if is_ours(value) or any(is_ours(each) for each in hooks_within(value) or ()):
                yield ("hooks", event), value


def _events(root: Node) -> Iterator[tuple[str, Member]]:
    hooks = root.get("hooks") if root.kind == "object" else None
    for member in hooks.inner if hooks is not None and hooks.kind == "object" else ():
        if member.value.kind == "array":
            yield member.key, member


def _holds_member(root: Node, piece: Piece) -> bool:
    node = node_at(root, piece.keys)
    if node is None or piece.kind == DEFAULT:
        return node is not None
    return _shown((), _narrowed(node.value, piece.value)) == _shown((), piece.value)


def _narrowed(value: object, wanted: object) -> object:
    """Returns what stands there without what a person or the client has put to it, such as ``env`` or ``trust``."""
    if isinstance(value, Mapping) and isinstance(wanted, Mapping):
        return {key: each for key, each in value.items() if key in wanted}
    return value


def _shown(keys: Path, value: object) -> str:
    return json.dumps([keys, value], sort_keys=True)


def _dotted(keys: Path) -> str:
    return ".".join(("$", *keys))


# -- taking out -------------------------------------------------------------------------------------------------------


def _ours(root: Node, members: set[Path], flags: set[Path]) -> Iterator[tuple[Path, Node, int]]:
    """Yields what is ours as the path of its container, the container, and its place in there."""
    for event, member in _events(root):
        for place, item in enumerate(member.value.inner):
            value = item.value.value
            if is_ours_whole(value):
                yield ("hooks", event), member.value, place
            elif inner := hooks_within(value):
                group = item.value.get("hooks")
                for within, each in enumerate(inner):
                    if group is not None and is_ours(each):
                        yield ("hooks", event, "hooks"), group, within
    for keys in members:
        holder, node = node_at(root, keys[:-1]), node_at(root, keys)
        if holder is not None and node is not None and (is_ours(node.value) or (keys in flags and node.value is True)):
            yield keys[:-1], holder, _index(holder, keys[-1])


def _index(holder: Node, key: str) -> int:
    return max(place for place, member in enumerate(holder.inner) if member.key == key)


def _cut(text: str, path: Path, holder: Node, place: int, notes: Notes) -> str:
    """Returns the text without one element of a container, its comma, and the space before it."""
    member = holder.inner[place]
    start = _before(text, member.start)
    after = next((comma for comma in holder.commas if comma >= member.end), None)
    if after is not None and not text[member.end : after].strip(_SPACE):
        text = text[:start] + text[after + 1 :]
    else:
        before = max((comma for comma in holder.commas if comma < member.start), default=None)
        text = text[:start] + text[member.end :]
        if before is not None and after is None:
            text = text[:before] + text[before + 1 :]
            start -= 1
    remembered = dict(notes.empty).get(path)
    left = node_at(parsed(text), path) if remembered is not None and len(holder.inner) == 1 else None
    inner = "" if left is None else text[left.start + 1 : left.end - 1]
    if left is not None and remembered is not None and inner.split() == remembered.split():  # space of ours is left
        return text[: left.start + 1] + remembered + text[left.end - 1 :]
    return text


def _before(text: str, place: int) -> int:
    """Returns where the space begins that an element was put in with: a line's, or a blank. A comment keeps its own."""
    line = len(text[:place].rstrip(" \t"))
    if text[:line].endswith("\n"):
        return line - (2 if text[:line].endswith("\r\n") else 1)
    return place - 1 if line < place else place


def _without_made(text: str, defaults: set[Path], notes: Notes) -> str:
    """Returns the text without what was made for our pieces and serves nobody else now.

    A default goes last, and stays where somebody has put something of theirs into what was made with it.
    """
    used = False
    for keys in sorted(notes.made, key=lambda keys: (keys in defaults, -len(keys))):
        root = parsed(text)
        holder, node = node_at(root, keys[:-1]), node_at(root, keys)
        if holder is None or node is None:
            continue
        if keys in defaults:
            gone = not used
        else:
            gone = node.kind != "scalar" and not text[node.start + 1 : node.end - 1].strip(_SPACE)
            used = used or not gone
        if gone:
            text = _cut(text, keys[:-1], holder, _index(holder, keys[-1]), notes)
    return text


# -- putting in -------------------------------------------------------------------------------------------------------


def _with_piece(text: str, piece: Piece, made: list[Path], empty: dict[Path, str]) -> str:
    root = parsed(text)
    folders = piece.keys if piece.kind == ITEM else piece.keys[:-1]
    standing = next(many for many in range(len(folders), -1, -1) if node_at(root, folders[:many]) is not None)
    node = node_at(root, folders[:standing])
    assert node is not None  # noqa: S101 - the root is always there
    left = folders[standing:]
    if piece.kind == ITEM:
        key, value = "", piece.value
    else:
        key, value = piece.keys[-1], piece.value
        if node_at(root, piece.keys) is not None:
            if piece.kind == DEFAULT or not isinstance(piece.value, bool):
                return text
            return _with_scalar(text, node_at(root, piece.keys), piece.value)
    if piece.kind == DEFAULT:
        made.append(piece.keys)
    if left:
        value = [value] if piece.kind == ITEM else {key: value}
        for folder in reversed(left[1:]):
            value = {folder: value}
        key = left[0]
        made.extend(folders[:many] for many in range(standing + 1, len(folders) + 1))
    if not node.inner:
        empty.setdefault(folders[:standing], text[node.start + 1 : node.end - 1])
    return _with_element(text, root, node, key, value)


def _with_scalar(text: str, node: Node | None, value: bool) -> str:
    if node is None or node.kind != "scalar":
        return text
    return text[: node.start] + json.dumps(value) + text[node.end :]


def _with_element(text: str, root: Node, node: Node, key: str, value: Any) -> str:
    """Returns the text with one more element at the end of a container, in the manner of those that stand there."""
    newline = "\r\n" if "\r\n" in text else "\n"
    unit = _unit(text, root)
    own = _indent(text, node.start)
    if not node.inner:
        place = _after_comment(text, node.start + 1)
        inner = own + unit
        closing = "" if "\n" in text[place : node.end - 1].replace(newline, "\n") else newline + own
        return text[:place] + newline + inner + _rendered(key, value, unit, inner, newline) + closing + text[place:]
    first, last = node.inner[0], node.inner[-1]
    lead = text[node.start + 1 : first.start]
    trailing = next((comma for comma in node.commas if comma >= last.end), None)
    end = last.end if trailing is None else trailing + 1
    place = _after_comment(text, end)
    if "\n" in lead:
        inner = _indent(text, first.start)
        element = newline + inner + _rendered(key, value, unit, inner, newline)
    else:
        if "//" in text[end:place]:
            place = end  # behind it, an element on the same line would be part of the comment
        tight = len(node.inner) > 1 and text[node.commas[0] + 1 : node.inner[1].start] == ""
        element = ("" if tight else " ") + _rendered(key, value, None, "", newline, tight=tight)
    comma = "," if trailing is None else ""
    return text[:end] + comma + text[end:place] + element + ("" if trailing is None else ",") + text[place:]


def _after_comment(text: str, place: int) -> int:
    """Returns the place behind the comments that follow on the same line."""
    found = _TRAILING.match(text, place)
    return found.end() if found else place


def _indent(text: str, place: int) -> str:
    """Returns the white space that the line of a place begins with."""
    line = text[text.rfind("\n", 0, place) + 1 : place]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _unit(text: str, root: Node) -> str:
    """Returns one step of the file's indentation."""
    if root.inner and "\n" in text[root.start + 1 : root.inner[0].start]:
        return _indent(text, root.inner[0].start) or "  "
    return "  "


def _rendered(key: str, value: Any, unit: str | None, inner: str, newline: str, *, tight: bool = False) -> str:
    """Returns an element as JSON, over several lines with an indentation, on one without."""
    separators = (",", ":") if tight else ("," if unit is not None else ", ", ": ")
    text = json.dumps(value, ensure_ascii=False, indent=unit, separators=separators)
    name = json.dumps(key, ensure_ascii=False) + separators[1] if key else ""
    return name + text.replace("\n", newline + inner)

"""One file of an agent's, with engram's pieces in it or without: bytes in, bytes out, whatever its format."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar, cast

from engram.adapters.files import json_text, marked, toml_text
from engram.adapters.files.json_text import Foreign, Notes
from engram.adapters.files.jsonc import NotJson, parsed
from engram.adapters.files.marked import MARKDOWN, BadlyMarked
from engram.adapters.files.ours import is_ours
from engram.adapters.files.place import BLOCK, FILE, MEMBER, TABLE, Piece
from engram.adapters.files.toml_text import ForeignTable, NotToml
from engram.errors import SettingsForeign, SettingsUnreadable

Remembered = dict[str, Any]
"""What the bytes themselves can't say of how they came about; JSON."""

Result = TypeVar("Result")

_BOM = "\ufeff"
_MEND = "mend the file, or move it away, and run the command again; nothing was changed"


def whole(pieces: Sequence[Piece]) -> bytes | None:
    """Returns the bytes of a file that is engram's alone; None for a file that holds pieces among others'."""
    value = pieces[0].value
    return value if pieces[0].kind == FILE and isinstance(value, bytes) else None


def holds(data: bytes, pieces: Sequence[Piece], path: str) -> bool:
    """Tells whether all pieces stand in a file, and none of another version.

    Raises SettingsUnreadable, SettingsForeign, each with the place.
    """
    text, _ = _text(data, path)
    return _guarded(path, lambda: _holds(text, pieces))


def enriched(data: bytes, pieces: Sequence[Piece], path: str) -> list[Piece]:
    """Returns the pieces, each with what a person or the client has put to it where it stands in another version.

    Raises SettingsUnreadable, with the place.
    """
    text, _ = _text(data, path)
    return _guarded(path, lambda: [_enriched(text, piece) for piece in pieces])


def with_pieces(data: bytes | None, pieces: Sequence[Piece], path: str) -> tuple[bytes, Remembered]:
    """Returns a file with every piece in it, and what to remember. None of them stands in it yet.

    Raises SettingsUnreadable, SettingsForeign, each with the place.
    """
    text, bom = _text(data or b"", path)
    blank = not text.strip()
    first = pieces[0]

    def put() -> tuple[str, Remembered]:
        if first.kind == TABLE:
            changed, lead = toml_text.with_table(text, first.keys, cast("Mapping[str, object]", first.value))
            return changed, {"lead": lead}
        if first.kind == BLOCK:
            _holds(text, pieces)
            changed, lead = marked.with_block(text, marked.block_of(str(first.value), MARKDOWN))
            return changed, {"lead": lead}
        changed, notes = json_text.with_pieces("{}\n" if blank else text, pieces)
        kept: Remembered = {"made": [list(keys) for keys in notes.made]}
        kept["empty"] = [[list(keys), inner] for keys, inner in notes.empty]
        return changed, {**kept, **({"blank": text} if blank else {})}

    changed, remembered = _guarded(path, put)
    return (bom + changed).encode("utf-8"), remembered


def without_pieces(data: bytes, pieces: Sequence[Piece], path: str, remembered: Remembered) -> bytes:
    """Returns a file without what is engram's in it. What was nothing but space before is that again.

    Raises SettingsUnreadable, with the place.
    """
    text, bom = _text(data, path)
    first = pieces[0]

    def take() -> str:
        if not text.strip():
            return text
        if first.kind == TABLE:
            return toml_text.without_table(text, first.keys, remembered.get("lead", "\n"))
        if first.kind == BLOCK:
            return marked.without_block(text, MARKDOWN, remembered.get("lead", "\n"))
        notes = Notes(
            tuple(tuple(keys) for keys in remembered.get("made", ())),
            tuple((tuple(keys), inner) for keys, inner in remembered.get("empty", ())),
        )
        left = json_text.without_pieces(text, pieces, notes)
        return str(remembered["blank"]) if "blank" in remembered and _is_bare(left) else left

    return (bom + _guarded(path, take)).encode("utf-8")


def _holds(text: str, pieces: Sequence[Piece]) -> bool:
    first = pieces[0]
    if first.kind == TABLE:
        return toml_text.holds(text, first.keys, cast("Mapping[str, object]", first.value))
    if first.kind == BLOCK:
        place = marked.found(text, MARKDOWN)
        wanted = marked.block_of(str(first.value), MARKDOWN)
        return place is not None and text[place[0] : place[1]].replace("\r\n", "\n") == wanted
    return bool(text.strip()) and json_text.holds(text, pieces)


def _enriched(text: str, piece: Piece) -> Piece:
    standing: object = None
    if piece.kind == TABLE:
        standing = toml_text.standing_at(text, piece.keys)
    elif piece.kind == MEMBER and text.strip():
        node = json_text.node_at(parsed(text), piece.keys)
        standing = node.value if node is not None and is_ours(node.value) else None
    if not isinstance(standing, Mapping) or not isinstance(piece.value, Mapping):
        return piece
    return piece._replace(value={**standing, **piece.value})


def _is_bare(text: str) -> bool:
    """Tells whether a text is an object with nothing in it, comments included."""
    return "".join(text.split()) == "{}"


def _text(data: bytes, path: str) -> tuple[str, str]:
    """Returns a file's text and its byte order mark, "" for none."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        words = f"{path} is not UTF-8 (byte {error.start})"
        raise SettingsUnreadable(words, "save the file as UTF-8 and run the command again", path) from None
    return (text[1:], _BOM) if text.startswith(_BOM) else (text, "")


def _guarded(path: str, act: Callable[[], Result]) -> Result:
    """Returns what an act returns; what it can't read or may not touch becomes the error that a person understands."""
    try:
        return act()
    except (NotJson, NotToml, BadlyMarked) as error:
        raise SettingsUnreadable(f"{path}: {error}", _MEND, path) from None
    except (Foreign, ForeignTable) as error:
        raise SettingsForeign(f"{path}: {error}", place=f"{path}: {error.place}") from None

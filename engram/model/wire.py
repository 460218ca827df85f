"""JSON for hooks: the interpreter's own scanner without the ``json`` package.

``import json`` brings ``re`` and ``enum`` along, which is more than half of what a bare interpreter needs to start.
Where the C scanner is missing or has changed, the package does the same.

On the hot path of every hook: the standard library alone, and little of it.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_BLANK = " \t\n\r"


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is no JSON")


class _Rules:
    """Is what the scanner asks about: strict JSON, with nothing made of its values."""

    strict = True
    object_hook = None
    object_pairs_hook = None
    array_hook = None
    parse_float = float
    parse_int = int
    parse_constant = staticmethod(_no_constant)


def parsed(data: bytes) -> object:
    """Returns the one JSON value that stands in UTF-8 bytes, with or without a byte order mark.

    Raises ValueError, with words, for anything else: not UTF-8, not JSON, something behind it, nested too deeply.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError("not UTF-8") from None
    start = len(text) - len(text.lstrip(_BLANK))
    if start == len(text):
        raise ValueError("empty")
    try:
        value, end = _scanned(text, start)
    except StopIteration:
        raise ValueError("not JSON") from None
    except RecursionError:
        raise ValueError("nested too deeply") from None
    except ValueError as error:
        raise ValueError(f"not JSON ({error})") from None
    if text[end:].strip(_BLANK):
        raise ValueError("not one JSON value")
    return value


def written(fields: Mapping[str, str]) -> bytes:
    """Returns a flat object of texts as one line of ASCII JSON."""
    text = _quoter()
    return ("{" + ", ".join(f"{text(key)}: {text(value)}" for key, value in fields.items()) + "}\n").encode("ascii")


def quoted(value: object) -> str:
    """Returns a value as one line of JSON, every letter as it is: texts, numbers, None, lists and mappings of these.

    A number that JSON has no word for becomes null.
    """
    if isinstance(value, str):
        return _quoter(ascii_only=False)(value)
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int | float):
        return repr(value) if value - value == 0 else "null"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{quoted(str(key))}: {quoted(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(quoted, value)) + "]"
    return quoted(str(value))


def _scanned(text: str, start: int) -> tuple[object, int]:
    try:
        return _scanner()(text, start)
    except SystemError:  # the scanner takes its error from json.decoder, and doesn't import it
        from json import JSONDecoder  # noqa: PLC0415

        return JSONDecoder(parse_constant=_no_constant).scan_once(text, start)  # type: ignore[attr-defined, no-any-return]


def _scanner() -> Callable[[str, int], tuple[object, int]]:
    try:
        from _json import make_scanner  # noqa: PLC0415 - it is missing on other interpreters

        scan: Callable[[str, int], tuple[object, int]] = make_scanner(_Rules())  # type: ignore[arg-type]
    except (ImportError, AttributeError, TypeError):
        from json import JSONDecoder  # noqa: PLC0415

        scan = JSONDecoder(parse_constant=_no_constant).scan_once  # type: ignore[attr-defined]
    return scan


def _quoter(*, ascii_only: bool = True) -> Callable[[str], str]:
    try:
        from _json import encode_basestring, encode_basestring_ascii  # noqa: PLC0415
    except ImportError:
        from json.encoder import encode_basestring, encode_basestring_ascii  # noqa: PLC0415
    return encode_basestring_ascii if ascii_only else encode_basestring

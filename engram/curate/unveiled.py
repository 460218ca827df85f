"""Other readings of a text, encoded, spelt out or reversed: what a model reads fluently and a person doesn't."""

from __future__ import annotations

import base64
import binascii
import codecs
import html
import re
import unicodedata
from collections.abc import Callable, Iterator
from urllib.parse import unquote

_LIMIT = 100_000
_DEPTH = 3

_RUNS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("hex", re.compile(r"(?<![0-9A-Za-z])(?:0x)?(?:[0-9a-fA-F]{2}){12,8000}(?![0-9A-Za-z])")),
    (
        "hex-spaced",
        re.compile(
            r"(?<![0-9A-Za-z])(?:(?:0x|\\x)?[0-9a-fA-F]{2}[ ,:]{1,2}){12,8000}(?:0x)?[0-9a-fA-F]{2}(?![0-9A-Za-z])"
        ),
    ),
    ("base64", re.compile(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{16,16000}={0,2}(?![A-Za-z0-9+/=])")),
    ("base32", re.compile(r"(?<![A-Za-z0-9])[A-Z2-7]{24,16000}={0,6}(?![A-Za-z0-9=])")),
    ("ascii85", re.compile(r"<~[!-u\sz]{20,16000}~>")),
    ("base85", re.compile(r"(?<!\S)[!-~]{24,8000}(?!\S)")),
    ("binary", re.compile(r"(?<![0-9])(?:[01]{8}[ ,]{0,2}){6,8000}(?![0-9])")),
    ("decimal", re.compile(r"(?<![0-9])(?:\d{2,3}[ ,;]{1,2}){12,8000}\d{2,3}(?![0-9])")),
    ("morse", re.compile(r"(?<!\S)(?:[.\-·−–_]{1,6}[ /|]{1,3}){8,8000}[.\-·−–_]{1,6}(?!\S)")),
)
_ESCAPES = re.compile(
    r"\\u\{?([0-9a-fA-F]{4,6})\}?|\\x([0-9a-fA-F]{2})|\\([0-7]{3})|&#(\d{2,6});|&#x([0-9a-fA-F]{2,5});"
)
_SPELT = re.compile(r"(?<!\w)(?:\w[ .\-_*|·]{1,2}){5,4000}\w(?!\w)")
_LEET = str.maketrans("0134578@$!|+€", "oieastbasiile")
_LEET_L = str.maketrans("0134578@$!|+€", "oleastbaslile")
_LEET_WORD = re.compile(r"(?i)(?<!\w)(?=\w{0,12}[a-z])[a-z]{0,12}[0-9@$!|+][\w@$!|+]{1,20}")
_TELLING = re.compile(
    r"ignor|instruc|system|prompt|reveal|disregard|forget|previous|prior|rules|password|credential|secret|send|forward|"
    r"e-?mail|bypass|overrid|restrict|delete|customer|admin|you are|show|print|anweisung|istruzion|consigne|regol|regla"
)
_TAGS = range(0xE0020, 0xE007F)
_MORSE_SIGNS = (
    ".- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --.. "
    "----- .---- ..--- ...-- ....- ..... -.... --... ---.. ----."
)
_MORSE = dict(zip(_MORSE_SIGNS.split(), "abcdefghijklmnopqrstuvwxyz0123456789", strict=True))
_LETTER = re.compile(r"[^\W\d_]")


def readings(text: str) -> Iterator[tuple[str, str]]:
    """Yields ``(how, reading)`` for each other way to read a text, or a part of it, as words; never the text itself.

    ``how`` is a word for a person: ``base64``, ``reversed``. What decodes to no words (tokens, hashes, pictures) yields
    nothing. At most 100,000 characters are looked at, encodings within encodings three deep.
    """
    text = text[:_LIMIT]
    yield from _decoded(text, _DEPTH)
    for how, reading in (("rot13", codecs.encode(text, "rot13")), ("reversed", text[::-1])):
        if _tells(reading):
            yield (how, reading)
    if len(_LEET_WORD.findall(text)) >= 2:
        for table in (_LEET, _LEET_L):
            if _tells(reading := text.lower().translate(table)):
                yield ("leet", reading)
    for match in _SPELT.finditer(text):
        yield ("spelt out", re.sub(r"[ .\-_*|·]", "", match[0]))


def _tells(text: str) -> bool:
    """Tells whether a text that was turned round has two of the words that orders are made of."""
    return len(set(_TELLING.findall(text.lower()))) >= 2


def _decoded(text: str, depth: int) -> Iterator[tuple[str, str]]:
    if not depth:
        return
    found: list[tuple[str, str]] = []
    tags = "".join(chr(ord(char) - 0xE0000) for char in text if ord(char) in _TAGS)
    if tags:
        found.append(("invisible tags", tags))
    if "%" in text and (plain := unquote(text, errors="replace")) != text and text.count("%") >= 3:
        found.append(("percent signs", plain))
    if ("\\" in text or "&" in text) and (plain := html.unescape(_ESCAPES.sub(_escape, text))) != text:
        found.append(("escapes", plain))
    for how, pattern in _RUNS:
        for match in pattern.finditer(text):
            plain = _READERS[how](match[0])
            if _reads(plain):
                found.append((how.split("-", maxsplit=1)[0], plain))
    for how, plain in found:
        yield (how, plain)
        yield from _decoded(plain, depth - 1)
        yield (how, codecs.encode(plain, "rot13"))
        yield (how, plain[::-1])


def _reads(text: str) -> bool:
    """Tells whether decoded text is words: letters and spaces, or encoded once more."""
    if len(text) < 8:
        return False
    printable = sum(char.isprintable() or char in "\n\t\r" for char in text)
    letters = len(_LETTER.findall(text))
    return (
        printable >= len(text) * 0.97
        and letters >= len(text) * 0.4
        and not any(unicodedata.category(char) in ("Co", "Cn") for char in text)
    )


def _escape(match: re.Match[str]) -> str:
    point, byte, octal, decimal, hexadecimal = match.groups()
    number = int(decimal) if decimal else int(octal, 8) if octal else int(point or byte or hexadecimal, 16)
    return chr(number) if number < 0x110000 and not 0xD800 <= number < 0xE000 else " "


def _text_of(data: bytes) -> str:
    for name in ("utf-8", "utf-16-le"):
        try:
            return data.decode(name)
        except UnicodeDecodeError:
            continue
    return ""


def _base64(run: str) -> str:
    plain = run.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        return _text_of(base64.b64decode(plain + "=" * (-len(plain) % 4)))
    except (binascii.Error, ValueError):
        return ""


def _base32(run: str) -> str:
    plain = run.rstrip("=")
    try:
        return _text_of(base64.b32decode(plain + "=" * (-len(plain) % 8)))
    except (binascii.Error, ValueError):
        return ""


def _base85(run: str) -> str:
    for decode in (base64.b85decode, base64.a85decode):
        try:
            plain = _text_of(decode(run))
        except (ValueError, binascii.Error):
            continue
        if _reads(plain):
            return plain
    return ""


def _ascii85(run: str) -> str:
    try:
        return _text_of(base64.a85decode(run, adobe=True))
    except (ValueError, binascii.Error):
        return ""


def _hex(run: str) -> str:
    return _text_of(bytes.fromhex(re.sub(r"0x|\\x|[ ,:]", "", run)))


def _binary(run: str) -> str:
    bits = re.sub(r"[^01]", "", run)
    return _text_of(bytes(int(bits[place : place + 8], 2) for place in range(0, len(bits) - 7, 8)))


def _decimal(run: str) -> str:
    numbers = [int(number) for number in re.findall(r"\d+", run)]
    return "".join(map(chr, numbers)) if all(number < 256 for number in numbers) else ""


def _morse(run: str) -> str:
    plain = re.sub(r"[·]", ".", re.sub(r"[−–_]", "-", run))
    words = re.split(r"\s*[/|]\s*|\s{3,}", plain)
    return " ".join("".join(_MORSE.get(sign, "?") for sign in word.split()) for word in words)


_READERS: dict[str, Callable[[str], str]] = {
    "hex": _hex, "hex-spaced": _hex, "base64": _base64, "base32": _base32, "ascii85": _ascii85, "base85": _base85,
    "binary": _binary, "decimal": _decimal, "morse": _morse,
}  # fmt: skip

"""MEMORY.md by the line: one line per note, and no other line ever changes.

A line that lists a note is a bullet that begins with a link to it. Other lines (headings, prose, a link in the middle
of a sentence) are the owner's own.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from engram.model.lines import lines_of
from engram.store import toclines
from engram.store.toclines import Entry

LINES_LIMIT = 200
BYTES_LIMIT = 25_000
"""Claude Code loads no more than this of a MEMORY.md; the rest, the newest lines, is cut off."""
NEAR = 0.9
LONG_LINE = 200

_FRONTMATTER = re.compile(rb"\A(?:\xef\xbb\xbf)?---[ \t]*\r?\n.*?^---[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE)


def listed(data: bytes) -> Mapping[str, int]:
    """Returns the notes a MEMORY.md links, as relative path to the 1-based number of the line.

    The line that lists a note counts before one that mentions it. Links in code fences and links that leave the
    store are none.
    """
    lines = lines_of(data)
    found = {entry.path: entry.index + 1 for entry in reversed(toclines.entries(lines))}
    for index, line in toclines.outside_fences(lines):
        for path in toclines.mentions(line):
            found.setdefault(path, index + 1)
    return dict(sorted(found.items(), key=lambda pair: pair[1]))


def with_note(
    data: bytes | None,
    path: str,
    *,
    title: str,
    description: str,
    kind: str,
    user_store: bool,
    new_hook: bool = True,
) -> bytes:
    """Returns the MEMORY.md with a line for a note: ``- [title](path): description``, in the file's own dash style.

    A line that lists the path keeps its place and title, and gets the new hook, if there is one and ``new_hook``. A new
    line goes under the heading of its type where there is one, else behind the last line that lists a note, else to
    the end. The user's store has ``- [description](path)`` under ``## kind``, which is made where it is missing.
    ``data`` None: a fresh file.
    """
    if data is None:
        data = b"# Memory\n"
    lines = lines_of(data)
    entries = toclines.entries(lines)
    standing = next((entry for entry in entries if entry.path == path), None)
    if standing is not None:
        if not new_hook or not _one_line(description):
            return data
        new = _rehooked(standing, _separator(entries), description, user_store=user_store)
        lines[standing.index] = new.encode("utf-8", "surrogateescape") + toclines.end_of(lines[standing.index])
        return b"".join(lines)
    bullet = Counter(entry.match[1].lstrip() for entry in entries).most_common(1)
    mark = bullet[0][0] if bullet and bullet[0][0].strip() in ("-", "*", "+") else "- "
    link = _link(description if user_store else title, path, fallback=title)
    hook = "" if user_store or not _one_line(description) else _separator(entries) + _hook(description)
    return _inserted(lines, entries, f"{mark}{link}{hook}", kind, sections=user_store)


def without_note(data: bytes, path: str) -> bytes:
    """Returns the MEMORY.md without the lines that list a note; a line that only mentions it stays."""
    lines = lines_of(data)
    gone = {entry.index for entry in toclines.entries(lines) if entry.path == path}
    return b"".join(line for index, line in enumerate(lines) if index not in gone)


def crowded(data: bytes) -> str:
    """Returns what is wrong with a MEMORY.md's size and which lines to fold, in words; "" where there is room.

    Frontmatter and HTML comments don't count, as they don't for Claude Code.
    """
    counted = _shown(data)
    many, size = len(lines_of(counted)), len(counted)
    if many < LINES_LIMIT * NEAR and size < BYTES_LIMIT * NEAR:
        return ""
    over = many > LINES_LIMIT or size > BYTES_LIMIT
    words = (
        f"MEMORY.md has {many} lines and {size:,} bytes; no more than {LINES_LIMIT} lines and {BYTES_LIMIT:,} bytes "
        f"are loaded{', so that its last lines are cut off' if over else ''}"
    )
    lengths = {index + 1: len(line) for index, line in enumerate(lines_of(data)) if len(line) > LONG_LINE}
    if lengths:
        longest = sorted(sorted(lengths, key=lambda index: -lengths[index])[:5])
        return f"{words}; shorten its longest lines ({', '.join(map(str, longest))})"
    return f"{words}; fold lines on one subject into one note"


def _separator(entries: Sequence[Entry]) -> str:
    """Returns what stands between link and hook in most of the file's lines; ``: `` where there are none yet."""
    seen = Counter(entry.match[5] for entry in entries if entry.match[5] and entry.match[6].strip())
    return seen.most_common(1)[0][0] if seen else ": "


def _shown(data: bytes) -> bytes:
    """Returns a file without its frontmatter and HTML comments."""
    rest = _FRONTMATTER.sub(b"", data, count=1)
    kept = []
    while (start := rest.find(b"<!--")) >= 0 and (end := rest.find(b"-->", start)) >= 0:
        kept.append(rest[:start])
        rest = rest[end + 3 :]
    return b"".join([*kept, rest])


def _one_line(text: str) -> str:
    """Returns a text on one line: control characters and line breaks of any kind become one blank."""
    plain = "".join(" " if char.isspace() or ord(char) < 32 or "\x7f" <= char <= "\x9f" else char for char in text)
    return " ".join(plain.split()).replace("<!--", "<! --").encode("utf-8", "replace").decode()


def _hook(text: str) -> str:
    return _one_line(text).replace("](", "]\\(")


def _label(text: str) -> str:
    """Returns a text as it stands between a link's brackets: nothing in it ends the link or opens a code span."""
    shown = re.sub(r"([\[\]\\])", r"\\\1", _one_line(text))
    return shown.replace("`", "\\`") if shown.count("`") % 2 else shown


def _link(text: str, path: str, *, fallback: str) -> str:
    return f"[{_label(text) or _label(fallback) or _label(path)}]({_url(path)})"


def _url(path: str) -> str:
    safe = re.sub(r"[<>%\x00-\x1f\\#]", lambda match: f"%{ord(match.group()):02X}", path)
    return f"<{safe}>" if re.search(r"[\s()]", safe) else safe


def _rehooked(entry: Entry, separator: str, description: str, *, user_store: bool) -> str:
    """Returns an entry's line with another hook; its bullet, link and separator stay."""
    match = entry.match
    end = match.start(5) if match[5] is not None else match.start(6)
    if user_store and not match[6].strip():
        return f"{match[1]}[{_label(description)}{match.string[match.end(2) : end]}"
    return f"{match.string[:end]}{match[5] or separator}{_hook(description)}"


def _inserted(lines: list[bytes], entries: Sequence[Entry], line: str, kind: str, *, sections: bool) -> bytes:
    newline = b"\r\n" if lines and lines[0].endswith(b"\r\n") else b"\n"
    new = line.encode("utf-8", "surrogateescape") + newline
    section = toclines.section(lines, kind)
    if section is not None:
        inside = [entry.index for entry in entries if section[0] < entry.index < section[1]]
        if inside:
            return _put(lines, toclines.item_end(lines, inside[-1]), [new])
        return _put(lines, *_below_heading(lines, section, new, newline))
    if sections and kind:
        blank = [newline] if lines and lines[-1].strip() else []
        return _put(lines, len(lines), [*blank, b"## " + kind.encode("utf-8") + newline, newline, new])
    if entries:
        return _put(lines, toclines.item_end(lines, entries[-1].index), [new])
    blank = [newline] if lines and lines[-1].strip() and not toclines.is_bullet(lines[-1]) else []
    return _put(lines, len(lines), [*blank, new])


def _below_heading(
    lines: Sequence[bytes], section: tuple[int, int], new: bytes, newline: bytes
) -> tuple[int, list[bytes]]:
    """Returns where the first line of a section without listed notes goes, and the blank lines that it needs."""
    start, end = section
    filled = [index for index in range(start + 1, end) if lines[index].strip()]
    if filled and toclines.is_bullet(lines[filled[-1]]):
        return toclines.item_end(lines, filled[-1]), [new]
    blank_below = start + 1 < end and not lines[start + 1].strip()
    at = start + 2 if blank_below else start + 1
    after = [newline] if at < len(lines) and lines[at].strip() else []
    return at, [new, *after] if blank_below else [newline, new, *after]


def _put(lines: list[bytes], at: int, new: list[bytes]) -> bytes:
    """Returns the file with lines put in; where it had no final line end, it has none again."""
    if not lines or lines[-1].endswith(b"\n"):
        return b"".join([*lines[:at], *new, *lines[at:]])
    newline = b"\r\n" if lines[0].endswith(b"\r\n") else b"\n"
    ended = [*lines[:-1], lines[-1] + newline]
    return b"".join([*ended[:at], *new, *ended[at:]]).removesuffix(newline)

"""The lines of a diff that are no content: a file's header and a hunk's, as git writes them."""

from __future__ import annotations

from engram.curate.hunks import Hunk
from engram.model.plan import Edit

DEV_NULL = "/dev/null"
NO_END = "\\ No newline at end of file\n"
_SPECIAL = {
    "\a": "\\a",
    "\b": "\\b",
    "\t": "\\t",
    "\n": "\\n",
    "\v": "\\v",
    "\f": "\\f",
    "\r": "\\r",
    '"': '\\"',
    "\\": "\\\\",
}


def file_header(edit: Edit) -> tuple[str, ...]:
    """Returns the lines above a file's hunks, as git writes them, with their ends."""
    old, new = _quoted(f"a/{edit.path}"), _quoted(f"b/{edit.path}")
    lines = [f"diff --git {old} {new}\n"]
    if edit.head_before is None:
        lines.append("new file mode 100644\n")
    elif edit.head_after is None:
        lines.append("deleted file mode 100644\n")
    if edit.head_before or edit.head_after:
        lines.append(f"--- {DEV_NULL if edit.head_before is None else _ended(old)}\n")
        lines.append(f"+++ {DEV_NULL if edit.head_after is None else _ended(new)}\n")
    return tuple(lines)


def hunk_header(hunk: Hunk) -> str:
    """Returns ``@@ -1,3 +1,4 @@``, with its end."""
    return f"@@ -{_span(hunk.old_start, hunk.old_length)} +{_span(hunk.new_start, hunk.new_length)} @@\n"


def _span(start: int, length: int) -> str:
    return str(start) if length == 1 else f"{start},{length}"


def _quoted(path: str) -> str:
    """Returns a path as git writes it in a header: in quotes where a character of it would be misread."""
    plain = all(char not in _SPECIAL and char >= " " and char != "\x7f" for char in path)
    if plain and " b/" not in path and not path.endswith(" "):
        return path
    shown = "".join(_SPECIAL.get(char) or (char if " " < char != "\x7f" else f"\\{ord(char):03o}") for char in path)
    return f'"{shown}"'


def _ended(name: str) -> str:
    """Returns a header's name with the tab that tells tools where a name with a space in it ends."""
    return f"{name}\t" if " " in name and not name.startswith('"') else name

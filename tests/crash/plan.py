"""The commit that the crash tests interrupt: a note changed, one made, one removed, a line in a dirty MEMORY.md."""

from __future__ import annotations

BEFORE = {"MEMORY.md": b"# Memory\n", "a.md": b"A\n", "gone.md": b"G\n", "other.md": b"O\n", "mine.txt": b"1\n"}
DIRTY = b"# Memory\n- by another hand\n"
FILES = {"a.md": b"A2\r\n", "deep/er/n é.md": b"N\n", "gone.md": None}
LINES = {"MEMORY.md": b"- [n](n.md)\n"}
AFTER = {"MEMORY.md": DIRTY + LINES["MEMORY.md"], **FILES}

"""A note: one fact as one markdown file, read leniently and never rewritten as a whole."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date

from engram.model.when import NEVER, Never, as_date

FieldValue = str | None | tuple["FieldValue", ...] | Mapping[str, "FieldValue"]
"""A field as it was written: text, an explicit null, a list, or a mapping. Never a number, a date or a bool."""

RELATION_KINDS = (
    "requires", "interacts_with", "discovered_during", "caused_by", "resolved_by", "similar_to", "contradicts",
    "version_of", "supersedes",
)  # fmt: skip

DEFAULT_IMPORTANCE = 5

ARCHIVE = "archive/"
"""Where what was put away lies."""
CONFLICTS = "conflicts/"
"""Where a text lies that lost against another writer's, until a person has merged it."""


@dataclass(frozen=True, slots=True)
class Note:
    """Is one note as it stands on disk.

    ``fields`` holds the frontmatter with the words of the design at the top: a field that a client put under
    ``metadata:`` (``metadata.type``, ``metadata.modified``) appears by its own name, and the nested mapping itself
    stays under ``metadata``. Where both stand, the top-level one counts.
    """

    path: str
    """Relative to the store, with forward slashes."""
    name: str
    """The ``name`` field, else the file's stem."""
    fields: Mapping[str, FieldValue] = field(default_factory=dict)
    body: str = ""
    """All that follows the line of the closing ``---``, line ends as they are in the file."""
    links: tuple[str, ...] = ()
    """Targets as written, of the ``links`` field and of ``[[…]]`` in the body, in order, once each."""
    base: str = ""
    """16 hex digits over the whole file: what a change must name as the version it was written for."""
    has_frontmatter: bool = True

    @property
    def stem(self) -> str:
        """The file's name without folder and ``.md``."""
        return self.path.rsplit("/", 1)[-1].removesuffix(".md")

    @property
    def description(self) -> str:
        return self.text("description")

    @property
    def type(self) -> str:
        """The type as written; "" where the note has none."""
        return self.text("type")

    @property
    def importance(self) -> int:
        """1 to 10; 5 where the note has none or something else than a number."""
        try:
            return min(10, max(1, int(float(self.text("importance")))))
        except (ValueError, OverflowError):
            return DEFAULT_IMPORTANCE

    @property
    def tags(self) -> tuple[str, ...]:
        return self.texts("tags")

    @property
    def relations(self) -> tuple[tuple[str, str], ...]:
        """Pairs of a relation's kind and the name it points to; items that are no such pair are left out."""
        pairs = (item.split(None, 1) for item in self.texts("relations"))
        return tuple((pair[0], pair[1].strip()) for pair in pairs if len(pair) == 2)

    @property
    def expires(self) -> date | Never | None:
        """The day after which the note lapses, ``NEVER``, or None where it says nothing readable."""
        written = self.text("expires").strip()
        return NEVER if written.lower() == "never" else as_date(written)

    @property
    def protected(self) -> bool:
        return self.text("protected").strip().lower() in {"true", "yes", "on", "1"}

    @property
    def invalidated_by(self) -> str:
        """The name of the note that replaced this one, or the date it was invalidated; "" while it holds.

        Written by hand as ``[[newer]]`` or ``[newer]`` it is a list to YAML, and says the same.
        """
        value: object = self.fields.get("invalidated_by")
        while isinstance(value, tuple):
            value = value[0] if value else ""
        return value if isinstance(value, str) else str(value or "")

    @property
    def archived(self) -> bool:
        said = self.text("archived").strip().lower()
        return said not in {"", "false", "no", "off", "0"} or self.path.startswith(ARCHIVE)

    @property
    def stands(self) -> bool:
        """Whether the note is neither invalidated nor put away; it may have lapsed."""
        return not (self.archived or self.invalidated_by)

    @property
    def in_conflict(self) -> bool:
        """Whether this is a text that lost against another writer's and waits to be merged."""
        return self.path.startswith(CONFLICTS)

    @property
    def hash(self) -> str:
        """The ``hash`` field as written; compare with :func:`body_hash`."""
        return self.text("hash")

    def text(self, key: str) -> str:
        """Returns the field as text; "" where it is missing, null, or no text."""
        value = self.fields.get(key)
        return value if isinstance(value, str) else ""

    def texts(self, key: str) -> tuple[str, ...]:
        """Returns the field as a list of texts; a single text counts as a list separated by commas."""
        value = self.fields.get(key)
        if isinstance(value, str):
            return tuple(part.strip() for part in value.split(",") if part.strip())
        if isinstance(value, tuple):
            return tuple(item for item in value if isinstance(item, str) and item)
        return ()


def base_of(data: bytes) -> str:
    """Returns the version of a file that a change names as its ``base``: 16 hex digits of SHA-256 over all of it."""
    return hashlib.sha256(data).hexdigest()[:16]


def body_hash(body: str) -> str:
    """Returns what a note's ``hash`` field holds: 16 hex digits of SHA-256 over the body.

    ``body`` is all that follows the line of the closing ``---``; line ends count as ``\\n`` and trailing white space
    does not count, so that the same note has one hash on every platform.
    """
    plain = body.replace("\r\n", "\n").replace("\r", "\n").rstrip()
    return hashlib.sha256(plain.encode("utf-8", "surrogatepass")).hexdigest()[:16]

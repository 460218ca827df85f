"""What a person may do to a note that stands, each as an act: hold it, let it lapse, put it away, bring it back.

Each returns the act, or in words why there is nothing to do.
"""

from __future__ import annotations

import re
from collections.abc import Container, Mapping
from datetime import date

from engram.lifecycle.expiry import in_archive, is_lapsed
from engram.model.act import Act
from engram.model.change import SetValue
from engram.model.note import ARCHIVE, Note
from engram.model.when import NEVER, Never, day_after, expires_by_type
from engram.store.paths import same_place


def pinned(note: Note) -> Act | str:
    """Returns the act after which a note never lapses."""
    if note.expires is NEVER:
        return f"{note.name} is pinned already: it never lapses"
    return Act("PIN", note.path, note.base, set={"expires": "never"})


def unpinned(note: Note, today: date, defaults: Mapping[str, str]) -> Act | str:
    """Returns the act that gives a pinned note the life span of its type, from today on."""
    if note.expires is not NEVER:
        return f"{note.name} is not pinned: it lapses {_when(note)}"
    day = expires_by_type(note.type, today, defaults)
    if isinstance(day, Never):
        return f"notes of the type {note.type or '(none)'} never lapse: `engram expire` sets a day"
    return Act("UNPIN", note.path, note.base, set={"expires": day.isoformat()})


def expiring(note: Note, day: date) -> Act | str:
    """Returns the act that sets the last day on which a note holds."""
    if note.expires == day:
        return f"{note.name} lapses {_when(note)} already"
    return Act("EXPIRE", note.path, note.base, set={"expires": day.isoformat()})


def archived(note: Note, today: date, taken: Container[str], reason: str = "") -> Act | str:
    """Returns the act that puts a note away: its text stays, recall leaves it out.

    ``taken``: places (`store.paths.same_place`) that are in use, by the least careful file system's measure.
    """
    if in_archive(note):
        return f"{note.name} is in the archive already"
    stem = ARCHIVE + note.path.removesuffix(".md")
    places = [f"{stem}.md", *(f"{stem}-{number}.md" for number in range(2, 1000))]
    to = next(place for place in places if same_place(place) not in taken)
    stamp: Mapping[str, SetValue] = {"archived": today.isoformat()}
    return Act("ARCHIVE", note.path, note.base, set=stamp, to=to, lists="remove", stamps=False, reason=reason)


def restored(note: Note, today: date, taken: Container[str], defaults: Mapping[str, str]) -> Act | str:
    """Returns the act that brings a note back from the archive. One that has lapsed gets its type's span anew."""
    if not in_archive(note):
        return f"{note.name} is not in the archive"
    to = _home(note, taken)
    if same_place(to) in taken:
        return f"another note stands at {to}: rename that one first"
    renewed: dict[str, SetValue] = {}
    if is_lapsed(note, today):
        renewed["expires"] = str(expires_by_type(note.type, today, defaults))
    return Act("RESTORE", note.path, note.base, set=renewed, drop=("archived",), to=to, lists="add", stamps=False)


def protected(note: Note, *, keep_expiry: bool) -> Act | str:
    """Returns the act after which nothing but the person's own unprotect changes a note; it is pinned as well."""
    if note.protected:
        return f"{note.name} is protected already"
    fields: dict[str, SetValue] = {"protected": "true"}
    if not keep_expiry and note.expires is not NEVER:
        fields["expires"] = "never"
    return Act("PROTECT", note.path, note.base, set=fields)


def unprotected(note: Note) -> Act | str:
    """Returns the act that lets a note be changed again."""
    if not note.protected:
        return f"{note.name} is not protected"
    return Act("UNPROTECT", note.path, note.base, drop=("protected",))


def reviewed(note: Note, today: date, defaults: Mapping[str, str]) -> Act | str:
    """Returns the act that starts a note's review interval again. An explicit null stays: the note asks for no look."""
    if "review_after" in note.fields and not note.text("review_after"):
        return f"{note.name} says that it needs no further look"
    day = day_after(today, defaults.get(note.type, "never"))
    if isinstance(day, Never):
        return f"notes of the type {note.type or '(none)'} have no review interval (`review_defaults` sets one)"
    if note.text("review_after")[:10] == day.isoformat():
        return f"{note.name} was looked at today already"
    return Act("REVIEWED", note.path, note.base, set={"review_after": day.isoformat()}, stamps=False)


def purged(note: Note) -> Act:
    """Returns the act that takes a note out of the archive for good; git keeps its versions."""
    return Act("PURGE", note.path, note.base, removes=True)


def _home(note: Note, taken: Container[str]) -> str:
    """Returns where a note of the archive lay: without the number that told it from another of its name there."""
    path = note.path.removeprefix(ARCHIVE)
    numbered = re.fullmatch(r"((?:.*/)?([^/]+))-\d+\.md", path)
    if numbered is not None and numbered[2] == note.name and same_place(f"{numbered[1]}.md") not in taken:
        return f"{numbered[1]}.md"
    return path


def _when(note: Note) -> str:
    return f"after {note.expires}" if isinstance(note.expires, date) else "never by a day of its own"

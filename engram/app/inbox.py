"""Prompts kept as evidence, on this machine alone: one file per session in ``$ENGRAM_HOME/.engram/prompts``.

They are no memory: they are in no store, wait for no review, and losing them loses no more than evidence. Secrets are
masked before a text is kept, texts are cut, and only the latest of a session keep their text; what an inbox id named
stays known for as long as the session's file is there.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from typing import Any

from engram import disk
from engram.app.context import Context
from engram.app.sitting import Reply, Sitting
from engram.errors.agents import ArgumentInvalid, PromptDeleted
from engram.model import secrets

LONGEST = 8000
"""Characters that are kept of a prompt."""
MOST_TEXTS = 50
"""Prompts of a session that keep their text."""
MOST_PROMPTS = 5000
"""Prompts of a session that are known; a session that goes on keeps no more."""
MOST_SESSIONS = 200
_SUFFIX = ".json"


@dataclass
class Box:
    """Is the prompts of one session."""

    session: str
    count: int = 0
    texts: dict[str, str] = field(default_factory=dict)
    """Number of a prompt to its text, the latest last."""
    inbox: dict[str, str] = field(default_factory=dict)
    """Inbox id to the number of its prompt; "" where that was deleted."""


def save(context: Context, sitting: Sitting, *, content: str, inbox_id: str, session_id: str) -> Reply:
    """Keeps a prompt. Raises PromptDeleted where its inbox id was deleted."""
    session = sitting.session(session_id)
    with _opened(context, session) as box:
        if inbox_id in box.inbox and inbox_id:
            number = box.inbox[inbox_id]
            if not number:
                raise PromptDeleted("the prompt with this inbox id was deleted")
            return _kept(session, number, "kept already")
        if box.count >= MOST_PROMPTS:
            raise ArgumentInvalid(f"{MOST_PROMPTS:,} prompts of this session are kept already", "start another session")
        box.count += 1
        number = str(box.count)
        extra = context.settings().redaction_patterns_extra
        box.texts[number] = secrets.masked(content, extra)[:LONGEST]
        for old in list(box.texts)[:-MOST_TEXTS]:
            del box.texts[old]
        if inbox_id:
            box.inbox[inbox_id] = number
    _sweep(context.folder("prompts"))
    return _kept(session, number, "kept")


def delete(context: Context, sitting: Sitting, *, prompt_id: str, inbox_id: str, session_id: str) -> Reply:
    """Deletes a prompt's text, and spends its inbox id. Deleting it again changes nothing. Raises ArgumentInvalid."""
    if bool(prompt_id) == bool(inbox_id):
        raise ArgumentInvalid("prompt_id is needed, or inbox_id, and not both")
    session, _, number = prompt_id.rpartition("#") if prompt_id else (sitting.session(session_id), "", "")
    with _opened(context, sitting.session(session or session_id)) as box:
        known = box.inbox.get(inbox_id) if inbox_id else number
        if known is None or (prompt_id and not (number.isdecimal() and 0 < int(number) <= box.count)):
            raise ArgumentInvalid("there is no such prompt")
        box.texts.pop(known, None)
        for named in [name for name, of in box.inbox.items() if name == inbox_id or (of and of == known)]:
            box.inbox[named] = ""
    words = "Deleted. Its text is gone from this machine, and its inbox id is spent."
    return Reply(words, {"result": "deleted", "words": words})


def latest(context: Context, session: str) -> str:
    """Returns the text of the prompt kept last of a session; "" where none is."""
    box = _read(os.path.join(context.folder("prompts"), _name(session)), session)
    return next(reversed(box.texts.values()), "")


def _kept(session: str, number: str, how: str) -> Reply:
    words = f"{how[0].upper()}{how[1:]}, on this machine alone, as prompt {session}#{number}."
    return Reply(words, {"result": how, "id": f"{session}#{number}", "session": session, "words": words})


@contextmanager
def _opened(context: Context, session: str) -> Iterator[Box]:
    """Gives the prompts of a session and keeps what became of them; nobody else writes to them meanwhile."""
    folder = context.prepared("prompts")
    path = os.path.join(folder, _name(session))
    with disk.lock(os.path.join(folder, ".lock")):
        box = _read(path, session)
        before = json.dumps(asdict(box))
        yield box
        if json.dumps(asdict(box)) != before:
            disk.write_whole(path, json.dumps(asdict(box), ensure_ascii=False).encode("utf-8"), mode=0o600)


def _read(path: str, session: str) -> Box:
    """Returns what a file holds of a session; nothing where it is missing, damaged, or another's."""
    try:
        written: Any = json.loads(disk.read_bytes(path) or b"null")
        box = Box(**written)
        maps = (box.texts, box.inbox)
        whole = isinstance(box.count, int) and all(isinstance(one, dict) for one in maps)
        whole = whole and all(isinstance(text, str) for one in maps for text in one.values())
    except (OSError, ValueError, TypeError, RecursionError):
        return Box(session)
    return box if whole and box.session == session else Box(session)


def _name(session: str) -> str:
    return hashlib.sha256(session.encode("utf-8", "surrogatepass")).hexdigest()[:24] + _SUFFIX


def _sweep(folder: str) -> None:
    """Removes the files of the sessions that nobody has come back to for the longest, above so many."""
    with suppress(OSError), os.scandir(folder) as entries:
        mine = [one for one in entries if one.name.endswith(_SUFFIX)]
        if len(mine) > MOST_SESSIONS:
            for one in sorted(mine, key=lambda entry: entry.stat().st_mtime)[:-MOST_SESSIONS]:
                with suppress(OSError):
                    os.unlink(one.path)

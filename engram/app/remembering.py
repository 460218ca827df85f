"""What an agent asks memory to keep, change or drop, as one proposed change each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engram.app import reaching, saving, stores
from engram.app.context import Context
from engram.app.sitting import Reply, Sitting
from engram.curate.targets import file_names, name_taken
from engram.errors import GateRefused
from engram.errors.agents import ArgumentInvalid
from engram.model import topic
from engram.model.note import Note
from engram.model.snapshot import Snapshot
from engram.store.body import plain
from engram.store.paths import NAME_LIMIT, problem_with_name

CONFIDENCE = 0.5
"""Of what an agent says without saying how sure it is."""


def save(
    context: Context,
    sitting: Sitting,
    *,
    title: str,
    type: str,  # noqa: A002 - the tool's word
    content: str,
    scope: str,
    topic_key: str,
    capture_prompt: bool,
    session_id: str,
    project: str,
) -> Reply:
    """Proposes a note; with a topic key, a new version of the note that has the key, standing or waiting."""
    key = _checked_key(topic_key)
    fields = {"description": " ".join(title.split()), "type": kind_of(type)}
    with saving.alone(context):
        store, notice = saving.store_for(context, scope, project)
        evidence = saving.evidence(context, sitting, session_id) if capture_prompt else []
        if key:
            fields |= {"topic_key": key}
        return keep(
            context, sitting, store, {**fields, "scope": scope}, content,
            tool="mem_save", session=session_id, notice=notice, evidence=evidence,
        )  # fmt: skip


def keep(
    context: Context,
    sitting: Sitting,
    store: stores.Store,
    fields: Mapping[str, Any],
    body: str,
    *,
    tool: str,
    session: str,
    notice: str = "",
    evidence: list[dict[str, str]] | None = None,
    about: tuple[str, ...] = (),
    name: str = "",
) -> Reply:
    """Proposes a note of a store, or new words for the one that has the same topic. The caller holds `saving.alone`.

    ``about``: what the note's place in the queue is named for; left out, its topic, else all that it says. ``name``:
    what a new note is called, and a standing one of that name is updated; left out, after its description.
    """
    snapshot = store.snapshot()
    key = str(fields.get("topic_key", ""))
    standing = _of_topic(snapshot, key, str(fields["scope"])) if key else _named(snapshot, name)
    if standing is not None:
        changed = {field: value for field, value in fields.items() if field != "scope"}
        why = f"more is known on the topic {key}" if key else "what it tells of went on"
        return amend(
            context, sitting, store, standing, changed, body,
            reason=f"{why} ({tool})", session=session, notice=notice, evidence=evidence,
        )  # fmt: skip
    if (same := _saying(snapshot, fields, body)) is not None:
        return saving.nothing(
            "stands", f"Memory says that already, as {same.name}; nothing was proposed.", id=same.name
        )
    scope, kind, title = (str(fields[field]) for field in ("scope", "type", "description"))
    about = about or (("topic", scope, key) if key else ("save", scope, kind, title, plain(body)))
    id_ = saving.place_of(store.root, *about)
    waiting = saving.waits(context, store.root)
    mine = next((one.note for one in waiting if one.kept.id == id_), {})
    taken = {str(one.note.get("name", "")) for one in waiting if one.kept.id != id_}
    called = str(mine.get("name") or "") or name or _free_name(title, kind, snapshot, taken)
    change = {
        "op": "ADD",
        "relation": "compatible",
        "confidence": CONFIDENCE,
        "reason": f"an agent asks to remember it ({tool})",
        "evidence": evidence or [],
        "note": {"name": called, **fields, "body": body},
    }
    return saving.propose(context, sitting, store, id_, change, session=session, notice=notice)


def update(
    context: Context,
    sitting: Sitting,
    *,
    id: str,  # noqa: A002 - the tool's word
    title: str,
    type: str,  # noqa: A002 - the tool's word
    content: str,
    topic_key: str,
    reason: str,
    scope: str,
    session_id: str,
    project: str,
) -> Reply:
    """Proposes new words for a note that stands, or changes those of one that a tool proposed and that still waits."""
    given = {
        "description": " ".join(title.split()),
        "type": type and kind_of(type),
        "topic_key": _checked_key(topic_key),
    }
    fields = {field: value for field, value in given.items() if value}
    if not fields and not content.strip():
        raise ArgumentInvalid("there is nothing to change: give title, type, content or topic_key")
    with saving.alone(context):
        found = reaching.standing_or_waiting(context, id, scope, project)
        why = " ".join(reason.split()) or "an agent asks to change it"
        if isinstance(found[1], Note):
            return amend(
                context, sitting, found[0], found[1], fields, content,
                reason=f"{why} (mem_update)", session=session_id,
            )  # fmt: skip
        store, waits = found[0], found[1]
        note = {**waits.note, **fields, **({"body": content} if content.strip() else {})}
        change = {**waits.change, "note": note}
        return saving.propose(context, sitting, store, waits.kept.id, change, session=session_id)


def amend(
    context: Context,
    sitting: Sitting,
    store: stores.Store,
    note: Note,
    fields: Mapping[str, Any],
    body: str,
    *,
    reason: str,
    session: str,
    notice: str = "",
    evidence: list[dict[str, str]] | None = None,
    confidence: float = CONFIDENCE,
) -> Reply:
    """Proposes new fields and words for a standing note, together with what waits to be changed in it already."""
    id_ = saving.place_of(store.root, "update", note.path)
    older = next((one.change for one in saving.waits(context, store.root) if one.kept.id == id_), {})
    if older.get("base") != note.base:
        older = {}
    set_ = {**older.get("set", {}), **fields}
    set_ = {key: value for key, value in set_.items() if note.fields.get(key) != value}
    text = body if body.strip() else str(older.get("body") or "")
    if text and plain(text) == plain(note.body):
        text = ""
    if not set_ and not text:
        return saving.nothing("stands", f"{note.name} says that already; nothing was proposed.", id=note.name)
    change = {
        "op": "UPDATE",
        "target": note.path,
        "base": note.base,
        "relation": "subsumes",
        "confidence": confidence,
        "reason": reason,
        "evidence": evidence or [],
        **({"set": set_} if set_ else {}),
        **({"body": text} if text else {}),
    }
    return saving.propose(context, sitting, store, id_, change, session=session, notice=notice)


def delete(
    context: Context,
    sitting: Sitting,
    *,
    id: str,  # noqa: A002 - the tool's word
    hard: bool,
    superseded_by: str,
    reason: str,
    scope: str,
    session_id: str,
    project: str,
) -> Reply:
    """Proposes that a note holds no longer. Raises GateRefused for a hard delete: that is no agent's to ask for."""
    if hard:
        raise GateRefused(
            "a hard delete is refused: taking a note away for good (purge) is the user's own",
            "without `hard` the note is proposed to be marked as no longer holding; it then leaves recall",
        )
    with saving.alone(context):
        store, note = reaching.standing(context, id, scope, project)
        why = " ".join(reason.split()) or "an agent says that it holds no longer"
        return invalidate(context, sitting, store, note, superseded_by, f"{why} (mem_delete)", session=session_id)


def invalidate(
    context: Context,
    sitting: Sitting,
    store: stores.Store,
    note: Note,
    by: str,
    reason: str,
    *,
    session: str,
    confidence: float = CONFIDENCE,
) -> Reply:
    """Proposes to mark a standing note as no longer holding, ``by`` another one or from today on."""
    if note.invalidated_by:
        return saving.nothing("stands", f"{note.name} holds no longer already; nothing was proposed.", id=note.name)
    change = {
        "op": "INVALIDATE",
        "target": note.path,
        "base": note.base,
        "relation": "contradictory",
        "confidence": confidence,
        "reason": reason,
        "evidence": [],
        **({"by": by} if by else {}),
    }
    id_ = saving.place_of(store.root, "invalidate", note.path)
    return saving.propose(context, sitting, store, id_, change, session=session)


# -- which note --------------------------------------------------------------------------------------------------------


def kind_of(written: str) -> str:
    """Returns a type as notes have it; what can be none is left as it is, and refused with the changeset."""
    return "_".join(written.strip().lower().replace("-", " ").split())


def _checked_key(written: str) -> str:
    key = written.strip()
    if key and (why := topic.problem_with(key)):
        raise ArgumentInvalid(f"topic_key {why}", "mem_suggest_topic_key gives one")
    return key


def _of_topic(snapshot: Snapshot, key: str, scope: str) -> Note | None:
    """Returns the note that a topic's key means in a scope: of several the one that was changed last."""
    notes = [
        note
        for note in snapshot.notes
        if note.text("topic_key") == key and note.text("scope") in ("", scope) and note.stands
    ]
    return max(notes, key=lambda note: (note.text("updated"), note.path), default=None)


def _named(snapshot: Snapshot, name: str) -> Note | None:
    found = snapshot.find(name) if name else ()
    return found[0] if len(found) == 1 and not found[0].invalidated_by else None


def _saying(snapshot: Snapshot, fields: Mapping[str, Any], body: str) -> Note | None:
    """Returns the note that says the very same, and holds; None where none does."""
    said = (fields["description"], fields["type"], plain(body))
    for note in snapshot.notes:
        if (note.description, note.type, plain(note.body)) == said and note.stands:
            return note
    return None


def _free_name(title: str, kind: str, snapshot: Snapshot, taken: set[str]) -> str:
    files = file_names((*snapshot.work, *snapshot.committed))

    def usable(name: str) -> bool:
        return not (problem_with_name(name) or name in taken or name_taken(name, snapshot, files))

    return topic.name_of(title, kind, usable, NAME_LIMIT)

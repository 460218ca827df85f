"""Sessions as an agent tells of them: begun and ended, summed up in one journal entry; and the learnings in a text."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from typing import Any

from engram.app import judging, remembering, saving
from engram.app.context import Context
from engram.app.sitting import Reply, Sitting
from engram.errors import EngramError

MOST_LEARNINGS = 20
_LEAST_LETTERS, _LEAST_WORDS = 20, 4
"""Of an item that says something; `use tests` says nothing that is worth a note."""
_TITLE = 110
_HEADING = re.compile(
    r"#{1,6}\s+\W{0,4}(?:key\s+)?(?:learnings?|takeaways?|lessons(?:\s+learned)?)\W{0,4}", re.IGNORECASE
)
_ITEM = re.compile(r"(?:[-*+•]|\d{1,3}[.)])\s+(.+)")


def start(context: Context, sitting: Sitting, *, session_id: str) -> Reply:  # noqa: ARG001 - as every tool
    """Begins a session."""
    session, new = sitting.start(session_id)
    words = f"Session {session} {'has begun' if new else 'is under way'}. mem_session_finalize closes it."
    return Reply(words, {"result": "started", "session": session, "words": words})


def end(context: Context, sitting: Sitting, *, session_id: str, summary: str, scope: str, project: str) -> Reply:
    """Ends a session; what is said of it is proposed as its journal entry first."""
    session = sitting.session(session_id)
    over = sitting.is_over(session)
    told = None if over or not summary.strip() else _entry(context, sitting, session, summary, scope, project)
    sitting.end(session)
    words = f"Session {session} {'had ended already' if over else 'has ended'}." + (f"\n{told.text}" if told else "")
    if over and summary.strip():
        words += " What was proposed of it stays; mem_session_summary with its session_id takes that one's place."
    data = told.data if told and told.data else {"result": "ended"}
    return Reply(words, {**data, "session": session, "words": words})


def summary(context: Context, sitting: Sitting, *, content: str, scope: str, session_id: str, project: str) -> Reply:
    """Proposes a session's journal entry."""
    return _entry(context, sitting, sitting.session(session_id), content, scope, project)


def finalize(
    context: Context,
    sitting: Sitting,
    *,
    goal: str,
    discoveries: Sequence[str],
    accomplished: Sequence[str],
    next_steps: Sequence[str],
    files: Sequence[str],
    scope: str,
    session_id: str,
    project: str,
) -> Reply:
    """Proposes a session's journal entry of its parts, and ends the session where that could be proposed."""
    session = sitting.session(session_id)
    parts = (
        ("Discoveries", discoveries), ("Accomplished", accomplished), ("Next Steps", next_steps), ("Files", files)
    )  # fmt: skip
    body = "\n\n".join((f"**Goal:** {' '.join(goal.split())}", *filter(None, (_part(*part) for part in parts))))
    named = {"affected_files": tuple(dict.fromkeys(each.strip() for each in files if each.strip()))}
    more = named if named["affected_files"] else {}
    reply = _entry(context, sitting, session, body, scope, project, title=goal, more=more)
    sitting.end(session)
    return reply


def capture(context: Context, sitting: Sitting, *, content: str, scope: str, session_id: str, project: str) -> Reply:
    """Proposes each learning of a text as a note; each waits by itself, and what was proposed before adds nothing."""
    items = list(dict.fromkeys(learnings(content)))[:MOST_LEARNINGS]
    if not items:
        return saving.nothing(
            "nothing", "There is no list below a heading such as `## Key Learnings`; nothing was proposed."
        )
    results: list[dict[str, Any]] = []
    for item in items:
        fields = {"description": _titled(item), "type": "learning", "scope": scope}
        try:
            with saving.alone(context):
                store, notice = saving.store_for(context, scope, project)
                reply = remembering.keep(
                    context, sitting, store, fields, item,
                    tool="mem_capture_passive", session=session_id, notice=notice,
                )  # fmt: skip
            results.append(reply.data or {})
        except EngramError as error:
            results.append({"result": "refused", "code": error.code, "words": f"{error.code}: {error.message}"})
    return judging.together(results)


def learnings(text: str) -> Iterator[str]:
    """Yields the items of the lists below headings that announce learnings, those that are long enough to say one."""
    inside = False
    for line in text.splitlines():
        bare = line.strip()
        if bare.startswith("#"):
            inside = _HEADING.fullmatch(bare) is not None
        elif inside and (found := _ITEM.fullmatch(bare)) is not None:
            item = " ".join(found[1].split())
            if len(item) >= _LEAST_LETTERS and len(item.split()) >= _LEAST_WORDS:
                yield item


def _entry(
    context: Context,
    sitting: Sitting,
    session: str,
    body: str,
    scope: str,
    project: str,
    *,
    title: str = "",
    more: dict[str, Any] | None = None,
) -> Reply:
    mark = hashlib.sha256(session.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    day = f"{context.now():%Y-%m-%d}"
    about = _titled(" ".join((title or body).split()).lstrip("#*- "))
    fields = {"description": f"Session of {day}: {about}", "type": "journal", "scope": scope, **(more or {})}
    with saving.alone(context):
        store, notice = saving.store_for(context, scope, project)
        written = re.compile(rf"[0-9-]{{10}}-session-{mark}")
        standing = next((note.name for note in store.snapshot().notes if written.fullmatch(note.name)), "")
        return remembering.keep(
            context, sitting, store, fields, body,
            tool="mem_session_summary", session=session, notice=notice,
            evidence=saving.evidence(context, sitting, session),
            about=("journal", session), name=standing or f"{day}-session-{mark}",
        )  # fmt: skip


def _part(heading: str, items: Sequence[str]) -> str:
    """Returns one line: a journal entry has 3 to 6, and the five parts of this one are five."""
    said = [" ".join(item.split()) for item in items if item.strip()]
    return f"**{heading}:** {'; '.join(said)}" if said else ""


def _titled(text: str) -> str:
    """Returns the first sentence of a text, or as much of it as a description holds."""
    plain = text.replace("**", "").replace("`", "")
    first = re.split(r"(?<=[.!?])\s", plain, maxsplit=1)[0]
    return first if len(first) <= _TITLE else first[:_TITLE].rpartition(" ")[0] or first[:_TITLE]

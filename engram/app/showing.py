"""Shows the plans that wait to the person of a session, and takes the answer that comes as their next prompt.

A plan is made anew for the store as it is and rendered from that: a record that somebody wrote can't show one text and
carry the digest of another.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from engram.app import proposals
from engram.app.context import Context
from engram.capture import proof
from engram.capture.heard import Heard
from engram.curate import approvals, records, showings, waiting
from engram.errors import EngramError
from engram.store import ref

LIMIT = 9_500
"""What the client shows whole, in UTF-16 units; it cuts at 10,000."""
WIDTH = 100


@dataclass(frozen=True)
class _Shown:
    kept: waiting.Waiting
    text: str
    record: approvals.Approval | None
    """None for a plan that can only be pointed at."""
    marks: tuple[str, ...]


def displayed(heard: Heard, context: Context, id_: str) -> str:
    """Returns what the person is shown, recorded together with the code that their answer has to name."""
    here = context._replace(cwd=heard.cwd or context.cwd)
    folder = context.folder("shown")
    found = _fitting(list(_shown(heard, here, showings.marks(folder, id_))))
    if not found:
        standing = showings.standing(folder, id_) if heard.stop_active else None
        if standing is not None:
            showings.put(folder, replace(standing, passed=True))
        return ""
    now = context.now()
    folder = context.prepared("shown")
    showings.mark(folder, id_, [mark for one in found for mark in one.marks])
    code = showings.code_of(os.urandom(64))
    offered = {one.kept.id: records.written(one.record) for one in found if one.record is not None}
    if offered:
        client = context.env.get("CLAUDE_PID", "")
        hashed = showings.hash_of(heard.session, code)
        moment = records.moment(now)
        showings.put(
            folder,
            showings.Showing(id_, heard.session, heard.turn, hashed, moment, heard.transcript, client, offered),
        )
    showings.sweep(folder, now)
    return _text(found, code)


def decided(heard: Heard, context: Context, id_: str) -> str:
    """Returns words for the model. What was shown is over with this prompt, whatever it says, unless it came while the
    agent still worked on the turn at whose end it was shown."""
    folder = context.folder("shown")
    showing = showings.standing(folder, id_)
    if showing is None or (heard.turn and heard.turn == showing.turn):
        return ""
    if not showings.consume(folder, showing):
        return ""
    now = context.now()
    said = proof.said(heard.prompt)
    plans = showing.approvals()
    if not plans or not _is_answer(heard, context, showing) or not showing.fresh(now):
        return ""
    named = " and ".join(plans)
    if said == "no":
        return (
            f"engram: the user answered no to the memory change that was shown (plan {named}). Nothing was written; it "
            f"waits, and `engram review` in a terminal of the user's own comes back to it."
        )
    words = said.split(" ")
    coded = len(words) == 2 and words[0] == "yes" and showings.hash_of(heard.session, words[1]) == showing.code
    if not coded and not (said == "yes" and len(plans) == 1 and not showing.passed):
        return ""
    evidence = {
        "host": heard.host, "session": heard.session, "turn": heard.turn, "said": said,
        "transcript": heard.transcript, "shown": showing.at,
    }  # fmt: skip
    for record in plans.values():
        approvals.give(context.prepared("approvals"), record, now, evidence=evidence)
    commands = " and then ".join(f"`engram curate apply --yes --plan {record.digest}`" for record in plans.values())
    return (
        f"engram: the user approved the memory change that was shown (plan {named}), as it was shown and for 15 "
        f"minutes. {commands}, run alone and as it stands, commits it."
    )


def _is_answer(heard: Heard, context: Context, showing: showings.Showing) -> bool:
    """Tells whether a prompt is one that a person typed into the client that showed the plan."""
    return (
        heard.attended is True
        and heard.source in {"", "user"}
        and heard.turn != ""
        and showing.session == heard.session
        and showing.transcript == heard.transcript
        and showing.client == context.env.get("CLAUDE_PID", "")
    )


def _shown(heard: Heard, context: Context, known: frozenset[str]) -> Iterator[_Shown]:
    """Yields what waits for this session's stores and wasn't shown in it yet, the newest first, one plan a store: what
    is committed first changes the store that the next was planned for."""
    located = context.project_store()
    project = os.path.realpath(located.path) if located is not None else ""
    stores: set[str] = set()
    for kept in reversed(waiting.every(context.folder("review"))):
        ours = kept.store == project or heard.session in {kept.proposer, *kept.sessions}
        mark = _mark(context, kept)
        if not ours or mark in known or kept.store in stores:
            continue
        one = _planned(context, kept, mark)
        if one.record is None or one.record.digest not in known:
            stores.add(kept.store)
            yield one


def _planned(context: Context, kept: waiting.Waiting, mark: str) -> _Shown:
    try:
        proposal = proposals.again(context, kept)
        refused = proposals.secrets_in(proposal) or proposal.plan.hand_edits
        if refused or not proposal.plan.edits:
            return _pointed(kept, "needs a look at the terminal", mark)
        if proposal.plan.digest != kept.digest:
            proposal = proposals.keep(context, proposal)
        by = replace(proposals.person(proposal), via="prompt")
        record = approvals.prepared(proposal.plan, by)
        return _Shown(proposal.waiting, proposal.rendering(WIDTH), record, (mark, record.digest))
    except EngramError as error:
        return _pointed(kept, f"can't be applied as it stands ({error.code})", mark)


def _pointed(kept: waiting.Waiting, why: str, *marks: str) -> _Shown:
    words = f"engram: a memory change waits and {why}: `engram review {kept.id}` in a terminal of yours."
    return _Shown(kept, words, None, marks)


def _fitting(found: Sequence[_Shown]) -> list[_Shown]:
    """Returns what fits into one message, from the first on; of a first that doesn't fit, where to see it."""
    taken: list[_Shown] = []
    for one in found:
        if _units(_text([*taken, one], "X" * showings.LENGTH)) <= LIMIT:
            taken.append(one)
        elif not taken:
            return [_pointed(one.kept, "is too long to be shown here", *one.marks)]
        else:
            break
    return taken


def _text(found: Sequence[_Shown], code: str) -> str:
    offered = [one for one in found if one.record is not None]
    texts = [one.text.rstrip("\n") for one in found]
    if not offered:
        return "\n".join(texts)
    many = len(offered) > 1
    head = f"engram: {'changes' if many else 'a change'} to memory waits for your word; nothing is written yet."
    ids = ", ".join(f"`engram review {one.kept.id}`" for one in offered)
    foot = (
        f"Type  yes {code}  as your next prompt to approve exactly {'these' if many else 'this'}, or  no  to leave "
        f"{'them' if many else 'it'} waiting.\n"
        f"It counts for your next prompt alone, and for 15 minutes; {ids} in a terminal decides at any time."
    )
    return "\n\n".join([head, *texts, foot])


def _mark(context: Context, kept: waiting.Waiting) -> str:
    """Returns what changes whenever a plan would be another: what is proposed, and where the store's HEAD stands."""
    head = ref.mark_of(kept.store, enclosing=context.encloses(kept.store)) or ""
    parts = [kept.id, kept.content, repr(sorted(kept.texts.items())), head, f"{context.now():%Y-%m-%d}"]
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2

"""Whether what an approval rests on can still be seen: the prompt that was typed, the dialog that was answered."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import TypeVar

from engram.app.context import Context
from engram.capture import proof
from engram.curate import approvals, tokens
from engram.curate.approvals import Approval
from engram.errors import GateRefused
from engram.store import history

Found = TypeVar("Found")

PATIENCE = 3.0
"""Seconds for which a row is waited for: the client writes its transcript behind what it does."""
RETENTION = timedelta(days=30)
"""For how long a client keeps its transcripts, as a rule; an older yes can't be looked up any more."""


def require(context: Context, record: Approval) -> None:
    """Raises GateRefused, and takes the approval back, where nothing shows that a person typed their yes."""
    if record.via not in approvals.WAITING:
        why = f"an approval by {record.via or 'nobody'} is used where it is given; one that lies about is none"
    else:
        why = _against_prompt(record, PATIENCE)
    if why:
        approvals.withdraw(context.folder("approvals"), record.digest)
        raise GateRefused(why, tokens.HINT, record.digest[:12])


def doubt_unspent(context: Context, record: Approval) -> str:
    """Returns what speaks against an approval that no commit was made on; "" for nothing."""
    if record.via not in approvals.WAITING:
        return f"an approval by {record.via or 'nobody'} is spent at once where it is given"
    return _against_prompt(record, 0, aged=_aged(record, context.now()))


def doubt(context: Context, record: Approval, entry: history.Entry) -> str:
    """Returns what is missing of what a spent approval rests on; "" for nothing, or where nothing could be told."""
    said = (entry.values("Approved-By"), entry.values("Approved-Via"))
    if any(said) and said != ((record.by,), (record.via,)):
        return "the commit names another channel or another person than the record"
    if record.via == "terminal" and record.evidence.get("above"):
        return f"the terminal was opened by an agent: above it, {record.evidence['above']}"
    if record.via == "prompt":
        return _against_prompt(record, 0, aged=_aged(record, context.now()))
    if record.via == "dialog":
        return _against_dialog(context, record)
    return ""


def _against_prompt(record: Approval, patience: float, *, aged: bool = False) -> str:
    evidence = record.evidence
    path, session, turn, words = (evidence.get(name, "") for name in ("transcript", "session", "turn", "said"))
    answer = words.split(" ")
    if not (path and session and turn) or answer[0] != "yes" or len(answer) > 2:
        return "nothing on record says which prompt approved it"
    if os.path.basename(path.replace("\\", "/")) != f"{session}.jsonl":
        return "the transcript on record is another session's"
    if aged and not os.path.exists(path):
        return ""
    if _looked_up(path, patience, lambda lines: proof.typed(lines, session, turn)) != words:
        return "the session's transcript holds no prompt, typed by a person, that approves it"
    return ""


def _against_dialog(context: Context, record: Approval) -> str:
    token = tokens.named(context.folder("tokens"), record.evidence.get("token", ""))
    if token is None or not token.used or token.digest != record.digest:
        return "no token of a dialog was spent on it"
    if not os.path.exists(token.transcript):
        return "" if _aged(record, context.now()) else "the transcript that would show the dialog is gone"
    if _looked_up(token.transcript, 0, lambda lines: proof.allowed(lines, token.call)) is False:
        return "the transcript says that not a person in the dialog, but a rule or a hook let the command pass"
    return ""


def _aged(record: Approval, now: datetime) -> bool:
    try:
        return now - datetime.fromisoformat(record.at) > RETENTION
    except (ValueError, TypeError):
        return False


def _looked_up(path: str, patience: float, look: Callable[..., Found]) -> Found | None:
    """Returns what a look at a transcript's lines finds, tried again for a while."""
    deadline = time.monotonic() + patience
    while True:
        try:
            with open(path, "rb") as file:
                found: Found | None = look(file)
        except (OSError, ValueError):
            found = None
        if found or time.monotonic() >= deadline:
            return found
        time.sleep(0.1)

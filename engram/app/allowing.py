"""The dialog: before an agent's command commits a plan, the person sees the plan in their client's own question.

The whole rendering stands where the agent's description of the command would, because Claude Code folds a hook's reason
after some ten lines and shows a description whole, scrolled where the window is lower (docs/decisions/0011). A token
that only the allowed command carries proves the answer; of it a hash is kept.
"""

from __future__ import annotations

import os

from engram.app import proposals
from engram.app.approving import HOSTS
from engram.app.context import Context
from engram.capture.heard import Heard
from engram.curate import approvals, tokens, waiting
from engram.errors import EngramError, GateRefused
from engram.model.event import TOOL, Verdict

LONGEST = 1_900
"""UTF-16 units of a description that the dialog shows whole: it cuts at 2,000."""
LINES = 60
"""Lines of it that a person can be asked to scroll through."""
WIDTH = 90
_TITLE = "engram: a change to memory, whole. Yes writes exactly this; No leaves it waiting."
_REASON = "engram asks: the change to memory stands above, whole. Yes commits exactly that."


def asked(heard: Heard, context: Context, command: str, digest: str) -> Verdict | None:
    """Returns what is said to the command that commits a plan; None leaves it to the client, and engram refuses it."""
    here = context._replace(cwd=heard.cwd or context.cwd)
    if heard.host not in HOSTS or heard.subagent or heard.event != TOOL:  # of a skill's command nobody is asked
        return None
    if _approved(here, digest):
        return Verdict("allow", "engram: the user approved exactly this plan in their last prompt")
    if heard.attended is not True or heard.curating or not (heard.session and heard.tool_use_id):
        return Verdict("deny", f"engram: nobody sits at this session who could be asked. {_review(here, digest)}")
    try:
        kept = waiting.find(here.folder("review"), digest)
        proposal = proposals.again(here, kept)
        proposals.refuse_secrets(proposal)
    except EngramError as error:
        return Verdict("deny", f"engram: {error.code}: {error.message}. {error.hint or _review(here, digest)}")
    if proposal.plan.digest != digest:
        return Verdict("deny", f"engram: the store moved since; apply the changeset anew. {_review(here, digest)}")
    text = f"{_TITLE}\n\n{proposal.rendering(WIDTH)}".rstrip("\n")
    if proposal.plan.hand_edits or _too_long(text):
        return Verdict("deny", f"engram: this change can't be shown whole in a dialog. {_review(here, digest)}")
    token = os.urandom(20).hex()
    tokens.offer(
        here.prepared("tokens"), token, digest,
        session=heard.session, call=heard.tool_use_id, transcript=heard.transcript, now=here.now(),
    )  # fmt: skip
    changed = {**heard.tool_input, "command": f"{command.strip()} --token {token}", "description": text}
    return Verdict("ask", _REASON, changed)


def _approved(context: Context, digest: str) -> bool:
    try:
        return approvals.standing(context.folder("approvals"), digest, context.now()).via in approvals.WAITING
    except GateRefused:
        return False


def _too_long(text: str) -> bool:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2 > LONGEST or text.count("\n") >= LINES


def _review(context: Context, digest: str) -> str:
    """Returns where the person decides, with the plan's id where it waits."""
    try:
        id_ = waiting.find(context.folder("review"), digest).id
    except EngramError:
        return "The user decides with `engram review` in a terminal of their own"
    return f"The user decides with `engram review {id_}` in a terminal of their own"

"""The guard: what an agent's tool may not do to memory, and the dialog in front of the command that commits.

Refused in every session: acting as the client's hook, touching what engram keeps of approvals, a terminal opened to
answer in the person's place, engram without the client's marks, the user's own settings file. Refused where the person
wants it (``gate.guard``): edits of notes past the door.
"""

from __future__ import annotations

import os
import sys

from engram.capture import commands
from engram.capture.personal import ADAPT
from engram.capture.personal import SETTINGS as OWN_SETTINGS
from engram.capture.statefiles import WHY as STATE
from engram.capture.statefiles import in_state
from engram.model.event import CALLS, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from engram.app.context import Context
    from engram.capture.heard import Heard

DENY = "deny"
PROPOSE = (
    "engram: notes of this store change through a proposal that the user sees as a diff and approves: /engram-curate, "
    "or a changeset with `engram curate apply FILE`. The user turned this guard on (`gate.guard`)"
)
SETTINGS = "engram: its settings are the user's own, changed with `engram config set` in a terminal of theirs"
REVIEW = "`engram review` in a terminal of the user's own decides"
_ELSEWHERE = frozenset((ADAPT, OWN_SETTINGS))
"""Reasons that say by themselves what the person can do."""
_WINDOWS = frozenset(("powershell", "cmd", "pwsh"))
_READING = frozenset(("read", "read_file", "view"))


def judged(heard: Heard, context: Context) -> Verdict | None:
    """Returns what is said to a tool's call before it runs; None for what is none of engram's business."""
    if heard.event not in CALLS or not commands.concerns_engram(heard.tool, heard.tool_input):
        return None
    command = commands.command_in(heard.tool_input)
    if not command:
        return _judged_files(heard, context)
    from engram.capture.runs import judged as judged_command  # noqa: PLC0415 - most calls are let pass at a glance

    found = judged_command(command, _marks(), windows=context.platform == "win32" or heard.tool.lower() in _WINDOWS)
    if found.why:
        return Verdict(DENY, f"engram: {found.why}" if found.why in _ELSEWHERE else f"engram: {found.why}. {REVIEW}")
    if found.plan and _is_ours(found.program):
        from engram.app.allowing import asked  # noqa: PLC0415 - a plan is about to be committed, which is rare

        return asked(heard, context, command, found.plan)
    if any(_is(target, context.config_path, heard, context) for target in found.targets):
        return Verdict(DENY, SETTINGS)
    return _guarded(found.targets, heard, context)


def _judged_files(heard: Heard, context: Context) -> Verdict | None:
    paths = commands.paths_in(heard.tool_input)
    if any(in_state(path) or in_state(_real(path, heard, context)) for path in paths):
        return Verdict(DENY, f"engram: {STATE}. {REVIEW}")
    if commands.plain_name(heard.tool) in _READING:
        return None
    if any(_is(path, context.config_path, heard, context) for path in paths):
        return Verdict(DENY, SETTINGS)
    return _guarded(paths, heard, context)


def _guarded(paths: Iterable[str], heard: Heard, context: Context) -> Verdict | None:
    notes = [real for path in paths if (real := _real(path, heard, context)).lower().endswith(".md")]
    if not notes or not context.settings().guard:
        return None
    located = context.project_store(heard.cwd)
    stores = [context.user_store().path, *([located.path] if located is not None else [])]
    roots = [os.path.normcase(os.path.realpath(store)) + os.sep for store in stores if os.path.isdir(store)]
    if any(os.path.normcase(note).startswith(root) for note in notes for root in roots):
        return Verdict(DENY, PROPOSE)
    return None


def _is(path: str, other: str, heard: Heard, context: Context) -> bool:
    return os.path.normcase(_real(path, heard, context)) == os.path.normcase(os.path.realpath(other))


def _real(path: str, heard: Heard, context: Context) -> str:
    """Returns where a path leads, as the session's tools take it. Raises nothing."""
    for name in ("$ENGRAM_HOME", "${ENGRAM_HOME}", "%ENGRAM_HOME%", "$env:ENGRAM_HOME"):
        path = path.replace(name, context.engram_home)
    for name in ("$HOME", "${HOME}", "%USERPROFILE%", "$env:USERPROFILE"):
        path = path.replace(name, context.home)
    if path[:2] in {"~/", "~\\"}:
        path = context.home + path[1:]
    return context.probe.realpath(os.path.join(heard.cwd or context.cwd, path))


def _is_ours(program: str) -> bool:
    """Tells whether a command starts this engram: what is let pass here, the client asks nobody about any more."""
    if program in {"engram", "engram.exe", "engram-curator"}:  # by PATH, as the hook itself
        return True
    folder = os.path.dirname(sys.executable)
    known = {sys.executable, *(os.path.join(folder, name) for name in ("engram", "engram.exe"))}
    return os.path.isabs(program) and os.path.normcase(program) in map(os.path.normcase, known)


def _marks() -> frozenset[str]:
    from engram.curate.gate import AGENT_VARIABLES  # noqa: PLC0415 - a command names engram, which is rare

    return AGENT_VARIABLES | {"CODEX_SANDBOX", "CODEX_SANDBOX_NETWORK_DISABLED", "CODEX_THREAD_ID"}

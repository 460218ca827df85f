"""Finds where an agent keeps a session's transcript, for hooks that name none and for files that were moved."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Mapping

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{3,199}\Z")
"""What can be looked for: an id with a slash or a wildcard in it would lead elsewhere."""
_ROLLOUT = re.compile(r"rollout-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-(.+)\.jsonl(?:\.zst)?\Z")
_KEPT = re.compile(r"(.+)[/\\](?:sessions|archived_sessions)[/\\]")
_PEEK = 1 << 16


def patterns(agent: str, session: str, env: Mapping[str, str], home: str) -> tuple[str, ...]:
    """Returns where a session's transcript can be, the likeliest place first, as patterns for `glob`.

    ``agent``: a host's name; "unknown" stands for all of them.
    """
    if not _ID.match(session):
        return ()
    roots = {
        "claude-code": _root(env, home, "CLAUDE_CONFIG_DIR", ".claude"),
        "codex": _root(env, home, "CODEX_HOME", ".codex"),
        "gemini": os.path.join(_root(env, home, "GEMINI_CLI_HOME", ""), ".gemini"),
        "copilot": _root(env, home, "COPILOT_HOME", ".copilot"),
        "opencode": os.path.join(_root(env, home, "XDG_DATA_HOME", ".local", "share"), "opencode"),
        "cursor": os.path.join(home, ".cursor"),
    }
    below = {
        "claude-code": (f"projects/*/{session}.jsonl",),
        "codex": (
            f"sessions/*/*/*/rollout-*-{session}.jsonl",
            f"archived_sessions/rollout-*-{session}.jsonl",
            f"sessions/*/*/*/rollout-*-{session}.jsonl.zst",
            f"archived_sessions/rollout-*-{session}.jsonl.zst",
        ),
        "gemini": (f"tmp/*/chats/session-*-{session[:8]}.jsonl", f"tmp/*/chats/session-*-{session[:8]}.json"),
        "copilot": (f"session-state/{session}/events.jsonl", f"session-state/{session}.jsonl"),
        "opencode": ("opencode.db", "opencode-*.db") if session.startswith("ses") else (),
        "cursor": (
            f"projects/*/agent-transcripts/{session}/{session}.jsonl",
            f"projects/*/agent-transcripts/{session}.jsonl",
        ),
    }
    agents = {"vscode": ("copilot",), "unknown": tuple(below), "": tuple(below)}.get(agent, (agent,))
    named = [_named_database(env, roots["opencode"])] if "opencode" in agents and session.startswith("ses") else []
    return (
        *filter(None, named),
        *(
            os.path.join(glob.escape(roots[each]), *pattern.split("/"))
            for each in agents
            for pattern in below.get(each, ())
        ),
    )


def place_of(agent: str, session: str, transcript: str, env: Mapping[str, str], home: str) -> str:
    """Returns where a session's transcript is: the path that its hook named, else the newest file that is kept for it.

    Where there is none, the path that was named, which may be "".
    """
    if transcript and os.path.exists(transcript):
        return transcript
    for pattern in patterns(agent, session, env, home):
        found = [path for path in glob.glob(pattern) if os.path.isfile(path) and _fits(path, session)]
        if found:
            return max(found, key=os.path.basename)
    return transcript


def parts_of(path: str) -> tuple[str, ...]:
    """Returns the files that a session is in, in order, of which ``path`` is one: a rollout that was begun anew on
    another day, or was archived and taken up again, has several."""
    named = _ROLLOUT.match(os.path.basename(path))
    below = _KEPT.match(os.path.abspath(path))
    if named is None or below is None:
        return (path,)
    found = {
        os.path.basename(each): each
        for pattern in patterns("codex", named[1], {"CODEX_HOME": below[1]}, "")[:2]
        for each in glob.glob(pattern)
        if os.path.isfile(each) and _fits(each, named[1])  # a pipe would be waited for
    }
    found[os.path.basename(path)] = path
    return tuple(found[name] for name in sorted(found))


def _root(env: Mapping[str, str], home: str, variable: str, *default: str) -> str:
    return env.get(variable, "").strip() or os.path.join(home, *default)


def _named_database(env: Mapping[str, str], root: str) -> str:
    """Returns the database that opencode was told to use; a relative name counts from its own folder."""
    named = env.get("OPENCODE_DB", "").strip()
    return glob.escape(os.path.join(root, named)) if named and named != ":memory:" else ""


def _fits(path: str, session: str) -> bool:
    """Tells whether a file is this session's, where its name fits others too: rollouts, and Gemini's chats."""
    name = os.path.basename(path)
    named = _ROLLOUT.match(name)
    if named is not None:
        return named[1] == session
    if not name.startswith("session-"):
        return True
    try:
        with open(path, "rb") as file:
            return session.encode() in file.read(_PEEK)
    except OSError:
        return False

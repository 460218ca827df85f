"""Finds a project's store by a name that a person would say: its folder, or the last words of the folder's path."""

from __future__ import annotations

import os
from collections.abc import Iterator
from difflib import get_close_matches

from engram.app.context import Context
from engram.app.recalling import Place
from engram.errors import ProjectNotFound
from engram.store import locate

PROJECT = "ENGRAM_PROJECT"
"""Names the project that recall searches, in place of the working directory's."""


def every(context: Context) -> dict[str, Place]:
    """Returns the stores of all projects that Claude Code keeps memory for, by their folder's name there."""
    top = os.path.join(context.env.get("CLAUDE_CONFIG_DIR") or os.path.join(context.home, ".claude"), "projects")
    try:
        names = sorted(os.listdir(top))
    except OSError:
        return {}
    stores = {name: os.path.join(top, name, "memory") for name in names}
    return {name: Place(os.path.realpath(path), "project") for name, path in stores.items() if os.path.isdir(path)}


def named(context: Context, name: str) -> Place:
    """Returns the store of the project that a name means: a folder, Claude Code's name for it, or its last words.

    Raises ProjectNotFound where it means none, with the nearest names, or several.
    """
    folder = os.path.join(context.cwd, os.path.expanduser(name))
    located = context.project_store(folder) if os.path.isdir(folder) else None
    if located is not None and os.path.isdir(located.path):
        return Place(os.path.realpath(located.path), "project")
    known = every(context)
    wanted = locate.slug(name.rstrip("/\\"))
    ends = [slug for slug in known if slug.casefold().endswith(f"-{wanted.strip('-')}".casefold())]
    meant = [wanted] if wanted in known else ends
    if len(meant) == 1:
        return known[meant[0]]
    if meant:
        raise ProjectNotFound(f"{name!r} means {len(meant)} projects", f"say more of it: {', '.join(meant)}", name)
    words = {end: None for slug in known for end in _ends(slug)}
    near = get_close_matches(wanted.strip("-"), list(words), n=3, cutoff=0.6)
    hint = f"did you mean {' or '.join(near)}?" if near else None
    raise ProjectNotFound(f"no project with memory is called {name!r}", hint, name)


def _ends(slug: str) -> Iterator[str]:
    """Yields the last word of a project's name, the last two, …: where a folder's own name began, nobody can tell."""
    words = [word for word in slug.split("-") if word]
    for count in range(1, min(len(words), 5) + 1):
        yield "-".join(words[-count:])

"""The agents that engram works with: one file each, all of one Protocol.

To add an agent, add a file. It is found by its place in this folder; nothing lists it. A file named like its host
(``claude_code.py`` for ``claude-code``) is found without looking at the others, which is what a hook has time for.

The top of each file is on the hot path of every hook: nothing is imported there but ``engram.model.event``.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Protocol

    from engram.model.event import Verdict

    class Speaker(Protocol):
        """Is the half of an adapter that a hook meets."""

        NAME: str
        """As ``--target`` names it."""
        HOSTS: tuple[str, ...]
        """The hosts that it speaks for, as a hook's ``--host`` names them."""
        LIMIT: int
        """Bytes of context in UTF-8 that this host hands to its model whole."""
        NOTICES: tuple[str, ...]
        """The events at which this host is known to show a notice to the person."""
        OPENS: str
        """The event with which a session is given what it opens with."""
        FORGETS: tuple[str, ...]
        """The events after which this host has lost what it was told, and no session's start says so."""

        def spoken(
            self, host: str, event: str, context: str, notice: str, verdict: Verdict | None
        ) -> Mapping[str, object] | None:
            """Returns the JSON that the host accepts as a hook's answer to an event; None where it takes none.

            ``context``: for the model; ``notice``: for the person; ``verdict``: on a tool's call.
            """
            ...


def speaker_for(host: str) -> Speaker | None:
    """Returns the adapter that speaks for a host; None where there is none."""
    plain = host.replace("-", "_")
    near = _loaded(plain) if plain.isidentifier() and plain.isascii() else None
    if near is not None and host in near.HOSTS:
        return near
    return next((each for name in _names() if (each := _loaded(name)) is not None and host in each.HOSTS), None)


def adapters() -> tuple[Speaker, ...]:
    """Returns every adapter in this folder, by name."""
    found = (_loaded(name) for name in _names())
    return tuple(sorted((each for each in found if each is not None), key=lambda each: each.NAME))


def _names() -> list[str]:
    """Returns the modules of this folder, in order. ``pkgutil`` would bring ``typing`` and ``inspect`` along."""
    files = {name for folder in __path__ for name in os.listdir(folder) if name.endswith((".py", ".pyc"))}
    return sorted({name.partition(".")[0] for name in files} - {"__init__"})


def _loaded(name: str) -> Speaker | None:
    """Returns the adapter in a file of this folder; None where there is no such file, or it holds none."""
    whole = f"{__name__}.{name}"
    try:
        module: Speaker = __import__(whole, fromlist=["NAME"])
    except ModuleNotFoundError as error:
        if error.name != whole:
            raise
        return None
    return module if hasattr(module, "HOSTS") else None

"""What an adapter is told of a machine, and what it answers: the pieces that engram puts there."""

from __future__ import annotations

import json
import ntpath
import posixpath
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from engram.adapters.files import quoting

if TYPE_CHECKING:
    from typing import Protocol

    from engram.adapters import Speaker

    class Adapter(Speaker, Protocol):
        """Is the half of an adapter that `engram adapt` meets."""

        TITLE: str
        """The agent's name as people know it."""

        def found(self, place: Place) -> bool:
            """Tells whether the agent is installed here."""
            ...

        def pieces(self, place: Place) -> Sequence[Piece]:
            """Returns what engram puts there, every piece of it."""
            ...

        def elsewhere(self, place: Place) -> str:
            """Returns how engram comes to the agent already, by another way than this; "" for none."""
            ...

        def remarks(self, place: Place) -> Sequence[str]:
            """Returns what the person has to know or do besides."""
            ...


FILE, ITEM, MEMBER, DEFAULT, TABLE, BLOCK = "file", "item", "member", "default", "table", "block"
TIMEOUT = 10
"""Seconds after which a host gives a hook up; the hook ends itself long before."""


class Piece(NamedTuple):
    """Is one thing that engram puts into one file of an agent's.

    ``file``: the whole file is ours; ``item``: a value in the JSON array at ``keys``; ``member``: the JSON value at
    ``keys``; ``default``: the same where nothing stands there yet; ``table``: a TOML table; ``block``: marked lines.
    """

    path: str
    kind: str
    keys: tuple[str, ...] = ()
    value: object = None


class Place(NamedTuple):
    """Is the machine, or the folder, that an agent is adapted in."""

    home: str
    env: Mapping[str, str]
    platform: str
    call: tuple[str, ...]
    """The words that start engram: the interpreter, absolute, and what it needs."""
    exists: Callable[[str], bool]
    which: Callable[[str], bool]
    read: Callable[[str], str]
    """The text of a file; "" where it can't be read."""
    shipped: Callable[[str], Mapping[str, bytes]]
    """The files of a folder that comes with engram, by their paths in it, with forward slashes; none: {}."""
    block: str = ""
    """What an agent is told that no hook tells enough; ``{banner}`` stands where the greeting goes."""
    banner: str = ""

    @property
    def windows(self) -> bool:
        return self.platform == "win32"

    def at(self, *parts: str) -> str:
        """Returns a path of this platform's below the home folder."""
        return self.below(self.home, *parts)

    def config(self, variable: str, *parts: str) -> str:
        """Returns the folder that a variable names, else the one below the home folder."""
        named = self.env.get(variable, "").strip()
        return named or self.at(*parts)

    def below(self, folder: str, *parts: str) -> str:
        """Returns a path below a folder."""
        return (ntpath.join if self.windows else posixpath.join)(folder, *parts)

    def told(self, *, greeted: bool = False) -> str:
        """Returns the block: with the banner on top for an agent that no hook greets."""
        if greeted:
            return self.block.replace("{banner}", f"```text\n{self.banner}\n```")
        return self.block.replace("{banner}\n\n", "")

    def hook(self, host: str) -> tuple[str, ...]:
        """Returns the words of the one hook command."""
        return (*self.call, "hook", "--host", host)

    def server(self) -> tuple[str, ...]:
        """Returns the words that start the MCP server."""
        return (*self.call, "mcp")

    def command(self, host: str, windows: Callable[[Sequence[str]], str] = quoting.any_windows) -> str:
        """Returns the hook command for the shell that the host starts here."""
        return (windows if self.windows else quoting.sh)(self.hook(host))


def json_file(path: str, value: object) -> Piece:
    """Returns a file of engram's own that holds a value as JSON."""
    return Piece(path, FILE, (), f"{json.dumps(value, ensure_ascii=False, indent=2)}\n".encode())


def grouped(path: str, events: Mapping[str, str], handler: Mapping[str, object]) -> list[Piece]:
    """Returns hooks as Claude Code, Codex and Gemini write them: groups of a matcher and handlers.

    ``events``: the matcher of each event, "" for none.
    """
    return [
        Piece(path, ITEM, ("hooks", event), {**({"matcher": matcher} if matcher else {}), "hooks": [dict(handler)]})
        for event, matcher in events.items()
    ]


def flat(path: str, events: Mapping[str, str], handler: Mapping[str, object]) -> list[Piece]:
    """Returns hooks as Copilot and Cursor write them: handlers, each with a matcher of its own."""
    return [
        Piece(path, DEFAULT, ("version",), 1),
        *(
            Piece(path, ITEM, ("hooks", event), {**handler, **({"matcher": matcher} if matcher else {})})
            for event, matcher in events.items()
        ),
    ]


def shipped(place: Place, source: str, folder: str) -> list[Piece]:
    """Returns the files of a folder that comes with engram, to stand below a folder of the agent's."""
    return [
        Piece(place.below(folder, *name.split("/")), FILE, (), data)
        for name, data in sorted(place.shipped(source).items())
    ]

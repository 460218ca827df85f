"""Any other agent: no hooks that engram knows; it reads a block of text in the file that it takes its orders from."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from engram.adapters.files.place import Piece, Place
    from engram.model.event import Verdict

NAME = "portable"
TITLE = "any other agent"
HOSTS: tuple[str, ...] = ()
LIMIT = 0
NOTICES: tuple[str, ...] = ()
OPENS = ""
FORGETS: tuple[str, ...] = ()


def spoken(host: str, event: str, context: str, notice: str, verdict: Verdict | None) -> Mapping[str, object] | None:
    """Returns None: there is no hook to answer."""
    del host, event, context, notice, verdict
    return None


def found(place: Place) -> bool:
    """Returns False: there is nothing to find it by."""
    del place
    return False


def pieces(place: Place) -> Sequence[Piece]:
    """Returns the block for a file of instructions that the agent reads."""
    from engram.adapters.files.place import BLOCK, Piece  # noqa: PLC0415 - a hook has no time for it

    return (Piece(place.at("AGENTS.md"), BLOCK, (), place.told(greeted=True)),)


def remarks(place: Place) -> Sequence[str]:
    """Returns where the block goes."""
    del place
    return (
        "put it into the file that your agent reads in every session: AGENTS.md in a project (most agents),"
        " CLAUDE.md, GEMINI.md, .github/copilot-instructions.md, .windsurf/rules/engram.md,"
        " or your user-wide file of these",
    )


def elsewhere(place: Place) -> str:
    """Returns how engram comes to the agent already, by another way than this; "" for none."""
    del place
    return ""

"""What a session's start asks the person about: notes that soon lapse, a month of the journal that nobody summed up."""

from __future__ import annotations

from engram.index import notes
from engram.lifecycle.expiry import SOON
from engram.recall.standing import EXCLUDE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from engram.app.context import Context
    from engram.app.recalling import Source
    from engram.recall.packet import Mask

MOST_NAMED = 3
_LONGEST = 100


def lines(context: Context, sources: Sequence[Source], mask: Mask) -> str:
    """Returns what to ask the person, a line each; "" for nothing."""
    now = context.now()
    found = [_lapsing(sources, f"{now:%Y-%m-%d}", f"{now + SOON:%Y-%m-%d}", mask), _months(sources, f"{now:%Y-%m}")]
    return "\n".join(filter(None, found))


def _lapsing(sources: Sequence[Source], today: str, until: str, mask: Mask) -> str:
    rows = [
        row
        for source in sources
        for row in notes.lapsing(
            source.index, today, until, MOST_NAMED, unreviewed=source.settings.unreviewed != EXCLUDE
        )
    ]
    named = [
        f"{_plain(row.name, mask)} ({'lapsed' if row.expires < today else 'lapses'} on {row.expires[:10]})"
        for row in sorted(rows, key=lambda row: (row.expires, row.path))[:MOST_NAMED]
    ]
    if not named:
        return ""
    return (
        f"Notes whose time is nearly over: {'; '.join(named)}. The user knows whether they still hold "
        "(`engram pin`, `engram expire NAME --in 90d`, or nothing, and they lapse)."
    )


def _months(sources: Sequence[Source], month: str) -> str:
    from engram.lifecycle.journal import waiting  # noqa: PLC0415 - a prompt needs none of it

    found = [one for source in sources for one in waiting(notes.names(source.index, ("journal", "rollup")), month)]
    if not found:
        return ""
    many = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
    return f"The journal of {found[-1]}{many} has no roll-up yet (`engram journal rollup {found[-1]}`)."


def _plain(name: str, mask: Mask) -> str:
    from engram.model.visible import visible_line  # noqa: PLC0415 - a prompt needs none of it

    return visible_line(mask(name[:_LONGEST]))

"""Problems of planning: gathered, so that whoever wrote the changeset mends them all at once."""

from __future__ import annotations

from collections.abc import Sequence

from engram.errors import ChangesetInvalid, EngramError


class Trouble(Exception):
    """Is one reason why a change can't be planned: the error it is when it stands alone, a JSON path, and words."""

    def __init__(self, kind: type[EngramError], place: str, words: str) -> None:
        super().__init__(words)
        self.kind = kind
        self.place = place
        self.words = words


def raise_all(troubles: Sequence[Trouble]) -> None:
    """Raises the error that the troubles make together, and nothing where there are none.

    All of one kind: that error, with every place in its message. Of several: ChangesetInvalid with every JSON path.
    """
    if not troubles:
        return
    kinds = {trouble.kind for trouble in troubles}
    if len(kinds) > 1 or ChangesetInvalid in kinds:
        raise ChangesetInvalid([(trouble.place, trouble.words) for trouble in troubles])
    message = "\n".join(f"{trouble.place}: {trouble.words}" for trouble in troubles)
    raise kinds.pop()(message, place=troubles[0].place)

"""Files that ship with the package: read from the installed wheel, else from the checkout around it."""

from __future__ import annotations

import json
import os
from typing import Any

SCHEMA = "changesets/changeset.schema.json"

_PACKAGE = os.path.dirname(os.path.abspath(__file__))
_PLACES = (os.path.join(_PACKAGE, "_shipped"), os.path.dirname(_PACKAGE))


def path(name: str) -> str:
    """Returns where a shipped file or folder stands: ``changesets/changeset.schema.json``, ``skills/engram-curate``.

    ``name`` is relative, with forward slashes. Raises FileNotFoundError where it was not shipped.
    """
    for place in _PLACES:
        found = os.path.join(place, *name.split("/"))
        if os.path.exists(found):
            return found
    raise FileNotFoundError(f"{name} is not shipped with this engram")


def schema() -> dict[str, Any]:
    """Returns the JSON schema of a changeset (draft 2020-12)."""
    with open(path(SCHEMA), encoding="utf-8") as file:
        loaded: dict[str, Any] = json.load(file)
    return loaded

"""The machine-local folder of a store is the store's own."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from engram.errors import StoreReadOnly
from tests.lib.commits import commit
from tests.lib.stores import everything, make_store

pytestmark = pytest.mark.skipif(os.name == "nt", reason="making a symlink needs a privilege there")


@pytest.mark.parametrize("name", [".engram", ".engram/lock", ".engram/intent.json", ".engram/.gitignore"])
def test_nothing_is_written_or_cleared_away_through_a_link_that_a_store_brought(tmp_path: Path, name: str) -> None:
    store = make_store(tmp_path / "s", {"a.md": "A\n"})
    outside = make_store(tmp_path / "outside", {"commit/precious": "mine\n"}, init=False)
    before = everything(outside)
    (store / name).parent.mkdir(exist_ok=True)
    (store / name).symlink_to(outside if name == ".engram" else outside / "made")
    with pytest.raises(StoreReadOnly, match="is a link"):
        commit(store, {"new.md": b"New.\n"})
    assert everything(outside) == before
    (store / name).unlink()
    assert commit(store, {"new.md": b"New.\n"})

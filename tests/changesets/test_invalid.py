"""Each file of changesets/invalid: refused in exactly the words that stand beside it."""

from __future__ import annotations

from pathlib import Path

import pytest

from engram import resources
from engram.curate.plan import make_plan
from engram.curate.validate import validate
from engram.errors import EngramError
from tests.lib.changesets import NOW, SETTINGS, folder, snapshot_of

INVALID = Path(__file__).parents[2] / "changesets" / "invalid"
FILES = sorted(INVALID.glob("*.json"))


@pytest.mark.parametrize("file", FILES, ids=lambda path: path.stem)
def test_refused_in_these_words(file: Path) -> None:
    snapshot = snapshot_of(folder(INVALID / "store"))
    with pytest.raises(EngramError) as refused:
        make_plan(validate(file.read_bytes(), resources.schema()), snapshot, now=NOW, settings=SETTINGS)
    told = f"{refused.value.code}\n{refused.value.message}\n"
    assert told == file.with_suffix(".txt").read_text(encoding="utf-8")
    assert refused.value.exit_status in (1, 4, 5)


def test_every_file_has_its_words_and_the_other_way_round() -> None:
    assert {file.stem for file in FILES} == {file.stem for file in INVALID.glob("*.txt")}
    assert len(FILES) >= 60
    assert all("_" in file.stem for file in FILES)

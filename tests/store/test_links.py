"""Links: what is one, and which notes it may mean."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram.model.note import Note
from engram.model.snapshot import Snapshot
from engram.store.links import links_of, resolve, without_code


@pytest.mark.parametrize(
    ("body", "targets"),
    [
        ("no link", ()),
        ("See [[a]] and [[b]], then [[a]].", ("a", "b")),
        ("[[x.md]] [[dir/x]] [[../y]]", ("x.md", "dir/x", "../y")),
        ("[[a|alias]] [[b#heading]] [[c#h|alias]] [[d#^block]]", ("a", "b", "c", "d")),
        ("| [[a\\|in a table]] |", ("a",)),
        ("[[#only a heading]] [[]] [[ ]]", ()),
        ("[[Two Words]] [[日本語]] [[v1.2]] [[2026-01-31]]", ("Two Words", "日本語", "v1.2", "2026-01-31")),
        ('if [[ -z "$x" ]]; then [[ $a == b ]]', ()),
        ("[[:space:]] [[-n x]] [[$x]] [[a=b]] [[1, 2]]", ()),
        ("[[[a]]] [[b]", ("a",)),
        ("`[[a]]` [[b]] ``x ` [[c]]`` [[d]]", ("b", "d")),
        ("a stray ` and [[a]]\n\nanother ` here", ("a",)),
        ("`over\n[[a]] two lines` [[b]]", ("b",)),
        ("```\n[[a]]\n```\n[[b]]", ("b",)),
        ("~~~ sh\n[[a]]\n```\n[[b]]\n~~~~\n[[c]]", ("c",)),
        ("- item\n  ```bash\n  [[a]]\n  ```\n  [[b]]", ("b",)),
        ("- ```\n  [[a]]\n  ```\n[[b]]", ("b",)),
        ("```inline``` [[a]]", ("a",)),
        ("```\nnever closed [[a]]", ()),
        ("\r\n[[a]]\r\n```\r\n[[b]]\r\n```\r\n[[c]]\r\n", ("a", "c")),
    ],
)
def test_links_of(body: str, targets: tuple[str, ...]) -> None:
    assert links_of(body) == targets


@given(st.text(alphabet="[]`~|#a \n-$", max_size=60))
def test_links_of_is_total_and_gives_what_stands_there(body: str) -> None:
    for target in links_of(body):
        assert f"[[{target}" in body
        assert target == target.strip()
    without_code(body)


def _snapshot(*notes: tuple[str, str]) -> Snapshot:
    return Snapshot("/s", notes=tuple(Note(path, name) for path, name in notes))


STORE = _snapshot(
    ("a.md", "First Note"),
    ("dir/a.md", "a"),
    ("dir/b.md", "shared"),
    ("other/b.md", "shared"),
    ("memories/project/deep.md", "deep-note"),
    ("two-words.md", "two-words"),
)


@pytest.mark.parametrize(
    ("target", "source", "paths"),
    [
        ("a", "x.md", ["a.md"]),
        ("a.md", "x.md", ["a.md"]),
        ("a", "dir/x.md", ["dir/a.md"]),
        ("../a", "dir/x.md", ["a.md"]),
        ("./a", "dir/x.md", ["dir/a.md"]),
        ("dir/a", "other/b.md", ["dir/a.md"]),
        ("first note", "x.md", ["a.md"]),
        ("SHARED", "x.md", ["dir/b.md", "other/b.md"]),
        ("project/deep", "x.md", ["memories/project/deep.md"]),
        ("deep", "x.md", ["memories/project/deep.md"]),
        ("deep-note", "x.md", ["memories/project/deep.md"]),
        ("Two Words", "x.md", ["two-words.md"]),
        ("two_words", "x.md", ["two-words.md"]),
        ("missing", "x.md", []),
        ("../../a", "dir/x.md", []),
        ("", "x.md", []),
        (".md", "x.md", []),
    ],
)
def test_resolve(target: str, source: str, paths: list[str]) -> None:
    assert [note.path for note in resolve(target, source, STORE)] == paths

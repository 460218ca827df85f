"""What of a note is searched: its head, the whole, and passages that are bounded however long it is."""

from __future__ import annotations

import pytest

from engram.index.file import PASSAGES
from engram.index.passages import MOST_PASSAGES, parts_of, sentences_of
from engram.model.note import Note


def test_the_head_is_name_description_and_tags() -> None:
    parts = parts_of(
        Note("a-b.md", "deploy-run_book", {"description": "How we deploy", "tags": ("ops", "k8s")}, "Body.")
    )
    assert parts.head == "deploy run book\na b\nHow we deploy\nops k8s"
    assert parts.whole == f"{parts.head}\nBody."


def test_a_note_without_description_is_headed_by_its_first_sentence() -> None:
    assert (
        parts_of(Note("x.md", "x", {}, "# How caches are cleared\n\nFirst. Second.")).head
        == "x\nHow caches are cleared"
    )


def test_a_short_note_is_no_passages() -> None:
    assert parts_of(Note("x.md", "x", {}, "One is here. Two is here. Three is here.")).passages == ()


def test_passages_overlap_by_a_sentence() -> None:
    body = " ".join(f"Sentence number {number}." for number in range(5))
    assert parts_of(Note("x.md", "x", {}, body)).passages == (
        "Sentence number 0. Sentence number 1. Sentence number 2.",
        "Sentence number 2. Sentence number 3. Sentence number 4.",
    )


@pytest.mark.parametrize("body", ["A sentence of words. " * 20_000, "x" * 300_000, "- item here\n" * 20_000])
def test_a_huge_note_has_few_passages(body: str) -> None:
    passages = parts_of(Note("x.md", "x", {}, body)).passages
    assert len(passages) <= MOST_PASSAGES + 1 <= PASSAGES


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Why does it fail? It ran before.", ["Why does it fail?", "It ran before."]),
        ("# Heading\n\n- first item of it\n- second item of it", ["Heading first item of it", "second item of it"]),
        ("See [the runbook](run.md) and [[deploy-notes|notes]].", ["See the runbook run.md and deploy-notes notes."]),
        ("这是第一句话在这里。这是第二句话在这里。", ["这是第一句话在这里。 这是第二句话在这里。"]),
        ("---\n\n===", []),
        ("", []),
        ("version 1.2.3 of src/app.py is out", ["version 1.2.3 of src/app.py is out"]),
    ],
)
def test_sentences(text: str, sentences: list[str]) -> None:
    assert sentences_of(text) == sentences

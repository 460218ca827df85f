"""Standard input with a deadline: whatever a host does with its pipe, the hook goes on."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple

import pytest

from engram.capture.stdin import read_json

LONG = 30.0
"""Seconds that no test may come near."""


class Pipe(NamedTuple):
    reading: int
    writing: int

    def write(self, data: bytes) -> None:
        while data:
            data = data[os.write(self.writing, data) :]


@pytest.fixture
def pipe() -> Iterator[Pipe]:
    """Yields a pipe. Its reading end stays open: a thread that has yet to see that nobody waits for it would else read
    from the next test's pipe, under the same number."""
    ends = Pipe(*os.pipe())
    yield ends
    with suppress(OSError):  # the test closed it
        os.close(ends.writing)


def test_a_whole_value_is_enough_though_the_pipe_stays_open(pipe: Pipe) -> None:
    pipe.write(b' {"session_id": "x"} \n')
    assert read_json(pipe.reading, LONG, 1_000) == {"session_id": "x"}


def test_a_value_that_comes_in_pieces(pipe: Pipe) -> None:
    def write() -> None:
        for piece in (b'{"a": {}', b', "b": {"c": 1}', b', "d": "}"', b"}"):
            pipe.write(piece)
            time.sleep(0.02)

    writer = threading.Thread(target=write)
    writer.start()
    assert read_json(pipe.reading, LONG, 1_000) == {"a": {}, "b": {"c": 1}, "d": "}"}
    writer.join()


def test_a_large_value_comes_whole(pipe: Pipe) -> None:
    text = "}" * 3_000_000
    writer = threading.Thread(target=pipe.write, args=(b'{"text": "' + text.encode() + b'"}\n',))
    writer.start()
    assert read_json(pipe.reading, LONG, 4_000_000) == {"text": text}
    writer.join()


def test_a_value_that_is_no_object_needs_the_end(pipe: Pipe) -> None:
    pipe.write(b"42")
    os.close(pipe.writing)
    assert read_json(pipe.reading, LONG, 1_000) == 42


def test_silence_ends_at_the_deadline(pipe: Pipe) -> None:
    with pytest.raises(ValueError, match=r"nothing whole within 0\.1 s"):
        read_json(pipe.reading, 0.1, 1_000)


def test_half_a_value_ends_at_the_deadline(pipe: Pipe) -> None:
    pipe.write(b'{"session_id": {}')
    with pytest.raises(ValueError, match="nothing whole"):
        read_json(pipe.reading, 0.1, 1_000)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "empty"),
        (b" \r\n\t", "empty"),
        (b"\xff\xfe{}", "not UTF-8"),
        (b"hello", "not JSON"),
        (b'{"a": NaN}', "not JSON"),
        (b'{"a": "x\n"}', "not JSON"),
        (b"{} {}", "not one JSON value"),
        (b"[" * 200_000, "nested too deeply"),
        (b'{"a":' * 200_000, "nested too deeply"),
        (b"9" * 10_000, "not JSON"),
    ],
)
def test_what_is_no_value_is_refused_in_words(pipe: Pipe, data: bytes, words: str) -> None:
    writer = threading.Thread(target=lambda: (pipe.write(data), os.close(pipe.writing)))
    writer.start()
    with pytest.raises(ValueError, match=words):
        read_json(pipe.reading, LONG, 10_000_000)
    writer.join()


def test_too_much_is_read_off_and_refused(pipe: Pipe) -> None:
    writer = threading.Thread(target=lambda: (pipe.write(b"x" * 1_000_000), os.close(pipe.writing)))
    writer.start()
    with pytest.raises(ValueError, match="more than 1000 bytes"):
        read_json(pipe.reading, LONG, 1_000)
    writer.join()  # it wrote all of it: its pipe did not break


def test_a_byte_order_mark_is_passed_over(pipe: Pipe) -> None:
    pipe.write(b"\xef\xbb\xbf{}")
    assert read_json(pipe.reading, LONG, 1_000) == {}


def test_a_closed_descriptor_is_refused(pipe: Pipe) -> None:
    os.close(pipe.reading)
    with pytest.raises(ValueError, match="unreadable"):
        read_json(pipe.reading, LONG, 1_000)


@pytest.mark.skipif(os.name != "posix", reason="pipes there always block")
def test_a_pipe_that_does_not_block_is_waited_for(pipe: Pipe) -> None:
    os.set_blocking(pipe.reading, False)
    timer = threading.Timer(0.05, pipe.write, [b"{}"])
    timer.start()
    assert read_json(pipe.reading, LONG, 1_000) == {}
    timer.join()

"""The printer: what it asks and shows can hide nothing."""

from __future__ import annotations

import io

from engram.cli.ui import Ui


class Terminal(io.StringIO):
    """Stands for a terminal that a person sits at."""

    def isatty(self) -> bool:
        return True


def test_a_question_hides_nothing_that_stands_in_a_name() -> None:
    out = Terminal()
    ui = Ui({}, Terminal("n\n"), out, io.StringIO())
    assert ui.ask("UPDATE good\x1b[2K\u202eevil\ny - yes: take it?") == "n"
    assert out.getvalue() == "UPDATE good<U+001B>[2K<U+202E>evil<U+000A>y - yes: take it? "

"""Where every `engram` starts: hooks go their own way without click, all else goes to the command line."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Runs engram and returns its exit status. ``argv``: the arguments, without the program's name."""
    arguments = sys.argv[1:] if argv is None else list(argv)
    if arguments[:2] == ["pending", "add"] and not {"-h", "--help"} & set(arguments):
        from engram.capture.pending import add  # noqa: PLC0415 - the command line needs none of it

        return add(arguments[2:], os.environ, os.path.expanduser("~"))
    if arguments[:1] == ["hook"] and not {"-h", "--help"} & set(arguments):
        from engram.app.hook import run  # noqa: PLC0415 - the command line needs none of it

        return run(arguments[1:], os.environ, os.path.expanduser("~"))
    from engram.cli import main as cli_main  # noqa: PLC0415 - a hook starts without click

    return cli_main(argv)


if __name__ == "__main__":
    sys.exit(main())

"""Commits one note to the store named on the command line: ``python -m tests.lib.commit_one STORE``."""

import sys

from tests.lib.commits import commit

if __name__ == "__main__":
    commit(sys.argv[1], {"n.md": b"New.\n"})

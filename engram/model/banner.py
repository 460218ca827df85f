"""The banner: what engram says to a person once, when it is new to them. Pure."""

from __future__ import annotations

NEURON = r"""
    \ | /          .--.
   --(@)--.______.'    '--o
    / | \  '             \
                          o--
"""
"""A cell body, its axon, and where it ends."""


def banner(home: str) -> str:
    """Returns the greeting, several lines. ``home``: the folder of the user's store, fit to be shown."""
    return f"""{NEURON.rstrip()}

  engram: one memory for all your agents

  Plain Markdown under git, in {home}
  It is yours to read, to edit and to take back; nothing gets in before you have seen and agreed.
  Try: tell your agent "we always use pnpm here, never npm", then type /engram-curate
  How it is doing: engram status"""

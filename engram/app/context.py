"""The surroundings of one run: environment, home, clock, settings; and where things stand in them."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

from engram import config, disk
from engram.errors import ConfigInvalid
from engram.model.event import engram_home
from engram.store import locate

NOT_NOTES = frozenset({".engram", "config.json", ".git", ".gitignore", ".gitattributes"})


class RealProbe:
    """Answers what `store.locate` asks about this machine."""

    def realpath(self, path: str) -> str:
        try:
            return os.path.realpath(path)
        except ValueError:  # no path of this system's: it can't be encoded, or holds a NUL
            return path

    def read_text(self, path: str) -> str | None:
        try:
            with open(path, encoding="utf-8", errors="replace") as file:
                return file.read()
        except (OSError, ValueError):
            return None

    def is_dir(self, path: str) -> bool:
        return os.path.isdir(path)


class Context(NamedTuple):
    """Is the surroundings of one run. ``now`` is asked again for each act that takes a time of its own.

    A dataclass would cost the prompt hook a millisecond.
    """

    env: Mapping[str, str]
    home: str
    cwd: str
    now: Callable[[], datetime]
    platform: str = sys.platform
    probe: locate.Probe = RealProbe()

    @property
    def engram_home(self) -> str:
        return engram_home(self.env, self.home)

    @property
    def state(self) -> str:
        """Machine-local state: what waits, what was approved, the log. Losing it loses no memory."""
        return os.path.join(self.engram_home, ".engram")

    def folder(self, name: str) -> str:
        """Returns the folder of one kind of state; nothing makes sure that it is there."""
        return os.path.join(self.state, name)

    def prepared(self, name: str) -> str:
        """Returns the folder of one kind of state, made where it wasn't there and kept out of git."""
        disk.private_folder(self.state)
        return disk.private_folder(self.folder(name))

    @property
    def config_path(self) -> str:
        return os.path.join(self.engram_home, "config.json")

    def written_config(self) -> dict[str, Any]:
        """Returns the user's own settings file as it was written."""
        return read_config(self.config_path)

    def settings(self, root: str = "") -> config.Settings:
        """Returns what holds for a store: the user's settings, narrowed by the store's own file."""
        own = os.path.join(root, "config.json") if root else ""
        theirs = read_config(own) if own and os.path.realpath(own) != os.path.realpath(self.config_path) else None
        return config.settings(self.written_config(), theirs)

    def encloses(self, root: str) -> bool:
        """Tells whether the person chose that a store commits to the repository around it.

        ``root``: absolute, symlinks resolved.
        """
        return root in {os.path.realpath(path) for path in self.settings().enclosing}

    def set_config(self, name: str, value: object) -> None:
        """Sets one value in the user's settings file; everything else in it stays."""
        import json  # noqa: PLC0415 - a hook sets nothing

        written = config.with_value(self.written_config(), name, value)
        os.makedirs(self.engram_home, exist_ok=True)
        text = json.dumps(written, ensure_ascii=False, indent=2) + "\n"
        disk.write_whole(self.config_path, text.encode("utf-8"))

    def user_store(self) -> locate.Located:
        return locate.user_store(self.env, self.home, self.probe)

    def project_store(self, cwd: str = "") -> locate.Located | None:
        """Returns the store of a project: of the folder that is named, else of this run's own."""
        return locate.project_store(cwd or self.cwd, self.env, self.home, self.probe, self.platform)


def real_context() -> Context:
    """Returns the surroundings of this process. A working directory that was removed counts as the home folder."""
    home = os.path.expanduser("~")
    try:
        cwd = os.getcwd()
    except OSError:
        cwd = home
    return Context(env=dict(os.environ), home=home, cwd=cwd, now=lambda: datetime.now(UTC))


def stands(root: str) -> bool:
    """Tells whether a folder holds more than engram's own state: somebody has memory there."""
    try:
        return any(name not in NOT_NOTES or name == ".git" for name in os.listdir(root))
    except OSError:
        return False


def read_config(path: str) -> dict[str, Any]:
    """Returns a settings file as it was written; {} where there is none. Raises ConfigInvalid."""
    data = disk.read_bytes(path) if os.path.isfile(path) else None
    try:
        return config.parse((data or b"").decode("utf-8-sig"), path)
    except UnicodeDecodeError:
        raise ConfigInvalid(f"{path} is not UTF-8", "mend or remove the file", path) from None

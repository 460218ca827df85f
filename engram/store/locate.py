"""Finds the stores: the user's own, and the one that Claude Code keeps for a working directory.

The rule for the project's store is the client's own: every folder, linked worktree and symlink of one repository
shares the memory folder of its main checkout. No git process runs; a few small files under ``.git`` say enough. What
is read comes through a :class:`Probe`.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from typing import Any, Literal, NamedTuple

from engram.model.event import engram_home, is_set
from engram.model.wire import parsed
from engram.store.checkout import Probe, checkout, flavour, main_root, upwards

__all__ = ["Located", "Probe", "engram_home", "main_root", "project_store", "slug", "user_store"]

PER_WORKTREE = "ENGRAM_PER_WORKTREE"
"""Gives each linked worktree a store of its own. Claude Code itself knows no such thing."""

_SETTING = "autoMemoryDirectory"
_LONGEST_SLUG = 200
_POLICIES = {
    "darwin": ("/Library/Application Support/ClaudeCode/managed-settings.json",),
    "win32": (
        "C:\\Program Files\\ClaudeCode\\managed-settings.json",
        "C:\\ProgramData\\ClaudeCode\\managed-settings.json",
    ),
}
_POLICY_ELSEWHERE = ("/etc/claude-code/managed-settings.json",)


class Located(NamedTuple):
    """Is where a store is, or would be."""

    path: str
    exists: bool
    reason: str
    """In words: the rule that chose it, and what was passed over on the way."""
    scope: Literal["user", "project"]
    claimed: bool = False
    """A settings file that lies in the project named it: whoever wrote the project may have."""


class _Place(NamedTuple):
    """Is what is known before the rules begin."""

    cwd: str
    """Symlinks resolved."""
    env: Mapping[str, str]
    home: str
    probe: Probe
    platform: str

    @property
    def config(self) -> str:
        """The folder that Claude Code keeps its settings and projects in."""
        paths = flavour(self.cwd)
        named = self.env.get("CLAUDE_CONFIG_DIR", "")
        return str(paths.join(self.cwd, named) if named else paths.join(self.home, ".claude"))


# -- the client's rule for a folder's name ----------------------------------------------------------------------------


def slug(path: str) -> str:
    """Returns the folder name that Claude Code makes of a path: all but ASCII letters and digits becomes ``-``.

    It counts UTF-16 units, so an emoji becomes two. Over 200 characters it is cut there and ends in a hash of the
    whole path.
    """
    units = path.encode("utf-16-le", "surrogatepass")
    codes = [units[at] | units[at + 1] << 8 for at in range(0, len(units), 2)]
    name = "".join(chr(code) if code < 128 and chr(code).isalnum() else "-" for code in codes)
    if len(name) <= _LONGEST_SLUG:
        return name
    total = 0
    for code in codes:
        total = (total * 31 + code) & 0xFFFFFFFF
    return f"{name[:_LONGEST_SLUG]}-{_base36(min(total, 0x100000000 - total))}"


def _base36(number: int) -> str:
    digits = ""
    while number:
        number, digit = divmod(number, 36)
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[digit] + digits
    return digits or "0"


# -- the user's store ------------------------------------------------------------------------------------------------


def user_store(env: Mapping[str, str], home: str, probe: Probe) -> Located:
    """Returns the user's own store: ``$ENGRAM_HOME``, else ``~/.agent-memory``."""
    path = engram_home(env, home)
    reason = (
        "ENGRAM_HOME names it" if env.get("ENGRAM_HOME", "").strip() else "~/.agent-memory, as ENGRAM_HOME is not set"
    )
    return Located(path, probe.is_dir(path), reason, "user")


# -- the project's store ---------------------------------------------------------------------------------------------


def project_store(cwd: str, env: Mapping[str, str], home: str, probe: Probe, platform: str) -> Located | None:
    """Returns Claude Code's memory folder for a working directory; None where there is no working directory.

    ``platform`` is ``sys.platform``. The order is the client's: an override of its host, ``autoMemoryDirectory`` of the
    first settings file that has it, a project folder's name from the environment, the main checkout's path.
    """
    if not cwd:
        return None
    place = _Place(probe.realpath(cwd), env, home, probe, platform)
    ignored: list[str] = []
    path, reason, claimed = _override(place, ignored) or _setting(place, ignored) or _by_name(place, ignored)
    return Located(path, probe.is_dir(path), "; ".join([reason, *ignored]), "project", claimed)


def _override(place: _Place, ignored: list[str]) -> tuple[str, str, bool] | None:
    name = "CLAUDE_COWORK_MEMORY_PATH_OVERRIDE"
    named = place.env.get(name, "")
    if not named:
        return None
    if (path := _usable(named, "", place)) is None:
        ignored.append(f"{name} is no absolute path of a folder: ignored")
        return None
    return path, f"{name} names it", False


def _setting(place: _Place, ignored: list[str]) -> tuple[str, str, bool] | None:
    """Returns the folder that the first settings file with ``autoMemoryDirectory`` names."""
    for path, needs_trust, own in _settings_files(place):
        value = _settings(path, place, ignored).get(_SETTING)
        if value is None:
            continue
        if needs_trust and not _trusted(place):
            ignored.append(f"{_SETTING} in {path} ignored: the project is not trusted")
        elif isinstance(value, str) and (folder := _usable(value, place.home, place)) is not None:
            return folder, f"{_SETTING} in {path} names it", own
        else:
            ignored.append(f"{_SETTING} in {path} is no absolute path of a folder: ignored")
    return None


def _by_name(place: _Place, ignored: list[str]) -> tuple[str, str, bool]:
    paths = flavour(place.cwd)
    name, reason = _named(place, ignored) or _from_path(place)
    if place.env.get("CLAUDE_CONFIG_DIR"):
        reason += "; CLAUDE_CONFIG_DIR is set"
    path = paths.join(place.config, "projects", name, "memory")
    return unicodedata.normalize("NFC", path), reason, False


def _named(place: _Place, ignored: list[str]) -> tuple[str, str] | None:
    variable = "CLAUDE_CODE_PROJECT_DIR_NAME"
    named = place.env.get(variable, "")
    if not named:
        return None
    if not place.env.get("CLAUDE_CONFIG_DIR"):
        ignored.append(f"{variable} ignored: it counts only with CLAUDE_CONFIG_DIR")
        return None
    plain = named.replace("-", "").replace("_", "")
    if len(named) > 64 or not (plain.isascii() and (plain.isalnum() or not plain)):
        ignored.append(f"{variable} is no name of 1 to 64 letters, digits, - and _: ignored")
        return None
    return named, f"{variable} names the project's folder"


def _from_path(place: _Place) -> tuple[str, str]:
    work, main, kind = checkout(place.cwd, place.probe)
    if is_set(place.env, PER_WORKTREE) and kind == "worktree":
        return slug(unicodedata.normalize("NFC", work)), f"a worktree's own folder {work}, as {PER_WORKTREE} is set"
    reason = {
        "": f"the working directory {main}: no repository around it",
        "main": f"the repository's folder {main}",
        "worktree": f"the main checkout {main}, of which {work} is a worktree",
        "foreign": f"the folder {main}: its .git file names a repository that knows no such worktree",
    }[kind]
    return slug(unicodedata.normalize("NFC", main)), reason


# -- settings ----------------------------------------------------------------------------------------------------------


def _settings_files(place: _Place) -> Iterator[tuple[str, bool, bool]]:
    """Yields the settings files that count, the strongest first: whether the project must be trusted for each, and
    whether it lies in the project."""
    paths = flavour(place.cwd)
    for path in _POLICIES.get(place.platform, _POLICY_ELSEWHERE):
        yield path, False, False
    folders = dict.fromkeys([place.cwd, checkout(place.cwd, place.probe)[0]])
    for name, needs_trust in (("settings.local.json", False), ("settings.json", True)):
        for folder in folders:
            if paths.join(folder, ".claude") != place.config:
                yield paths.join(folder, ".claude", name), needs_trust, True
    yield paths.join(place.config, "settings.json"), False, False


def _settings(path: str, place: _Place, ignored: list[str]) -> Mapping[str, Any]:
    text = place.probe.read_text(path)
    if text is None:
        return {}
    try:
        value = parsed(text.encode("utf-8", "surrogatepass"))
    except ValueError:
        value = None
    if isinstance(value, dict):
        return value
    ignored.append(f"{path} is no JSON object: ignored")
    return {}


def trusted(cwd: str, env: Mapping[str, str], home: str, probe: Probe, platform: str) -> bool:
    """Tells whether the person told Claude Code that they trust a folder, or one above it."""
    return _trusted(_Place(probe.realpath(cwd), env, home, probe, platform))


def _trusted(place: _Place) -> bool:
    """Tells whether the person answered Claude Code's question for this folder, or one above it, with yes."""
    paths = flavour(place.cwd)
    where = place.config if place.env.get("CLAUDE_CONFIG_DIR") else place.home
    projects = _settings(paths.join(where, ".claude.json"), place, []).get("projects")
    if not isinstance(projects, dict):
        return False
    answers = (projects.get(key) for folder in upwards(place.cwd) for key in (folder, folder.replace("\\", "/")))
    return any(isinstance(answer, dict) and answer.get("hasTrustDialogAccepted") is True for answer in answers)


def _usable(named: str, home: str, place: _Place) -> str | None:
    """Returns a named folder as a plain absolute path; None where it is relative, a root, or no path at all.

    ``home``: what ``~/`` stands for; "" where it stands for nothing.
    """
    paths = flavour(place.cwd)
    path = named
    if home and named.startswith(("~/", "~\\")):
        path = paths.join(home, named[2:])
        if paths.normpath(path) in (paths.normpath(home), paths.dirname(paths.normpath(home))):
            return None
    if "\0" in path or not paths.isabs(path) or path.startswith(("\\\\", "//")):
        return None
    plain = str(paths.normpath(path))
    return unicodedata.normalize("NFC", plain) if paths.dirname(plain) != plain else None

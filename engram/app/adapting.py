"""Plans how engram comes into an agent's settings, and out of them: every byte, before any is written."""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, NamedTuple, cast

import engram
from engram import adapters, resources
from engram.adapters.files import change
from engram.adapters.files.place import BLOCK, DEFAULT, MEMBER, Piece, Place
from engram.app.adapted import Entry, Record, digest, load, names
from engram.app.context import Context
from engram.disk import read_bytes
from engram.errors import SettingsForeign, SettingsUnreadable
from engram.errors.agents import EngramNotInstalled
from engram.model.banner import banner
from engram.model.visible import visible_line

if TYPE_CHECKING:
    from engram.adapters.files.place import Adapter

GUARD = "guard"
_EXPORTED = "-in-"
_TEXTS = (".md", ".mdc", ".txt")
_STAYS = "stays: it was changed since engram put it there"


class Change(NamedTuple):
    """Is what becomes of one file. None: no such file."""

    path: str
    before: bytes | None
    after: bytes | None
    folders: tuple[str, ...] = ()
    """Folders to make before, or to take away after where they are empty, the outermost first."""


class Plan(NamedTuple):
    """Is what becomes of one agent's settings."""

    name: str
    """What it is remembered by."""
    changes: tuple[Change, ...]
    first: Record
    """What is remembered from before the first change on."""
    last: Record
    """What is remembered once all changes are made."""
    remarks: tuple[str, ...] = ()

    @property
    def target(self) -> str:
        """The agent, as ``--target`` names it, of an exported copy too."""
        return self.name.partition(_EXPORTED)[0]


def every_adapter() -> tuple[Adapter, ...]:
    """Returns the adapter of every agent, by name."""
    return cast("tuple[Adapter, ...]", adapters.adapters())


def place_of(context: Context, export: str = "") -> Place:
    """Returns this machine as adapters see it; with ``export`` a folder in the place of the person's home."""
    store = visible_line(context.engram_home)
    template = shipped("adapters/block.md").get("block.md", b"").decode("utf-8")
    home, env = (os.path.join(context.cwd, export), {}) if export else (context.home, context.env)
    return Place(
        home=home,
        env=env,
        platform=context.platform,
        call=_call(),
        exists=os.path.exists,
        which=lambda name: shutil.which(name, path=context.env.get("PATH", "")) is not None,
        read=_text_of,
        shipped=shipped,
        block=template.replace("{store}", store),
        banner=banner(store).strip("\n"),
    )


def installed(context: Context) -> list[Adapter]:
    """Returns the adapters of the agents that are installed here."""
    place = place_of(context)
    return [adapter for adapter in every_adapter() if adapter.found(place)]


def block(context: Context) -> str:
    """Returns what an agent without hooks is told: the banner, and what to do with engram and without."""
    return place_of(context).told(greeted=True)


def plan_to_add(context: Context, adapter: Adapter, export: str = "") -> Plan:
    """Returns what has to change for engram to be in an agent's settings; writes nothing.

    Raises SettingsUnreadable, SettingsForeign, EngramNotInstalled.
    """
    place = place_of(context, export)
    name = record_name(adapter.NAME, export)
    if there := adapter.elsewhere(place):
        record = load(context, name)
        twice = f"; `engram adapt --target {adapter.NAME} --remove` ends that it is there twice" if record else ""
        return Plan(name, (), record, record, (f"{there} already, so nothing is installed{twice}",))
    pieces = _pieces(adapter, place, export, context)
    if any(piece.kind != BLOCK for piece in pieces):
        _refuse_deaf(place.call)
    plan = _adding(context, name, pieces, place.home)
    return plan._replace(remarks=(*plan.remarks, *adapter.remarks(place)))


def plan_to_remove(context: Context, adapter: Adapter, export: str = "", leaving: Sequence[str] = ()) -> Plan:
    """Returns what has to change for an agent's settings to be without engram; writes nothing.

    ``leaving``: the agents that engram is taken out of together with this one. What another has too stays: people
    link one agent's folder of skills to another's.
    """
    place = place_of(context, export)
    pieces = _pieces(adapter, place, export, context)
    name = record_name(adapter.NAME, export)
    shared = {} if export else _others(context, {name, *leaving})
    return _removing(context, name, pieces, place.home, shared)


def plan_guard(context: Context, *, remove: bool = False) -> Plan:
    """Returns what has to change in the person's own settings for the guard to be on, or as it was before."""
    path = context.config_path
    pieces = [Piece(path, DEFAULT, ("schema_version",), 1), Piece(path, MEMBER, ("gate", "guard"), True)]
    return (_removing if remove else _adding)(context, GUARD, pieces, context.engram_home)


def record_name(target: str, export: str) -> str:
    """Returns what an agent's settings, or one exported copy of them, are remembered by."""
    mark = hashlib.sha256(os.path.abspath(export).encode()).hexdigest()[:12] if export else ""
    return f"{target}{_EXPORTED}{mark}" if export else target


def shipped(name: str) -> Mapping[str, bytes]:
    """Returns the files of a folder that comes with engram, or one file, by their paths in it, with forward slashes."""
    try:
        found = os.path.join(os.path.dirname(adapters.__file__), name.removeprefix("adapters/"))
        top = found if name.startswith("adapters/") else resources.path(name)
    except FileNotFoundError:
        return {}
    if os.path.isfile(top):
        return {os.path.basename(top): read_bytes(top) or b""}
    files: dict[str, bytes] = {}
    for folder, folders, inner in os.walk(top):
        folders[:] = sorted(each for each in folders if not each.startswith((".", "__")))
        for each in inner:
            path = os.path.join(folder, each)
            files[os.path.relpath(path, top).replace(os.sep, "/")] = read_bytes(path) or b""
    return files


# -- plans ------------------------------------------------------------------------------------------------------------


def _adding(context: Context, name: str, pieces: Sequence[Piece], home: str) -> Plan:
    record = load(context, name)
    last: Record = {}
    changes: list[Change] = []
    remarks: list[str] = []
    wanted = _by_path(pieces)
    for path, own in wanted.items():
        now = _looked_at(path, home)
        known = record.get(path)
        if known is not None and _is_edited(now, own, known):
            last[path] = known
            remarks.append(f"{path} {_STAYS}")
            continue
        after, entry = _added(path, now, own, record.get(path))
        last[path] = entry._replace(folders=_folders(path, record))
        if after != now:
            changes.append(Change(path, now, after, last[path].folders))
    for path, entry in record.items():
        if path not in wanted:  # an earlier version put something there, and this one doesn't
            now = _looked_at(path, home)
            if digest(now) in entry.afters and now != entry.before:
                changes.append(Change(path, now, entry.before, entry.folders))
            elif now is not None and now != entry.before:
                last[path] = entry
    return Plan(name, tuple(changes), {**record, **last}, last, tuple(remarks))


def _is_edited(now: bytes | None, own: Sequence[Piece], entry: Entry) -> bool:
    """Tells whether a file that is engram's alone has a person's words in it now."""
    data = change.whole(own)
    return data is not None and now not in (None, data, entry.before) and digest(now) not in entry.afters


def _added(path: str, now: bytes | None, own: Sequence[Piece], entry: Entry | None) -> tuple[bytes, Entry]:
    """Returns what a file becomes with its pieces in it, and what to remember of it."""
    untouched = entry is not None and digest(now) in entry.afters
    before = entry.before if entry is not None and untouched else now
    data = change.whole(own)
    remembered: Mapping[str, object] = {}
    if data is not None:
        if now is not None and not untouched and now != data:
            raise SettingsForeign(
                f"{path} is there already, and isn't as engram wrote it",
                "move it away, then run the command again",
                path,
            )
        before = None if now == data else before
        after = data
    elif now is not None and change.holds(now, own, path):
        after, remembered = now, entry.remembered if entry is not None else {}
        before = before if untouched else change.without_pieces(now, own, path, dict(remembered))
    else:
        if not untouched and now is not None:
            own = change.enriched(now, own, path)
            before = change.without_pieces(now, own, path, dict(entry.remembered) if entry is not None else {})
        after, remembered = change.with_pieces(before, own, path)
    afters = (digest(after), *(entry.afters if entry is not None and untouched else ()))
    return after, Entry(before, tuple(dict.fromkeys(afters)), remembered)


def _removing(
    context: Context, name: str, pieces: Sequence[Piece], home: str, shared: Mapping[str, str] | None = None
) -> Plan:
    record = load(context, name)
    changes: list[Change] = []
    remarks: list[str] = []
    wanted = _by_path(pieces)
    for path in dict.fromkeys((*record, *wanted)):
        now = _looked_at(path, home)
        entry, own = record.get(path), wanted.get(path, ())
        if now is None:
            continue
        if other := (shared or {}).get(os.path.realpath(path)):
            remarks.append(f"{path} stays: {other} has it too")
            continue
        if entry is not None and digest(now) in entry.afters:
            after = entry.before
        elif not own or change.whole(own) is not None:
            after = None if own and now == change.whole(own) else now
            if after is now and (entry is None or now != entry.before):
                remarks.append(f"{path} {_STAYS}")
        else:
            remembered = dict(entry.remembered) if entry is not None else {}
            after = change.without_pieces(now, own, path, remembered)
            if entry is not None and entry.before is None and not after:
                after = None
        if after != now:
            changes.append(Change(path, now, after, _folders(path, record)))
    return Plan(name, tuple(changes), record, {}, tuple(remarks))


def _others(context: Context, but: Collection[str]) -> dict[str, str]:
    """Returns the files that engram put there for other agents, links resolved, each with the agent's name."""
    found: dict[str, str] = {}
    for name in names(context):
        with suppress(SettingsUnreadable):  # one that is damaged stops none of the others
            found |= {os.path.realpath(path): name for path in (load(context, name) if name not in but else ())}
    return found


def _pieces(adapter: Adapter, place: Place, export: str, context: Context) -> list[Piece]:
    pieces = list(adapter.pieces(place))
    file = os.path.join(context.cwd, export)
    if export and (export.endswith(_TEXTS) or os.path.isfile(file)):
        if any(piece.kind != BLOCK for piece in pieces):
            raise SettingsUnreadable(f"{export} is a file; {adapter.TITLE} needs a folder", "name a folder", export)
        return [piece._replace(path=file) for piece in pieces]
    for piece in pieces if export else ():
        _stays_below(piece.path, file)
    return pieces


def _stays_below(path: str, folder: str) -> None:
    """Raises SettingsUnreadable where a folder's link leads a path out of it: whoever made a repository, made it."""
    real, top = os.path.realpath(path), os.path.realpath(folder)
    if os.path.commonpath((real, top)) != top:
        raise SettingsUnreadable(f"{path} leads out of {folder}, to {real}", "name another folder", path)


def _by_path(pieces: Sequence[Piece]) -> dict[str, list[Piece]]:
    found: dict[str, list[Piece]] = {}
    for piece in pieces:
        found.setdefault(piece.path, []).append(piece)
    return found


# -- the disk ---------------------------------------------------------------------------------------------------------


def _looked_at(path: str, home: str) -> bytes | None:
    """Returns a file's bytes; None where there is none. Raises SettingsUnreadable for what isn't written through."""
    hint = "put a file of its own there, then run the command again"
    try:
        kind = os.stat(path).st_mode
    except FileNotFoundError:
        if os.path.islink(path):
            raise SettingsUnreadable(f"{path} is a link that leads nowhere", hint, path) from None
        return None
    except NotADirectoryError:
        raise SettingsUnreadable(f"{path} can't be there: a file stands where its folder would", hint, path) from None
    if not stat.S_ISREG(kind):
        raise SettingsUnreadable(f"{path} is no file", hint, path)
    if os.path.islink(path):
        real, top = os.path.realpath(path), os.path.realpath(home)
        if os.path.commonpath((real, top)) != top:
            hint = "put a file of its own there, or what `--export DIR` writes for it into the file that it leads to"
            raise SettingsUnreadable(f"{path} is a link that leads out of {home}, to {real}", hint, path)
    return read_bytes(path)


def _folders(path: str, record: Record) -> tuple[str, ...]:
    """Returns the folders above a path that aren't there, or that engram made; the outermost first."""
    made = {folder for entry in record.values() for folder in entry.folders}
    found: list[str] = []
    folder = os.path.dirname(path)
    while folder != os.path.dirname(folder):
        if folder in made or not os.path.isdir(folder):
            found.append(folder)
        folder = os.path.dirname(folder)
    return tuple(reversed(found))


def _text_of(path: str) -> str:
    try:
        return (read_bytes(path) or b"").decode("utf-8", "replace")
    except OSError:
        return ""


@cache
def _call() -> tuple[str, ...]:
    """Returns the words that start engram with this interpreter, and never a folder named engram in a project.

    ``-I`` shuts out the working directory and PYTHONPATH; it shuts out what was installed for one user too, so where
    engram isn't found that way it is ``-P``, which shuts out the working directory alone.
    """
    python = os.path.abspath(sys.executable)
    asked = [python, "-I", "-c", "import engram, sys; sys.stdout.buffer.write(engram.__file__.encode())"]
    said = subprocess.run(asked, capture_output=True, stdin=subprocess.DEVNULL, check=False).stdout
    same = os.path.realpath(said.decode("utf-8", "replace")) == os.path.realpath(str(engram.__file__))
    return (python, "-I" if same else "-P", "-m", "engram")


def _refuse_deaf(call: Sequence[str]) -> None:
    """Raises EngramNotInstalled where an agent's hook, which starts anywhere, wouldn't find engram by these words."""
    if "-P" not in call:
        return  # found without the working directory and the environment already
    env = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    asked = [call[0], "-P", "-c", "import engram.__main__"]
    done = subprocess.run(asked, capture_output=True, stdin=subprocess.DEVNULL, check=False, cwd=os.path.sep, env=env)
    if done.returncode:
        raise EngramNotInstalled(
            f"engram runs from {os.path.dirname(os.path.dirname(str(engram.__file__)))} and isn't installed for"
            f" {call[0]}: an agent couldn't start it"
        )

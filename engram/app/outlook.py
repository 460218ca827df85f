"""What an examination is told of what is around a store: settings, what waits, hooks, logs, the machine. Reads only."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from engram import config, queue
from engram.adapters.files.place import ITEM
from engram.app import adapting, seen
from engram.app.context import Context, read_config, stands
from engram.curate import waiting
from engram.doctor.facts import Around, ConfigFile, Hook, Recall, Wait
from engram.errors import ConfigInvalid
from engram.model.wire import parsed

MOST_RECALLS = 20_000
_LARGEST = 1 << 20
_CLOUDS = {"OneDrive": "OneDrive", "OneDriveConsumer": "OneDrive", "OneDriveCommercial": "OneDrive"}
"""Variables that a service sets to the folder that it keeps in step."""
_OPEN_ENDED = ("ttl_defaults", "review_defaults")
_HOOK_FILES = ("engram.js", "engram.json")
_OTHERS = frozenset({"schema_version", "first_run_done", "backend"})


def configs(context: Context, root: str) -> tuple[ConfigFile, ...]:
    """Returns the settings files that count for a store."""
    paths = dict.fromkeys(os.path.realpath(path) for path in (context.config_path, os.path.join(root, "config.json")))
    return tuple(_config(path) for path in paths if os.path.isfile(path))


def waits(context: Context) -> tuple[tuple[Wait, ...], tuple[tuple[str, str], ...]]:
    """Returns what waits, and the records of it that can't be read."""
    folder = context.folder("queue")
    found = [_session(entry) for entry in queue.entries(folder)]
    damaged = list(queue.damaged(folder))
    plans = {one.id: one for one in waiting.every(context.folder("review"))}
    for path in _json_files(context.folder("review")):
        plan = plans.get(os.path.basename(path).removesuffix(".json"))
        if plan is None:
            damaged.append((path, "not a whole record of a plan"))
            continue
        gone = "" if os.path.isdir(plan.store) else plan.store
        found.append(Wait("review", plan.id, path, _moment(plan.proposed), _text(path), plan.store, gone))
    found += [Wait("rejections", "", path, None, _text(path)) for path in _json_files(context.folder("rejections"))]
    return tuple(found), tuple(damaged)


def recalls(context: Context, root: str) -> tuple[Recall, ...]:
    """Returns what the log of recalls knows of a store, the newest first: the prompts for which it was searched."""
    found = []
    for entry in seen.recalls(context.engram_home, MOST_RECALLS):
        brought, below = (_notes(entry.get(key), root) for key in ("notes", "below"))
        at = _moment(str(entry.get("at", "")))
        if at is not None and (brought or below):
            found.append(Recall(str(entry.get("session", "")), at, frozenset(brought)))
    return tuple(found)


def faults(context: Context) -> tuple[tuple[datetime, str], ...]:
    """Returns what hooks noted as gone wrong, the oldest first."""
    found = []
    path = os.path.join(context.folder("log"), "hook.log")
    for name in (f"{path}.old", path):
        for line in _text(name).splitlines():
            stamp, _, words = line.partition(" ")
            at = _moment(stamp)
            if at is not None and words:
                found.append((at, words))
    return tuple(sorted(found))


def hooks(context: Context) -> tuple[Hook, ...]:
    """Returns what is known of each agent's hooks: what stands in its settings, and when it was last heard of."""
    heard: dict[str, datetime] = {}
    for entry in queue.entries(context.folder("queue")):
        _later(heard, entry.agent, _moment(entry.queued_at))
    for line in seen.recalls(context.engram_home, 200):
        _later(heard, str(line.get("host") or "claude-code"), _moment(str(line.get("at", ""))))
    found = {host: Hook(host, spoke=at) for host, at in heard.items()}
    for host, standing in _others(context).items():
        found[host] = Hook(host, standing, spoke=heard.get(host))
    installed, version = _claude_code(context)
    if installed is not None:
        found["claude-code"] = Hook("claude-code", installed, version, heard.get("claude-code"))
    return tuple(found[host] for host in sorted(found))


def around(context: Context) -> Around:
    """Returns what the machine is like."""
    kernel = _text("/proc/version").lower() if context.platform == "linux" else ""
    wsl = context.platform == "linux" and (bool(context.env.get("WSL_DISTRO_NAME")) or "microsoft" in kernel)
    synced = {context.env[name]: service for name, service in _CLOUDS.items() if context.env.get(name)}
    return Around(context.platform, wsl, tuple(_windows_stores()) if wsl else (), {**synced, **_dropbox(context)})


def _config(path: str) -> ConfigFile:
    try:
        written = read_config(path)
    except ConfigInvalid as error:
        return ConfigFile(path, error.message, newer="newer engram" in error.message)
    except OSError as error:
        return ConfigFile(path, f"{path} can't be read: {error.strerror}")
    return ConfigFile(path, unknown=tuple(_unknown(written)))


def _unknown(written: Mapping[str, Any], prefix: str = "") -> Iterator[str]:
    for key, value in written.items():
        name = f"{prefix}{key}"
        if name in config.KEYS or name in _OPEN_ENDED or name in _OTHERS:
            continue
        if isinstance(value, Mapping) and any(known.startswith(f"{name}.") for known in config.KEYS):
            yield from _unknown(value, f"{name}.")
        else:
            yield name


def _session(entry: queue.Entry) -> Wait:
    gone = entry.transcript if entry.transcript and not os.path.exists(entry.transcript) else ""
    return Wait("queue", entry.id, entry.path, _moment(entry.queued_at), _text(entry.path), gone=gone)


def _json_files(folder: str) -> list[str]:
    try:
        return sorted(os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".json"))
    except OSError:
        return []


def _text(path: str) -> str:
    try:
        with open(path, "rb") as file:
            return file.read(_LARGEST * 16).decode("utf-8", "replace")
    except OSError:
        return ""


def _moment(written: str) -> datetime | None:
    try:
        at = datetime.fromisoformat(written)
    except ValueError:
        return None
    return at if at.tzinfo is not None else at.replace(tzinfo=UTC)


def _notes(value: object, root: str) -> list[str]:
    rows = value if isinstance(value, list) else []
    return [str(row.get("path")) for row in rows if isinstance(row, dict) and row.get("store") == root]


def _later(heard: dict[str, datetime], host: str, at: datetime | None) -> None:
    if at is not None and (host not in heard or heard[host] < at):
        heard[host] = at


def _others(context: Context) -> dict[str, bool]:
    """Returns, for each agent that is installed here but Claude Code, whether its settings name engram's hook."""
    place = adapting.place_of(context)
    found = {}
    for adapter in adapting.installed(context):
        if adapter.NAME in ("claude-code", "portable"):
            continue
        mine = [piece.path for piece in adapter.pieces(place) if piece.kind == ITEM or piece.path.endswith(_HOOK_FILES)]
        named = any("engram" in text and "hook" in text for text in map(place.read, dict.fromkeys(mine)))
        found[adapter.NAME] = named or bool(adapter.elsewhere(place))
    return found


def _claude_code(context: Context) -> tuple[bool | None, str]:
    """Returns whether Claude Code runs engram's hooks and which version; None where it is not here at all.

    A plugin that is switched on counts, and a hook that a settings file names.
    """
    top = context.env.get("CLAUDE_CONFIG_DIR") or os.path.join(context.home, ".claude")
    if not os.path.isdir(top):
        return None, ""
    tops = dict.fromkeys((top, os.path.join(context.cwd, ".claude")))
    files = [_json(os.path.join(each, name)) for each in tops for name in ("settings.json", "settings.local.json")]
    switched = {
        str(name): on
        for file in files
        for name, on in (file.get("enabledPlugins") or {}).items()
        if isinstance(file.get("enabledPlugins"), dict)
    }
    plugin = next((name for name, on in switched.items() if on is True and name.partition("@")[0] == "engram"), "")
    if plugin:
        known = _json(os.path.join(top, "plugins", "installed_plugins.json")).get("plugins")
        entry = known.get(plugin) if isinstance(known, dict) else None
        first = entry[0] if isinstance(entry, list) and entry else entry
        return True, str(first.get("version", "")) if isinstance(first, dict) else ""
    return any("engram hook" in json.dumps(file.get("hooks", "")) for file in files), ""


def _json(path: str) -> dict[str, Any]:
    try:
        with open(path, "rb") as file:
            value = parsed(file.read(_LARGEST))
    except (OSError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}


def _windows_stores(mounted: str = "/mnt/c/Users") -> Iterator[str]:
    """Yields the stores of the people on the Windows side, whose discs are mounted below ``/mnt``."""
    try:
        names = sorted(os.listdir(mounted))
    except OSError:
        return
    for name in names:
        path = os.path.join(mounted, name, ".agent-memory")
        if stands(path):
            yield path


def _dropbox(context: Context) -> dict[str, str]:
    """Returns the folders that Dropbox says it keeps in step."""
    places = [os.path.join(context.home, ".dropbox")]
    places += [
        os.path.join(context.env[name], "Dropbox") for name in ("APPDATA", "LOCALAPPDATA") if context.env.get(name)
    ]
    said = [_json(os.path.join(place, "info.json")) for place in places]
    return {
        str(account["path"]): "Dropbox"
        for each in said
        for account in each.values()
        if isinstance(account, dict) and account.get("path")
    }

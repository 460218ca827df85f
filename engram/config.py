"""Settings: what `config.json` may say, what it means when it says nothing, and who may say what.

The user's file is `$ENGRAM_HOME/config.json`. A store that isn't the user's own may bring a `config.json` too: it can
narrow what the user's says and never loosen it, since whoever wrote that store could have written the file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from engram.errors import ConfigInvalid
from engram.model import wire
from engram.model.when import REVIEW_DEFAULTS, TTL_DEFAULTS, Never, span

SCHEMA_VERSION = 1
EMBEDDERS = ("auto", "use", "e5", "bge", "none")
UNREVIEWED = ("exclude", "mark", "include")
"""From the strictest on: left out, served with a mark, served as any other."""
WEIGHTS: Mapping[str, float] = {"importance": 0.04, "recency": 0.03, "type": 0.02, "use": 0.02, "links": 0.03}


class Settings(NamedTuple):
    """Is what the settings files say together. A dataclass would cost the prompt hook a millisecond more."""

    ttl_defaults: Mapping[str, str] = TTL_DEFAULTS
    review_defaults: Mapping[str, str] = REVIEW_DEFAULTS
    redaction_patterns_extra: tuple[str, ...] = ()
    recall_token_budget: int = 1500
    auto_gate: bool = False
    """``gate.auto``: `--auto-threshold` may approve without a person."""
    auto_threshold: float = 0.9
    """``gate.auto_threshold``: the least confidence that may; a command's own may raise it."""
    guard: bool = False
    """``gate.guard``: an agent's own edits of a store's notes are denied. The user's alone."""
    enclosing: tuple[str, ...] = ()
    """``gate.enclosing``: stores that commit to the repository around them."""
    floor: float | None = None
    """``recall.floor``: relevance below which the prompt hook is silent; None: as calibrated on the store. The user's
    alone: a number in a store's own file could lower what its notes have to reach."""
    embedder: str = "auto"
    """``recall.embedder``: whose vectors recall searches; ``auto`` is the one that engram brings along."""
    unreviewed: str = "exclude"
    """``recall.unreviewed``: what becomes of notes that nobody reviewed where recall brings notes unasked."""
    weights: Mapping[str, float] = WEIGHTS
    """``recall.weights``: what may reorder near ties, and by how much of a note's relevance at most."""


class Key(NamedTuple):
    """Is one setting. ``check`` returns the value as it is kept, or raises ValueError with words."""

    default: object
    words: str
    check: Callable[[Any], Any]
    guarded: bool = False
    """Loosens the gate or the secret scan: set by a person at a terminal alone."""


def parse(text: str, place: str) -> dict[str, Any]:
    """Returns a settings file as it was written, unknown keys included. Raises ConfigInvalid."""
    try:
        written = wire.parsed(text.encode("utf-8", "surrogatepass")) if text.strip() else {}
    except ValueError as error:
        raise ConfigInvalid(f"{place} is no JSON: {error}", "mend or remove the file", place) from None
    if not isinstance(written, dict):
        raise ConfigInvalid(f"{place} holds no JSON object", "mend or remove the file", place)
    for name in KEYS:
        value = get(written, name)
        if value is not None:
            _checked(name, value, place)
    version = written.get("schema_version", SCHEMA_VERSION)
    if not isinstance(version, int):
        raise ConfigInvalid(f"{place}: schema_version must be a whole number", "mend or remove the file", place)
    if version > SCHEMA_VERSION:
        raise ConfigInvalid(
            f"{place} was written by a newer engram (schema_version {written['schema_version']})",
            "update engram",
            place,
        )
    return written


def settings(user: Mapping[str, Any], store: Mapping[str, Any] | None = None) -> Settings:
    """Returns what the user's file and, narrowing it, the store's own say together. Both have been parsed."""
    own: dict[str, Any] = {
        name: key.default if (value := get(user, name)) is None else value for name, key in KEYS.items()
    }
    ttl = {**TTL_DEFAULTS, **own["ttl_defaults"]}
    theirs = store or {}
    for kind, written in (get(theirs, "ttl_defaults") or {}).items():
        if _shorter(written, ttl.get(kind, "never")):
            ttl[kind] = written
    return Settings(
        ttl_defaults=ttl,
        review_defaults={**REVIEW_DEFAULTS, **own["review_defaults"]},
        redaction_patterns_extra=(*own["redaction_patterns_extra"], *_theirs(theirs)),
        recall_token_budget=min(own["recall_token_budget"], get(theirs, "recall_token_budget") or 10**6),
        auto_gate=own["gate.auto"] and get(theirs, "gate.auto") is not False,
        auto_threshold=max(own["gate.auto_threshold"], get(theirs, "gate.auto_threshold") or 0.0),
        guard=own["gate.guard"],
        enclosing=tuple(own["gate.enclosing"]),
        floor=own["recall.floor"],
        embedder=own["recall.embedder"],
        unreviewed=min(
            own["recall.unreviewed"], get(theirs, "recall.unreviewed") or UNREVIEWED[-1], key=UNREVIEWED.index
        ),
        weights={name: own[f"recall.weights.{name}"] for name in WEIGHTS},
    )


def get(written: Mapping[str, Any], name: str) -> Any:
    """Returns what stands under a dotted name; None where nothing does."""
    value: Any = written
    for part in name.split("."):
        value = value.get(part) if isinstance(value, Mapping) else None
    return value


def value_of(written: Mapping[str, Any], name: str) -> Any:
    """Returns what holds for a setting by the user's file: what it says, else the default."""
    value = get(written, name)
    if value is None and name in KEYS:
        value = KEYS[name].default
    defaults = {"ttl_defaults": TTL_DEFAULTS, "review_defaults": REVIEW_DEFAULTS}
    known, _, rest = name.partition(".")
    if known in defaults:
        whole = {**defaults[known], **(get(written, known) or {})}
        return whole.get(rest, "never") if rest else whole
    return value


def text_of(value: object) -> str:
    """Returns a setting's value as a person types it."""
    return value if isinstance(value, str) else wire.quoted(value)


def with_value(written: Mapping[str, Any], name: str, value: object) -> dict[str, Any]:
    """Returns the settings with one value set; all else stays as it was written.

    ``name`` is a key of ``KEYS`` or, for one type of note, ``ttl_defaults.TYPE`` and ``review_defaults.TYPE``.
    Raises ConfigInvalid for an unknown name or a value that it can't have.
    """
    known, _, rest = name.partition(".") if name not in KEYS else (name, "", "")
    if known not in KEYS:
        raise ConfigInvalid(f"there is no setting {name!r}", "`engram config get` lists them", name)
    kept: Any = _checked(known, {rest: value} if rest else value, name)
    if rest:
        kept = {**(get(written, known) or {}), **kept}
    import json  # noqa: PLC0415 - a hook only reads

    changed = json.loads(json.dumps(written))
    *folders, last = known.split(".")
    inner = changed
    for part in folders:
        inner = inner.setdefault(part, {})
    inner[last] = kept
    changed.setdefault("schema_version", SCHEMA_VERSION)
    return dict(changed)


def guarded(name: str) -> bool:
    """Tells whether a setting is for a person at a terminal alone."""
    return name in KEYS and KEYS[name].guarded


def _theirs(store: Mapping[str, Any]) -> list[str]:
    """Returns a store's own patterns. They count as plain words: a stranger's expression could run for ever."""
    patterns = get(store, "redaction_patterns_extra")
    if not patterns:
        return []
    import re  # noqa: PLC0415 - the prompt hook does without it

    return [re.escape(pattern) for pattern in patterns]


def _checked(name: str, value: object, place: str) -> Any:
    try:
        return KEYS[name].check(value)
    except ValueError as error:
        raise ConfigInvalid(f"{name}: {error}", f"`engram config get {name}` shows what holds now", place) from None


def _shorter(one: str, other: str) -> bool:
    length, limit = span(one), span(other)
    return not isinstance(length, Never) and (isinstance(limit, Never) or length < limit)


def _spans(value: Any) -> dict[str, str]:
    if not isinstance(value, Mapping):
        raise ValueError("must be an object of type and span")  # noqa: TRY004 - the caller names the place
    for written in value.values():
        span(str(written))
    return {str(kind): str(written) for kind, written in value.items()}


def _patterns(value: Any) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise ValueError("must be a list of regular expressions")
    import re  # noqa: PLC0415 - most files have no pattern

    for pattern in value:
        try:
            re.compile(pattern)
        except re.error as error:
            raise ValueError(f"{pattern!r} is no regular expression: {error}") from None
    return list(value)


def _texts(value: Any) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise ValueError("must be a list of texts")
    return list(value)


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError("must be true or false")  # noqa: TRY004
    return value


def _count(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= 9500:
        raise ValueError("must be a whole number from 1 to 9500")
    return value


def _floor(value: Any) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 100:
        raise ValueError("must be a number from 0 to 100, or null for the calibrated one")
    return float(value)


def _embedder(value: Any) -> str:
    if value not in EMBEDDERS:
        raise ValueError(f"must be one of {', '.join(EMBEDDERS)}")
    return str(value)


def _unreviewed(value: Any) -> str:
    if value not in UNREVIEWED:
        raise ValueError(f"must be one of {', '.join(UNREVIEWED)}")
    return str(value)


def _share(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise ValueError("must be a number from 0 to 1")
    return float(value)


KEYS: Mapping[str, Key] = {
    "recall_token_budget": Key(1500, "tokens that one recall may bring", _count),
    "recall.floor": Key(None, "relevance below which the hook is silent; null: calibrated on the store", _floor),
    "recall.embedder": Key(
        "auto", "what turns texts into vectors: auto, use, e5, bge, or none (words alone)", _embedder
    ),
    "recall.unreviewed": Key(
        "exclude", "notes that nobody reviewed, in the hook: exclude, mark or include", _unreviewed
    ),
    **{
        f"recall.weights.{name}": Key(weight, f"how much {name} may reorder near ties", _share)
        for name, weight in WEIGHTS.items()
    },
    "ttl_defaults": Key({}, "life span of a new note by type: N[dwmy] or never", _spans),
    "review_defaults": Key({}, "when a new note is to be looked at again, by type: N[dwmy] or never", _spans),
    "redaction_patterns_extra": Key([], "regular expressions of what is secret besides the rules", _patterns, True),
    "gate.auto": Key(False, "`curate apply --auto-threshold` may commit without a person", _flag, True),
    "gate.auto_threshold": Key(0.9, "the least confidence for that; the command can raise it", _share, True),
    "gate.guard": Key(False, "an agent's own edits of notes are denied; it proposes instead", _flag, True),
    "gate.enclosing": Key([], "stores that commit to the repository around them", _texts, True),
}

"""What is wrong with a changeset, said for whoever wrote it: never the value itself, which may be huge or secret."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from engram.curate.parse import Problem, Unusable, quotable
from engram.model.note import RELATION_KINDS

NEEDS = {
    "ADD": "ADD needs note",
    "UPDATE": "UPDATE needs target, base and one of set, body, edits",
    "INVALIDATE": "INVALIDATE needs target and base",
}
NOT_SETTABLE = frozenset(
    ("name", "protected", "hash", "invalidated_by", "created", "updated", "archived", "times_applied", "last_applied")
)
"""Fields that engram stamps, or that a person's own command sets; ``set`` and a new note may not name them."""

_KINDS = {
    "string": "text", "integer": "a whole number", "number": "a number", "array": "a list", "object": "an object",
    "null": "null", "boolean": "true or false",
}  # fmt: skip
_PATTERNS = {
    "base": "must be 16 hex digits, as `engram show NAME --json` gives them",
    "type": "must be lowercase letters and underscores, and begin with a letter",
    "expires": "must be a day as YYYY-MM-DD, or never",
    "review_after": "must be a day as YYYY-MM-DD, or null",
    "relations": f"must be `KIND NAME`, with a KIND of {', '.join(RELATION_KINDS)}",
}

_RULES = {
    "const": "must be {allowed}",
    "not": "must be one line, without control characters",
    "minLength": "must not be empty",
    "minItems": "must not be empty",
    "minProperties": "must not be empty",
    "maxLength": "has {many} characters, and at most {allowed:,} are taken",
    "maxItems": "has {many} items, and at most {allowed:,} are taken",
    "uniqueItems": "names something twice",
    "minimum": "must be at least {allowed}",
    "maximum": "must be at most {allowed}",
}


def worded(error: Any) -> Iterator[Problem]:
    """Yields a schema's complaint (a ``jsonschema.ValidationError``) as places and words of ours."""
    path = tuple(error.absolute_path)
    rule, allowed, value = error.validator, error.validator_value, error.instance
    if isinstance(value, Unusable) or (rule == "not" and allowed and not isinstance(value, (str, dict))):
        return  # said already, by what is unusable about it or by its type
    if "allOf" in error.absolute_schema_path:
        yield path, _by_op(error)
    elif rule == "additionalProperties":
        known = error.schema["properties"]
        yield from (((*path, key), _unknown(key, known)) for key in value if key not in known)
    elif rule == "required":
        missing = [key for key in allowed if key not in value]
        yield path, f"{', '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing"
    elif rule != "pattern" or path[-1] != "name":  # the name's own rule says more than its pattern
        yield path, _simple(rule, allowed, value, path)


def _by_op(error: Any) -> str:
    """Returns what one of the four operations asks for and doesn't get, or gets and doesn't take."""
    if error.validator == "not" and not error.validator_value:
        return "does not go with this op"
    op = str(error.instance["op"])
    if error.validator == "not":
        return "UPDATE takes body or edits, not both"
    missing = [key for key in ("target", "base") if key in NEEDS[op] and key not in error.instance]
    return NEEDS[op] + (f" (missing: {', '.join(missing)})" if missing else "")


def _unknown(key: str, known: Mapping[str, Any]) -> str:
    if key in NOT_SETTABLE:
        return "a changeset can't set this field"
    alike = [name for name in known if name.startswith(key[:3]) and key[:3]] if len(key) < 40 else []
    hint = f"; did you mean {alike[0]}?" if len(alike) == 1 else f"; known here: {', '.join(known)}"
    return f"no such field{hint}"


def _simple(rule: str, allowed: Any, value: Any, path: Sequence[str | int]) -> str:
    """Returns the words for a rule about one value, whatever operation it belongs to."""
    if rule == "type":
        return f"must be {_kinds(allowed)}, and is {_kind_of(value)}"
    if rule == "enum":
        given = f", and is {quotable(value)}" if isinstance(value, str) else ""
        return f"must be one of {', '.join(allowed)}{given}"
    if rule == "pattern":
        named = next((step for step in reversed(path) if isinstance(step, str)), "")
        return _PATTERNS.get(named, "is not of the form that is asked for")
    many = f"{len(value):,}" if isinstance(value, (str, list)) else ""
    return _RULES.get(rule, "breaks the schema's rule {rule}").format(rule=rule, allowed=allowed, many=many)


def _kinds(allowed: str | Sequence[str]) -> str:
    names = [allowed] if isinstance(allowed, str) else allowed
    return " or ".join(_KINDS[name] for name in names)


def _kind_of(value: Any) -> str:
    if value is None:
        return "null"
    for kind, name in ((bool, "boolean"), (str, "string"), ((int, float), "number"), (list, "array"), (dict, "object")):
        if isinstance(value, kind):
            return _KINDS[name]
    return "something else"

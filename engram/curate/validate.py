"""A changeset from its text: every problem at once, each with its JSON path, or a value that can be planned."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import chain, islice
from typing import Any

from engram.curate.build import built
from engram.curate.parse import Problem, Step, Unreadable, crowded, json_path, parsed, unusable
from engram.curate.rules import broken_rules
from engram.curate.words import worded
from engram.errors import ChangesetInvalid
from engram.model.change import ChangeSet

MOST_PROBLEMS = 1000
"""More than that say nothing new, and would fill a terminal for minutes."""


def validate(text: str | bytes, schema: Mapping[str, Any]) -> ChangeSet:
    """Returns the changeset that a JSON text holds; ``schema`` is the shipped one (``resources.schema()``).

    Raises ChangesetInvalid with every problem that can be told without a store.
    """
    try:
        value = parsed(text)
    except Unreadable as why:
        raise ChangesetInvalid([("$", str(why))]) from None
    problems = list(islice(crowded(value), MOST_PROBLEMS))  # said before the schema looks at every item
    if not problems:
        found = chain(unusable(value), _schema_problems(value, schema), broken_rules(value))
        problems = list(islice(found, MOST_PROBLEMS))
    if problems:
        raise ChangesetInvalid(_in_order(problems))
    return built(value)


def _schema_problems(value: Any, schema: Mapping[str, Any]) -> Iterator[Problem]:
    from jsonschema.exceptions import ValidationError  # noqa: PLC0415 - 70 ms that only a changeset should pay
    from jsonschema.validators import Draft202012Validator, extend  # noqa: PLC0415

    def pattern(_validator: Any, wanted: str, instance: Any, _schema: Any) -> Iterator[ValidationError]:
        if isinstance(instance, str) and not _pattern(wanted).search(instance):
            yield ValidationError("pattern")

    kind = extend(Draft202012Validator, {"pattern": pattern})  # type: ignore[no-untyped-call]
    checker = kind(schema)
    for error in checker.iter_errors(value):
        yield from worded(error)


@lru_cache(maxsize=64)
def _pattern(wanted: str) -> re.Pattern[str]:
    """Returns a schema's pattern as the standard means it: ``$`` is the end, not the place before a last line end."""
    return re.compile(re.sub(r"(?<!\\)\$\Z", r"\\Z", wanted))


def _in_order(problems: Iterable[Problem]) -> list[tuple[str, str]]:
    """Returns problems by their place in the changeset, once each."""
    return [(json_path(path), words) for path, words in sorted(dict.fromkeys(problems), key=_place)]


def _place(problem: Problem) -> tuple[tuple[tuple[int, int, str], ...], str]:
    path, words = problem
    return tuple(_rank(step) for step in path), words


def _rank(step: Step) -> tuple[int, int, str]:
    return (0, step, "") if isinstance(step, int) else (1, 0, step)

"""One map of the house, in three places that say the same; and a house that is as large as it says."""

from __future__ import annotations

import ast
import re
from statistics import median

from tests.house.tree import PACKAGE, ROOT, contract, modules, parsed, tracked_text

MEDIAN_LINES = 120
MOST_LINES = 400


def rooms_of_the_docstring() -> list[str]:
    return re.findall(r"^- ``(\w+)``: ", ast.get_docstring(parsed(PACKAGE / "__init__.py")) or "", re.MULTILINE)


def rooms_of_the_document() -> list[str]:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    return re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE)


def rooms_of_the_contract() -> list[str]:
    return [room for layer in contract("flow")["layers"] for room in layer.split(" | ")]


def rooms_of_the_package() -> set[str]:
    return {name.split(".")[1] for name in modules() if "." in name}


def test_the_three_maps_name_the_same_rooms_in_the_same_order() -> None:
    assert rooms_of_the_docstring() == rooms_of_the_contract()
    assert rooms_of_the_document() == rooms_of_the_contract()


def test_the_map_names_the_rooms_that_are_there_and_no_other() -> None:
    assert set(rooms_of_the_contract()) == rooms_of_the_package()


def test_modules_are_short() -> None:
    lines = {name: path.read_text(encoding="utf-8").count("\n") for name, path in modules().items()}
    lines = {name: count for name, count in lines.items() if count > 2}
    assert median(lines.values()) <= MEDIAN_LINES
    assert {name: count for name, count in lines.items() if count > MOST_LINES} == {}


def test_every_module_says_what_it_is() -> None:
    assert [name for name, path in modules().items() if not ast.get_docstring(parsed(path))] == []


def test_names_say_what_a_thing_is() -> None:
    vague = re.compile(r"(?i)manager|helper|utils?$|service|^handle_?")
    found = [
        f"{name}: {node.name}"
        for name, path in modules().items()
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and vague.search(node.name)
    ]
    assert found + [name for name in modules() if vague.search(name.rsplit(".", 1)[-1])] == []


def test_no_function_is_written_twice() -> None:
    seen: dict[str, str] = {}
    twins = []
    for name, path in modules().items():
        for node in ast.walk(parsed(path)):
            if not isinstance(node, ast.FunctionDef):
                continue
            shape = _shape(node)
            if shape.count("(") < 25:
                continue
            place = f"{name}.{node.name}"
            if seen.setdefault(shape, place) != place:
                twins.append((seen[shape], place))
    assert twins == []


def _shape(function: ast.FunctionDef) -> str:
    """Returns a function's body with its own names for things numbered, without its docstring."""
    body = function.body[1:] if ast.get_docstring(function) else function.body
    inside = [node for statement in body for node in ast.walk(statement)]
    named = [argument.arg for argument in ast.walk(function.args) if isinstance(argument, ast.arg)]
    named += [node.id for node in inside if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
    numbers = {name: f"v{number}" for number, name in enumerate(dict.fromkeys(named))}
    text = "\n".join(ast.dump(statement) for statement in body)
    return re.sub(r"(?<=id=')\w+(?=')", lambda match: numbers.get(match[0], match[0]), text)


def test_paths_are_the_projects_own() -> None:
    """A file says nothing about the machine it was written on, and names no folder beside the checkout."""
    beside = "/".join(("..", "shared"))
    absolute = re.compile(r"(?<![\w.])/" + "work/")
    allowed = {"Makefile", ".ci/run"}
    texts = dict(tracked_text())
    assert {path for path, text in texts.items() if beside in text} <= allowed
    assert {path for path, text in texts.items() if absolute.search(text)} == set()

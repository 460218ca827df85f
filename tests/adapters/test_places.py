"""What each adapter puts where, on a machine that this isn't."""

from __future__ import annotations

import pytest

from engram.adapters.files.ours import is_ours, is_ours_whole
from engram.adapters.files.place import ITEM, Place
from engram.app.adapting import every_adapter

PYTHON = "C:\\Users\\Ann Müller\\R&D\\python.exe"
CALLED = f"& '{PYTHON}' -I -m engram hook --host"


def windows(**env: str) -> Place:
    return Place(
        home="C:\\Users\\Ann Müller",
        env=env,
        platform="win32",
        call=(PYTHON, "-I", "-m", "engram"),
        exists=lambda path: False,
        which=lambda name: False,
        read=lambda path: "",
        shipped=lambda name: {"engram-recall/SKILL.md": b"x"} if name == "skills" else {},
    )


HOOKS = {
    "claude-code": (
        "C:\\Users\\Ann Müller\\.claude\\settings.json",
        {"type": "command", "command": f"{CALLED} claude-code", "shell": "powershell", "timeout": 10},
    ),
    "codex": (
        "C:\\Users\\Ann Müller\\.codex\\hooks.json",
        {
            "type": "command",
            "command": f"'{PYTHON}' -I -m engram hook --host codex",
            "commandWindows": f"{CALLED} codex",
            "timeout": 10,
        },
    ),
    "gemini": (
        "C:\\Users\\Ann Müller\\.gemini\\settings.json",
        {"type": "command", "name": "engram", "command": f"{CALLED} gemini", "timeout": 10_000},
    ),
    "copilot": (
        "C:\\Users\\Ann Müller\\.copilot\\hooks\\engram.json",
        {
            "type": "command",
            "bash": f"'{PYTHON}' -I -m engram hook --host copilot",
            "powershell": f"{CALLED} copilot",
            "timeoutSec": 10,
        },
    ),
    "cursor": (
        "C:\\Users\\Ann Müller\\.cursor\\hooks.json",
        {
            "command": f'powershell.exe -NoProfile -NonInteractive -Command "{CALLED} cursor"',
            "timeout": 10,
        },
    ),
}


@pytest.mark.parametrize("target", HOOKS)
def test_hooks_on_windows(target: str) -> None:
    adapter = next(each for each in every_adapter() if target == each.NAME)
    first = next(piece for piece in adapter.pieces(windows()) if piece.kind == ITEM)
    assert isinstance(first.value, dict)
    assert (first.path, first.value.get("hooks", [first.value])[0]) == HOOKS[target]
    assert all(is_ours_whole(piece.value) for piece in adapter.pieces(windows()) if piece.kind == ITEM)


def test_skills_on_windows_stand_below_folders() -> None:
    for adapter in every_adapter():
        paths = [piece.path for piece in adapter.pieces(windows())]
        assert all("/" not in path for path in paths)
        if adapter.NAME != "portable":
            assert any(path.endswith("\\skills\\engram-recall\\SKILL.md") for path in paths)


def test_nothing_is_found_where_nothing_is() -> None:
    assert [adapter.NAME for adapter in every_adapter() if adapter.found(windows())] == []


@pytest.mark.parametrize(
    ("value", "ours"),
    [
        ({"command": "/usr/bin/python3 -I -m engram hook --host codex"}, True),
        ({"command": "'/my py/python' -P -m engram hook --host claude-code"}, True),
        ({"bash": "x", "powershell": "& 'C:\\p y' -I -m engram hook --host copilot"}, True),
        ({"command": "powershell.exe -Command \"& 'x' -I -m engram hook --host cursor\""}, True),
        ({"command": "/usr/bin/python3", "args": ["-I", "-m", "engram", "mcp"]}, True),
        ({"command": ["/usr/bin/python3", "-I", "-m", "engram", "mcp"]}, True),
        ({"command": "engram hook"}, False),
        ({"command": "engram", "args": ["mcp"]}, False),
        ({"command": "python -m engramatic hook --host codex"}, False),
        ({"command": "python -m engram hook --host codex; rm x"}, False),
        ({"command": "notify -m engram hook"}, False),
        ({"url": "http://127.0.0.1"}, False),
        ({"command": 1, "args": "x"}, False),
        ("x", False),
        (None, False),
    ],
)
def test_ours_is_what_starts_this(value: object, ours: bool) -> None:
    assert is_ours(value) == ours

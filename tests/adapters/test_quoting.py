"""Command lines for each shell, from paths that people really have."""

from __future__ import annotations

import subprocess
import sys

import pytest

from engram.adapters.files.quoting import any_windows, cmd, powershell, sh

WORDS = ("-I", "-m", "engram", "hook", "--host", "codex")
TAIL = " ".join(WORDS)
PYTHONS = (
    "/usr/bin/python3",
    "/home/ann/my projects/.venv/bin/python",
    "/home/ann/R&D/bin/python",
    "/home/ann/it's/bin/python",
    '/home/ann/the "new" one/bin/python',
    "/home/ann/$HOME/`id`/bin/python",
    "/home/日本語/é/bin/python",
    "/home/ann/a;b|c>d<e(f)/bin/python",
    "/home/ann/back\\slash/bin/python",
    "/home/ann/*?[x]{y}!#~/bin/python",
    "/home/ann/tab\tand\nline/bin/python",
)


@pytest.mark.skipif(sys.platform == "win32", reason="there is no sh")
@pytest.mark.parametrize("python", PYTHONS)
def test_sh_takes_the_words_apart_as_they_were_meant(python: str) -> None:
    line = sh((python, *WORDS))
    said = subprocess.run(
        ["sh", "-c", f'show() {{ for word; do printf "%s\\0" "$word"; done; }}; show {line}'],
        capture_output=True, check=True, encoding="utf-8",
    )  # fmt: skip
    assert said.stdout.split("\0")[:-1] == [python, *WORDS]


@pytest.mark.skipif(sys.platform == "win32", reason="there is no sh")
@pytest.mark.parametrize("python", PYTHONS)
def test_sh_finds_the_program(python: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    program = tmp_path_factory.mktemp("root") / python.lstrip("/")
    program.parent.mkdir(parents=True)
    program.write_text('#!/bin/sh\nprintf "%s," "$@"\n')
    program.chmod(0o755)
    said = subprocess.run(["sh", "-c", sh((str(program), *WORDS))], capture_output=True, check=True, text=True)
    assert said.stdout == "-I,-m,engram,hook,--host,codex,"


@pytest.mark.parametrize(
    ("python", "line"),
    [
        (r"C:\Python311\python.exe", rf"C:\Python311\python.exe {TAIL}"),
        (r"C:\Users\ANN~1\python.exe", rf"C:\Users\ANN~1\python.exe {TAIL}"),
        (r"C:\Program Files\py\python.exe", rf"& 'C:\Program Files\py\python.exe' {TAIL}"),
        (r"C:\R&D\python.exe", rf"& 'C:\R&D\python.exe' {TAIL}"),
        (r"C:\it's\python.exe", rf"& 'C:\it''s\python.exe' {TAIL}"),
        ("C:\\it\u2019s\\python.exe", f"& 'C:\\it\u2019\u2019s\\python.exe' {TAIL}"),
        (r"C:\$env\`x\python.exe", rf"& 'C:\$env\`x\python.exe' {TAIL}"),
        (r"C:\Users\Jürgen\python.exe", rf"& 'C:\Users\Jürgen\python.exe' {TAIL}"),
        (r"C:\日本\100%\python.exe", rf"& 'C:\日本\100%\python.exe' {TAIL}"),
        (r"C:\a(b)[c]{d};@,\python.exe", rf"& 'C:\a(b)[c]{{d}};@,\python.exe' {TAIL}"),
    ],
)
def test_powershell(python: str, line: str) -> None:
    assert powershell((python, *WORDS)) == line


@pytest.mark.parametrize(
    ("python", "line"),
    [
        (r"C:\Python311\python.exe", rf"C:\Python311\python.exe {TAIL}"),
        (r"C:\Program Files\py\python.exe", rf'"C:\Program Files\py\python.exe" {TAIL}'),
        (r"C:\R&D\python.exe", rf'"C:\R&D\python.exe" {TAIL}'),
        (r"C:\it's $x\python.exe", r'"C:\it' + rf"""'s $x\python.exe" {TAIL}"""),
        (r"C:\Users\Jürgen\python.exe", rf'"C:\Users\Jürgen\python.exe" {TAIL}'),
        (r"C:\a^b(c)\python.exe", rf'"C:\a^b(c)\python.exe" {TAIL}'),
    ],
)
def test_cmd(python: str, line: str) -> None:
    assert cmd((python, *WORDS)) == line


@pytest.mark.parametrize(
    ("python", "line"),
    [
        (r"C:\Python311\python.exe", rf"C:\Python311\python.exe {TAIL}"),
        (
            r"C:\Program Files\R&D\Jürgen's\python.exe",
            "powershell.exe -NoProfile -NonInteractive -Command "
            + rf""""& 'C:\Program Files\R&D\Jürgen''s\python.exe' {TAIL}" """.strip(),
        ),
    ],
)
def test_where_the_shell_is_unknown_one_line_serves_both(python: str, line: str) -> None:
    assert any_windows((python, *WORDS)) == line

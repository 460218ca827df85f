"""What `engram adapt` puts into settings, `--remove` takes out: byte for byte, and around what was edited meanwhile."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from engram.adapters.files.jsonc import parsed
from engram.app import adapting
from tests.adapters import configs
from tests.lib.cli import Ran, run

GROUP = configs.group("notify-send done")
FLAT = {"command": "notify-send done"}
BASH = {"type": "command", "bash": "say done", "powershell": "say done"}
FILES: dict[str, dict[str, tuple[str, ...]]] = {
    "claude-code": {".claude/settings.json": ("Stop", "mcpServers", "group")},
    "codex": {".codex/hooks.json": ("Stop", "mcpServers", "group"), ".codex/config.toml": ()},
    "gemini": {".gemini/settings.json": ("AfterAgent", "mcpServers", "group")},
    "copilot": {
        ".copilot/mcp-config.json": ("Stop", "mcpServers", "bash"),
        ".copilot/hooks/engram.json": ("Stop", "mcpServers", "bash"),
    },
    "opencode": {
        ".config/opencode/opencode.json": ("Stop", "mcp", "flat"),
        ".config/opencode/opencode.jsonc": ("Stop", "mcp", "flat"),
    },
    "cursor": {
        ".cursor/hooks.json": ("stop", "mcpServers", "flat"),
        ".cursor/mcp.json": ("stop", "mcpServers", "flat"),
    },
}
ITEMS = {"group": GROUP, "bash": BASH, "flat": FLAT}


@pytest.fixture(autouse=True)
def slender(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ships one short skill: what is asked here hundreds of times is what becomes of the settings."""
    whole = adapting.shipped
    small = {"skills": {"engram-x/SKILL.md": b"short\n"}, "agents": {}}
    monkeypatch.setattr(adapting, "shipped", lambda name: small[name] if name in small else whole(name))


def texts_for(name: str) -> dict[str, str]:
    if name.endswith(".toml"):
        return configs.TOML_TEXTS
    event, servers, item = next(files[name] for files in FILES.values() if name in files)
    return configs.json_texts(event, servers, ITEMS[item])


def broken_for(name: str) -> dict[str, str]:
    if name.endswith(".toml"):
        return configs.BROKEN_TOML
    unhooked = ("mcp-config.json", "mcp.json", "opencode.json", "opencode.jsonc")
    return {
        odd: text
        for odd, text in configs.BROKEN_JSON.items()
        if odd != "hooks is a list" or not name.endswith(unhooked)
    }


CASES = [
    pytest.param(target, name, text, id=f"{target}-{os.path.basename(name)}-{odd}")
    for target, files in FILES.items()
    for name in files
    for odd, text in texts_for(name).items()
]
BROKEN = [
    pytest.param(target, name, text, id=f"{target}-{os.path.basename(name)}-{odd}")
    for target, files in FILES.items()
    for name in files
    for odd, text in broken_for(name).items()
]


def adapt(target: str, *more: str, answer: str = "y") -> Ran:
    return run("adapt", "--target", target, *more, answers=[answer])


def put(home: Path, name: str, text: str) -> Path:
    path = home / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode("utf-8"))
    return path


def tree(home: Path) -> dict[str, bytes]:
    """Returns every file of a home folder but engram's own state, folders with a closing slash."""
    return {
        path.relative_to(home).as_posix() + ("/" if path.is_dir() else ""): b"" if path.is_dir() else path.read_bytes()
        for path in sorted(home.rglob("*"))
        if ".agent-memory" not in path.parts
    }


def test_there_are_twelve_of_each() -> None:
    assert min(len(texts_for(name)) for files in FILES.values() for name in files) >= 12
    assert len(configs.MARKDOWN_TEXTS) >= 12


@pytest.mark.parametrize(("target", "name", "text"), CASES)
def test_taking_out_gives_back_every_byte(sealed: Path, target: str, name: str, text: str) -> None:
    path = put(sealed, name, text)
    before = tree(sealed)
    ran = adapt(target)
    assert ran.exit == 0, ran.err
    check_everything_else(path, text)
    adapted = tree(sealed)
    assert "nothing to change" in adapt(target, answer="n").out
    assert tree(sealed) == adapted
    assert adapt(target, "--remove").exit == 0
    assert tree(sealed) == before
    assert list((sealed / ".agent-memory" / ".engram" / "adapted").glob("*.json")) == []


def check_everything_else(path: Path, text: str) -> None:
    """Asserts that a file holds engram's pieces besides what it held before, every character of it in its order."""
    after = path.read_bytes().decode("utf-8-sig")
    if path.suffix == ".toml":
        found = tomllib.loads(after)
        ours = found["mcp_servers"].pop("engram")
        found = {key: value for key, value in found.items() if value != {}}
        assert found == tomllib.loads(text.removeprefix("\ufeff"))
        assert (ours["args"], "ENGRAM_HOME" in ours["env_vars"]) == (["-I", "-m", "engram", "mcp"], True)
    else:
        assert flat(without_ours(parsed(after).value)) == flat(
            parsed(text.removeprefix("\ufeff")).value if text.strip() else {}
        )
    # the text itself is all there, in its order: only insertions
    rest = iter(after)
    assert all(char in rest for char in text.removeprefix("\ufeff").strip())


def without_ours(value: object) -> object:
    if isinstance(value, dict):
        return {key: without_ours(each) for key, each in value.items() if "-m engram" not in called(each)}
    return (
        [without_ours(each) for each in value if "-m engram" not in called(each)] if isinstance(value, list) else value
    )


def called(value: object) -> str:
    """Returns the command of a hook, a group with one hook, or a server."""
    if not isinstance(value, dict):
        return ""
    if isinstance(value.get("hooks"), list):
        return "".join(called(each) for each in value["hooks"])
    words = [value.get("command"), value.get("bash"), value.get("args")]
    return " ".join(word if isinstance(word, str) else " ".join(word) for word in words if word)


def flat(value: object) -> object:
    """Returns a value without what is empty, and without the version that flat files begin with."""
    if not isinstance(value, dict):
        return value
    pruned = {key: flat(each) for key, each in value.items() if key != "version"}
    return {key: each for key, each in pruned.items() if each not in ({}, [])}


EDITS: tuple[Callable[[str], str], ...] = (
    lambda text: text.replace('"dark"', '"light and bright"').replace("gpt-5.5", "gpt-5.6"),
    lambda text: text.replace("{", '{"added": {"x": [1]},', 1) if '"dark"' in text else text,
    lambda text: "\n" + text,
    lambda text: text + "  \n" if text.endswith("\n") else text,
)


@pytest.mark.parametrize(("target", "name", "text"), CASES)
def test_what_was_edited_meanwhile_stays(sealed: Path, target: str, name: str, text: str) -> None:
    edits = [edit for edit in EDITS if edit(text) != text] if text.strip() and not text.startswith("\ufeff") else []
    path = put(sealed, name, text)
    adapt(target)
    adapted, wanted = path.read_bytes().decode(), text
    for edit in edits:
        adapted, wanted = edit(adapted), edit(wanted)
    path.write_bytes(adapted.encode())
    assert "nothing to change" in adapt(target, answer="n").out
    assert path.read_bytes().decode() == adapted
    assert adapt(target, "--remove").exit == 0
    assert path.read_bytes().decode() == wanted


@pytest.mark.parametrize(("target", "name", "text"), BROKEN)
def test_what_cannot_be_read_is_refused_and_nothing_is_touched(sealed: Path, target: str, name: str, text: str) -> None:
    put(sealed, name, text)
    before = tree(sealed)
    ran = adapt(target)
    assert ran.exit == 1, ran.out
    assert "settings-" in ran.err
    assert str(sealed / name) in ran.err
    assert "->" in ran.err
    assert tree(sealed) == before


@pytest.mark.parametrize(("target", "name"), [(target, name) for target, files in FILES.items() for name in files])
def test_what_is_no_utf_8_is_refused(sealed: Path, target: str, name: str) -> None:
    path = put(sealed, name, "")
    path.write_bytes('{"theme": "dark"}'.encode("utf-16"))
    before = tree(sealed)
    ran = adapt(target)
    assert (ran.exit, "settings-unreadable" in ran.err) == (1, True)
    assert tree(sealed) == before


@pytest.mark.parametrize("odd", configs.MARKDOWN_TEXTS)
def test_the_block_comes_and_goes(sealed: Path, odd: str) -> None:
    path = put(sealed, "work/AGENTS.md", configs.MARKDOWN_TEXTS[odd])
    before = tree(sealed)
    assert adapt("portable", "--export", str(path)).exit == 0
    assert path.read_text(encoding="utf-8").count("<!-- engram:begin -->") == 1
    assert "nothing to change" in adapt("portable", "--export", str(path), answer="n").out
    path.write_bytes(path.read_bytes() + b"later\n")
    assert adapt("portable", "--export", str(path), "--remove").exit == 0
    left = path.read_bytes()
    assert left.endswith(b"later\n")
    assert left.removesuffix(b"later\n").rstrip(b"\r\n") == before["work/AGENTS.md"].rstrip(b"\r\n")
    path.write_bytes(before["work/AGENTS.md"])
    adapt("portable", "--export", str(path.parent))
    assert adapt("portable", "--export", str(path.parent), "--remove").exit == 0
    assert tree(sealed) == before


@pytest.mark.parametrize("odd", configs.BROKEN_MARKDOWN)
def test_marks_that_are_no_pair_are_refused(sealed: Path, odd: str) -> None:
    path = put(sealed, "AGENTS.md", configs.BROKEN_MARKDOWN[odd])
    before = tree(sealed)
    ran = adapt("portable", "--export", str(path))
    assert (ran.exit, "settings-unreadable" in ran.err) == (1, True)
    assert tree(sealed) == before


@pytest.mark.parametrize("target", FILES)
def test_where_nothing_was_nothing_is_left(sealed: Path, target: str) -> None:
    before = tree(sealed)
    assert adapt(target).exit == 0
    assert len(tree(sealed)) > len(before) + 3
    assert adapt(target, "--remove").exit == 0
    assert tree(sealed) == before


def test_the_table_is_found_where_codex_moved_it(sealed: Path) -> None:
    path = put(sealed, ".codex/config.toml", "# mine\nmodel = 'x'\n")
    adapt("codex")
    table = path.read_text()[len("# mine\nmodel = 'x'\n\n") :]
    other = "[mcp_servers.other]\ncommand = 'z'\n\n[mcp_servers.other.env]\nA = '1'\n"
    for text, left in (
        (f"# mine\nmodel = 'y'\n\n{table}\n{other}", f"# mine\nmodel = 'y'\n\n{other}"),
        (f"{table}\n{other}# end\n", f"\n{other}# end\n"),
        (f"{other}\n{table.replace('[', '[ ', 1)}enabled = true\n", f"{other}\n"),
    ):
        path.write_text(text)
        assert adapt("codex", "--remove").exit == 0
        assert path.read_text() == left
        adapt("codex")


def test_a_handler_of_ours_leaves_a_group_that_somebody_filled_up(sealed: Path) -> None:
    path = put(sealed, ".claude/settings.json", "{}")
    adapt("claude-code")
    settings = json.loads(path.read_text())
    settings["hooks"]["Stop"][0]["hooks"].append({"type": "command", "command": "mine"})
    path.write_text(json.dumps(settings))
    adapt("claude-code", "--remove")
    assert json.loads(path.read_text()) == {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "mine"}]}]}}

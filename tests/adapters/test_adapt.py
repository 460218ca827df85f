"""`engram adapt` as people meet it: what it shows, whom it asks, what it refuses, and what a crash leaves."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import click
import lark
import pytest
import tomlkit

from engram.adapters import adapters
from engram.app import adapting, replacing
from engram.cli.adapt import PORTABLE
from engram.errors import SettingsChanged
from tests.adapters.test_round_trip import FILES, put, tree
from tests.lib.cli import Ran, command_line, context, environment, run
from tests.lib.stores import make_store

TARGETS = [each.NAME for each in adapters() if each.NAME != PORTABLE]


def adapt(*words: str, answers: list[str] | None = None, **env: str) -> Ran:
    return run("adapt", *words, answers=answers, at=context(**env))


def test_every_target_of_the_documents_is_there() -> None:
    assert TARGETS == ["claude-code", "codex", "copilot", "cursor", "gemini", "opencode"]


@pytest.mark.parametrize("target", TARGETS)
def test_the_diff_shows_every_file_and_no_other(sealed: Path, target: str) -> None:
    before = tree(sealed)
    shown = adapt("--target", target, "--dry-run").out
    assert tree(sealed) == before
    assert adapt("--target", target, answers=["y"]).exit == 0
    made = {name for name in tree(sealed) if not name.endswith("/")} - set(before)
    assert {str(sealed / name) for name in made} == set(re.findall(r"^\+\+\+ (.*)$", shown, re.MULTILINE))


@pytest.mark.parametrize("target", TARGETS)
def test_every_hook_and_server_starts_this_engram(sealed: Path, target: str) -> None:
    adapt("--target", target, answers=["y"])
    everything = b"\n".join(tree(sealed).values()).decode()
    if target == "opencode":
        assert f'const COMMAND = ["{sys.executable}", "-I", "-m", "engram"]' in everything
    else:
        called = {
            json.loads(f'"{each}"') for each in re.findall(r'"(?:command|bash)": "([^"]* hook [^"]*)"', everything)
        }
        assert called == {f"{sys.executable} -I -m engram hook --host {target}"}
    assert "mcp" in everything


def test_a_hook_runs_from_a_project_with_an_engram_of_its_own(sealed: Path, tmp_path: Path) -> None:
    adapt("--target", "codex", answers=["y"])
    hooks = json.loads((sealed / ".codex/hooks.json").read_text())["hooks"]
    (tmp_path / "engram").mkdir()
    (tmp_path / "engram" / "__init__.py").write_text("raise SystemExit('shadowed')")
    (tmp_path / "engram.py").write_text("raise SystemExit('shadowed')")
    ran = subprocess.run(
        ["sh", "-c", hooks["UserPromptSubmit"][0]["hooks"][0]["command"]],
        cwd=tmp_path, input=b"{}", capture_output=True, env=environment(PYTHONPATH=str(tmp_path)), check=False,
    )  # fmt: skip
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, b"", b"")


def test_all_events_are_served(sealed: Path) -> None:
    for target in TARGETS:
        adapt("--target", target, answers=["y"])
    events = {
        name: sorted(json.loads((sealed / name).read_text())["hooks"])
        for name in (
            ".claude/settings.json", ".codex/hooks.json", ".gemini/settings.json", ".copilot/hooks/engram.json",
            ".cursor/hooks.json",
        )
    }  # fmt: skip
    common = ["PreCompact", "PreToolUse", "SessionEnd", "SessionStart", "Stop", "UserPromptSubmit"]
    assert events == {
        ".claude/settings.json": sorted([*common, "PreSkillShellCommand"]),
        ".codex/hooks.json": common,
        ".gemini/settings.json": ["AfterAgent", "BeforeAgent", "BeforeTool", "SessionEnd", "SessionStart"],
        ".copilot/hooks/engram.json": common,
        ".cursor/hooks.json": ["beforeSubmitPrompt", "preCompact", "preToolUse", "sessionEnd", "sessionStart", "stop"],
    }
    gemini = json.loads((sealed / ".gemini/settings.json").read_text())["hooks"]
    assert {group["hooks"][0]["timeout"] for groups in gemini.values() for group in groups} == {10_000}


# -- who may -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "more", [(), ("--yes",), ("--guard",), ("--export", "out"), ("--remove",), ("--remove", "--yes")]
)
def test_an_agent_changes_nothing(sealed: Path, more: tuple[str, ...]) -> None:
    if "--remove" in more:
        adapt("--target", "codex", answers=["y"])
    before = tree(sealed)
    at = context(sealed, CLAUDECODE="1")
    ran = run("adapt", "--target", "codex", *more, at=at)
    assert (ran.exit, "approval-needed" in ran.err, "CLAUDECODE" in ran.err) == (3, True, True)
    assert tree(sealed) == before


def test_without_a_terminal_nothing_is_asked_and_nothing_changed(sealed: Path) -> None:
    before = tree(sealed)
    assert adapt("--target", "codex").exit == 3
    assert tree(sealed) == before


def test_outside_agents_a_script_may_say_yes(sealed: Path) -> None:
    ran = adapt("--target", "codex", "--yes")
    assert (ran.exit, "+[mcp_servers.engram]" in ran.out) == (0, True)
    assert (sealed / ".codex/hooks.json").exists()


@pytest.mark.parametrize("answer", ["n", "", "maybe"])
def test_no_is_no_and_so_is_nothing(sealed: Path, answer: str) -> None:
    before = tree(sealed)
    assert adapt("--target", "gemini", answers=[answer]).exit == 3
    assert adapt("--target", "gemini", answers=[]).exit == 3
    assert tree(sealed) == before


def test_an_agent_may_look(sealed: Path) -> None:
    before = tree(sealed)
    ran = adapt("--target", "cursor", "--dry-run", "--json", CLAUDECODE="1")
    assert ran.exit == 0
    assert {each["action"] for each in ran.json["changes"]} == {"create"}
    assert (ran.json["written"], "+++ " in ran.json["diff"]) == (False, True)
    assert tree(sealed) == before


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("--all", "--target", "codex"),
        ("--all", "--export", "x"),
        ("--target", "codex", "--json"),
        ("--target", "portable", "--remove"),
    ],
)
def test_a_command_line_that_says_too_little_or_too_much(words: tuple[str, ...]) -> None:
    assert adapt(*words).exit == 2


# -- what it finds -----------------------------------------------------------------------------------------------------


def test_all_is_what_is_installed(sealed: Path) -> None:
    assert adapt("--all", PATH="").exit == 0
    assert tree(sealed).keys() == {".gitconfig"}
    (sealed / ".codex").mkdir()
    (sealed / ".gemini").mkdir()
    put(sealed, ".gemini/settings.json", "{broken")
    ran = adapt("--all", answers=["y"], PATH="")
    assert (ran.exit, "Gemini CLI is left out" in ran.err, "settings-unreadable" in ran.err) == (1, True, True)
    assert (sealed / ".codex/hooks.json").exists()
    assert (sealed / ".gemini/settings.json").read_text() == "{broken"
    put(sealed, ".gemini/settings.json", "{}")
    assert adapt("--all", "--remove", answers=["y"], PATH="").exit == 0
    assert {name for name in tree(sealed) if not name.endswith("/")} == {".gitconfig", ".gemini/settings.json"}


def test_places_that_the_environment_names(sealed: Path, tmp_path: Path) -> None:
    named = {
        "claude-code": ("CLAUDE_CONFIG_DIR", "settings.json"),
        "codex": ("CODEX_HOME", "hooks.json"),
        "copilot": ("COPILOT_HOME", "hooks/engram.json"),
        "gemini": ("GEMINI_CLI_HOME", ".gemini/settings.json"),
        "opencode": ("OPENCODE_CONFIG_DIR", "plugins/engram.js"),
    }
    before = tree(sealed)
    for target, (variable, name) in named.items():
        folder = tmp_path / f"{target} & co"
        assert adapt("--target", target, answers=["y"], **{variable: str(folder)}).exit == 0
        assert (folder / name).exists()
    assert tree(sealed) == before


PLUGINS = {
    "claude-code": (".claude/settings.json", '{"enabledPlugins": {"engram@engram": true}, // plugins\n}', "true"),
    "copilot": (".copilot/settings.json", '{"enabledPlugins": {"engram@engram": true}}', "true"),
    "codex": (".codex/config.toml", '[plugins."engram@engram"]\nenabled = true\n', "true"),
    "gemini": (".gemini/extensions/engram/gemini-extension.json", "{}", "{}"),
}


@pytest.mark.parametrize("target", PLUGINS)
def test_a_plugin_that_is_on_is_not_installed_twice(sealed: Path, target: str) -> None:
    name, text, on = PLUGINS[target]
    path = put(sealed, name, text)
    before = tree(sealed)
    ran = adapt("--target", target, answers=["y"])
    assert (ran.exit, "already, so nothing is installed" in ran.err, "nothing to change" in ran.out) == (0, True, True)
    assert tree(sealed) == before
    path.write_text(text.replace(on, "false"))
    if target == "gemini":
        path.unlink()
        path.parent.rmdir()
    off = tree(sealed)
    assert "engram is in" in adapt("--target", target, answers=["y"]).out
    put(sealed, name, text if target == "gemini" else path.read_text().replace("false", "true", 1))
    assert "--remove` ends that it is there twice" in adapt("--target", target, answers=["y"]).err
    assert adapt("--target", target, "--remove", answers=["y"]).exit == 0
    assert tree(sealed).keys() - {name} >= off.keys() - {name}
    assert b"-m engram" not in b"".join(tree(sealed).values())


def test_opencode_s_settings_go_by_either_name(sealed: Path) -> None:
    put(sealed, ".config/opencode/opencode.jsonc", "{ /* mine */ }")
    adapt("--target", "opencode", answers=["y"])
    assert not (sealed / ".config/opencode/opencode.json").exists()
    assert '"mcp"' in (sealed / ".config/opencode/opencode.jsonc").read_text()


# -- what it refuses ---------------------------------------------------------------------------------------------------

ENTRIES = {
    "codex": (".codex/config.toml", '[mcp_servers.engram]\ncommand = "other"\n'),
    "gemini": (".gemini/settings.json", '{"mcpServers": {"engram": {"command": "other"}}}'),
    "copilot": (".copilot/mcp-config.json", '{"mcpServers": {"engram": {"command": "other"}}}'),
    "opencode": (".config/opencode/opencode.json", '{"mcp": {"engram": {"command": ["other"]}}}'),
    "cursor": (".cursor/mcp.json", '{"mcpServers": {"engram": {"url": "http://127.0.0.1"}}}'),
    "claude-code": (".claude/skills/engram/.mcp.json", "{}"),
}


@pytest.mark.parametrize("target", ENTRIES)
def test_another_s_entry_by_our_name_is_refused(sealed: Path, target: str) -> None:
    name, text = ENTRIES[target]
    put(sealed, name, text)
    before = tree(sealed)
    ran = adapt(
        "--target",
        target,
        answers=["y"],
    )
    assert (ran.exit, "settings-foreign" in ran.err, str(sealed / name) in ran.err) == (1, True, True)
    assert adapt("--target", target, "--remove", answers=["y"]).exit == 0
    assert tree(sealed) == before


def test_a_link_is_followed_at_home_and_refused_where_it_leads_out(sealed: Path, tmp_path: Path) -> None:
    kept = put(sealed, "dotfiles/claude.json", '{"theme": "dark"}\n')
    link = sealed / ".claude/settings.json"
    link.parent.mkdir()
    link.symlink_to(kept)
    assert adapt("--target", "claude-code", answers=["y"]).exit == 0
    assert (link.is_symlink(), "engram hook" in kept.read_text()) == (True, True)
    assert adapt("--target", "claude-code", "--remove", answers=["y"]).exit == 0
    assert (link.is_symlink(), kept.read_text()) == (True, '{"theme": "dark"}\n')
    outside = put(tmp_path, "their.json", "{}")
    for leads in (outside, sealed / "nowhere", sealed):
        link.unlink()
        link.symlink_to(leads)
        ran = adapt("--target", "claude-code", answers=["y"])
        assert (ran.exit, "settings-unreadable" in ran.err) == (1, True)
    assert outside.read_text() == "{}"


def test_a_file_of_ours_that_was_changed_stays(sealed: Path) -> None:
    adapt("--target", "codex", answers=["y"])
    skill = next((sealed / ".codex/skills").rglob("SKILL.md"))
    skill.write_text(skill.read_text() + "\nMy own words.\n")
    ran = adapt("--target", "codex", answers=["y"])
    assert (ran.exit, f"{skill} stays" in ran.err, "nothing to change" in ran.out) == (0, True, True)
    ran = adapt("--target", "codex", "--remove", answers=["y"])
    assert (ran.exit, f"{skill} stays" in ran.err) == (0, True)
    assert {name for name in tree(sealed) if not name.endswith("/")} == {
        ".gitconfig", skill.relative_to(sealed).as_posix()
    }  # fmt: skip


def test_a_file_that_changed_since_the_diff_is_refused_and_all_is_put_back(sealed: Path) -> None:
    path = put(sealed, ".codex/config.toml", "model = 'x'\n")
    before = tree(sealed)
    at = context()
    adapter = next(each for each in adapting.every_adapter() if each.NAME == "codex")
    plan = adapting.plan_to_add(at, adapter)

    def edited(touched: str) -> None:
        if touched == str(path):
            path.write_text("model = 'y'\n")

    with pytest.raises(SettingsChanged):
        replacing.carry_out(at, [plan], edited)
    after = tree(sealed)
    assert after.pop(".codex/config.toml") == b"model = 'y'\n"
    assert before.keys() - after.keys() == {".codex/config.toml"}
    assert after == {name: data for name, data in before.items() if name != ".codex/config.toml"}


# -- what a crash leaves -----------------------------------------------------------------------------------------------

KILLED = """
import os, sys
from engram.app import adapting, replacing
from engram.app.context import real_context
target, remove, steps = sys.argv[1], sys.argv[2] == "remove", int(sys.argv[3])
at = real_context()
adapter = next(each for each in adapting.every_adapter() if each.NAME == target)
plan = (adapting.plan_to_remove if remove else adapting.plan_to_add)(at, adapter)
left = iter(range(steps))
replacing.carry_out(at, [plan], lambda path: os._exit(9) if next(left, None) is None else None)
"""


@pytest.mark.parametrize("steps", [0, 1, 2, 4])
@pytest.mark.parametrize("target", ["codex", "opencode"])
def test_killed_half_way_each_file_is_old_or_new_and_the_next_run_mends(sealed: Path, target: str, steps: int) -> None:
    for name in FILES[target]:
        put(sealed, name, '# mine\nmodel = "x"\n' if name.endswith(".toml") else '{"theme": "dark"} // mine\n')
    before = tree(sealed)
    adapt("--target", target, answers=["y"])
    whole = tree(sealed)
    adapt("--target", target, "--remove", answers=["y"])
    assert tree(sealed) == before
    for act, end in (("add", whole), ("remove", before)):
        child = [sys.executable, "-c", KILLED, target, act, str(steps)]
        assert subprocess.run(child, env=environment(), check=False).returncode == 9
        now = tree(sealed)
        assert all(now[name] in (before.get(name), whole.get(name)) for name in now)
        adapt("--target", target, *(["--remove"] if act == "remove" else []), answers=["y"])
        assert tree(sealed) == end
    assert adapt("--target", target, answers=["y"]).exit == 0
    assert adapt("--target", target, "--remove", answers=["y"]).exit == 0
    assert tree(sealed) == before


@pytest.mark.parametrize("target", TARGETS)
def test_what_is_remembered_was_lost(sealed: Path, target: str) -> None:
    for name in FILES[target]:
        put(
            sealed,
            name,
            '# mine\nmodel = "x"\n' if name.endswith(".toml") else '{"theme": "dark", "hooks": {"x": []}}\n',
        )
    before = tree(sealed)
    adapt("--target", target, answers=["y"])
    for kept in (sealed / ".agent-memory/.engram/adapted").glob("*.json"):
        kept.unlink()
    assert "nothing to change" in adapt("--target", target, answers=["y"]).out
    assert adapt("--target", target, "--remove", answers=["y"]).exit == 0
    after = tree(sealed)
    assert all("-m engram" not in data.decode() for data in after.values())
    if target != "copilot":  # an empty list of hooks and a version may stay where nothing tells who made them
        assert {name for name in after if not name.endswith("/")} == {name for name in before if not name.endswith("/")}


def test_a_later_version_s_pieces_replace_the_older_ones(sealed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(sealed, ".claude/settings.json", '{"theme": "dark"} // mine\n')
    before = tree(sealed)
    with monkeypatch.context() as older:
        older.setattr(adapting, "_call", lambda: ("/old/python", "-m", "engram"))
        older.setattr(adapting, "shipped", lambda name: {"engram-old/SKILL.md": b"old\n"} if name == "skills" else {})
        adapt("--target", "claude-code", answers=["y"])
    assert "/old/python" in (sealed / ".claude/settings.json").read_text()
    ran = adapt("--target", "claude-code", answers=["y"])
    assert "-old" in ran.out
    after = tree(sealed)
    assert all(b"/old/python" not in data for data in after.values())
    assert ".claude/skills/engram-old/SKILL.md" not in after
    assert adapt("--target", "claude-code", "--remove", answers=["y"]).exit == 0
    assert tree(sealed) == before


# -- besides -----------------------------------------------------------------------------------------------------------


def test_the_guard_is_shown_and_set_and_taken_back(sealed: Path) -> None:
    settings = put(sealed, ".agent-memory/config.json", '{"recall_token_budget": 900}')
    shown = adapt("--target", "codex", "--guard", "--dry-run").out
    assert (f"+++ {settings}" in shown, '"guard": true' in shown) == (True, True)
    assert "guard: on" in adapt("--target", "codex", "--guard", answers=["y"]).out
    assert json.loads(settings.read_text()) == {
        "recall_token_budget": 900, "schema_version": 1, "gate": {"guard": True}
    }  # fmt: skip
    assert adapt("--target", "codex", "--remove", answers=["y"]).exit == 0
    assert json.loads(settings.read_text())["gate"] == {"guard": True}
    adapt("--target", "codex", "--remove", "--guard", answers=["y"])
    assert settings.read_text() == '{"recall_token_budget": 900}'


def test_an_exported_bundle_stands_in_its_own_folder(sealed: Path, tmp_path: Path) -> None:
    before = tree(sealed)
    for target in TARGETS:
        ran = run("adapt", "--target", target, "--export", "out", answers=["y"], at=context(tmp_path))
        assert (ran.exit, f"\n{target}: engram is in\n" in ran.out) == (0, True)
    assert tree(sealed) == before
    for files in FILES.values():
        assert all((tmp_path / "out" / name).exists() for name in files if not name.endswith("jsonc"))
    for target in reversed(TARGETS):
        assert (
            run("adapt", "--target", target, "--export", "out", "--remove", answers=["y"], at=context(tmp_path)).exit
            == 0
        )
    assert not (tmp_path / "out").exists()


def test_the_portable_block_greets_once_and_says_what_to_do_without_engram(sealed: Path) -> None:
    ran = adapt("--target", "portable", CLAUDECODE="1")
    assert ran.exit == 0
    assert ran.out.count("one memory for all your agents") == 1
    assert ran.out.index("one memory for all your agents") < 400
    assert str(sealed / ".agent-memory") in ran.out
    assert "{" not in ran.out
    assert "pipx install engram-curator" in ran.out
    assert "AGENTS.md" in ran.err


def test_cursor_s_rule_says_the_same_and_does_not_greet(sealed: Path) -> None:
    adapt("--target", "cursor", answers=["y"])
    rule = (sealed / ".cursor/rules/engram.mdc").read_text()
    assert rule.startswith("---\ndescription: ")
    assert ("one memory for all your agents" in rule, "pipx install engram-curator" in rule) == (False, True)


def test_codex_s_person_is_told_to_trust(sealed: Path) -> None:
    ran = adapt("--target", "codex", answers=["y"])
    assert "/hooks" in ran.err
    assert "trusted_hash" not in b"".join(tree(sealed).values()).decode()


def test_what_the_diff_shows_hides_nothing_and_tells_no_secret(sealed: Path) -> None:
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"
    put(sealed, ".gemini/settings.json", f'{{"token": "{token}", "\u202eevil": "\u200b"}}\n')
    shown = adapt("--target", "gemini", "--dry-run").out
    assert (token in shown, "\u202e" in shown, "<U+202E>" in shown) == (False, False, True)


def test_what_is_remembered_is_private(sealed: Path) -> None:
    put(sealed, ".gemini/settings.json", '{"token": "x"}')
    adapt("--target", "gemini", answers=["y"])
    kept = sealed / ".agent-memory/.engram/adapted/gemini.json"
    if os.name == "posix":
        assert (kept.stat().st_mode & 0o777, kept.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    assert (kept.parent / ".gitignore").read_text() == "*\n"


def test_the_bits_of_a_file_stay(sealed: Path) -> None:
    path = put(sealed, ".gemini/settings.json", "{}")
    path.chmod(0o640)
    adapt("--target", "gemini", answers=["y"])
    assert path.stat().st_mode & 0o777 == 0o640


def test_as_a_process_of_its_own(sealed: Path) -> None:
    ran = subprocess.run(
        command_line("adapt", "--target", "copilot", "--yes"),
        env=environment(), capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert (ran.returncode, "copilot: engram is in" in ran.stdout) == (0, True), ran.stderr
    hook = json.loads((sealed / ".copilot/hooks/engram.json").read_text())["hooks"]["Stop"][0]
    assert shlex.split(hook["bash"]) == [sys.executable, "-I", "-m", "engram", "hook", "--host", "copilot"]


NEWCOMER = """
NAME, TITLE, HOSTS, LIMIT, NOTICES = "newcomer", "Newcomer", ("newcomer",), 9000, ()

def spoken(host, event, context, notice, verdict):
    return None

def found(place):
    return place.exists(place.at(".newcomer"))

def pieces(place):
    from engram.adapters.files.place import flat
    return flat(place.at(".newcomer", "hooks.json"), {"start": ""}, {"command": place.command(NAME)})

def remarks(place):
    return ()

def elsewhere(place):
    return ""
"""


def test_a_new_agent_is_one_file(sealed: Path, tmp_path: Path) -> None:
    source = Path(adapting.__file__).parents[1]
    shutil.copytree(source, tmp_path / "engram", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "engram/adapters/newcomer.py").write_text(NEWCOMER)
    (sealed / ".newcomer").mkdir()
    before = tree(sealed)
    for words in (("--target", "newcomer"), ("--all", "--remove")):
        child = command_line("adapt", *words, "--yes")
        ran = subprocess.run(
            child, cwd=tmp_path, env=environment(PYTHONPATH="", PATH=""), capture_output=True, check=False
        )
        assert (ran.returncode, b"newcomer: engram is" in ran.stdout) == (0, True), ran.stderr
        if "--all" not in words:
            assert "-m engram hook --host newcomer" in (sealed / ".newcomer/hooks.json").read_text()
    assert tree(sealed) == before


def test_the_files_are_listed_where_the_question_is_asked(sealed: Path) -> None:
    kept = put(sealed, "dotfiles/gemini.json", "{}")
    link = sealed / ".gemini/settings.json"
    link.parent.mkdir()
    link.symlink_to(kept)
    ran = adapt("--target", "gemini", answers=["n"])
    assert f"  change  {link}  (a link to {kept.resolve()})" in ran.err.splitlines()
    assert f"  create  {sealed / '.gemini/skills/engram-recall/SKILL.md'}" in ran.err.splitlines()


def test_where_no_store_is_the_person_is_told_how_to_make_one(sealed: Path) -> None:
    assert "`engram init`" in adapt("--target", "gemini", answers=["y"]).err
    make_store(sealed / ".agent-memory", {})
    assert "`engram init`" not in adapt("--target", "gemini", answers=["y"]).err


def test_an_exported_bundle_never_leaves_its_folder(sealed: Path, tmp_path: Path) -> None:
    (sealed / ".codex").mkdir()
    repository = tmp_path / "clone"
    repository.mkdir()
    (repository / ".codex").symlink_to(sealed / ".codex")
    before = tree(sealed)
    ran = adapt("--target", "codex", "--export", str(repository), answers=["y"])
    assert (ran.exit, "settings-unreadable" in ran.err, "leads out of" in ran.err) == (1, True, True)
    assert tree(sealed) == before


def test_two_agents_may_share_a_folder_of_skills(sealed: Path) -> None:
    (sealed / ".claude/skills").mkdir(parents=True)
    (sealed / ".codex").mkdir()
    (sealed / ".codex/skills").symlink_to(sealed / ".claude/skills")
    before = tree(sealed)
    assert adapt("--all", answers=["y"], PATH="").exit == 0
    assert "engram hook --host codex" in (sealed / ".codex/hooks.json").read_text()
    assert adapt("--target", "codex", "--remove", answers=["y"]).exit == 0
    assert (sealed / ".claude/skills/engram-recall/SKILL.md").exists()
    assert adapt("--target", "codex", answers=["y"]).exit == 0
    assert adapt("--all", "--remove", answers=["y"], PATH="").exit == 0
    assert tree(sealed) == before


def test_an_engram_that_no_hook_could_start_is_not_put_anywhere(sealed: Path, tmp_path: Path) -> None:
    """Run from a checkout with an interpreter that it isn't installed for, each hook would fail on each prompt."""
    bare = tmp_path / "bare"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(bare)], check=True)
    python = next(path for path in (bare / "bin/python", bare / "Scripts/python.exe") if path.exists())
    source = Path(adapting.__file__).parents[2]
    libraries = tmp_path / "libraries"  # what engram needs, without engram
    libraries.mkdir()
    found = [str(Path(module.__file__ or "").parents[1]) for module in (click, lark, tomlkit)]
    (libraries / "sitecustomize.py").write_text(f"import sys; sys.path[1:1] = {found!r}\n")
    before = tree(sealed)
    ran = subprocess.run(
        [str(python), "-m", "engram", "adapt", "--target", "gemini", "--yes"],
        cwd=source, env=environment(PYTHONPATH=str(libraries)), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (ran.returncode, "engram-not-installed" in ran.stderr) == (1, True), ran.stderr
    assert tree(sealed) == before

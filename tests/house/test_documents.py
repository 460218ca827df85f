"""The documents say what the code does: errors, commands, the skill, the plugin, the links between them."""

from __future__ import annotations

import ast
import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import click
import pytest
import yaml

import engram
from engram import resources
from engram.adapters.claude_code import TOOLS
from engram.curate.validate import validate
from engram.errors import EngramError, every_error
from tests.house.commands import command_lines, mentions, problem_with, problems_of
from tests.house.tree import PACKAGE, ROOT, modules, parsed
from tests.lib.cli import run

SKILL = ROOT / "skills" / "engram-curate" / "SKILL.md"
SKILLS = sorted(path.parent.name for path in ROOT.glob("skills/*/SKILL.md"))
PLACES = ("*.md", ".claude/*.md", "agents/*.md", "docs/**/*.md", "skills/**/*.md", "changesets/*.md")
DOCUMENTS = sorted(path for place in PLACES for path in ROOT.glob(place))
NAMES = [path.relative_to(ROOT).as_posix() for path in DOCUMENTS]


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def generate() -> ModuleType:
    """Returns docs/generate.py as a module."""
    spec = importlib.util.spec_from_file_location("generate", ROOT / "docs" / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# -- errors --------------------------------------------------------------------------------------------------


def test_the_list_of_errors_is_the_code_s(generate: ModuleType) -> None:
    assert text_of("docs/errors.md") == generate.errors_page()


def test_every_error_is_in_the_list() -> None:
    page = text_of("docs/errors.md")
    assert [kind.code for kind in every_error() if f"| `{kind.code}` |" not in page] == []


def test_codes_are_unique_and_kebab_case() -> None:
    codes = [kind.code for kind in every_error()]
    assert sorted(codes) == sorted(set(codes))
    assert [code for code in codes if not re.fullmatch(r"[a-z]+(-[a-z]+)*", code)] == []


def test_every_error_has_a_status_that_means_something() -> None:
    assert {kind.exit_status for kind in every_error()} <= {1, 2, 3, 4, 5, 70}


def test_every_error_is_raised_somewhere() -> None:
    used = {
        node.id
        for name, path in modules().items()
        if not name.startswith("engram.errors")
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    }
    assert [kind.__name__ for kind in every_error() if kind.__name__ not in used] == []


def test_every_error_says_what_it_means() -> None:
    assert [kind.code for kind in every_error() if not kind.__doc__ or kind.__doc__ == EngramError.__doc__] == []


def test_every_concern_is_in_the_page_on_changesets() -> None:
    rows = dict(re.findall(r"^\| `([a-z-]+)` \| (refuse|warn|note) \|", text_of("docs/changesets.md"), re.MULTILINE))
    source = (PACKAGE / "curate" / "check.py").read_text(encoding="utf-8")
    found = re.findall(r'Concern\(\s*"([a-z-]+)"|\("([a-z]+-[a-z]+)", "', source)
    assert set(rows) == {one or other for one, other in found}


# -- the doctor ----------------------------------------------------------------------------------------------


def test_the_list_of_checks_is_the_table_s(generate: ModuleType) -> None:
    assert text_of("docs/doctor.md") == generate.doctor_page()


# -- commands ------------------------------------------------------------------------------------------------


def test_the_command_reference_is_the_code_s(generate: ModuleType) -> None:
    assert text_of("docs/cli.md") == generate.cli_page()


def test_the_command_reference_is_the_same_whatever_ran_before(generate: ModuleType) -> None:
    page = generate.cli_page()
    run("log", "-h")
    for context in generate.commands(generate.group(), "engram"):
        context.command.get_params(click.Context(context.command))
    assert generate.cli_page() == page


def test_every_command_is_in_the_reference_with_words_of_its_own(generate: ModuleType) -> None:
    page = text_of("docs/cli.md")
    for context in generate.commands(generate.group(), "engram"):
        name, command = context.command_path, context.command
        assert f"\n## {name}\n" in page
        assert (command.help or "").strip(), f"{name} has no help"
        undescribed = [each.name for each in command.params if each.param_type_name == "option" and not each.help]
        assert undescribed == [], f"{name} has options without help"


@pytest.mark.parametrize("name", NAMES)
def test_every_command_line_in_a_document_parses(name: str) -> None:
    assert problems_of(text_of(name)) == []


@pytest.mark.parametrize("name", modules())
def test_every_command_line_in_a_message_parses(name: str) -> None:
    spoken = [
        node.value
        for node in ast.walk(parsed(modules()[name]))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    assert [words for text in spoken for words in problems_of(text)] == []


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("engram remember this", "no such command"),
        ("engram curate apply --force", "No such option"),
        ("engram where one two", "what is"),
        ("engram curate", "is no command by itself"),
        ("engram curate check", "is missing"),
        ("engram curate apply --auto-threshold high", "not a valid"),
    ],
)
def test_a_command_line_that_does_not_parse_is_seen(line: str, why: str) -> None:
    assert why in problem_with(line)


@pytest.mark.parametrize(
    "line",
    [
        "engram",
        "engram --version",
        "engram --help",
        "engram curate --help",
        "engram list --json | jq .",
        "engram curate check - <<EOF",
    ],
)
def test_a_command_line_that_parses_is_let_through(line: str) -> None:
    assert problem_with(line) == ""


def test_naming_a_command_calls_for_no_arguments() -> None:
    assert problem_with("engram curate check", named=True) == ""
    assert "no such command" in problem_with("engram curate verify", named=True)


def test_every_target_that_a_document_names_is_in_the_makefile() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    (phony,) = re.findall(r"^\.PHONY: (.+)$", makefile, re.MULTILINE)
    targets = set(phony.split())
    assert {"demo", "test", "check", "bench", "soak", "test-agents", "docs", "clean"} <= targets
    assert [name for name in targets if not re.search(rf"^{name}:", makefile, re.MULTILINE)] == []
    named = {target for name in NAMES for target in re.findall(r"(?:`|^)make ([a-z-]+)", text_of(name), re.MULTILINE)}
    assert named <= targets


# -- links ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_every_link_between_documents_leads_somewhere(name: str) -> None:
    targets = re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", re.sub(r"```.*?```", "", text_of(name), flags=re.DOTALL))
    local = [target for target in targets if not re.match(r"[a-z]+:", target)]
    assert [target for target in local if not (ROOT / name).parent.joinpath(target).exists()] == []


def test_every_decision_is_in_the_index_and_in_order() -> None:
    pages = sorted(path.name for path in (ROOT / "docs" / "decisions").glob("[0-9]*.md"))
    assert re.findall(r"^- \[\d{4}\]\((.+?)\)", text_of("docs/decisions/README.md"), re.MULTILINE) == pages
    assert [page[:4] for page in pages] == [f"{number:04}" for number in range(1, len(pages) + 1)]


def test_every_decision_that_the_code_refers_to_is_there() -> None:
    pages = {path.name[:4] for path in (ROOT / "docs" / "decisions").glob("[0-9]*.md")}
    referred = {
        number
        for path in modules().values()
        for number in re.findall(r"decisions/(\d{4})", path.read_text(encoding="utf-8"))
    }
    assert referred <= pages


def test_the_readme_opens_with_the_two_commands() -> None:
    opening = text_of("README.md")[:600]
    assert -1 < opening.find("make demo") < opening.find("make test")


def test_the_readme_shows_what_the_demo_prints() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "engram", "demo"],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, encoding="utf-8", check=True,
    )  # fmt: skip
    printed = {line.split("   # ")[0].rstrip() for line in plain(done.stdout).splitlines()}
    blocks = re.findall(r"^```console\n(.*?)^```", text_of("README.md"), re.MULTILINE | re.DOTALL)
    shown = [line for block in blocks for line in plain(block).splitlines() if line != "…" and line[:2] != "$ "]
    assert len(shown) > 30
    assert [line for line in shown if line.rstrip() not in printed] == []


def plain(text: str) -> str:
    """Returns text without what differs from run to run: dates and ids."""
    text = re.sub(r"\b[0-9a-f]{12,64}\b", "ID", text)
    return re.sub(r"\d{4}-\d{2}-\d{2}(T[\d:.]+Z?)?", "DATE", text)


def test_claude_is_pointed_to_the_guide_for_agents() -> None:
    """Not at the root: there it would stand in the plugin, whose users it isn't for."""
    assert "@../AGENTS.md" in text_of(".claude/CLAUDE.md")
    assert not (ROOT / "CLAUDE.md").exists()


# -- the skills ----------------------------------------------------------------------------------------------


def frontmatter(skill: str) -> dict[str, str]:
    _, head, _ = text_of(f"skills/{skill}/SKILL.md").split("---\n", 2)
    loaded: dict[str, str] = yaml.safe_load(head)
    return loaded


@pytest.mark.parametrize("skill", SKILLS)
def test_a_skill_keeps_to_the_standard(skill: str) -> None:
    fields = frontmatter(skill)
    assert fields["name"] == skill
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", fields["name"])
    assert len(fields["name"]) <= 64
    assert 1 <= len(fields["description"]) <= 1024
    assert len(fields["compatibility"]) <= 500
    assert set(fields) <= {"name", "description", "license", "compatibility", "metadata", "allowed-tools"}
    assert len(text_of(f"skills/{skill}/SKILL.md").splitlines()) < 500


def test_the_skills_that_only_read_are_let_run_only_what_reads() -> None:
    assert SKILLS == ["engram-curate", "engram-journal", "engram-lesson", "engram-recall", "engram-review"]
    assert frontmatter("engram-curate")["allowed-tools"] == "Bash(engram *)"
    for skill in ("engram-recall", "engram-review"):
        allowed = re.findall(r"Bash\((engram [^*]+) \*\)", frontmatter(skill)["allowed-tools"])
        reading = {"recall", "show", "list", "status", "log", "pending show", "review --list"}
        assert allowed
        assert {words.removeprefix("engram ") for words in allowed} <= reading


@pytest.mark.parametrize("name", [*(f"skills/{skill}/SKILL.md" for skill in SKILLS), "engram/adapters/block.md"])
def test_a_text_for_agents_never_approves_and_says_what_to_do_without_engram(name: str) -> None:
    text = text_of(name)
    lines = [*command_lines(text), *mentions(text)]
    assert [line for line in lines if "--yes" in line or "--plan" in line] == []
    assert problems_of(text) == []
    assert "`MEMORY.md`" in text
    for offered in ("pipx install", "uv tool install", "python3 -m pip install --user", "py -m pip install --user"):
        assert f"{offered} engram-curator`" in text
    assert re.search(r"don't run it", text)


def test_the_block_has_the_places_that_adapters_fill() -> None:
    assert set(re.findall(r"\{(\w+)\}", text_of("engram/adapters/block.md"))) == {"banner", "store"}


def test_what_is_generated_is_up_to_date(generate: ModuleType) -> None:
    pages = generate.pages()
    assert {f"extensions/gemini/skills/{skill}/SKILL.md" for skill in SKILLS} <= set(pages)
    assert [name for name, text in pages.items() if text_of(name) != text] == []
    standing = {
        path.relative_to(ROOT).as_posix() for path in ROOT.glob("extensions/gemini/skills/**/*") if path.is_file()
    }
    assert standing <= set(pages)


def test_the_skill_s_commands_are_the_whole_way() -> None:
    text = SKILL.read_text(encoding="utf-8")
    lines = {*command_lines(text), *mentions(text)}
    steps = (
        "where --json", "pending list --json", "pending show ID", "list --json", "list --scope user --json",
        "show NAME --json", "curate rejected --json", "curate schema", "curate check changeset.json",
        "curate apply changeset.json", "review", "review --list",
    )  # fmt: skip
    for step in steps:
        assert f"engram {step}" in lines


def test_the_skill_s_changeset_is_a_valid_one_with_every_operation() -> None:
    (example,) = re.findall(r"^```json\n(.*?)^```", SKILL.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    changeset = validate(example, resources.schema())
    assert [change.op for change in changeset.changes] == ["ADD", "INVALIDATE", "UPDATE", "NOOP"]
    assert {evidence.session for change in changeset.changes for evidence in change.evidence} == set(changeset.sessions)


def test_the_skill_s_codes_are_errors_that_exist() -> None:
    codes = {kind.code: kind.exit_status for kind in every_error()}
    for row in re.findall(r"^\| (\d+) \| ([^|]*)\|", SKILL.read_text(encoding="utf-8"), re.MULTILINE):
        for code in re.findall(r"`([a-z-]+)`", row[1]):
            assert codes.get(code) == int(row[0]), code


# -- the plugin ----------------------------------------------------------------------------------------------


def manifest(name: str) -> dict[str, object]:
    loaded: dict[str, object] = json.loads(text_of(name))
    return loaded


def test_the_plugin_and_the_extension_have_the_package_s_version() -> None:
    source = (PACKAGE / "__init__.py").read_text(encoding="utf-8")
    literal = re.search(r'^__version__ = "(\d+\.\d+\.\d+)"$', source, re.MULTILINE)
    assert literal is not None
    assert literal[1] == engram.__version__
    for name in (".claude-plugin/plugin.json", "extensions/gemini/gemini-extension.json"):
        assert manifest(name)["version"] == literal[1]
    assert f"\n## {literal[1]}\n" in text_of("CHANGELOG.md")


def test_the_mcp_server_is_the_command_on_path() -> None:
    """No placeholder: Codex fills none in, and would run the words as they stand."""
    server = {"mcpServers": {"engram": {"command": "engram", "args": ["mcp"]}}}
    assert manifest(".mcp.json") == server
    extension = manifest("extensions/gemini/gemini-extension.json")
    assert {"mcpServers": extension["mcpServers"]} == server
    assert extension["description"] == manifest(".claude-plugin/plugin.json")["description"]
    assert problem_with("engram mcp") == ""


def test_gemini_s_hooks_are_the_plugin_s_in_its_own_words() -> None:
    """In milliseconds. Without PreCompress: that client reports one on every turn, and queues at its end anyway."""
    words = {
        "SessionStart": "SessionStart",
        "UserPromptSubmit": "BeforeAgent",
        "PreToolUse": "BeforeTool",
        "Stop": "AfterAgent",
        "SessionEnd": "SessionEnd",
    }
    plugin, gemini = manifest("hooks/hooks.json")["hooks"], manifest("extensions/gemini/hooks/hooks.json")["hooks"]
    assert isinstance(plugin, dict)
    assert isinstance(gemini, dict)
    assert list(gemini) == list(words.values())
    for event, named in words.items():
        (group,), ((theirs),) = plugin[event], gemini[named]
        (hook,) = theirs["hooks"]
        assert hook["command"] == "engram hook --host gemini"
        assert hook["timeout"] == 1000 * group["hooks"][0]["timeout"]
        assert ("matcher" in theirs) == ("matcher" in group)
    assert problem_with("engram hook --host gemini") == ""


def test_the_repository_is_plugin_and_marketplace_at_once() -> None:
    plugin, market = manifest(".claude-plugin/plugin.json"), manifest(".claude-plugin/marketplace.json")
    assert isinstance(market["plugins"], list)
    (entry,) = market["plugins"]
    assert (entry["name"], entry["source"]) == (plugin["name"], "./")
    assert (ROOT / "skills" / "engram-curate" / "SKILL.md").is_file()


def test_one_command_serves_every_event() -> None:
    """In shell form, without ``args``: Codex and Copilot run the same file, and know no other."""
    hooks = manifest("hooks/hooks.json")["hooks"]
    seconds = {
        "SessionStart": 10,
        "UserPromptSubmit": 10,
        "PreToolUse": 10,
        "PreSkillShellCommand": 10,
        "PreCompact": 10,
        "Stop": 10,
        "SessionEnd": 3,
    }
    matchers = {"PreToolUse": {"matcher": TOOLS}}
    assert hooks == {
        event: [
            matchers.get(event, {}) | {"hooks": [{"type": "command", "command": "engram hook", "timeout": timeout}]}
        ]
        for event, timeout in seconds.items()
    }
    assert problem_with("engram hook") == ""


def test_documents_are_told_apart() -> None:
    """A guard for the tests above: they look at something."""
    assert {"README.md", "AGENTS.md", "docs/architecture.md", "skills/engram-curate/SKILL.md"} <= set(NAMES)
    assert len(list(command_lines(Path(ROOT / "README.md").read_text(encoding="utf-8")))) > 5

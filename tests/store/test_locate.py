"""Where the stores are: Claude Code's own rule, with real repositories where they matter."""

from __future__ import annotations

import json
import ntpath
import posixpath
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from engram.app.context import RealProbe
from engram.store.checkout import main_root
from engram.store.locate import Located, project_store, slug, user_store
from tests.lib.stores import git, make_store

HOME = "/home/ada"
CWD = "/home/ada/shop"
LONG = "/".join(["abcdefghijklmnopqrstuvwxyz0123456789"] * 6)
DEFAULT = "/home/ada/.claude/projects/-home-ada-shop/memory"


class Files:
    """Is a disk of a few files. ``links``: symlinks, by whole path."""

    def __init__(self, files: Mapping[str, object] | None = None, links: Mapping[str, str] | None = None) -> None:
        self.files = dict(files or {})
        self.links = dict(links or {})

    def realpath(self, path: str) -> str:
        paths = ntpath if path[1:2] == ":" else posixpath
        plain = str(paths.normpath(path))
        for link, target in self.links.items():
            if plain == link or plain.startswith(link + "/"):
                return target + plain[len(link) :]
        return plain

    def read_text(self, path: str) -> str | None:
        content = self.files.get(path)
        return content if content is None or isinstance(content, str) else json.dumps(content)

    def is_dir(self, path: str) -> bool:
        return any(name.startswith(f"{path}{end}") for name in self.files for end in ("/", "\\"))


def located(
    files: Mapping[str, object] | None = None,
    env: Mapping[str, str] | None = None,
    *,
    cwd: str = CWD,
    home: str = HOME,
    platform: str = "linux",
) -> Located:
    found = project_store(cwd, env or {}, home, Files(files), platform)
    assert found is not None
    return found


# -- the slug ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/home/dev/slug/My Proj.v2_x/é日本/[q]", "-home-dev-slug-My-Proj-v2-x------q-"),
        ("/a/😀b", "-a---b"),
        ("/a/b-c", "-a-b-c"),
        ("/a/b/c", "-a-b-c"),
        ("/A/b", "-A-b"),
        ("C:\\Users\\Ada\\shop", "C--Users-Ada-shop"),
        ("/" + "x" * 199, "-" + "x" * 199),
        (f"/tmp/agents/slug/{LONG}", f"-tmp-agents-slug-{LONG.replace('/', '-')[:183]}-tjal2d"),
    ],
)
def test_the_slug_is_the_clients(path: str, expected: str) -> None:
    assert slug(path) == expected


def test_a_long_path_keeps_200_characters_and_ends_in_a_hash_of_all_of_it() -> None:
    one, other = slug("/" + "x" * 400), slug("/" + "x" * 399 + "y")
    assert one[:201] == other[:201] == "-" + "x" * 199 + "-"
    assert one != other
    assert slug("/" + "😀" * 150).startswith("-" * 200)


# -- the user's store --------------------------------------------------------------------------------------------------


def test_the_users_store() -> None:
    there = Files({"/home/ada/.agent-memory/MEMORY.md": ""})
    assert user_store({}, HOME, there) == Located(
        "/home/ada/.agent-memory", True, "~/.agent-memory, as ENGRAM_HOME is not set", "user"
    )
    assert user_store({"ENGRAM_HOME": "/srv/memory"}, HOME, there) == Located(
        "/srv/memory", False, "ENGRAM_HOME names it", "user"
    )


# -- the project's store: by the path ----------------------------------------------------------------------------------


def test_outside_of_a_repository_it_is_the_working_directorys() -> None:
    found = located()
    assert (found.path, found.exists, found.scope) == (DEFAULT, False, "project")
    assert found.reason == "the working directory /home/ada/shop: no repository around it"
    assert located({f"{DEFAULT}/MEMORY.md": ""}).exists


def test_without_a_working_directory_there_is_none() -> None:
    assert project_store("", {}, HOME, Files(), "linux") is None


def test_the_config_folder_moves_everything() -> None:
    found = located(env={"CLAUDE_CONFIG_DIR": "/srv/claude"})
    assert found.path == "/srv/claude/projects/-home-ada-shop/memory"
    assert "CLAUDE_CONFIG_DIR is set" in found.reason
    assert located(env={"CLAUDE_CONFIG_DIR": ""}).path == DEFAULT


def test_a_name_for_the_projects_folder_counts_only_with_the_config_folder() -> None:
    name = {"CLAUDE_CODE_PROJECT_DIR_NAME": "Shop_1-x"}
    found = located(env=name | {"CLAUDE_CONFIG_DIR": "/srv/claude"})
    assert found.path == "/srv/claude/projects/Shop_1-x/memory"
    found = located(env=name)
    assert found.path == DEFAULT
    assert "ignored: it counts only with CLAUDE_CONFIG_DIR" in found.reason


@pytest.mark.parametrize("name", ["../up", "a/b", "a b", "é", "x" * 65, "a.b"])
def test_a_name_that_is_none_is_ignored(name: str) -> None:
    found = located(env={"CLAUDE_CODE_PROJECT_DIR_NAME": name, "CLAUDE_CONFIG_DIR": "/srv/claude"})
    assert found.path == "/srv/claude/projects/-home-ada-shop/memory"
    assert "CLAUDE_CODE_PROJECT_DIR_NAME is no name" in found.reason


def test_a_path_is_taken_as_it_is_composed() -> None:
    assert located(cwd="/home/ada/Cafe\u0301").path == located(cwd="/home/ada/Caf\u00e9").path


def test_on_windows() -> None:
    home = "C:\\Users\\Ada"
    found = located(cwd="C:\\Users\\Ada\\shop\\src", home=home, platform="win32",
                    files={"C:\\Users\\Ada\\shop\\.git\\HEAD": "x"})  # fmt: skip
    assert found.path == "C:\\Users\\Ada\\.claude\\projects\\C--Users-Ada-shop\\memory"
    policy = {"C:\\Program Files\\ClaudeCode\\managed-settings.json": {"autoMemoryDirectory": "D:\\memory"}}
    assert located(policy, cwd="C:\\Users\\Ada\\shop", home=home, platform="win32").path == "D:\\memory"


# -- the project's store: by a setting ---------------------------------------------------------------------------------

POLICY = "/etc/claude-code/managed-settings.json"
LOCAL = f"{CWD}/.claude/settings.local.json"
PROJECT = f"{CWD}/.claude/settings.json"
USER = f"{HOME}/.claude/settings.json"
TRUST = {f"{HOME}/.claude.json": {"projects": {CWD: {"hasTrustDialogAccepted": True}}}}


def setting(path: str) -> dict[str, str]:
    return {"autoMemoryDirectory": path}


def test_the_strongest_setting_wins() -> None:
    files: dict[str, object] = {
        POLICY: setting("/m/policy"),
        LOCAL: setting("/m/local"),
        PROJECT: setting("/m/project"),
        USER: setting("/m/user"),
        **TRUST,
    }
    for path in (POLICY, LOCAL, PROJECT, USER):
        found = located(files)
        assert found.path == files[path]["autoMemoryDirectory"]  # type: ignore[index]
        assert found.reason == f"autoMemoryDirectory in {path} names it"
        del files[path]
    assert located(files).path == DEFAULT


def test_the_policy_stands_elsewhere_on_macos() -> None:
    path = "/Library/Application Support/ClaudeCode/managed-settings.json"
    assert located({path: setting("/m/policy")}, platform="darwin").path == "/m/policy"
    assert located({POLICY: setting("/m/policy")}, platform="darwin").path == DEFAULT


@pytest.mark.parametrize(
    ("trust", "trusted"),
    [
        ({}, False),
        ({"projects": {CWD: {"hasTrustDialogAccepted": True}}}, True),
        ({"projects": {HOME: {"hasTrustDialogAccepted": True}}}, True),
        ({"projects": {CWD: {"hasTrustDialogAccepted": False}}}, False),
        ({"projects": {CWD: {"hasTrustDialogAccepted": "true"}}}, False),
        ({"projects": {f"{CWD}/sub": {"hasTrustDialogAccepted": True}}}, False),
        ({"projects": [CWD]}, False),
        ("broken {", False),
    ],
)
def test_the_projects_own_setting_counts_only_where_the_project_is_trusted(trust: object, trusted: bool) -> None:
    found = located({PROJECT: setting("/m/project"), f"{HOME}/.claude.json": trust})
    assert found.path == ("/m/project" if trusted else DEFAULT)
    assert ("ignored: the project is not trusted" in found.reason) is not trusted


def test_with_a_config_folder_trust_and_settings_are_read_there() -> None:
    env = {"CLAUDE_CONFIG_DIR": "/srv/claude"}
    assert located({"/srv/claude/settings.json": setting("/m/user"), USER: setting("/m/no")}, env).path == "/m/user"
    files: dict[str, object] = {
        PROJECT: setting("/m/project"),
        "/srv/claude/.claude.json": TRUST[f"{HOME}/.claude.json"],
    }
    assert located(files, env).path == "/m/project"
    assert located({PROJECT: setting("/m/project"), **TRUST}, env).path != "/m/project"


def test_the_repositorys_settings_count_in_its_subfolders() -> None:
    assert located({f"{CWD}/.git/HEAD": "x", LOCAL: setting("/m/local")}, cwd=f"{CWD}/src/deep").path == "/m/local"


def test_in_the_home_folder_the_users_settings_are_not_taken_for_a_projects() -> None:
    found = located({USER: setting("/m/user")}, cwd=HOME)
    assert found.path == "/m/user"
    assert "trusted" not in found.reason


@pytest.mark.parametrize(
    ("named", "expected"),
    [
        ("~/memory", "/home/ada/memory"),
        ("/m/./user/../user/", "/m/user"),
        ("memory", None), ("./memory", None), ("/", None), ("~", None), ("~/", None), ("~/..", None), ("~/.", None),
        ("//server/memory", None), ("/m\0", None), ("", None), (7, None), (["/m"], None), (True, None),
    ],
)  # fmt: skip
def test_a_setting_names_an_absolute_folder_or_nothing(named: object, expected: str | None) -> None:
    found = located({USER: {"autoMemoryDirectory": named}})
    assert found.path == (expected or DEFAULT)
    assert ("is no absolute path of a folder: ignored" in found.reason) is (expected is None)


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '"x"', "[" * 100_000])
def test_a_broken_settings_file_is_ignored_and_named(text: str) -> None:
    found = located({LOCAL: text, USER: setting("/m/user")})
    assert found.path == "/m/user"
    found = located({LOCAL: text})
    assert found.path == DEFAULT
    assert f"{LOCAL} is no JSON object: ignored" in found.reason


def test_a_byte_order_mark_breaks_no_settings_file() -> None:
    assert located({USER: "\ufeff" + json.dumps(setting("/m/user"))}).path == "/m/user"


def test_switches_that_turn_auto_memory_off_do_not_move_it() -> None:
    found = located({USER: {"autoMemoryEnabled": False}}, {"CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1"})
    assert found.path == DEFAULT


def test_the_hosts_override_wins_over_all() -> None:
    name = "CLAUDE_COWORK_MEMORY_PATH_OVERRIDE"
    files = {POLICY: setting("/m/policy")}
    assert located(files, {name: "/m/override"}).path == "/m/override"
    found = located(files, {name: "~/memory"})
    assert found.path == "/m/policy"
    assert f"{name} is no absolute path" in found.reason


# -- repositories ------------------------------------------------------------------------------------------------------


def real(cwd: Path, env: Mapping[str, str] | None = None) -> Located:
    found = project_store(str(cwd), env or {}, HOME, RealProbe(), "linux")
    assert found is not None
    return found


def name_of(folder: Path) -> str:
    return slug(str(folder.resolve()))


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return make_store(tmp_path / "shop", {"src/deep/a.py": "x", "README.md": "y"})


def test_every_folder_and_symlink_of_a_repository_shares_its_store(shop: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(shop, target_is_directory=True)
    (tmp_path / "deeper").symlink_to(shop / "src" / "deep", target_is_directory=True)
    for folder in (
        shop,
        shop / "src",
        shop / "src" / "deep",
        tmp_path / "link",
        tmp_path / "link" / "src",
        tmp_path / "deeper",
    ):
        found = real(folder)
        assert f"/projects/{name_of(shop)}/memory" in found.path.replace("\\", "/")
        assert found.reason == f"the repository's folder {shop.resolve()}"


@pytest.mark.parametrize("place", [".claude/worktrees/one", "../elsewhere/two"])
def test_a_linked_worktree_shares_the_main_checkouts_store(shop: Path, place: str) -> None:
    git(shop, "worktree", "add", "-q", "-b", "side", place)
    tree = (shop / place).resolve()
    found = real(tree / "src")
    assert found.path == real(shop).path
    assert found.reason == f"the main checkout {shop.resolve()}, of which {tree} is a worktree"
    assert main_root(str(tree), RealProbe()) == str(shop.resolve())
    own = real(tree / "src", {"ENGRAM_PER_WORKTREE": "1"})
    assert f"/projects/{name_of(tree)}/memory" in own.path.replace("\\", "/")
    assert "ENGRAM_PER_WORKTREE is set" in own.reason
    assert real(shop, {"ENGRAM_PER_WORKTREE": "1"}).path == real(shop).path


def test_a_worktree_with_relative_paths_is_one_too(shop: Path, tmp_path: Path) -> None:
    git(shop, "worktree", "add", "-q", "-b", "side", "../two")
    tree = tmp_path / "two"
    (tree / ".git").write_text("gitdir: ../shop/.git/worktrees/two\n", encoding="utf-8")
    (shop / ".git" / "worktrees" / "two" / "gitdir").write_text("../../../../two/.git\n", encoding="utf-8")
    assert main_root(str(tree), RealProbe()) == str(shop.resolve())


def test_a_submodule_is_a_repository_of_its_own(shop: Path, tmp_path: Path) -> None:
    part = make_store(tmp_path / "part", {"b.py": "x"})
    git(shop, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(part), "lib/part")
    inside = shop / "lib" / "part"
    assert (inside / ".git").is_file()
    assert main_root(str(inside), RealProbe()) == str(inside.resolve())


def test_worktrees_of_a_bare_repository_share_its_folder(shop: Path, tmp_path: Path) -> None:
    subprocess.run(["git", "clone", "-q", "--bare", str(shop), str(tmp_path / "shop.git")], check=True)
    git(tmp_path / "shop.git", "worktree", "add", "-q", "../one")
    git(tmp_path / "shop.git", "worktree", "add", "-q", "-b", "side", "../two")
    assert {main_root(str(tmp_path / name), RealProbe()) for name in ("one", "two")} == {
        str((tmp_path / "shop.git").resolve())
    }


def test_a_git_file_that_points_at_a_strangers_repository_reaches_nothing(shop: Path, tmp_path: Path) -> None:
    git(shop, "worktree", "add", "-q", "-b", "side", "../two")
    thief = tmp_path / "thief"
    thief.mkdir()
    (thief / ".git").write_bytes((tmp_path / "two" / ".git").read_bytes())
    assert main_root(str(thief), RealProbe()) == str(thief.resolve())
    assert "knows no such worktree" in real(thief).reason
    forged = tmp_path / "forged"
    (forged / "git").mkdir(parents=True)
    (forged / "git" / "commondir").write_text(str(shop / ".git"), encoding="utf-8")
    (forged / "git" / "gitdir").write_text(str(forged / ".git"), encoding="utf-8")
    (forged / ".git").write_text("gitdir: git\n", encoding="utf-8")
    assert main_root(str(forged), RealProbe()) == str(forged.resolve())


@pytest.mark.parametrize("text", ["", "nonsense", "gitdir: /nowhere/at/all", "gitdir:"])
def test_a_broken_git_file_still_marks_a_folder(text: str) -> None:
    assert main_root(f"{CWD}/src", Files({f"{CWD}/.git": text})) == CWD

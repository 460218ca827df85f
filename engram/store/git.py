"""A store's repository, read: everything asked of git goes through GitPython's ``Git``, one process at a time.

No hook runs, no file system monitor, no filter, no replace ref; nothing that the surrounding process inherited from
another repository counts (``scrub``). Nothing here moves a ref or writes an object: ``store/plumbing.py`` does.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from typing import Any

from engram.errors import EngramError, GitFailed, GitMissing, StoreEnclosed, StoreNotVersioned
from engram.store import fit, giterrors
from engram.store import gitparse as parse
from engram.store.gitenv import ADDED, NEUTRAL, scrub
from engram.store.gitparse import Tracked

__all__ = ["Repository", "Tracked", "enclosing", "git", "identity", "scrub", "why_unversioned"]

_MOVING = ("update-ref", "update-index", "add")
"""Commands that change what others read; the rest leave objects nobody knows of, or nothing at all."""


def git(
    folder: str,
    *args: str,
    data: bytes | None = None,
    ok: Collection[int] = (0,),
    env: Mapping[str, str] | None = None,
    config: Iterable[str] = (),
    inherit: tuple[int, ...] = (),
) -> bytes:
    """Runs one git command in a folder and returns what it printed, as bytes.

    ``data`` is its standard input, ``config`` more ``key=value`` settings, ``inherit`` descriptors it keeps open.
    Raises the error of ``store/giterrors.py`` where it ends with a status that isn't in ``ok``; GitMissing.
    """
    status, out, err = _run(folder, args, data=data, env=env, config=config, inherit=inherit)
    if status not in ok:
        raise giterrors.named(args[0], status, err)
    return out


def _run(
    folder: str,
    args: tuple[str, ...],
    *,
    data: bytes | None = None,
    env: Mapping[str, str] | None = None,
    config: Iterable[str] = (),
    inherit: tuple[int, ...] = (),
) -> tuple[int, bytes, str]:
    room = _library()
    scrub(os.environ)  # GitPython hands its own process's environment on; it can add to it, never take away
    more = [part for setting in config for part in ("-c", setting)]
    # -C as well as the working folder: GitPython falls back to the process's own where the folder can't be entered
    command = [room.Git.GIT_PYTHON_GIT_EXECUTABLE or "git", "-C", folder, *NEUTRAL, *more, *args]
    kept: dict[str, Any] = {"pass_fds": inherit} if inherit and os.name == "posix" else {}
    try:
        process: Any = room.Git(folder).execute(
            command,
            istream=subprocess.PIPE if data is not None else None,
            as_process=True,
            env={**ADDED, **(env or {})},
            **kept,
        )
    except room.GitCommandNotFound as error:
        raise GitMissing("git is not installed, or not on the PATH") from error
    out, err = process.communicate(data)
    return process.returncode, out, err.decode("utf-8", "replace")


def _library() -> Any:
    """Returns GitPython. Raises GitMissing."""
    try:
        import git as library  # noqa: PLC0415 - it takes longer to import than most commands take to run
    except ImportError as error:  # it runs the program as it is imported
        if shutil.which("git"):
            raise GitFailed("git is installed and doesn't start; `git version` says why") from error
        raise GitMissing("git is not installed, or not on the PATH") from error
    return library


class Repository:
    """Is the repository that versions one store. Reading only, but for what ``store/plumbing.py`` does with it.

    ``root``: the store's folder, absolute, symlinks resolved. ``top``: the top of its work tree. ``prefix``: what leads
    from there to the store, "" or ``sub/folder/``. ``git_dir``, ``common_dir``: absolute; they differ in a linked
    worktree. ``sha``: ``sha1`` or ``sha256``. Paths in and out are relative to the store, with forward slashes; bytes
    that are no UTF-8 come as surrogates.
    """

    def __init__(self, *, root: str, top: str, prefix: str, git_dir: str, common_dir: str, sha: str) -> None:
        self.root = root
        self.top = top
        self.prefix = prefix
        self.git_dir = git_dir
        self.common_dir = common_dir
        self.sha = sha
        self._inherit: tuple[int, ...] = ()

    @classmethod
    def find(cls, root: str, *, enclosing_allowed: bool = False) -> Repository | None:
        """Returns the repository of a store; None where it has none of its own, or git won't work in it.

        A repository that encloses the store counts only with ``enclosing_allowed``. ``why_unversioned`` tells
        the reason for None. Raises GitMissing.
        """
        found = _discover(root)
        if isinstance(found, EngramError) or (found.prefix and not enclosing_allowed):
            return None
        return found

    @classmethod
    def writable(cls, root: str, *, enclosing_allowed: bool = False) -> Repository:
        """Returns the repository of a store that can be committed to right now.

        Raises StoreNotVersioned, StoreEnclosed, GitDubiousOwnership, GitFailed, and what ``check_fit`` raises.
        """
        found = cls.find(root, enclosing_allowed=enclosing_allowed)
        if found is None:
            raise why_unversioned(root)
        found.check_fit()
        return found

    # -- reading ------------------------------------------------------------------------------------------------------

    def head(self) -> tuple[str, str]:
        """Returns the branch that HEAD names (``refs/heads/main``) and its commit.

        The branch is "" where HEAD is detached, the commit "" before the first one.
        """
        both = self.run("rev-parse", "HEAD^{commit}", "--symbolic-full-name", "HEAD", ok=(0, 128)).decode().split()
        if len(both) == 2:
            return ("" if both[1] == "HEAD" else both[1]), both[0]
        ref = self.run("symbolic-ref", "-q", "HEAD", ok=(0, 1)).decode().strip()
        return ref, self.commit_of(ref or "HEAD")

    def commit_of(self, revision: str) -> str:
        """Returns the full id of the commit that a revision names; "" where there is none."""
        found = self.run("rev-parse", "-q", "--verify", "--end-of-options", f"{revision}^{{commit}}", ok=(0, 1, 128))
        words = found.decode("ascii", "replace").split()
        return words[0] if len(words) == 1 else ""  # `a..b` names two

    def tree(self, commit: str) -> Mapping[str, str]:
        """Returns the notes of a commit, MEMORY.md included: path to blob id. Links and submodules are none."""
        return {
            path: entry.id
            for path, entry in self.entries(commit).items()
            if entry.mode in parse.REGULAR and path.lower().endswith(".md") and ".engram" not in path.split("/")
        }

    def entries(self, commit: str, paths: Collection[str] | None = None) -> Mapping[str, Tracked]:
        """Returns what a commit ("": nothing) holds of these paths, or of the whole store: files, links, submodules."""
        found: dict[str, Tracked] = {}
        if not commit:
            return found
        for chunk in self._scopes(paths):
            for record in parse.zsplit(self.run("ls-tree", "-r", "-z", "--full-tree", commit, "--", *chunk)):
                (mode, _, blob), name = parse.entry(record)
                found[self._relative(name)] = Tracked(mode, blob)
        return {path: entry for path, entry in found.items() if paths is None or path in paths}

    def index_entries(self, paths: Collection[str]) -> Mapping[str, Tracked | None]:
        """Returns what the user's index holds of these paths; None where a merge left more than one version."""
        found: dict[str, Tracked | None] = {}
        for chunk in self._scopes(paths):
            for record in parse.zsplit(self.run("ls-files", "-s", "-z", "--", *chunk)):
                (mode, blob, stage), name = parse.entry(record)
                found[self._relative(name)] = Tracked(mode, blob) if stage == "0" else None
        return {path: entry for path, entry in found.items() if path in paths}

    def blobs(self, ids: Iterable[str]) -> Mapping[str, bytes]:
        """Returns the bytes of blobs by their ids. One that the repository lost is missing from the answer."""
        wanted = list(dict.fromkeys(ids))
        if not wanted:
            return {}
        out = self.run("cat-file", "--batch", data="".join(f"{blob}\n" for blob in wanted).encode())
        return dict(parse.batch(out))

    def blob_id(self, data: bytes) -> str:
        """Returns the id that git gives a file of these bytes; no process is started."""
        return self.object_id(b"blob", data)

    def object_id(self, kind: bytes, data: bytes) -> str:
        """Returns the id of an object of any kind."""
        total = hashlib.new(self.sha, usedforsecurity=False)
        total.update(b"%s %d\0" % (kind, len(data)))
        total.update(data)
        return total.hexdigest()

    @property
    def no_object(self) -> str:
        """The id that stands for none."""
        return "0" * hashlib.new(self.sha, usedforsecurity=False).digest_size * 2

    def setting(self, key: str, kind: str = "bool") -> str:
        """Returns a setting of git's as it counts in this store, in git's own spelling of its type; "" if unset."""
        return self.run("config", f"--type={kind}", "--get", key, ok=(0, 1)).decode("utf-8", "replace").strip()

    def check_fit(self) -> None:
        """Raises where the store can't be committed to right now: GitDetached, GitBusy, GitLocked."""
        fit.check(self.git_dir, self.common_dir, self.head()[0])

    def identity(self) -> tuple[str, str]:
        """Returns the name and address for commits of this store, asked of git once. Raises GitIdentityMissing."""
        return self._person

    @cached_property
    def _person(self) -> tuple[str, str]:
        return identity(self.top)

    # -- running ------------------------------------------------------------------------------------------------------

    def run(
        self,
        *args: str,
        data: bytes | None = None,
        ok: Collection[int] = (0,),
        env: Mapping[str, str] | None = None,
        config: Iterable[str] = (),
    ) -> bytes:
        """Runs one git command at the top of the work tree: see ``git``."""
        kept = self._inherit if args[0] in _MOVING else ()
        return git(self.top, *args, data=data, ok=ok, env=env, config=(*self._no_programs, *config), inherit=kept)

    @contextmanager
    def holding(self, descriptor: int) -> Iterator[None]:
        """Lets each git process keep a lock's descriptor open, for as long as the block lasts.

        A killed engram's last git command lives on for a moment. Those that move the branch or the index keep the lock
        until they end, so that nobody takes the store for what it is about to stop being.
        """
        self._inherit = (descriptor,)
        try:
            yield
        finally:
            self._inherit = ()

    def at_top(self, path: str) -> str:
        """Returns a path of the store as git knows it: from the top of the work tree."""
        return self.prefix + path

    def _relative(self, name: bytes) -> str:
        return name.decode("utf-8", "surrogateescape").removeprefix(self.prefix)

    def _scopes(self, paths: Collection[str] | None) -> Iterator[list[str]]:
        """Yields paths from the top, in groups that fit a command line; the store as a whole for None."""
        if paths is None:
            yield [self.prefix] if self.prefix else []
        else:
            yield from parse.grouped([self.at_top(path) for path in paths])

    @cached_property
    def filters(self) -> frozenset[str]:
        """The names of the filters that the settings give a program for."""
        return frozenset(name for section, name in self._programs if section == "filter")

    @cached_property
    def _programs(self) -> frozenset[tuple[str, str]]:
        """Filters and (in newer gits) hooks that the settings name, as section and name."""
        pattern = r"^(hook\..*\.(event|command)|filter\..*\.(clean|smudge|process))$"
        keys = parse.zsplit(git(self.top, "config", "-z", "--name-only", "--get-regexp", pattern, ok=(0, 1)))
        named = (key.decode("utf-8", "surrogateescape").split(".", 1) for key in keys)
        return frozenset((section, rest.rpartition(".")[0]) for section, rest in named)

    @cached_property
    def _no_programs(self) -> tuple[str, ...]:
        """Settings that keep git from starting any of them; even writing the index may ask a filter about a file."""
        off = {"hook": ("enabled=false",), "filter": ("clean=", "smudge=", "process=", "required=false")}
        known = [(section, name) for section, name in sorted(self._programs) if "=" not in name]
        return tuple(f"{section}.{name}.{setting}" for section, name in known for setting in off[section])


def identity(folder: str) -> tuple[str, str]:
    """Returns the name and address that git would put on a commit made in a folder.

    Only what was set counts, never what git can guess from the machine's name. Raises GitIdentityMissing.
    """
    return parse.person(git(folder, "var", "GIT_COMMITTER_IDENT", config=["user.useConfigOnly=true"]))


def enclosing(root: str) -> str:
    """Returns the top of a repository that encloses a folder without being its own; "" where there is none."""
    found = _discover(root)
    return found.top if not isinstance(found, EngramError) and found.prefix else ""


def why_unversioned(root: str) -> EngramError:
    """Returns the reason why a folder can't be written to as a store: the error to raise."""
    found = _discover(root)
    if isinstance(found, EngramError):
        return found
    return StoreEnclosed(f"{root} lies inside the repository {found.top}, which nobody chose for memory", place=root)


def _discover(root: str) -> Repository | EngramError:
    """Returns the repository that git finds from a folder, enclosing ones included, or why there is none to use."""
    real = os.path.realpath(root)
    status, out, err = _run(real, _QUESTIONS)
    answers = out.decode("utf-8", "surrogateescape").split("\n")[:-1]
    if answers[:1] == [_QUESTIONS[1]]:
        return GitMissing("git is too old: it doesn't know object formats")
    if status == 0:
        sha, git_dir, common, _, top, *prefix = answers
        return Repository(
            root=real,
            top=os.path.realpath(top),
            prefix="".join(prefix),
            sha=sha,
            git_dir=os.path.realpath(git_dir),
            common_dir=os.path.realpath(os.path.join(real, common)),
        )
    if "dubious ownership" in err:
        return giterrors.named("rev-parse", status, err)
    if len(answers) >= 4 and answers[3] == "true":
        return GitFailed(f"{root} is a bare repository: it has no folder to keep notes in", place=root)
    if "not a git repository" in err and not os.path.lexists(os.path.join(real, ".git")):
        return StoreNotVersioned(f"{root} is not under git", place=root)
    return GitFailed(f"git can't work in {root}: {giterrors.telling_line(err)}", place=root)


_QUESTIONS = (
    "rev-parse", "--show-object-format", "--absolute-git-dir", "--git-common-dir", "--is-bare-repository",
    "--show-toplevel", "--show-prefix",
)  # fmt: skip

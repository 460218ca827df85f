"""Every error a user can meet: a stable code, an exit status, a message, and what to do next.

Texts may change, codes may not. The classes are grouped by whose turn it is (``docs/errors.md`` lists them):
1 the user can fix it, 2 the command line is wrong, 3 not approved, 4 the store moved, 5 the store needs mending, 70 our
own bugs; 130 is an interrupt.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing costs a hook a tenth of its time
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any, ClassVar

EXIT_OK = 0
EXIT_FIX = 1
EXIT_USAGE = 2
EXIT_NOT_APPROVED = 3
EXIT_MOVED = 4
EXIT_MEND = 5
EXIT_BUG = 70
EXIT_INTERRUPTED = 130


class EngramError(Exception):
    """Is an error with a code that stays, an exit status, a message for a person and a hint.

    ``place`` says where the cause stands (a path, a JSON path); "" where the message says all.
    """

    code: ClassVar[str] = "error"
    exit_status: ClassVar[int] = EXIT_FIX
    hint: str = ""

    def __init__(
        self, message: str, hint: str | None = None, place: str = "", details: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.place = place
        self.details = details or {}
        if hint is not None:
            self.hint = hint

    def as_json(self) -> dict[str, Any]:
        """Returns the same words for a machine: ``{"error": {"code", "message", "hint", "place"}}`` and the details."""
        return {
            **self.details,
            "error": {"code": self.code, "message": self.message, "hint": self.hint, "place": self.place},
        }


# -- 1: the user can fix this -----------------------------------------------------------------------------------------


class StoreNotFound(EngramError):
    """No store stands where one was looked for."""

    code = "store-not-found"
    hint = "run `engram init` to make one, or name a folder of notes with --dir"


class StoreNotVersioned(EngramError):
    """The folder is read, and can't be written to: it is no git repository of its own."""

    code = "store-not-versioned"
    hint = "run `engram init` in a terminal to put these notes under git"


class StoreEnclosed(EngramError):
    """The folder lies inside a repository that nobody chose for memory."""

    code = "store-enclosed"
    hint = "`engram init` gives the notes a repository of their own; `engram init --enclosing` commits to this one"


class StoreReadOnly(EngramError):
    """The store can't be written to."""

    code = "store-read-only"


class ProjectNotFound(EngramError):
    """No project with memory has this name, or several do."""

    code = "project-not-found"
    hint = "name it by its folder, or say `--all-projects`"


class NoteNotFound(EngramError):
    """No note has this name or path."""

    code = "note-not-found"
    hint = "`engram list` shows the names"


class NoteAmbiguous(EngramError):
    """Several notes have this name."""

    code = "note-ambiguous"
    hint = "name it by its path"


class NoteProtected(EngramError):
    """The note is protected: its owner alone changes it, once they have unprotected it."""

    code = "note-protected"
    hint = "leave it as it is; its owner runs `engram unprotect NAME` in a terminal of their own"


class ChangesetInvalid(EngramError):
    """The changeset doesn't hold what it must; every problem is listed with its JSON path.

    ``problems``: pairs of a JSON path (``$.changes[0].op``) and words.
    """

    code = "changeset-invalid"
    hint = "mend what is listed and run `engram curate check` again; `engram curate schema` prints the schema"

    def __init__(self, problems: Sequence[tuple[str, str]]) -> None:
        self.problems = tuple(problems)
        many = len(self.problems)
        super().__init__(
            f"the changeset has {many} problem{'s' if many != 1 else ''}:\n"
            + "\n".join(f"  {where}: {words}" for where, words in self.problems)
        )

    def as_json(self) -> dict[str, Any]:
        shown = super().as_json()
        shown["error"]["problems"] = [{"path": where, "message": words} for where, words in self.problems]
        return shown


class ActImpossible(EngramError):
    """What a command would do to a note can't be done: its file's name, its place or another act stands against it."""

    code = "act-impossible"
    hint = "see to what is named, then run the command again; `engram doctor` tells what else stands in the way"


class SecretFound(EngramError):
    """The text holds something shaped like a secret; it is never printed."""

    code = "secret-found"
    hint = "take the secret out; at a terminal a person may say that it is none"


class ConfigInvalid(EngramError):
    """A settings file doesn't hold what it must."""

    code = "config-invalid"


class ConfigForbidden(EngramError):
    """A setting that loosens the gate is set by a person at a terminal alone."""

    code = "config-forbidden"


class TranscriptUnreadable(EngramError):
    """The transcript is missing, or of no known kind."""

    code = "transcript-unreadable"
    hint = "`engram pending clear ID` lets the session go"


class SessionNotQueued(EngramError):
    """No queued session has this id."""

    code = "session-not-queued"
    hint = "`engram pending list` shows the ids"


class PlanNotFound(EngramError):
    """No waiting plan has this digest or id."""

    code = "plan-not-found"
    hint = "`engram review --list` shows what waits"


class SettingsUnreadable(EngramError):
    """A settings file of an agent can't be read, or can't be changed without guessing; nothing was changed."""

    code = "settings-unreadable"


class SettingsForeign(EngramError):
    """A settings file of an agent holds an entry named engram that engram didn't write; nothing was changed."""

    code = "settings-foreign"
    hint = "rename or remove what stands there, then run the command again"


class InputUnreadable(EngramError):
    """A file named on the command line can't be read."""

    code = "input-unreadable"


class GitMissing(EngramError):
    """git is not installed, or too old."""

    code = "git-missing"
    hint = "install git 2.31 or newer"


class GitFailed(EngramError):
    """git refused what was asked of it; nothing was changed."""

    code = "git-failed"


class GitIdentityMissing(EngramError):
    """git doesn't know whose name to put on a commit."""

    code = "git-identity-missing"
    hint = "git config --global user.name 'Your Name' && git config --global user.email you@example.com"


class GitDubiousOwnership(EngramError):
    """The repository belongs to another user, and git won't touch it."""

    code = "git-dubious-ownership"


class GitDetached(EngramError):
    """The store's HEAD names no branch."""

    code = "git-detached-head"
    hint = "switch to a branch in the store (`git switch main`) and try again"


class GitBusy(EngramError):
    """A merge, rebase, cherry-pick, revert or bisect is under way in the store."""

    code = "git-busy"
    hint = "finish or abort it in the store, then try again"


class GitLocked(EngramError):
    """Another git process holds the store's index or branch, or died holding it."""

    code = "git-locked"


class GitFiltered(EngramError):
    """A note goes through a filter of git's (encryption, large files), which engram's commits don't."""

    code = "git-filtered"
    hint = "take the notes out of the filter (`*.md !filter` in the store's .gitattributes), then try again"


class NoteStaged(EngramError):
    """The store's index holds a version of a note that the commit would lose."""

    code = "note-staged"
    hint = "commit it, or take it out of the index (`git restore --staged PATH`), then try again"


class SigningFailed(EngramError):
    """The store's commits are to be signed, and signing failed."""

    code = "signing-failed"
    hint = "make the key available, or switch signing off for this store: `git config commit.gpgsign false` in it"


class NothingToUndo(EngramError):
    """There is no commit here that `undo` can take back."""

    code = "nothing-to-undo"


class DiskFull(EngramError):
    """The disk is full or the quota is used up; nothing was half-written."""

    code = "disk-full"
    hint = "free some space and try again"


# -- 2: the command line is wrong -------------------------------------------------------------------------------------


class CommandLine(EngramError):
    """A command, option or argument is not there, is missing, or is none that is understood."""

    code = "command-line"
    exit_status = EXIT_USAGE
    hint = "`engram --help` lists the commands; each has a --help of its own"


# -- 3: not approved; nothing was written -----------------------------------------------------------------------------


class GateRefused(EngramError):
    """The answer was no, or what was offered as an approval is none."""

    code = "gate-refused"
    exit_status = EXIT_NOT_APPROVED


class ApprovalNeeded(EngramError):
    """A person has to see the diff first; the plan waits for them."""

    code = "approval-needed"
    exit_status = EXIT_NOT_APPROVED
    hint = "a person runs `engram review` in a terminal of their own"


# -- 4: the store moved; nothing was written --------------------------------------------------------------------------


class PlanChanged(EngramError):
    """The store is no longer the one the plan was made for."""

    code = "plan-changed"
    exit_status = EXIT_MOVED
    hint = "look at the plan again: `engram review`"


class NoteChanged(EngramError):
    """A note is no longer the one the change was written for."""

    code = "note-changed"
    exit_status = EXIT_MOVED
    hint = "read it again (`engram show NAME --json`) and propose against its new `base`"


class SettingsChanged(EngramError):
    """A settings file of an agent is no longer the one that the diff was made for; nothing was changed."""

    code = "settings-changed"
    exit_status = EXIT_MOVED
    hint = "run the command again and look at the new diff"


class StoreLocked(EngramError):
    """Another engram is writing to the store."""

    code = "store-locked"
    exit_status = EXIT_MOVED
    hint = "try again in a moment"


# -- 5: the store needs mending ---------------------------------------------------------------------------------------


class CommitHalfMade(EngramError):
    """A commit was interrupted, and files changed since then; they were left as they are."""

    code = "commit-half-made"
    exit_status = EXIT_MEND


class FrontmatterBroken(EngramError):
    """The note's frontmatter can't be edited without guessing."""

    code = "frontmatter-broken"
    exit_status = EXIT_MEND
    hint = "mend the note's first lines by hand (`---`, fields, `---`), then try again"


class Bug(EngramError):
    """Something happened that engram does not expect; the traceback is in the log."""

    code = "bug"
    exit_status = EXIT_BUG


def every_error() -> Iterator[type[EngramError]]:
    """Yields each error class of the package with a code of its own, in the order in which they are written."""
    import engram.errors.agents  # noqa: F401, PLC0415 - its classes count, and a hook does without them

    waiting = list(EngramError.__subclasses__())
    while waiting:
        kind = waiting.pop(0)
        yield kind
        waiting[:0] = kind.__subclasses__()

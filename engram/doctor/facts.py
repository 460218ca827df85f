"""Facts: all that an examination is told. Who gathers them touches the world; who judges them does not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import cached_property
from typing import Literal

from engram.config import Settings
from engram.model.note import Note
from engram.model.snapshot import Scope, Snapshot
from engram.store.links import resolve


@dataclass(frozen=True, slots=True)
class Left:
    """Is a file that something left behind: absolute path, and for how many seconds it has stood there."""

    path: str
    age: float
    at: float = 0.0
    """Its time of change: who clears it away looks whether it still is the same."""


@dataclass(frozen=True, slots=True)
class Versioning:
    """Is what git says of a store."""

    why: tuple[str, str, str] | None = None
    """Code, message and hint of what stands against committing at all; None where there is a repository."""
    detached: bool = False
    under_way: str = ""
    """``a merge``, ``a rebase``, …; "" as a rule."""
    nobody: tuple[str, str] | None = None
    """Message and hint where git doesn't know whose name to put on a commit."""
    filtered: str = ""
    """Why a note would go through a filter of git's; "" as a rule."""
    locks: tuple[Left, ...] = ()
    """Locks of git's that stand in the repository."""
    tracked_state: tuple[str, ...] = ()
    """Files of ``.engram`` that the index holds."""


@dataclass(frozen=True, slots=True)
class State:
    """Is the machine-local state of a store."""

    half_made: str = ""
    """The record of a commit that was interrupted; "" as a rule."""
    damaged_intent: str = ""
    """Where such a record was put that nobody can read."""
    link: str = ""
    """A link in the place of ``.engram``, or in it."""
    unignored: str = ""
    """A folder of state without the file that keeps it out of git."""
    leftovers: tuple[Left, ...] = ()


@dataclass(frozen=True, slots=True)
class IndexState:
    """Is how the index stands that recall searches."""

    state: Literal["fine", "missing", "old", "damaged"] = "fine"
    path: str = ""
    behind: int = 0
    """Files that it holds in another version, or not at all, or that are gone."""
    calibrated: bool = True


@dataclass(frozen=True, slots=True)
class Wait:
    """Is a session or a plan that waits."""

    kind: Literal["queue", "review", "rejections"]
    id: str
    path: str
    at: datetime | None
    text: str
    """The record as it stands."""
    store: str = ""
    """The store a plan is for; "" for a session."""
    gone: str = ""
    """A transcript or a store that it names and that is not there."""


@dataclass(frozen=True, slots=True)
class Hook:
    """Is what is known of one agent's hooks."""

    host: str
    installed: bool | None = None
    """None where nobody looked."""
    version: str = ""
    """Of the installed plugin; "" where it is not known."""
    spoke: datetime | None = None
    """When it was last heard of."""


@dataclass(frozen=True, slots=True)
class Recall:
    """Is one line of the log of recalls: which notes of the store came, and whether the store was searched at all."""

    session: str
    at: datetime
    paths: frozenset[str]


@dataclass(frozen=True, slots=True)
class ConfigFile:
    """Is a settings file. ``trouble`` is "" where it can be read."""

    path: str
    trouble: str = ""
    newer: bool = False
    unknown: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Identity:
    """Is what a project is known by, wherever it stands."""

    main: str
    """The main checkout's folder, symlinks resolved."""
    common: str = ""
    """The repository's own folder, which all its worktrees share; "" outside of git."""
    remote: str = ""
    """Where it comes from, without scheme and user."""
    roots: tuple[str, ...] = ()
    """The commits that its history begins with."""


@dataclass(frozen=True, slots=True)
class Known:
    """Is a store of a project as it was recorded, and how things stand now."""

    store: str
    identity: Identity
    stands: bool = True
    """The project's folder is there, and is no link to another one."""
    notes: int = 0


@dataclass(frozen=True, slots=True)
class Projects:
    """Is what is known of the project of this place; ``here`` is None where it doesn't matter."""

    here: Identity | None = None
    place: str = ""
    """Where its store is, or would be, as the client names it."""
    root: str = ""
    """The same, symlinks resolved."""
    notes: int = 0
    recorded: Known | None = None
    """What was recorded for this very store."""
    others: tuple[Known, ...] = ()
    """Stores that were recorded for other places."""
    seen: tuple[str, ...] = ()
    """Folders of other projects, there now, whose sessions share the store."""


@dataclass(frozen=True, slots=True)
class Around:
    """Is what the machine is like."""

    platform: str = "linux"
    wsl: bool = False
    windows_stores: tuple[str, ...] = ()
    """Stores on the Windows side of a Linux under Windows."""
    synced: Mapping[str, str] = field(default_factory=dict)
    """Folders that a service says it keeps in step, with the service's name."""


@dataclass(frozen=True)
class Facts:
    """Is a store at one moment, with all that is around it."""

    root: str
    now: datetime
    snapshot: Snapshot
    scope: Scope = "dir"
    exists: bool = True
    read_only: str = ""
    """Why the store can't be written to; "" where it can."""
    making: str = "engram init"
    """The command that makes a store of the folder."""
    version: str = ""
    """Engram's own."""
    settings: Settings = Settings()  # noqa: RUF009 - a tuple
    waived: frozenset[str] = frozenset()
    git: Versioning = Versioning()
    state: State = State()
    index: IndexState = IndexState()
    waits: tuple[Wait, ...] = ()
    damaged: tuple[tuple[str, str], ...] = ()
    """Records of what waits that can't be read: path and reason."""
    hooks: tuple[Hook, ...] = ()
    faults: tuple[tuple[datetime, str], ...] = ()
    """What hooks noted as gone wrong, the newest last."""
    recalls: tuple[Recall, ...] = ()
    """Of this store, the newest first."""
    configs: tuple[ConfigFile, ...] = ()
    projects: Projects = Projects()
    around: Around = Around()

    @property
    def today(self) -> date:
        return self.now.date()

    @cached_property
    def active(self) -> tuple[Note, ...]:
        """Notes that hold: not archived, not invalidated, not the loser of a conflict."""
        return tuple(note for note in self.snapshot.notes if note.stands and not note.in_conflict)

    @cached_property
    def links(self) -> Mapping[str, tuple[tuple[str, tuple[Note, ...]], ...]]:
        """Each active note's links, by its path: the target as written, and the notes that it may mean."""
        known: dict[tuple[str, str], tuple[Note, ...]] = {}
        found = {}
        for note in self.active:
            folder = note.path.rpartition("/")[0]
            for target in note.links:
                if (folder, target) not in known:
                    known[folder, target] = resolve(target, note.path, self.snapshot)
            found[note.path] = tuple((target, known[folder, target]) for target in note.links)
        return found

    @cached_property
    def unread(self) -> frozenset[str]:
        """Paths that are there and could not be read as notes."""
        return frozenset(one.path for one in self.snapshot.findings if one.level == "unreadable")

    def reviewed(self, path: str) -> bool:
        """Tells whether a person has seen a file as it stands: its bytes are those in HEAD."""
        return self.snapshot.versioned and path not in self.snapshot.unreviewed
